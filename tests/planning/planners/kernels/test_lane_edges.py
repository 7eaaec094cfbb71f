"""Edges that are called proven keep their distance in between too; edges that touch are never proven."""

import numpy as np
from lane_inputs import among_boxes, deepest, dense, pair_names, sphere_arm

from carpal.contact import collision_checker
from carpal.kinematics import random_configurations, satisfy_constraints
from carpal.planning.planners.lane_planner import lane_planner


def test_proven_edges_are_free_in_between(figure):
    right, worst, wrong = 0, np.inf, 0
    for seed in range(2):
        for coupled in (False, True):
            checker = collision_checker(among_boxes(sphere_arm(seed, coupled=coupled), seed))
            planner = lane_planner(checker.tables, 0.0)
            q = random_configurations(checker.model, 200, seed=seed)
            q = satisfy_constraints(checker.model, q).q if coupled else q
            near = q[:-1] + 0.3 * (q[1:] - q[:-1])
            near = satisfy_constraints(checker.model, near).q if coupled else near
            for a, b in zip(q[:-1], near, strict=True):
                proven = planner.proven(np.array([a, b]), 0.0)
                between = dense(np.array([a, b]), 0.01)
                between = satisfy_constraints(checker.model, between).q if coupled else between
                least = deepest(checker.model, pair_names(checker.tables), between)
                if proven:
                    worst = min(worst, least)
                right += proven == (least > 0)
                wrong += not proven and least > 0.003
    figure("least distance along edges that are called proven [m]", worst, 0.0, at_least=True)
    figure("edges freer than 3 mm that are not proven", wrong, 0)
    assert right > 700


def test_a_margin_beyond_the_scenes_is_kept():
    checker = collision_checker(among_boxes(sphere_arm(1), 1))
    planner = lane_planner(checker.tables, 0.0)
    q = random_configurations(checker.model, 60, seed=3)
    for a, b in zip(q[:-1], q[:-1] + 0.1 * (q[1:] - q[:-1]), strict=True):
        least = deepest(checker.model, pair_names(checker.tables), dense(np.array([a, b]), 0.01))
        if planner.proven(np.array([a, b]), 0.02):
            assert least > 0.02
