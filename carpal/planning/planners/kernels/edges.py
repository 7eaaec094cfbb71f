"""Looks at configurations and at straight edges between nodes.

This is the one place where a search asks whether a motion is allowed. Where only the start's tree grows, edges are looked at in
time order, so that what is carried can depend on the past: every look follows the one before. Where both trees grow they are
looked at in halves, because whatever is in the way is met sooner. Both look at the same places: no joint moves more
than the resolution between two looks.
"""

from carpal._jit import kernel, leaf
from carpal.contact.kernels.collision import hit_where_placed
from carpal.contact.kernels.placing import place_shapes
from carpal.planning.planners.kernels.search_state import CHECKS, GROWING, HIT, RESOLUTION


@kernel
def is_free(around, search, world, tree, slot):
    """Whether nothing touches at search.q[slot]; the pair that does is remembered, and blamed for closing in a tree (0, 1)."""
    search.counts[slot, CHECKS] += 1.0
    if not place_shapes(
        around.joints, around.bodies, around.shapes, around.groups, search.q, search.placed, slot, slot
    ):
        return False
    pair = hit_where_placed(
        around.shapes, around.groups, around.blocks, around.pairs, around.points, around.normals, around.boxes,
        around.margin, search.placed, search.work, slot,
    )  # fmt: skip
    search.counts[slot, HIT] = pair
    if pair >= 0 and tree >= 0:
        search.blame[world, tree, pair] += 1.0
    return pair < 0


@leaf
def blamed(tree, parent):
    """The tree whose end is tried when a way leaves from this node, or -1: only what stops the roots closes an end in."""
    return tree if parent == tree else -1


@leaf
def put_between(search, a, b, share, slot):
    """search.q[slot]: at a share of the way from node a to node b."""
    for j in range(search.q.shape[1]):
        x = search.nodes[slot, a, j]
        search.q[slot, j] = x + share * (search.nodes[slot, b, j] - x)


@leaf
def looks_of(space, length):
    """Into how many equal parts an edge of a length (largest joint difference) is cut."""
    parts = int(length / space.numbers[RESOLUTION])
    return parts + 1 if parts * space.numbers[RESOLUTION] < length else max(parts, 1)


@kernel
def edge_free(space, around, search, a, b, length, world, tree, slot):
    """Whether the edge between two free nodes is free: from a to b where only one tree grows, else its middle first."""
    parts = looks_of(space, length)
    step, jump = 1, 1
    if space.numbers[GROWING] > 1.5:
        while 2 * step < parts:
            step *= 2
        jump = 2 * step
    while step >= 1:
        k = step
        while k < parts:
            put_between(search, a, b, k / parts, slot)
            if not is_free(around, search, world, tree, slot):
                return False
            k += jump
        jump, step = step, step // 2
    return True
