"""RRT with a payload: the goal's tree only guides, paths hold when followed, more samples never undo an answer."""

import numpy as np
import pytest
from payload_scenes import questions, relay_scene

from carpal.planning import follow_payload, plan

pytestmark = [pytest.mark.xdist_group("planners"), pytest.mark.full]


def test_paths_hold_and_the_search_is_the_same_up_to_its_answer():
    scene = relay_scene()
    starts, goals, angles = questions(scene, 20)
    bent, guided = 0, 0
    for i in range(20):
        result = plan(
            scene, starts[i], goals[i], angle=angles[i], seed=i, planner="rrt_connect", max_samples=600, simplify=False
        )
        guided += result.tree_sizes[1] > 1
        if not result.ok:
            assert "samples" in result.status
            continue
        assert follow_payload(scene, result.path, result.grasp).known
        if result.samples:
            bent += 1
            longer = plan(
                scene,
                starts[i],
                goals[i],
                angle=angles[i],
                seed=i,
                planner="rrt_connect",
                max_samples=900,
                simplify=False,
            )
            assert np.array_equal(longer.path, result.path)
    assert bent >= 2 and guided >= 3


def test_a_search_that_may_take_no_sample_says_so():
    scene = relay_scene()
    starts, goals, angles = questions(scene, 5)
    results = [
        plan(scene, starts[i], goals[i], angle=angles[i], planner="rrt_connect", max_samples=1) for i in range(5)
    ]
    assert all(result.ok or "1 samples" in result.status or "touches" in result.status for result in results)
