"""Searches in lanes by themselves: slices do not change the sequence, continuous joints are counted on."""

import numpy as np
from planner_inputs import scene_checker, scene_pairs
from planning_scenes import turning_arm

from carpal.contact import collision_checker
from carpal.model import Box, Scene
from carpal.planning import plan
from carpal.planning.planners import lane_planner as lanes
from carpal.planning.planners.kernels import lane_run


def test_slices_do_not_change_the_search(monkeypatch):
    planner = lanes.lane_planner(scene_checker().tables, 0.0)
    starts, goals = scene_pairs()
    paths = []
    for size in (500, 7):
        monkeypatch.setattr(lanes, "SLICE", size)
        ends = list(zip(starts[:8], goals[:8], strict=True))
        paths.append([planner.search(a, b[None], 3, 400, shorten=True, out_of_time=lambda: False) for a, b in ends])
    for one, two in zip(*paths, strict=True):
        assert np.array_equal(one.path, two.path) and one.samples == two.samples


def test_several_goals_are_a_tree_with_several_roots():
    planner = lanes.lane_planner(scene_checker().tables, 0.0)
    starts, goals = scene_pairs()
    found = planner.search(starts[0], goals[:5], 0, 5000, shorten=False, out_of_time=lambda: False)
    assert found.outcome == lane_run.FOUND
    assert min(np.abs(found.path[-1] - goal).max() for goal in goals[:5]) < 1e-12


def test_continuous_joints_turn_the_free_way_round():
    scene = Scene("turn").add_robot(turning_arm(), name="arm")
    start, goal = np.array([2.5, 0.6, 0.2, 0, 0.3, 3.0]), np.array([-2.5, 0.6, 0.2, 0, 0.3, -3.0])
    straight = plan(scene, start, goal)
    assert straight and np.allclose(straight.path[-1, [0, 5]], [2 * np.pi - 2.5, 2 * np.pi - 3.0])
    scene.add_fixed("wall", Box((0.8, 0.02, 2.0)), pose=[-0.7, 0.0, 1.0])
    other = plan(collision_checker(scene), start, goal, max_samples=20_000)
    assert other, other.status
    turned = other.path[-1] - goal
    assert np.allclose(turned / (2 * np.pi), np.round(turned / (2 * np.pi)), atol=1e-9)
    assert np.abs(np.diff(other.path[:, 0])).max() <= np.pi + 1e-9
