"""Collision checks of configurations and of straight edges between nodes.

This is the one place where a search asks whether a motion is allowed. Where only the start's tree grows, edges are checked in
time order. Where both trees grow they are checked in halves, because an obstacle is found sooner. Both check the
same configurations: no joint moves more than the resolution between two checks. With a payload whose angle depends on the
past, every edge is followed from its beginning, with the set of angles that arrives there (`carried.py`). Edges of closed loops
are followed from their beginning too: independent joints go straight, the others close the loops at every check, and an edge on
which a joint moves more than two steps' worth between two checks is refused, because it may have gone over to another way in
which the loop closes.
"""

from carpal._core.compile import kernel, leaf
from carpal.contact.kernels.collision import hit_where_placed
from carpal.contact.kernels.placing import place_shapes
from carpal.planning.planners.kernels.carried import arm_touches, carry_edge, ends_known, holds_payload
from carpal.planning.planners.kernels.search_state import (
    CHECKS,
    GROWING,
    HIT,
    OPEN,
    RESOLUTION,
    follow,
    follow_node,
    has_loops,
    joint_apart,
)

STRETCH = 2.0
"""Steps' worth of resolution that a joint of a closed loop may move between two checks."""
SAME = 1e-7  # [rad, m] within which the end of a followed edge is its node
GAINED = 0.1  # [rad, m] what an extension that is stopped must have gained to be kept


@kernel
def is_free(scene, search, world, tree, slot):
    """Whether nothing touches at search.q[slot]; the pair that does is remembered, and blamed for closing in a tree (0, 1).

    A payload's angle depends on the past, so only the arm is checked. Open loops are not free, and nothing is blamed for them.
    """
    if search.counts[slot, OPEN] > 0.0:
        search.counts[slot, HIT] = -1.0
        return False
    if holds_payload(scene):
        pair = arm_touches(scene, search, slot)
    else:
        search.counts[slot, CHECKS] += 1.0
        if not place_shapes(
            scene.joints, scene.bodies, scene.shapes, scene.groups, search.q, search.placed, slot, slot
        ):
            return False
        pair = hit_where_placed(
            scene.shapes, scene.groups, scene.blocks, scene.pairs, scene.points, scene.normals, scene.boxes,
            scene.margin, search.placed, search.work, slot,
        )  # fmt: skip
    search.counts[slot, HIT] = pair
    if pair >= 0 and tree >= 0:
        search.blame[world, tree, pair] += 1.0
    return pair < 0


@leaf
def arrives(scene, search, node, slot):
    """Whether a path may end at a node that was reached: a payload's angle must be known there."""
    return not holds_payload(scene) or ends_known(scene, search, node, slot)


@leaf
def blamed(tree, parent):
    """The tree whose end is tried when a path leaves from this node, or -1: only what blocks the roots closes an end in."""
    return tree if parent == tree else -1


@leaf
def put_between(space, search, a, b, share, slot):
    """search.q[slot]: the point at a fraction of the edge from node a to node b; followers go with their leaders."""
    for j in range(search.nodes.shape[2]):
        x = search.nodes[slot, a, j]
        search.q[slot, j] = x + share * (search.nodes[slot, b, j] - x)
    follow(space, search, slot)


@leaf
def edge_parts(space, length):
    """Into how many equal parts an edge of a length (largest joint difference) is cut."""
    parts = int(length / space.numbers[RESOLUTION])
    return parts + 1 if parts * space.numbers[RESOLUTION] < length else max(parts, 1)


@kernel
def reach_towards(space, scene, search, parent, node, world, tree, slot):
    """How far (0 to 1) a payload can be carried from a node to a new one, which is moved back to where something stops it.

    0: not far enough to be kept. The shorter edge is followed once more by itself: its checks are at other configurations.
    """
    length = joint_apart(search, parent, node, slot)
    done, _ = carry_edge(space, scene, search, parent, node, length, world, tree, search.sets, -1, 0, slot)
    if done == 1.0:
        return done
    if done * length < GAINED:
        return 0.0
    for j in range(search.nodes.shape[2]):
        x = search.nodes[slot, parent, j]
        search.nodes[slot, node, j] = x + done * (search.nodes[slot, node, j] - x)
    follow_node(space, search, node, slot)
    again, _ = carry_edge(space, scene, search, parent, node, done * length, world, -1, search.sets, -1, 0, slot)
    return done if again == 1.0 else 0.0


@leaf
def _jumps(space, search, most, slot):
    """Whether some joint has moved too far since the check before; search.q[slot] is remembered for the next."""
    far = 0.0
    for j in range(search.nodes.shape[2]):
        far = max(far, abs(search.q[slot, j] - space.ties.last[slot, j]))
        space.ties.last[slot, j] = search.q[slot, j]
    return far > most


@kernel
def _loops_free(space, scene, search, a, b, length, world, tree, slot):
    """Whether the edge between two nodes is free, its end included, and its loops stay closed in one way all along."""
    for j in range(search.nodes.shape[2]):
        space.ties.last[slot, j] = search.nodes[slot, a, j]
    parts = edge_parts(space, length)
    for k in range(1, parts + 1):
        put_between(space, search, a, b, k / parts, slot)
        if _jumps(space, search, STRETCH * space.numbers[RESOLUTION], slot):
            return False
        if not is_free(scene, search, world, tree, slot):
            return False
    arrived = 0.0
    for j in range(search.nodes.shape[2]):
        arrived = max(arrived, abs(search.q[slot, j] - search.nodes[slot, b, j]))
    return arrived <= SAME


@kernel
def edge_free(space, scene, search, a, b, length, world, tree, slot):
    """Whether the edge between two free nodes is free: from a to b where only one tree grows, else its middle first.

    With a payload: for every angle that a's set leads to; b gets the set that arrives.
    """
    if holds_payload(scene):
        far, _ = carry_edge(space, scene, search, a, b, length, world, tree, search.sets, -1, 0, slot)
        return far == 1.0
    if has_loops(space):
        return _loops_free(space, scene, search, a, b, length, world, tree, slot)
    parts = edge_parts(space, length)
    step, jump = 1, 1
    if space.numbers[GROWING] > 1.5:
        while 2 * step < parts:
            step *= 2
        jump = 2 * step
    while step >= 1:
        k = step
        while k < parts:
            put_between(space, search, a, b, k / parts, slot)
            if not is_free(scene, search, world, tree, slot):
                return False
            k += jump
        jump, step = step, step // 2
    return True
