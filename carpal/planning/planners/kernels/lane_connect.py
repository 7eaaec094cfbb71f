"""RRT-Connect on proven edges: balanced trees that extend by a fixed length, and neighbourhoods that learn where they fail.

Kuffner, LaValle 2000; the smaller tree grows next (LaValle 2006, 5.5.3); a node whose extensions fail takes only samples
nearby, in a radius that shrinks and grows with its failures and successes (dynamic domains: Yershova, Jaillet, Simeon, LaValle
2005; Jaillet, Yershova, LaValle, Simeon 2005).
"""

import math

from carpal._core.compile import kernel
from carpal.planning.planners.kernels.lane_edges import edge_proven, follow_point, set_edge
from carpal.planning.planners.kernels.lane_search import (
    ALONG,
    EXTEND,
    FROM,
    LEAST_RADIUS,
    PARENT,
    PATH,
    RADIUS,
    SAMPLES,
    SHRINK,
    SIZE_A,
    TURN,
    add_node,
    apart,
    draw,
    nearest_node,
)

_WIDE = 1e9
_FIRST_RADIUS = 4.0  # extensions; where a node has failed first


@kernel
def sample(space, search, seed, slot):
    """A random configuration into search.point[slot, 0]."""
    for j in range(search.point.shape[2]):
        search.point[slot, 0, j] = space.low[j] + draw(search, seed, slot) * (space.high[j] - space.low[j])
    follow_point(space, search.point, 0, slot)


@kernel
def _step(scene, space, search, lanes, tree, node, share, slot):
    """Extend a tree from a node by a share of the edge that is set; the new node, -1 where blocked, -2 where the tree is full."""
    for j in range(search.point.shape[2]):
        search.ends[slot, ALONG, j] *= share
        search.point[slot, 0, j] = search.ends[slot, FROM, j] + search.ends[slot, ALONG, j]
    if space.couplings.shape[0] > 0:
        follow_point(space, search.point, 0, slot)
    if not edge_proven(scene, space, search, lanes, slot):
        return -1
    new = add_node(space, search, tree, node, _WIDE, slot)
    return new if new >= 0 else -2


@kernel
def _from_node(search, tree, node, row, slot):
    for j in range(search.point.shape[2]):
        search.point[slot, row, j] = search.nodes[slot, tree, node, j]


@kernel
def _connect(scene, space, search, lanes, tree, target, slot):
    """(the last node of the other tree towards a node of this one, whether it got there); -2 where that tree is full."""
    other = 1 - tree
    _from_node(search, tree, target, 0, slot)
    node, _ = nearest_node(space, search, other, slot)
    _from_node(search, other, node, 1, slot)
    length = set_edge(space, search, slot)
    steps = max(1, math.ceil(length / space.numbers[EXTEND] - 1e-9))
    for k in range(steps):
        if k == steps - 1:
            return node, edge_proven(scene, space, search, lanes, slot)
        node = _step(scene, space, search, lanes, other, node, 1.0 / (steps - k), slot)
        if node < 0:
            return node, False
        _from_node(search, tree, target, 0, slot)
        _from_node(search, other, node, 1, slot)
        set_edge(space, search, slot)
    return node, False


@kernel
def _trace(search, tree, node, end, slot):
    """search.path[slot] from a root to a node, which goes to row `end` - 1; the row of the root, or -1 where it is too long."""
    row = end
    while node >= 0:
        row -= 1
        if row < 0:
            return -1
        for j in range(search.point.shape[2]):
            search.path[slot, row, j] = search.nodes[slot, tree, node, j]
        node = int(search.links[slot, tree, node, PARENT])
    return row


@kernel
def _join(search, a, b, slot):
    """The path from the start's root to node a of its tree and from node b of the goal's tree to its root; its nodes, or -3."""
    longest = search.path.shape[1]
    first = _trace(search, 0, a, longest, slot)
    if first < 0:
        return -3
    count = longest - first
    for i in range(count):
        for j in range(search.point.shape[2]):
            search.path[slot, i, j] = search.path[slot, first + i, j]
    while b >= 0:
        if count >= longest:
            return -3
        for j in range(search.point.shape[2]):
            search.path[slot, count, j] = search.nodes[slot, 1, b, j]
        count += 1
        b = int(search.links[slot, 1, b, PARENT])
    return count


@kernel
def _learn(space, search, tree, node, failed, slot):
    """The radius of a node after an extension from it."""
    radius = search.links[slot, tree, node, RADIUS]
    shrink = space.numbers[SHRINK]
    if failed:
        first = _FIRST_RADIUS * space.numbers[EXTEND]
        radius = first if radius >= _WIDE else max(radius * (1.0 - shrink), space.numbers[LEAST_RADIUS])
    elif radius < _WIDE:
        radius *= 1.0 + shrink
    search.links[slot, tree, node, RADIUS] = radius


@kernel
def grow(scene, space, search, lanes, seed, most, slot):
    """Nodes of a path that was found by the sample number `most`; 0 where none was yet, -2 where a tree is full, -3 too long."""
    state = search.state
    while state[slot, SAMPLES] < most:
        state[slot, SAMPLES] += 1.0
        tree = int(state[slot, TURN])
        sample(space, search, seed, slot)
        node, far = nearest_node(space, search, tree, slot)
        if far > search.links[slot, tree, node, RADIUS]:
            continue
        _from_node(search, tree, node, 1, slot)
        length = set_edge(space, search, slot)
        share = min(1.0, space.numbers[EXTEND] / max(length, 1e-12))
        new = _step(scene, space, search, lanes, tree, node, share, slot)
        if new == -2:
            return -2
        _learn(space, search, tree, node, new < 0, slot)
        if new < 0:
            continue
        last, reached = _connect(scene, space, search, lanes, tree, new, slot)
        if last == -2:
            return -2
        if reached:
            a, b = (new, last) if tree == 0 else (last, new)
            state[slot, PATH] = _join(search, a, b, slot)
            return int(state[slot, PATH])
        state[slot, TURN] = 0.0 if state[slot, SIZE_A] <= state[slot, SIZE_A + 1] else 1.0
    return 0


@kernel
def path_cost(space, search, count, slot):
    """2-norm of joint differences over speeds, of the path through the first rows."""
    total = 0.0
    for i in range(count - 1):
        total += leg_cost(space, search, i, i + 1, slot)
    return total


@kernel
def leg_cost(space, search, i, k, slot):
    """The same of one edge between two rows of the path."""
    s = 0.0
    for j in range(search.point.shape[2]):
        d = apart(space, j, search.path[slot, k, j], search.path[slot, i, j]) * space.cost[j]
        s += d * d
    return math.sqrt(s)
