"""A graph of configurations whose edges are proven when they are needed: nodes, nearest neighbours, half-edges in lists."""

from typing import NamedTuple

import numpy as np

from carpal._core.compile import kernel, leaf
from carpal.planning.planners.kernels.lane_search import BLOCK, apart

UNKNOWN, PROVEN, BLOCKED, SUSPECT = 0.0, 1.0, 2.0, 3.0
"""States of an edge; SUSPECT: blocked before an obstacle moved, and not asked again while there is another way."""
# entries of `counts`: nodes, edges, number of the search, edges of the route, edges checked for it
NODES, EDGES, STAMP, ROUTE, CHECKED = 0, 1, 2, 3, 4
COUNTS = 5
# columns of `links`: the next half-edge of the node, and where it leads; of `edges`: cost, state
NEXT, TO = 0, 1
COST, STATE = 0, 1
MOST_NEIGHBOURS = 32
_TURN = 6.283185307179586
_ROUND_SINGLE = np.float32(12582912.0)


class LaneGraph(NamedTuple):
    """Slot first.

    nodes [node, joint]; keys [joint, node] f32: nodes in the metric of cost; heads [node] int64: first half-edge or -1; links
    [half-edge, 2] int64, those of edge e are 2 e and 2 e + 1; edges [edge, 2]; visits [node, 5] and heap [2, entries] of the
    search; near [2, MOST_NEIGHBOURS]: distances and nodes; route [edges] int64: half-edges from the start on; counts.
    """

    nodes: np.ndarray
    keys: np.ndarray
    heads: np.ndarray
    links: np.ndarray
    edges: np.ndarray
    visits: np.ndarray
    heap: np.ndarray
    near: np.ndarray
    route: np.ndarray
    counts: np.ndarray


@kernel
def between(space, graph, a, b, slot):
    """Cost of the straight edge between two nodes."""
    s = 0.0
    for j in range(graph.nodes.shape[2]):
        d = apart(space, j, graph.nodes[slot, a, j], graph.nodes[slot, b, j]) * space.cost[j]
        s += d * d
    return s**0.5


@kernel
def add_graph_node(space, search, graph, slot):
    """Put search.point[slot, 0] into the graph; its number, or -1 where it is full."""
    row = int(graph.counts[slot, NODES])
    if row >= graph.nodes.shape[1]:
        return -1
    for j in range(graph.nodes.shape[2]):
        graph.nodes[slot, row, j] = search.point[slot, 0, j]
        graph.keys[slot, j, row] = np.float32(search.point[slot, 0, j] * space.cost[j])
    graph.heads[slot, row] = -1
    graph.counts[slot, NODES] += 1.0
    return row


@kernel
def add_edge(graph, a, b, cost, state, slot):
    """An edge between two nodes; its number, or -1 where the graph is full."""
    edge = int(graph.counts[slot, EDGES])
    if edge >= graph.edges.shape[1]:
        return -1
    graph.edges[slot, edge, COST], graph.edges[slot, edge, STATE] = cost, state
    graph.links[slot, 2 * edge, NEXT], graph.links[slot, 2 * edge, TO] = graph.heads[slot, a], b
    graph.links[slot, 2 * edge + 1, NEXT], graph.links[slot, 2 * edge + 1, TO] = graph.heads[slot, b], a
    graph.heads[slot, a], graph.heads[slot, b] = 2 * edge, 2 * edge + 1
    graph.counts[slot, EDGES] += 1.0
    return edge


@kernel
def drop_last(graph, nodes, edges, slot):
    """Take away nodes and edges that were added last, down to these numbers."""
    for edge in range(int(graph.counts[slot, EDGES]) - 1, edges - 1, -1):
        a, b = graph.links[slot, 2 * edge + 1, TO], graph.links[slot, 2 * edge, TO]
        graph.heads[slot, b] = graph.links[slot, 2 * edge + 1, NEXT]
        graph.heads[slot, a] = graph.links[slot, 2 * edge, NEXT]
    graph.counts[slot, EDGES] = edges
    graph.counts[slot, NODES] = nodes


@leaf
def _squares(space, graph, row, j, first, count, far, slot):
    """Add the squares of one joint's differences from a node to `far`."""
    x = graph.keys[slot, j, row]
    if space.turns[j] > 0.0:
        turn, back = np.float32(_TURN * space.cost[j]), np.float32(1.0 / (_TURN * space.cost[j]))
        for i in range(count):
            d = graph.keys[slot, j, first + i] - x
            d -= turn * ((d * back + _ROUND_SINGLE) - _ROUND_SINGLE)
            far[slot, i] += d * d
    else:
        for i in range(count):
            d = graph.keys[slot, j, first + i] - x
            far[slot, i] += d * d


@kernel
def _nearest(space, search, graph, row, wanted, end, slot):
    """The nodes before `end` that are nearest to a node, into graph.near, the nearest first; how many."""
    near, found = graph.near, 0
    first = 0
    while first < end:
        count = min(BLOCK, end - first)
        for i in range(count):
            search.far[slot, i] = np.float32(0.0)
        for j in range(graph.nodes.shape[2]):
            _squares(space, graph, row, j, first, count, search.far, slot)
        for i in range(count):
            d = np.float64(search.far[slot, i])
            if first + i == row or (found == wanted and d >= near[slot, 0, found - 1]):
                continue
            k = min(found, wanted - 1)
            while k > 0 and near[slot, 0, k - 1] > d:
                near[slot, 0, k], near[slot, 1, k] = near[slot, 0, k - 1], near[slot, 1, k - 1]
                k -= 1
            near[slot, 0, k], near[slot, 1, k] = d, first + i
            found = min(found + 1, wanted)
        first += BLOCK
    return found


@kernel
def join_nearest(space, search, graph, row, wanted, end, slot):
    """Edges of unknown state from a node to the nearest ones before `end`; whether there was room."""
    found = _nearest(space, search, graph, row, min(wanted, MOST_NEIGHBOURS), end, slot)
    for k in range(found):
        other = int(graph.near[slot, 1, k])
        if add_edge(graph, row, other, between(space, graph, row, other, slot), UNKNOWN, slot) < 0:
            return False
    return True
