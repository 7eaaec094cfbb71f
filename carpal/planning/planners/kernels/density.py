"""Picking a node where its tree is sparse: nodes fall into cells of two joints, a cell is drawn, then a node in it.

So a node is picked with a probability inverse to the density around it (Sánchez, Latombe, "A single-query bi-directional
probabilistic roadmap planner with lazy collision checking", 2001, section 5; Leutenegger 2008, section 7.3). The two joints
are drawn again whenever the trees have doubled: what is crowded seen from one side may be sparse seen from another.
"""

from carpal._core.compile import kernel, leaf
from carpal.planning.planners.kernels.search_state import (
    FIRST_JOINT,
    NEXT,
    NODES,
    SECOND_JOINT,
    SIZED,
    TREE,
    draw_below,
)

SIDE = 10  # cells along each of the two joints
CELLS = SIDE * SIDE


@leaf
def _part(space, x, j):
    """Which of the equal parts of a joint's range holds x."""
    share = (x - space.q_min[j]) / (space.q_max[j] - space.q_min[j])
    return min(max(int(share * SIDE), 0), SIDE - 1)


@leaf
def put_into_cell(space, search, node, slot):
    """Enter a node into its cell."""
    first, second = int(search.counts[slot, FIRST_JOINT]), int(search.counts[slot, SECOND_JOINT])
    cell = SIDE * _part(space, search.nodes[slot, node, first], first)
    cell += _part(space, search.nodes[slot, node, second], second)
    tree = int(search.links[slot, node, TREE])
    search.links[slot, node, NEXT] = search.cells[slot, 2 * tree, cell]
    search.cells[slot, 2 * tree, cell] = node
    search.cells[slot, 2 * tree + 1, cell] += 1.0


@kernel
def sort_into_cells(space, search, slot):
    """Enter every node again."""
    for tree in range(2):
        for cell in range(CELLS):
            search.cells[slot, 2 * tree, cell] = -1.0
            search.cells[slot, 2 * tree + 1, cell] = 0.0
    for node in range(int(search.counts[slot, NODES])):
        put_into_cell(space, search, node, slot)


@kernel
def choose_joints(space, search, seed, slot):
    """Draw the two joints of the cells, and sort."""
    n = search.nodes.shape[2]
    first = draw_below(search, seed, n, slot)
    second = draw_below(search, seed, max(n - 1, 1), slot)
    if n > 1 and second >= first:
        second += 1
    search.counts[slot, FIRST_JOINT], search.counts[slot, SECOND_JOINT] = first, second
    search.counts[slot, SIZED] = search.counts[slot, NODES]
    sort_into_cells(space, search, slot)


@kernel
def pick_sparse(space, search, tree, seed, slot):
    """A node of a tree, with a probability inverse to the density around it."""
    if search.counts[slot, NODES] >= 2.0 * search.counts[slot, SIZED] and search.counts[slot, NODES] > 8.0:
        choose_joints(space, search, seed, slot)
    filled = 0
    for cell in range(CELLS):
        if search.cells[slot, 2 * tree + 1, cell] > 0.0:
            filled += 1
    wanted = draw_below(search, seed, filled, slot)
    for cell in range(CELLS):
        count = int(search.cells[slot, 2 * tree + 1, cell])
        if count > 0:
            if wanted == 0:
                node = int(search.cells[slot, 2 * tree, cell])
                for _ in range(draw_below(search, seed, count, slot)):
                    node = int(search.links[slot, node, NEXT])
                return node
            wanted -= 1
    return tree  # the root: never reached, every tree holds its root


@leaf
def put_near(space, search, node, radius, seed_number, j, slot):
    """search.q[slot, j]: uniform within a share of the joint's range around a node, inside the limits; not what closes a loop."""
    width = radius * (space.q_max[j] - space.q_min[j]) * space.ties.drawn[j]
    x = search.nodes[slot, node, j]
    low, high = max(x - width, space.q_min[j]), min(x + width, space.q_max[j])
    search.q[slot, j] = low + seed_number * (high - low)
