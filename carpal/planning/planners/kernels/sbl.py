"""SBL: two trees, lazy edges (Sánchez, Latombe 2001; Leutenegger 2008, section 7.3, algorithms 1 to 4, with erratum E17).

A new node is free itself, but the edge to its parent is not checked. When a node of one tree comes within the neighbourhood
of the other tree, both are bridged and the whole path is checked: always the edge with the longest piece not checked yet,
its next halving (how far that got is kept for the next path that uses the edge). A hit cuts its edge, and what hangs beyond it
goes over the bridge to the other tree. Erratum E17: the loop of shrinking neighbourhoods ends with its first success, an
edge that is known to be free to the resolution is not checked again.

With a payload that may turn (section 7.6.2) the path is checked from the start on, in time order: edges of the start's tree
that were followed before keep the set that arrives at their end; the goal's tree has no such edges. What fails may fail for
its past. Edges of closed loops are followed in order too.
"""

from carpal._core.compile import kernel, leaf
from carpal.planning.planners.kernels.carried import holds_payload
from carpal.planning.planners.kernels.density import (
    choose_joints,
    pick_sparse,
    put_into_cell,
    put_near,
    sort_into_cells,
)
from carpal.planning.planners.kernels.edges import arrives, blamed, edge_free, is_free, put_between
from carpal.planning.planners.kernels.payload_samples import sample_touches
from carpal.planning.planners.kernels.search_state import (
    GOAL,
    LENGTH,
    LEVEL,
    MOST,
    NODES,
    PARENT,
    RESOLUTION,
    RHO,
    SAMPLES,
    START,
    TREE,
    add_node,
    draw,
    draw_below,
    follow,
    has_loops,
    joint_apart,
    nearest_node,
)

_SHRINK = 24  # neighbourhoods rho, rho / 2, rho / 3, ... that are tried around a node


@kernel
def _expand(space, scene, search, seed, tree, world, slot):
    """A new free node near a sparse one of a tree, or -1."""
    parent = pick_sparse(space, search, tree, seed, slot)
    for i in range(1, _SHRINK + 1):
        search.counts[slot, SAMPLES] += 1.0
        for j in range(search.nodes.shape[2]):
            put_near(space, search, parent, space.numbers[RHO] / i, draw(search, seed, slot), j, slot)
        follow(space, search, slot)
        if is_free(scene, search, world, blamed(tree, parent), slot) and (
            not holds_payload(scene) or sample_touches(scene, search, slot) < 0
        ):
            node = add_node(search, tree, parent, 0.0, slot)
            if node >= 0:
                search.links[slot, node, LENGTH] = joint_apart(search, parent, node, slot)
                put_into_cell(space, search, node, slot)
            return node
    return -1


@kernel
def chain_of(search, a, b, slot):
    """search.chain[slot]: the path from the start over the bridge a (start's tree), b (goal's tree) to the goal.

    Returns (how many nodes, how many of them before the bridge).
    """
    before, node = 0, a
    while node >= 0:
        before += 1
        node = int(search.links[slot, node, PARENT])
    node = a
    for k in range(before - 1, -1, -1):
        search.chain[slot, k] = node
        node = int(search.links[slot, node, PARENT])
    count, node = before, b
    while node >= 0:
        search.chain[slot, count] = node
        count += 1
        node = int(search.links[slot, node, PARENT])
    return count, before


@leaf
def _level_free(space, scene, search, a, b, level, world, tree, slot):
    """Whether the middles that the next halving of an edge adds are free."""
    parts = 1 << (level + 1)
    for k in range(1, parts, 2):
        put_between(space, search, a, b, k / parts, slot)
        if not is_free(scene, search, world, tree, slot):
            return False
    return True


@leaf
def _owner(search, k, before, slot):
    """The node that holds the data of the chain's edge from k to k + 1, or -1 for the bridge: the child of the two."""
    if k + 1 < before:
        return int(search.chain[slot, k + 1])
    return -1 if k + 1 == before else int(search.chain[slot, k])


