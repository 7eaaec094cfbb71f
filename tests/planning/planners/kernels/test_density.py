"""Cells hold every node once; sparse places are picked as often as crowded ones."""

import numpy as np
from planner_inputs import empty_search, grow_random_trees

from carpal.planning.planners.kernels import density
from carpal.planning.planners.kernels import search_state as state


def members(search, tree):
    out = []
    for cell in range(density.CELLS):
        node, found = int(search.cells[0, 2 * tree, cell]), []
        while node >= 0:
            found.append(node)
            node = int(search.links[0, node, state.NEXT])
        assert len(found) == search.cells[0, 2 * tree + 1, cell]
        out += found
    return sorted(out)


def test_every_node_is_in_one_cell():
    space, search = empty_search(5)
    grow_random_trees(search, 200, 1)
    density.choose_joints(space, search, 3, 0)
    assert search.counts[0, state.FIRST_JOINT] != search.counts[0, state.SECOND_JOINT]
    for tree in (0, 1):
        assert members(search, tree) == np.flatnonzero(search.links[0, :200, state.TREE] == tree).tolist()


def test_sparse_nodes_are_picked_as_often_as_crowds():
    """99 nodes in one corner and the root far away: the root is half of all picks, not a hundredth."""
    space, search = empty_search(2)
    for i in range(101):
        search.q[0] = 0.05 if i > 1 else 0.95
        state.add_node(search, 0 if i != 1 else 1, -1 if i < 2 else 0, 0.1, 0)
    search.counts[0, state.SIZED] = 101
    search.counts[0, state.SECOND_JOINT] = 1
    density.sort_into_cells(space, search, 0)
    picks = np.array([density.pick_sparse(space, search, 0, 5, 0) for _ in range(2000)])
    assert 0.45 < (picks == 0).mean() < 0.55 and len(set(picks)) > 95
    assert {density.pick_sparse(space, search, 1, 5, 0) for _ in range(20)} == {1}


def test_joints_are_drawn_again_when_the_trees_have_doubled():
    space, search = empty_search(6)
    grow_random_trees(search, 10, 0)
    density.choose_joints(space, search, 1, 0)
    search.counts[0, state.NODES] = 2
    grow_random_trees(search, 0, 0)
    search.counts[0, state.NODES] = 10
    search.counts[0, state.SIZED] = 5
    density.pick_sparse(space, search, 0, 1, 0)
    assert search.counts[0, state.SIZED] == 10


def test_neighbourhoods_are_uniform_and_inside_the_limits():
    space, search = empty_search(1)
    search.q[0] = 0.1
    state.add_node(search, 0, -1, 0.0, 0)
    values = []
    for u in np.linspace(0, 1, 101):
        density.put_near(space, search, 0, 0.3, u, 0, 0)
        values.append(search.q[0, 0])
    assert min(values) == 0.0 and max(values) == 0.4 and np.allclose(np.diff(values), 0.004)
