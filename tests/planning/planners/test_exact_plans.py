"""Plans on the exact shapes: proven by default, within their budget."""

import numpy as np
from planner_inputs import scene_checker, scene_pairs

from carpal.planning import plan


def test_paths_are_proven_unless_asked_otherwise():
    starts, goals = (q[1] for q in scene_pairs())
    asked = plan(scene_checker(), starts, goals, planner="sbl")
    assert asked.proven and "without gaps" in asked.status and asked.sweep()
    assert not plan(scene_checker(), starts, goals, planner="sbl", proof=False).proven


def test_samples_end_a_search_exactly():
    starts, goals = (
        q[int(np.argmax([abs(a - b).max() for a, b in zip(*scene_pairs(), strict=True)]))] for q in scene_pairs()
    )
    result = plan(scene_checker(), starts, goals, planner="est", max_samples=2)
    assert result.samples <= 2 and result.ended_by in ("path", "samples")
