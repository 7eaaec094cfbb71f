"""Scratch of a thread: whole turns are counted on along a path."""

import numpy as np
from planner_inputs import scene_checker

from carpal.planning.planners.kernels import lane_search as ls
from carpal.planning.planners.lane_planner import lane_planner
from carpal.planning.planners.lane_workplace import Workplace


def test_continuous_joints_are_counted_on():
    planner = lane_planner(scene_checker().tables, 0.0)
    low, high, turns, *rest = planner.space
    place = Workplace(planner.lanes, (low, high, np.array([1.0, 0, 0, 0, 0, 0, 0]), *rest), nodes=4)
    place.search.path[0, :4, 0] = [3.0, -3.0, -1.0, 2.5]
    place.search.path[0, :4, 1] = [3.0, -3.0, -1.0, 2.5]
    place.search.state[0, ls.PATH] = 4
    path = place.path()
    assert np.allclose(path[:, 0], [3.0, 2 * np.pi - 3.0, 2 * np.pi - 1.0, 2.5])
    assert np.allclose(path[:, 1], [3.0, -3.0, -1.0, 2.5]) and not turns.any()
