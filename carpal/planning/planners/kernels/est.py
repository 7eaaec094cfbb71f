"""EST: trees that grow where they are sparse, every edge checked in time order before it is kept.

Hsu, Latombe, Motwani, "Path planning in expansive configuration spaces", 1999: what Leutenegger (2008, section 8.3) recommends
in hindsight, because a tree that grows forward knows the past of each node. With GROWING = 1 only the start's tree grows, and
each new node is tried against the goal; with 2 both grow, and new nodes are tried against the nearest of the other tree.
"""

from carpal._core.compile import kernel
from carpal.planning.payload.kernels.stored_set import WIDTH
from carpal.planning.planners.kernels.carried import holds_payload
from carpal.planning.planners.kernels.density import choose_joints, pick_sparse, put_into_cell, put_near
from carpal.planning.planners.kernels.edges import arrives, blamed, edge_free, is_free, reach_towards
from carpal.planning.planners.kernels.sbl import chain_of
from carpal.planning.planners.kernels.search_state import (
    EXTEND,
    GROWING,
    MOST,
    NODES,
    RHO,
    SAMPLES,
    START,
    add_node,
    draw,
    draw_below,
    follow,
    joint_apart,
    nearest_node,
)


@kernel
def search_est(space, scene, search, seed, world, slot):
    """Nodes in the chain of a free path from start to goal, or 0; -1 where the trees are full."""
    choose_joints(space, search, seed, slot)
    growing = int(space.numbers[GROWING])
    while search.counts[slot, SAMPLES] < space.numbers[MOST]:
        search.counts[slot, SAMPLES] += 1.0
        tree = draw_below(search, seed, growing, slot)
        parent = pick_sparse(space, search, tree, seed, slot)
        if holds_payload(scene):  # of two, the one with the narrower set
            other = pick_sparse(space, search, tree, seed, slot)
            if search.sets[slot, other, WIDTH] < search.sets[slot, parent, WIDTH]:
                parent = other
        for j in range(search.nodes.shape[2]):
            put_near(space, search, parent, space.numbers[RHO], draw(search, seed, slot), j, slot)
        follow(space, search, slot)
        side = blamed(tree, parent)
        if not holds_payload(scene) and not is_free(scene, search, world, side, slot):
            continue
        node = add_node(search, tree, parent, 0.0, slot)
        if node < 0:
            return -1
        if holds_payload(scene):
            free = reach_towards(space, scene, search, parent, node, world, side, slot) > 0.0
        else:
            far = joint_apart(search, parent, node, slot)
            free = edge_free(space, scene, search, parent, node, far, world, side, slot)
        if not free:
            search.counts[slot, NODES] -= 1.0
            continue
        put_into_cell(space, search, node, slot)
        other, apart = nearest_node(space, search, 1 - tree, node, slot)
        if apart > space.numbers[EXTEND]:
            continue
        a, b = (node, other) if tree == START else (other, node)
        if edge_free(
            space, scene, search, a, b, joint_apart(search, a, b, slot), world, blamed(1 - tree, other), slot
        ) and arrives(scene, search, b, slot):
            count, _ = chain_of(search, a, b, slot)
            return count
    return 0
