"""EST: its trees are all checked, forward or both paths; a tiny budget ends it."""

import pytest
from planner_inputs import scene_checker, scene_pairs

from carpal.planning import plan_each

pytestmark = pytest.mark.xdist_group("planners")


def test_samples_bound_the_search():
    starts, goals = scene_pairs()
    for forward in (False, True):
        found = plan_each(scene_checker(), starts, goals, planner="est", max_samples=3, forward=forward)
        assert all(result.samples <= 3 for result in found) and not all(found)


def test_both_trees_grow_unless_forward():
    starts, goals = scene_pairs()
    both = plan_each(scene_checker(), starts, goals, planner="est", simplify=False)
    ahead = plan_each(scene_checker(), starts, goals, planner="est", simplify=False, forward=True)
    assert max(result.tree_sizes[1] for result in both) > 1 and all(result.tree_sizes[1] == 1 for result in ahead)
    assert all(both) and all(ahead)
