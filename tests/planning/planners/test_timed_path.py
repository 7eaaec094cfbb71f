"""Paths in time: limits kept, swept curves free by MuJoCo, chords that are as near as they claim."""

import numpy as np
import pytest
from lane_inputs import among_boxes, sphere_arm, sphere_centres
from planner_inputs import deepest_by_mujoco, scene_checker, scene_pairs

from carpal.contact import collision_checker
from carpal.kinematics import random_configurations
from carpal.model import Model
from carpal.planning import joint_trajectory, limit_jerk, plan, plan_each
from carpal.planning.planners.lane_planner import LanePlanner, lane_planner
from carpal.planning.planners.timed_path import CHORD, chords

LIMITS = {"v_max": 2.0, "vdot_max": 5.0}


def test_motions_keep_their_limits_and_are_free_by_mujoco():
    checker, (starts, goals) = scene_checker(), scene_pairs()
    kinds = set()
    for result in plan_each(checker, starts[:12], goals[:12], seed=np.arange(12)):
        for jerk in (None, 20.0):
            motion = result.trajectory(**LIMITS, jerk_max=jerk)
            assert motion.check(result.model, **LIMITS, jerk_max=jerk)
            assert deepest_by_mujoco(motion.sample(0.01)[0]) < 1e-6
            assert np.allclose(motion.q_end, result.path[-1], atol=1e-12)
            kinds.add("rests" in motion.status)
            assert "swept without gaps" in motion.status or "rests" in motion.status or jerk is None
    assert kinds == {True, False}


def test_motions_of_exact_plans_are_swept_on_exact_shapes():
    starts, goals = scene_pairs()
    result = plan(scene_checker(), starts[0], goals[0], planner="sbl", seed=1, max_samples=4000)
    motion = result.trajectory(**LIMITS, jerk_max=100.0)
    assert "swept" in motion.status and deepest_by_mujoco(motion.sample(0.01)[0]) < 1e-6
    unproven = plan(scene_checker(), starts[0], goals[0], planner="sbl", seed=1, proof=False, max_samples=4000)
    assert "checked every 10 ms" in unproven.trajectory(**LIMITS, jerk_max=100.0).status


def sphere_planner() -> tuple[LanePlanner, Model]:
    checker = collision_checker(among_boxes(sphere_arm(0), 0))
    planner = lane_planner(checker.tables, 0.0)
    assert planner is not None
    return planner, checker.model


@pytest.mark.parametrize("jerk", [None, 10.0])
def test_chords_are_as_near_as_they_claim(jerk):
    planner, model = sphere_planner()
    waypoints = random_configurations(model, 4, seed=3)
    motion = joint_trajectory(model, waypoints, **LIMITS)
    motion = motion if jerk is None else limit_jerk(motion, jerk)
    points, away = chords(motion, planner)
    assert 0 < away <= CHORD and np.allclose(points[[0, -1]], [motion.q_start, motion.q_end])
    q = motion.sample(0.003)[0]
    u = np.diff(points, axis=0)
    share = np.einsum("nkj,kj->nk", q[:, None] - points[:-1], u) / np.maximum((u * u).sum(axis=1), 1e-300)
    near = points[:-1] + np.clip(share, 0, 1)[..., None] * u
    best = near[np.arange(len(q)), np.linalg.norm(q[:, None] - near, axis=2).argmin(axis=1)]
    moved = zip(sphere_centres(model, q), sphere_centres(model, best), strict=True)
    assert max(np.linalg.norm(a[2] - b[2], axis=1).max() for a, b in moved) <= away


def test_displacement_bounds_what_spheres_move():
    planner, model = sphere_planner()
    rng = np.random.default_rng(2)
    q, dq = rng.uniform(-1, 1, (50, 7)), rng.normal(size=(50, 7)) * 0.05
    moved = zip(sphere_centres(model, q), sphere_centres(model, q + dq), strict=True)
    most = np.max([np.linalg.norm(a[2] - b[2], axis=1) for a, b in moved], axis=0)
    bound = planner.lanes.displacement(dq)
    assert (most <= bound).all() and (most > 0.1 * bound).any()
