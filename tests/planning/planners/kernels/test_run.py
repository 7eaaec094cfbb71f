"""The entry: outcomes, reports, refused worlds."""

import numpy as np
import pytest
from planner_inputs import scene_checker, scene_pairs

from carpal.planning.planners.kernels import run
from carpal.planning.planners.search_run import run_search
from carpal.planning.planners.search_settings import SearchSettings

pytestmark = pytest.mark.xdist_group("planners")


def asked(planner="rrt_connect", most=2000, starts=None, goals=None, **options):
    a, b = scene_pairs()
    starts, goals = (a[:3] if starts is None else starts), (b[:3] if goals is None else goals)
    made = SearchSettings.of(planner, max_samples=most)
    return run_search(scene_checker().tables, made, 0.0, starts, goals, np.zeros((len(starts), 1)), **options)


def test_outcomes():
    checker = scene_checker()
    a, b = scene_pairs()
    from carpal.kinematics import random_configurations

    q = random_configurations(checker.model, 100, seed=9)
    touching = q[checker.collides(q).hit][:1]
    _, report, _, _ = asked(starts=touching, goals=b[:1])
    assert report[0, run.OUTCOME] == run.START_TOUCHES and report[0, run.PAIR] >= 0 and report[0, run.CHECK_COUNT] == 1
    _, report, _, _ = asked(starts=a[:1], goals=touching)
    assert report[0, run.OUTCOME] == run.GOAL_TOUCHES and report[0, run.CHECK_COUNT] == 2
    _, report, _, _ = asked(most=1, starts=a, goals=b)
    tired = report[:, run.OUTCOME] == run.EXHAUSTED
    assert tired.any() and (report[tired, run.SAMPLE_COUNT] == 1).all() and (report[:, run.PATH][tired] == 0).all()


@pytest.mark.parametrize("planner", ["rrt_connect", "sbl", "est"])
def test_tree_sizes_and_costs_are_reported(planner):
    _, report, _, _ = asked(planner)
    assert (report[:, run.OUTCOME] == run.FOUND).all()
    assert (report[:, [run.START_NODES, run.GOAL_NODES]] >= 1).all()
    assert (report[:, run.COST_AFTER] <= report[:, run.COST_BEFORE] * (1 + 1e-12)).all()


def test_a_given_path_is_checked():
    a, b = scene_pairs()
    _, report, _, _ = asked(starts=a[:1], goals=a[:1], given=[np.array([a[0], a[0] + 1e-3, a[0]])])
    assert report[0, run.OUTCOME] == run.FOUND
    blocked = [(s, g) for s, g in zip(a, b, strict=True)]
    reports = [asked(starts=s[None], goals=g[None], given=[np.array([s, g])])[1][0] for s, g in blocked[:20]]
    outcomes = {int(row[run.OUTCOME]) for row in reports}
    assert outcomes == {run.FOUND, run.PATH_TOUCHES}
    assert all(row[run.EDGE] == 1 for row in reports if row[run.OUTCOME] == run.PATH_TOUCHES)
