"""RRT-Connect: edges no longer than its extension, both trees, a tiny budget ends it."""

import numpy as np
import pytest
from planner_inputs import scene_checker, scene_pairs

from carpal.planning import plan_each

pytestmark = pytest.mark.xdist_group("planners")


@pytest.mark.parametrize("share", [0.05, 0.2])
def test_extensions_are_no_longer_than_asked(share):
    checker = scene_checker()
    starts, goals = scene_pairs()
    found = plan_each(checker, starts, goals, planner="rrt_connect", simplify=False, neighbourhood=share, proof=False)
    width = checker.model.q_max - checker.model.q_min
    assert all(found)
    for result in found:
        if result.samples:
            assert (np.abs(np.diff(result.path, axis=0)) / width).max() <= share * (1 + 1e-9)


def test_samples_bound_the_search():
    starts, goals = scene_pairs()
    found = plan_each(scene_checker(), starts, goals, planner="rrt_connect", max_samples=2)
    assert all(result.samples <= 2 for result in found) and not all(found)
    assert all("no path found in 2 samples" in result.status for result in found if not result)
