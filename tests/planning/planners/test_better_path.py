"""Cheaper paths while time lasts: towards a closed form, never dearer, seeded, free by MuJoCo."""

import numpy as np
import pytest
from lane_inputs import carriage
from planner_inputs import deepest_by_mujoco, path_samples, scene_checker, scene_pairs

from carpal.contact import collision_checker
from carpal.model import Box, Scene
from carpal.planning import plan


def test_the_shortest_path_around_an_edge():
    # a ball of radius 0.05 passes over a wall's upper edges: two lines that touch quarter circles, and the line between these
    scene = Scene("wall").add_robot(carriage(), name="c")
    scene.add_fixed(
        "wall", Box((0.2, 9.0, 1.2)), pose=[0.01, 0.02, -0.57]
    )  # upper edges at z = 0.03, the ball's centre height 0
    checker = collision_checker(scene)
    a, b = np.array([-0.6, 0.0, -0.3]), np.array([0.6, 0.0, -0.3])
    corner, r = np.array([-0.1, 0.0]), 0.05
    d = corner - a[[0, 2]]
    length = float(np.hypot(*d))
    tangent = np.sqrt(length**2 - r**2)
    turn = np.pi / 2 - (np.arctan2(d[1], d[0]) + np.arcsin(r / length))
    least = 2 * tangent + 2 * r * (np.pi / 2 - turn) + 0.2
    short = plan(checker, a, b, planner="prm_star", max_samples=1000, seed=2)
    long = plan(checker, a, b, planner="prm_star", max_samples=30_000, seed=2)
    assert short and long and least <= long.cost <= short.cost * (1 + 1e-9)
    assert long.cost < 1.01 * least
    assert (np.diff(long.history[:, 2]) < 0).all() and long.history[-1, 2] == pytest.approx(long.cost)
    again = plan(checker, a, b, planner="prm_star", max_samples=30_000, seed=2)
    assert np.array_equal(again.path, long.path)


def test_better_paths_are_free_and_end_where_they_should():
    starts, goals = scene_pairs()
    for i in range(4):
        first = plan(scene_checker(), starts[i], goals[i], seed=i)
        result = plan(
            scene_checker(), starts[i], [goals[i + 1], goals[i]], seed=i, planner="prm_star", max_samples=6000
        )
        assert result.proven and deepest_by_mujoco(path_samples(result.path, 0.01)) < 1e-6
        assert np.allclose(result.path[-1], goals[i + 1 - result.goal_index], atol=1e-12)
        one = plan(scene_checker(), starts[i], goals[i], seed=i, planner="prm_star", max_samples=6000)
        assert one.cost <= first.cost * (1 + 1e-9)


def test_a_straight_edge_is_left_alone():
    starts, goals = scene_pairs()
    result = plan(scene_checker(), starts[2], goals[2], planner="prm_star")  # ends at once, not after 5 s
    assert len(result.path) == 2 and result.samples == 0
