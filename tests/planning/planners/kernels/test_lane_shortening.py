"""Shortened paths are proven, never longer, and keep their ends."""

import numpy as np
from planner_inputs import scene_checker, scene_pairs

from carpal.planning import plan


def test_shortened_paths_are_shorter_and_proven():
    starts, goals = scene_pairs()
    saved = []
    for i in range(12):
        long, short = (
            plan(scene_checker(), starts[i], goals[i], seed=4, simplify=simplify) for simplify in (False, True)
        )
        if long.planner == short.planner == "spheres":
            assert short.proven and short.cost <= long.cost + 1e-9 and np.isclose(short.cost_found, long.cost)
            assert np.array_equal(short.path[0], starts[i]) and np.allclose(short.path[-1], goals[i])
            saved.append(1 - short.cost / long.cost)
    assert np.mean(saved) > 0.1
