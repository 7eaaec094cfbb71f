"""RRT for an arm with a payload whose angle depends on the past: one tree grows in time, a second one only shows the path.

The start's tree is extended as in RRT-Connect (Kuffner, LaValle 2000), and each node keeps the set of angles that it is reached
with; an extension that is stopped keeps what it gained, and nodes with narrow sets are preferred. The goal's tree cannot be
trusted, because nobody knows the past of its nodes: its edges are checked with the payload where it would hang, or without
it where friction would hold it anyhow. The start's tree follows it to the goal, and every edge of that path is followed in time
with all angles of the set (Leutenegger 2008, sections 7.6.2 and 8.3).
"""

from carpal._core.compile import kernel
from carpal.planning.payload.kernels.stored_set import WIDTH
from carpal.planning.planners.kernels.edges import GAINED, arrives, blamed, put_between, reach_towards
from carpal.planning.planners.kernels.payload_samples import guide_touches
from carpal.planning.planners.kernels.sbl import chain_of
from carpal.planning.planners.kernels.search_state import (
    EXTEND,
    GOAL,
    MOST,
    NODES,
    PARENT,
    RESOLUTION,
    SAMPLES,
    START,
    TREE,
    add_node,
    draw,
    draw_joint,
    follow,
    follow_node,
    joint_apart,
    nearest_node,
    share_apart,
)

_TRAPPED, _ADVANCED, _REACHED = 0, 1, 2
_NARROW = 0.5  # what a set that covers the whole circle counts as distance, in shares of the joints' ranges
_GUIDE = 4.0  # checks along the guiding tree's edges, in resolutions


@kernel
def _put_towards(space, search, parent, target, slot):
    """search.q[slot]: from a node towards another, no farther than an extension; returns whether it is the other."""
    far = share_apart(space, search, parent, target, slot)
    share = 1.0 if far <= space.numbers[EXTEND] else space.numbers[EXTEND] / far
    for j in range(search.nodes.shape[2]):
        x, y = search.nodes[slot, parent, j], search.nodes[slot, target, j]
        search.q[slot, j] = y if share == 1.0 else x + share * (y - x)
    follow(space, search, slot)
    return share == 1.0


@kernel
def _extend(space, scene, search, parent, target, world, slot):
    """(what came of it, the node) of one extension of the start's tree; where it was stopped but gained, the node is new."""
    if search.counts[slot, NODES] >= search.nodes.shape[1] - 2:
        return _TRAPPED, parent
    whole = _put_towards(space, search, parent, target, slot)
    node = add_node(search, START, parent, 0.0, slot)
    done = reach_towards(space, scene, search, parent, node, world, blamed(START, parent), slot)
    if done == 1.0:
        return (_REACHED if whole else _ADVANCED), node
    if done == 0.0:
        search.counts[slot, NODES] -= 1.0
        return _TRAPPED, parent
    return _TRAPPED, node


@kernel
def _follow_guide(space, scene, search, node, target, world, slot):
    """The node at the goal's place where the start's tree got there from a node through a guiding one, else -1."""
    while True:
        outcome = _ADVANCED
        while outcome == _ADVANCED:
            outcome, node = _extend(space, scene, search, node, target, world, slot)
        if outcome == _TRAPPED:
            return -1
        if target == GOAL:
            return node
        target = int(search.links[slot, target, PARENT])


@kernel
def _grow_guide(space, scene, search, sample, slot):
    """A new node of the guiding tree towards a sample, or -1."""
    if search.counts[slot, NODES] >= search.nodes.shape[1] - 2:
        return -1
    parent, _ = nearest_node(space, search, GOAL, sample, slot)
    _put_towards(space, search, parent, sample, slot)
    node = add_node(search, GOAL, parent, 0.0, slot)
    length = joint_apart(search, parent, node, slot)
    checks = 1 + int(length / (_GUIDE * space.numbers[RESOLUTION]))
    done = 0
    for k in range(1, checks + 1):
        put_between(space, search, parent, node, k / checks, slot)
        if guide_touches(scene, search, slot) >= 0:
            break
        done = k
    if done * length < GAINED * checks:
        search.counts[slot, NODES] -= 1.0
        return -1
    put_between(space, search, parent, node, done / checks, slot)
    for j in range(search.nodes.shape[2]):
        search.nodes[slot, node, j] = search.q[slot, j]
    return node


@kernel
def _nearest_narrow(space, search, sample, slot):
    """The node of the start's tree nearest to a sample, where a wide set counts as distance."""
    best, found = 1e300, START
    for k in range(int(search.counts[slot, NODES])):
        if search.links[slot, k, TREE] == START:
            far = share_apart(space, search, k, sample, slot) + _NARROW * search.sets[slot, k, WIDTH]
            if far < best:
                best, found = far, k
    return found


@kernel
def search_in_time(space, scene, search, seed, world, slot):
    """Nodes in the chain of a free path from start to goal, or 0; -1 where the trees are full."""
    capacity = search.nodes.shape[1]
    sample = capacity - 1  # the last row holds the sample, outside both trees
    search.links[slot, sample, TREE] = -1.0
    while search.counts[slot, SAMPLES] < space.numbers[MOST]:
        if search.counts[slot, NODES] >= capacity - 2:
            return -1
        search.counts[slot, SAMPLES] += 1.0
        for j in range(search.nodes.shape[2]):
            draw_joint(space, search, seed, sample, j, slot)
        follow_node(space, search, sample, slot)
        if draw(search, seed, slot) < 0.5:
            target = _grow_guide(space, scene, search, sample, slot)
            if target < 0:
                continue
            node = _nearest_narrow(space, search, target, slot)
        else:
            parent = _nearest_narrow(space, search, sample, slot)
            _, node = _extend(space, scene, search, parent, sample, world, slot)
            if node == parent:
                continue
            target, _ = nearest_node(space, search, GOAL, node, slot)
        last = _follow_guide(space, scene, search, node, target, world, slot)
        if last >= 0 and arrives(scene, search, last, slot):
            count, _ = chain_of(search, int(search.links[slot, last, PARENT]), GOAL, slot)
            return count
    return 0
