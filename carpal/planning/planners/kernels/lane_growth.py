"""Random nodes of a graph: everywhere, or where a cheaper path could pass (informed set: Gammell, Srinivasa, Barfoot 2014)."""

import math

from carpal._core.compile import kernel
from carpal.planning.planners.kernels.lane_connect import sample
from carpal.planning.planners.kernels.lane_edges import follow_point, point_free
from carpal.planning.planners.kernels.lane_graph import NODES, add_graph_node, join_nearest
from carpal.planning.planners.kernels.lane_search import SAMPLES, apart, draw

GROWN, NO_ROOM = 1, 2
_E = 2.718281828459045


@kernel
def _normal(search, seed, slot):
    a, b = draw(search, seed, slot), draw(search, seed, slot)
    return math.sqrt(-2.0 * math.log(a)) * math.cos(2.0 * math.pi * b)


@kernel
def _cost_to(space, search, graph, node, slot):
    """Straight cost from search.point[slot, 0] to a node."""
    s = 0.0
    for j in range(search.point.shape[2]):
        d = apart(space, j, search.point[slot, 0, j], graph.nodes[slot, node, j]) * space.cost[j]
        s += d * d
    return math.sqrt(s)


@kernel
def _in_spheroid(space, search, graph, seed, a, b, bound, slot):
    """A configuration from which the straight costs to nodes a and b are at most the bound together, into search.point[slot, 0].

    A ball stretched along the line between them; the turn that takes the first axis there is a reflection. False: not inside
    the limits.
    """
    nq = search.point.shape[2]
    long, length, r2 = 0.5 * bound, 0.0, 0.0
    for j in range(nq):  # point[1]: the line from a to b; point[0]: the ball
        d = apart(space, j, graph.nodes[slot, b, j], graph.nodes[slot, a, j]) * space.cost[j]
        search.point[slot, 1, j] = d
        length += d * d
        x = _normal(search, seed, slot)
        search.point[slot, 0, j] = x
        r2 += x * x
    length = math.sqrt(length)
    short = math.sqrt(max(0.25 * (bound * bound - length * length), 0.0))
    size = draw(search, seed, slot) ** (1.0 / nq) / math.sqrt(max(r2, 1e-300))
    # reflection of the first axis onto the line: x - 2 w (w x) / (w w), w = first axis - line / length
    dot, square = 0.0, 0.0
    for j in range(nq):
        w = (1.0 if j == 0 else 0.0) - search.point[slot, 1, j] / max(length, 1e-300)
        x = search.point[slot, 0, j] * size * (long if j == 0 else short)
        search.point[slot, 0, j] = x
        dot += w * x
        square += w * w
    factor = 2.0 * dot / square if square > 1e-24 else 0.0
    inside = True
    for j in range(nq):
        line = search.point[slot, 1, j]
        w = (1.0 if j == 0 else 0.0) - line / max(length, 1e-300)
        x = search.point[slot, 0, j] - factor * w + 0.5 * line
        q = graph.nodes[slot, a, j] + x / space.cost[j]
        if space.turns[j] > 0.0:
            q = apart(space, j, q, 0.0)
        inside = inside and space.low[j] <= q <= space.high[j]
        search.point[slot, 0, j] = q
    return inside


@kernel
def _candidate(space, search, graph, seed, start, first, end, bound, slot):
    """Draw a configuration; whether a path through it could cost less than the bound."""
    search.state[slot, SAMPLES] += 1.0
    if bound >= 1e299:
        sample(space, search, seed, slot)
        return True
    goal = min(end - 1, first + int(draw(search, seed, slot) * (end - first)))
    turning = False
    for j in range(space.turns.shape[0]):
        turning = turning or space.turns[j] > 0.0
    if turning and draw(search, seed, slot) < 0.5:  # the short way to both ends need not be the line between them
        sample(space, search, seed, slot)
    elif not _in_spheroid(space, search, graph, seed, start, goal, bound, slot):
        return False
    follow_point(space, search.point, 0, slot)
    return _cost_to(space, search, graph, start, slot) + _cost_to(space, search, graph, goal, slot) < bound


@kernel
def neighbours(space, nodes):
    """So many nearest neighbours make the graph asymptotically optimal: e (1 + 1/d) log n (Karaman, Frazzoli 2011)."""
    d = 0
    for j in range(space.scale.shape[0]):
        d += 1 if space.scale[j] > 0.0 else 0
    return math.ceil(_E * (1.0 + 1.0 / max(d, 1)) * math.log(max(nodes, 2)))


@kernel
def grow_graph(scene, space, search, lanes, graph, seed, ends, bound, target, most, wanted, slot):
    """Free nodes with edges to their nearest, until the graph has `target` of them or `most` samples were drawn.

    ends: (start, first goal, end of the goals), nodes between which a path is to be cheaper than the bound. wanted: neighbours
    of each node; 0: as many as `neighbours` says.
    """
    start, first, end = ends
    while graph.counts[slot, NODES] < target and search.state[slot, SAMPLES] < most:
        if not _candidate(space, search, graph, seed, start, first, end, bound, slot):
            continue
        if not point_free(scene, space, search, lanes, 0, slot):
            continue
        row = add_graph_node(space, search, graph, slot)
        if row < 0:
            return NO_ROOM
        k = wanted if wanted > 0 else neighbours(space, row)
        if not join_nearest(space, search, graph, row, k, row, slot):
            return NO_ROOM
    return GROWN
