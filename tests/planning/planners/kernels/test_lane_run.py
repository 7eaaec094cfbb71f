"""Outcomes of the entry: straight edges, ends that touch."""

import numpy as np
from planner_inputs import scene_checker, scene_pairs

from carpal.planning.planners.kernels import lane_run
from carpal.planning.planners.lane_planner import lane_planner


def test_outcomes():
    planner = lane_planner(scene_checker().tables, 0.0)
    starts, goals = scene_pairs()
    rng = np.random.default_rng(0)
    q = rng.uniform(-1, 1, (400, 7))
    touching = q[scene_checker().collides(q).hit][0]

    def outcome(a, b):
        return planner.search(a, b[None], 0, 1, shorten=True, out_of_time=lambda: True).outcome

    assert outcome(starts[0], starts[0]) == lane_run.FOUND and outcome(touching, goals[0]) == lane_run.START_TOUCHES
    assert outcome(starts[0], touching) == lane_run.GOAL_TOUCHES
    assert planner.touches(touching) and not planner.touches(starts[0])
