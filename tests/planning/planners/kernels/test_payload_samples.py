"""Guesses about configurations without a past steer SBL; the path itself is followed in time all the same."""

import numpy as np
import pytest
from payload_scenes import questions, relay_scene

from carpal.planning import follow_payload, plan

pytestmark = [pytest.mark.xdist_group("planners"), pytest.mark.full]


def test_sbl_grows_both_trees_and_its_path_holds():
    scene = relay_scene()
    starts, goals, angles = questions(scene, 20)
    grown, found = 0, 0
    for i in range(20):
        result = plan(scene, starts[i], goals[i], angle=angles[i], planner="sbl", seed=i, max_samples=400)
        grown += min(result.tree_sizes) > 1
        if result.ok and result.samples:
            found += 1
            assert follow_payload(scene, result.path, result.grasp).known
            assert np.array_equal(result.path[[0, -1]], [starts[i], goals[i]])
    assert grown >= 3 and found >= 1