@kernel
def _test_chain(space, scene, search, count, before, bridge, world, slot):
    """(the chain's first edge found to hit, or -1; how often the bridge was halved)."""
    resolution = space.numbers[RESOLUTION]
    bridge_level = 0
    while True:
        worst, edge = resolution, -1
        for k in range(count - 1):
            owner = _owner(search, k, before, slot)
            length = bridge if owner < 0 else search.links[slot, owner, LENGTH]
            level = bridge_level if owner < 0 else int(search.links[slot, owner, LEVEL])
            left = length / (1 << level)
            if left > worst:
                worst, edge = left, k
        if edge < 0:
            return -1, bridge_level
        owner = _owner(search, edge, before, slot)
        level = bridge_level if owner < 0 else int(search.links[slot, owner, LEVEL])
        a, b = int(search.chain[slot, edge]), int(search.chain[slot, edge + 1])
        tree = START if edge == 0 else GOAL if edge == count - 2 else -1
        if not _level_free(space, scene, search, a, b, level, world, tree, slot):
            return edge, bridge_level
        if owner < 0:
            bridge_level += 1
        else:
            search.links[slot, owner, LEVEL] = level + 1


@kernel
def _test_in_time(space, scene, search, count, before, world, slot):
    """The chain's first edge that is not free for every angle of its payload, or -1; the angle must be known at the end."""
    for k in range(count - 1):
        a, b = int(search.chain[slot, k]), int(search.chain[slot, k + 1])
        if k + 1 < before and search.links[slot, b, LEVEL] > 0.0:
            continue  # followed before: its set is at its end
        tree = START if k == 0 else GOAL if k == count - 2 else -1
        if not edge_free(space, scene, search, a, b, joint_apart(search, a, b, slot), world, tree, slot):
            return k
        if k + 1 < before:
            search.links[slot, b, LEVEL] = 1.0
    return -1 if arrives(scene, search, GOAL, slot) else count - 2


@kernel
def _cut(space, search, before, edge, bridge, bridge_level, in_time, slot):
    """Cut an edge of the chain: what lies between it and the bridge goes over to the other tree."""
    if edge + 1 == before:
        return  # the bridge itself: nothing hangs on it
    if edge + 1 < before:  # on the start's side: nodes edge + 1 .. before - 1 turn round
        first, last, direction = edge + 1, before - 1, 1
    else:  # on the goal's side: nodes edge .. before
        first, last, direction = edge, before, -1
    k = first
    while True:
        node = int(search.chain[slot, k])
        other = int(search.chain[slot, k + direction])
        if k == last:
            level, length = float(bridge_level), bridge
        else:  # this edge's data are the other's: it was the other's parent edge
            level, length = search.links[slot, other, LEVEL], search.links[slot, other, LENGTH]
        search.links[slot, node, PARENT] = other
        search.links[slot, node, LEVEL], search.links[slot, node, LENGTH] = level, length
        if k == last:
            break
        k += direction
    if in_time:  # what comes over to the start's tree was followed, what goes to the goal's tree was not
        for k in range(min(first, last), max(first, last) + 1):
            search.links[slot, int(search.chain[slot, k]), LEVEL] = 1.0 if direction < 0 else 0.0
    for node in range(2, int(search.counts[slot, NODES])):
        top = node
        while search.links[slot, top, PARENT] >= 0.0:
            top = int(search.links[slot, top, PARENT])
        search.links[slot, node, TREE] = top
    sort_into_cells(space, search, slot)


@kernel
def search_sbl(space, scene, search, seed, world, slot):
    """Nodes in the chain of a free path from start to goal, or 0; -1 where the trees are full."""
    choose_joints(space, search, seed, slot)
    while search.counts[slot, SAMPLES] < space.numbers[MOST]:
        tree = draw_below(search, seed, 2, slot)
        node = _expand(space, scene, search, seed, tree, world, slot)
        if node < 0:
            if search.counts[slot, NODES] >= search.nodes.shape[1]:
                return -1
            continue
        other, apart = nearest_node(space, search, 1 - tree, node, slot)
        if apart > space.numbers[RHO]:
            continue
        a, b = (node, other) if tree == START else (other, node)
        count, before = chain_of(search, a, b, slot)
        bridge = joint_apart(search, a, b, slot)
        in_time = holds_payload(scene) or has_loops(space)
        if in_time:
            edge, bridge_level = _test_in_time(space, scene, search, count, before, world, slot), 0
        else:
            edge, bridge_level = _test_chain(space, scene, search, count, before, bridge, world, slot)
        if edge < 0:
            return count
        _cut(space, search, before, edge, bridge, bridge_level, in_time, slot)
    return 0
