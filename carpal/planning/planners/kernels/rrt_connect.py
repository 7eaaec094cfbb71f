"""RRT-Connect (Kuffner, LaValle, "RRT-Connect: an efficient approach to single-query path planning", 2000).

One tree is extended towards a random configuration, the other then greedily towards what was added; they change places each
time. With GROWING = 1 only the start's tree grows, forward in time: towards samples, and greedily towards the goal.
"""

from carpal._core.compile import kernel
from carpal.planning.planners.kernels.edges import blamed, edge_free, is_free
from carpal.planning.planners.kernels.sbl import chain_of
from carpal.planning.planners.kernels.search_state import (
    EXTEND,
    GOAL,
    GROWING,
    MOST,
    NODES,
    SAMPLES,
    START,
    TREE,
    add_node,
    draw_joint,
    follow,
    follow_node,
    has_loops,
    joint_apart,
    nearest_node,
    share_apart,
)

GAINED_SHARE = 0.2
"""Part of an extension that one must gain on a target where loops are closed."""
_TRAPPED, _ADVANCED, _REACHED = 0, 1, 2


@kernel
def _extend(space, scene, search, tree, parent, target, world, slot):
    """(what came of it, the node) of one extension from a node of a tree towards another node."""
    far = share_apart(space, search, parent, target, slot)
    side = blamed(tree, parent)
    share = 1.0 if far <= space.numbers[EXTEND] else space.numbers[EXTEND] / far
    for j in range(search.nodes.shape[2]):
        x = search.nodes[slot, parent, j]
        search.q[slot, j] = x + share * (search.nodes[slot, target, j] - x)
    follow(space, search, slot)
    if share == 1.0 and search.links[slot, target, TREE] >= 0.0:
        # the target is a node already, and free: only the edge is asked
        free = edge_free(
            space, scene, search, parent, target, joint_apart(search, parent, target, slot), world, side, slot
        )
        return (_REACHED if free else _TRAPPED), parent
    if search.counts[slot, NODES] >= search.nodes.shape[1] - 1 or not is_free(scene, search, world, side, slot):
        return _TRAPPED, parent
    node = add_node(search, tree, parent, 0.0, slot)
    if not edge_free(space, scene, search, parent, node, joint_apart(search, parent, node, slot), world, side, slot):
        search.counts[slot, NODES] -= 1.0
        return _TRAPPED, parent
    return (_REACHED if share == 1.0 else _ADVANCED), node


@kernel
def _connect(space, scene, search, tree, parent, target, world, slot):
    """(whether the target was reached, the last node of the tree towards it); ends where closed loops keep it from gaining."""
    left = share_apart(space, search, parent, target, slot)
    outcome, node = _extend(space, scene, search, tree, parent, target, world, slot)
    while outcome == _ADVANCED:
        before, left = left, share_apart(space, search, node, target, slot)
        if has_loops(space) and left > before - GAINED_SHARE * space.numbers[EXTEND]:
            return False, node
        outcome, node = _extend(space, scene, search, tree, node, target, world, slot)
    return outcome == _REACHED, node


@kernel
def search_rrt(space, scene, search, seed, world, slot):
    """Nodes in the chain of a free path from start to goal, or 0; -1 where the trees are full."""
    tree = START
    capacity = search.nodes.shape[1]
    two = space.numbers[GROWING] > 1.5
    # the last row holds the sample, outside both trees
    sample = capacity - 1
    search.links[slot, sample, TREE] = -1.0
    while search.counts[slot, SAMPLES] < space.numbers[MOST]:
        if search.counts[slot, NODES] >= capacity - 2:
            return -1
        search.counts[slot, SAMPLES] += 1.0
        for j in range(search.nodes.shape[2]):
            draw_joint(space, search, seed, sample, j, slot)
        follow_node(space, search, sample, slot)
        parent, _ = nearest_node(space, search, tree, sample, slot)
        outcome, node = _extend(space, scene, search, tree, parent, sample, world, slot)
        if outcome != _TRAPPED:
            if two:
                other, _ = nearest_node(space, search, 1 - tree, node, slot)
                reached, last = _connect(space, scene, search, 1 - tree, other, node, world, slot)
            else:
                reached, last = _connect(space, scene, search, tree, node, GOAL, world, slot)
                node = GOAL
            if reached:
                a, b = (node, last) if tree == START else (last, node)
                if not two:
                    a, b = last, GOAL
                count, _ = chain_of(search, a, b, slot)
                return count
        if two:
            tree = 1 - tree
    return 0
