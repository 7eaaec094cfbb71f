"""SBL's tree surgery on made-up trees, and the planner's own habits in a scene."""

import numpy as np
import pytest
from planner_inputs import empty_search, grow_random_trees, scene_checker, scene_pairs

from carpal.planning import plan_each
from carpal.planning.planners.kernels import sbl
from carpal.planning.planners.kernels import search_state as state
from carpal.planning.planners.kernels.density import choose_joints

pytestmark = pytest.mark.xdist_group("planners")


def root_of(search, node):
    steps = 0
    while search.links[0, node, state.PARENT] >= 0:
        node, steps = int(search.links[0, node, state.PARENT]), steps + 1
        assert steps < 1000, "a loop"
    return node


def edges_of(search, count):
    """Every edge with its data, whichever of the two nodes holds it."""
    out = {}
    for node in range(count):
        parent = int(search.links[0, node, state.PARENT])
        if parent >= 0:
            out[frozenset((node, parent))] = tuple(search.links[0, node, [state.LEVEL, state.LENGTH]])
    return out


@pytest.mark.parametrize("seed", range(12))
def test_a_cut_hands_the_subtree_over_the_bridge(seed):
    space, search = empty_search(3)
    grow_random_trees(search, 60, seed)
    choose_joints(space, search, 1, 0)
    rng = np.random.default_rng(seed)
    trees = search.links[0, :60, state.TREE]
    a, b = (int(rng.choice(np.flatnonzero(trees == t))) for t in (0, 1))
    count, before = sbl.chain_of(search, a, b, 0)
    chain = search.chain[0, :count].astype(int)
    assert chain[0] == 0 and chain[-1] == 1 and chain[before - 1] == a and chain[before] == b
    edges = edges_of(search, 60)
    for edge in range(count - 1):
        copy = state.Search(*(x.copy() for x in search))
        sbl._cut(space, copy, before, edge, 0.77, 3, False, 0)
        assert all(root_of(copy, k) == copy.links[0, k, state.TREE] for k in range(60))
        after = edges_of(copy, 60)
        cut, bridge = frozenset(chain[edge : edge + 2].tolist()), frozenset((a, b))
        expected = dict(edges)
        if edge + 1 != before:
            del expected[cut]
            expected[bridge] = (3.0, 0.77)
        assert after == expected  # the bridge takes the cut edge's place, all data stay with their edges


def test_few_edges_are_checked_for_many_nodes():
    """Laziness: most nodes of both trees never had their edge checked."""
    starts, goals = scene_pairs()
    found = plan_each(scene_checker(), starts[:20], goals[:20], planner="sbl", simplify=False)
    searched = [result for result in found if result.samples > 30]
    assert searched
    assert all(min(result.tree_sizes) > 1 for result in searched)
    eager = sum(sum(result.tree_sizes) for result in searched) * 1.4 / 0.02  # edges of 1.4 rad, every one checked
    assert sum(result.checks - result.samples for result in searched) < 0.6 * eager
