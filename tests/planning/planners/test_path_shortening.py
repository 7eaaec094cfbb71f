"""Shortening: never longer, same ends, free; a path that touches is refused with the place."""

import numpy as np
import pytest
from planner_inputs import deepest_by_mujoco, path_samples, scene_checker, scene_pairs

from carpal.errors import InputError
from carpal.planning import plan, shorten_path

pytestmark = pytest.mark.xdist_group("planners")


def length(path):
    return np.linalg.norm(np.diff(path, axis=0), axis=1).sum()


def test_never_longer_and_free():
    starts, goals = scene_pairs()
    shorter = 0
    for i in range(10):
        raw = plan(scene_checker(), starts[i], goals[i], planner="sbl", simplify=False, seed=i)
        result = shorten_path(scene_checker(), raw.path)
        assert result.ok and length(result.path) <= length(raw.path) * (1 + 1e-12)
        assert np.array_equal(result.path[[0, -1]], raw.path[[0, -1]]) and result.deletions_left >= 0
        assert deepest_by_mujoco(path_samples(result.path, 0.02)) <= 1e-6
        shorter += length(result.path) < 0.9 * length(raw.path)
        again = shorten_path(scene_checker(), result.path)
        assert again.cost <= result.cost * (1 + 1e-12) and "shorter" in str(result)
    assert shorter >= 5


def test_a_long_path_is_thinned_first():
    starts, goals = scene_pairs()
    raw = plan(scene_checker(), starts[1], goals[1])
    fine = path_samples(raw.path, 0.02)
    fine = fine[np.r_[True, np.abs(np.diff(fine, axis=0)).max(axis=1) > 1e-9]]
    assert len(fine) > 160
    result = shorten_path(scene_checker(), fine)
    assert result.ok and len(result.path) < 20 and length(result.path) <= length(fine) * (1 + 1e-9)


def test_a_path_that_touches_is_refused():
    checker = scene_checker()
    starts, goals = scene_pairs()
    for a, b in zip(starts, goals, strict=True):
        if checker.collides(path_samples(np.array([a, b]), 0.02)).hit.any():
            result = shorten_path(checker, [a, b])
            assert not result and "on its edge from point 0 to 1" in result.status
            return
    raise AssertionError("no pair had an obstacle between")


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ([], "waypoints"),
        (np.zeros((1, 7)), "two waypoints"),
        (np.zeros((2, 7)), "equal"),
        (np.full((2, 7), 9.0), "limits"),
    ],
)
def test_bad_paths(path, says):
    with pytest.raises(InputError, match=says):
        shorten_path(scene_checker(), path)
    many = np.linspace(0, 1, 3000)[:, None] * np.ones(7)
    with pytest.raises(InputError, match="too long"):
        shorten_path(scene_checker(), many)
