"""The cheapest path in a graph whose edges are proven only where it passes: A* on what is not known to be blocked, in turns.

Lazy shortest paths (Bohlin, Kavraki 2000; Dellin, Srinivasa 2016): a path that needs no more proof is the cheapest of the graph.
"""

from carpal._core.compile import kernel
from carpal.planning.planners.kernels.lane_edges import edge_proven, point_free, set_edge
from carpal.planning.planners.kernels.lane_graph import (
    BLOCKED,
    CHECKED,
    COST,
    NEXT,
    PROVEN,
    ROUTE,
    STAMP,
    STATE,
    TO,
    UNKNOWN,
    between,
)
from carpal.planning.planners.kernels.lane_search import PATH

# columns of `visits`: cost from the start, half-edge by which it came, number of the search, whether settled, bound on the rest
_SO_FAR, _CAME, _SEARCH, _SETTLED, _REST = 0, 1, 2, 3, 4
NONE, UNDECIDED, FULL = 0, -1, -2
"""No path below the bound; so many checks were made; the heap or the path has no room."""


@kernel
def _push(graph, size, value, node, slot):
    """The heap's size after an entry came in; -1 where it is full."""
    heap = graph.heap
    if size >= heap.shape[2]:
        return -1
    i = size
    while i > 0 and heap[slot, 0, (i - 1) // 2] > value:
        heap[slot, 0, i], heap[slot, 1, i] = heap[slot, 0, (i - 1) // 2], heap[slot, 1, (i - 1) // 2]
        i = (i - 1) // 2
    heap[slot, 0, i], heap[slot, 1, i] = value, node
    return size + 1


@kernel
def _pop(graph, size, slot):
    """Take away the least entry of a heap of this size."""
    heap, last = graph.heap, size - 1
    value, node = heap[slot, 0, last], heap[slot, 1, last]
    i = 0
    while 2 * i + 1 < last:
        k = 2 * i + 1
        if k + 1 < last and heap[slot, 0, k + 1] < heap[slot, 0, k]:
            k += 1
        if heap[slot, 0, k] >= value:
            break
        heap[slot, 0, i], heap[slot, 1, i] = heap[slot, 0, k], heap[slot, 1, k]
        i = k
    heap[slot, 0, i], heap[slot, 1, i] = value, node


@kernel
def _visit(space, graph, node, stamp, first, end, slot):
    """Begin a node in this search; its bound is the straight cost to the nearest goal (nodes `first` to `end` - 1)."""
    visits = graph.visits
    rest = 1e300
    for goal in range(first, end):
        rest = min(rest, between(space, graph, node, goal, slot))
    visits[slot, node, _SO_FAR], visits[slot, node, _CAME] = 1e300, -1.0
    visits[slot, node, _SEARCH], visits[slot, node, _SETTLED], visits[slot, node, _REST] = stamp, 0.0, rest


@kernel
def _cheapest(space, graph, start, first, end, bound, slot):
    """The goal that is reached at the least cost over edges that are proven or unknown, -1 where none is below the bound."""
    visits, links, edges, heap = graph.visits, graph.links, graph.edges, graph.heap
    graph.counts[slot, STAMP] += 1.0
    stamp = graph.counts[slot, STAMP]
    _visit(space, graph, start, stamp, first, end, slot)
    visits[slot, start, _SO_FAR] = 0.0
    size = _push(graph, 0, visits[slot, start, _REST], start, slot)
    while size > 0:
        node = int(heap[slot, 1, 0])
        _pop(graph, size, slot)
        size -= 1
        if visits[slot, node, _SETTLED] > 0.0:
            continue
        visits[slot, node, _SETTLED] = 1.0
        if first <= node < end:
            return node
        half = graph.heads[slot, node]
        while half >= 0:
            other, edge = links[slot, half, TO], half // 2
            if edges[slot, edge, STATE] <= PROVEN:
                cost = visits[slot, node, _SO_FAR] + edges[slot, edge, COST]
                if visits[slot, other, _SEARCH] != stamp:
                    _visit(space, graph, other, stamp, first, end, slot)
                if cost < visits[slot, other, _SO_FAR] and cost + visits[slot, other, _REST] < bound:
                    visits[slot, other, _SO_FAR], visits[slot, other, _CAME] = cost, half
                    size = _push(graph, size, cost + visits[slot, other, _REST], other, slot)
                    if size < 0:
                        return FULL
            half = links[slot, half, NEXT]
    return -1


@kernel
def _route(graph, start, goal, slot):
    """Half-edges from the start to a goal into graph.route; their number, or -1 where they have no room."""
    count, node = 0, goal
    while node != start:
        node = graph.links[slot, int(graph.visits[slot, node, _CAME]) ^ 1, TO]
        count += 1
    if count + 1 > graph.route.shape[1]:
        return -1
    node = goal
    for k in range(count - 1, -1, -1):
        half = int(graph.visits[slot, node, _CAME])
        graph.route[slot, k] = half
        node = graph.links[slot, half ^ 1, TO]
    graph.counts[slot, ROUTE] = count
    return count


@kernel
def check_edge(scene, space, search, lanes, graph, edge, slot):
    """Prove an edge, and write down what came out; where it is blocked because a node touches, all edges of that node are."""
    a, b = graph.links[slot, 2 * edge + 1, TO], graph.links[slot, 2 * edge, TO]
    for j in range(search.point.shape[2]):
        search.point[slot, 1, j], search.point[slot, 0, j] = graph.nodes[slot, a, j], graph.nodes[slot, b, j]
    set_edge(space, search, slot)
    graph.counts[slot, CHECKED] += 1.0
    free = edge_proven(scene, space, search, lanes, slot)
    graph.edges[slot, edge, STATE] = PROVEN if free else BLOCKED
    if free:
        return True
    for row in range(2):
        if not point_free(scene, space, search, lanes, row, slot):
            half = graph.heads[slot, b if row == 0 else a]
            while half >= 0:
                graph.edges[slot, half // 2, STATE] = BLOCKED
                half = graph.links[slot, half, NEXT]
    return False


@kernel
def _write_path(search, graph, start, count, slot):
    for j in range(search.point.shape[2]):
        search.path[slot, 0, j] = graph.nodes[slot, start, j]
        for k in range(count):
            search.path[slot, k + 1, j] = graph.nodes[slot, graph.links[slot, graph.route[slot, k], TO], j]
    search.state[slot, PATH] = count + 1


@kernel
def lazy_path(scene, space, search, lanes, graph, start, first, end, bound, most, slot):
    """Nodes of the cheapest proven path from a node to any of the goals, in search.path; NONE, UNDECIDED or FULL.

    most: edges that are checked at most.
    """
    begun = graph.counts[slot, CHECKED]
    while graph.counts[slot, CHECKED] - begun <= most:
        goal = _cheapest(space, graph, start, first, end, bound, slot)
        if goal == FULL:
            return FULL
        if goal < 0:
            return NONE
        count = _route(graph, start, goal, slot)
        if count < 0:
            return FULL
        proven = True
        for k in range(count):
            # from both ends in turns: what is blocked is often near one of them
            edge = graph.route[slot, k // 2 if k % 2 == 0 else count - 1 - k // 2] // 2
            if graph.edges[slot, edge, STATE] == UNKNOWN and not check_edge(
                scene, space, search, lanes, graph, edge, slot
            ):
                proven = False
                break
        if proven:
            _write_path(search, graph, start, count, slot)
            return count + 1
    return UNDECIDED
