"""Trees as arrays: numbers by counting, nodes, distances, the nearest by brute force."""

import numpy as np
from planner_inputs import empty_search, grow_random_trees

from carpal.planning.planners.kernels import search_state as state


def test_random_numbers_depend_on_seed_and_count_only():
    _, search = empty_search(2)
    first = [state.draw(search, 7, 0) for _ in range(50)]
    search.counts[0, state.DRAWN] = 0
    assert first == [state.draw(search, 7, 0) for _ in range(50)] and len(set(first)) == 50
    search.counts[0, state.DRAWN] = 0
    assert first != [state.draw(search, 8, 0) for _ in range(50)]
    whole = np.array([state.draw_below(search, 1, 5, 0) for _ in range(4000)])
    assert set(whole) == set(range(5)) and np.bincount(whole).min() > 650


def test_nodes_are_kept_until_the_trees_are_full():
    _, search = empty_search(3, capacity=5)
    for i in range(5):
        search.q[0] = i
        assert state.add_node(search, i % 2, i - 1, 0.5 * i, 0) == i
    assert state.add_node(search, 0, 0, 1.0, 0) == -1 and search.counts[0, state.NODES] == 5
    assert np.array_equal(search.nodes[0, 3], [3, 3, 3]) and search.links[0, 3].tolist() == [1, 2, 0, 1.5, -1]


def test_distances_and_the_nearest():
    space, search = empty_search(4)
    space.q_max[:] = [1, 2, 3, 4]
    grow_random_trees(search, 120, 0)
    nodes, trees = search.nodes[0, :120], search.links[0, :120, state.TREE]
    share = (np.abs(nodes[:, None] - nodes[None]) / space.q_max).max(-1)
    assert state.joint_apart(search, 5, 9, 0) == np.abs(nodes[5] - nodes[9]).max()
    for node in range(0, 120, 7):
        for tree in (0, 1):
            found, apart = state.nearest_node(space, search, tree, node, 0)
            own = np.flatnonzero(trees == tree)
            assert apart == share[own, node].min() == state.share_apart(space, search, found, node, 0)
