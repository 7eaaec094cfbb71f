"""What Python asks of a graph: to take up points or a path, to grow, to prove edges, to find the cheapest path."""

from carpal._core.compile import kernel
from carpal.planning.planners.kernels.lane_connect import path_cost
from carpal.planning.planners.kernels.lane_edges import follow_point, point_free
from carpal.planning.planners.kernels.lane_graph import (
    PROVEN,
    STATE,
    UNKNOWN,
    add_edge,
    add_graph_node,
    between,
    join_nearest,
)
from carpal.planning.planners.kernels.lane_growth import NO_ROOM, grow_graph, neighbours
from carpal.planning.planners.kernels.lane_roadmap import check_edge, lazy_path
from carpal.planning.planners.kernels.lane_search import FOUND_COST, PATH, SHORTEN
from carpal.planning.planners.kernels.lane_shortening import cut_corners, skip_nodes

GRAPH_POINTS, GRAPH_CHAIN, GRAPH_GROW, GRAPH_PROVE, GRAPH_PATH = 3, 4, 5, 6, 7
# entries of `LaneQuery.numbers`: what to do, seed, samples, nodes or edges up to which; nodes: start, first goal, end of goals
# (of GRAPH_POINTS a node + 1, of GRAPH_CHAIN start and end, of GRAPH_PROVE the first edge); bound on the cost, neighbours,
# samples at most
TASK, SEED, MOST, START, FIRST, END, BOUND, WANTED, DRAWN = 0, 1, 2, 3, 4, 5, 6, 7, 8
QUERY_NUMBERS = 9


@kernel
def _take_up(space, search, graph, query, i, slot):
    for j in range(search.point.shape[2]):
        search.point[slot, 0, j] = query.goals[i, j]
    follow_point(space, search.point, 0, slot)
    return add_graph_node(space, search, graph, slot)


@kernel
def _join(space, search, graph, row, wanted, slot):
    k = wanted if wanted > 0 else neighbours(space, row)
    return join_nearest(space, search, graph, row, k, row, slot)


@kernel
def _points(scene, space, search, lanes, graph, query, slot):
    """Points that are free become nodes, joined where `wanted` is zero or above, and to node FIRST - 1 if any; how many."""
    taken, wanted, hub = 0, int(query.numbers[WANTED]), int(query.numbers[FIRST]) - 1
    for i in range(query.goals.shape[0]):
        for j in range(search.point.shape[2]):
            search.point[slot, 0, j] = query.goals[i, j]
        follow_point(space, search.point, 0, slot)
        if not point_free(scene, space, search, lanes, 0, slot):
            continue
        row = _take_up(space, search, graph, query, i, slot)
        if row < 0 or (wanted >= 0 and not _join(space, search, graph, row, wanted, slot)):
            return -NO_ROOM
        if hub >= 0 and add_edge(graph, hub, row, between(space, graph, hub, row, slot), UNKNOWN, slot) < 0:
            return -NO_ROOM
        taken += 1
    return taken


@kernel
def _chain(space, search, graph, query, slot):
    """Points of a proven path from one node to another become nodes with proven edges; 1, or -NO_ROOM."""
    last, end = int(query.numbers[START]), int(query.numbers[FIRST])
    for i in range(query.goals.shape[0]):
        row = _take_up(space, search, graph, query, i, slot)
        if row < 0 or add_edge(graph, last, row, between(space, graph, last, row, slot), PROVEN, slot) < 0:
            return -NO_ROOM
        if not _join(space, search, graph, row, int(query.numbers[WANTED]), slot):
            return -NO_ROOM
        last = row
    return 1 if add_edge(graph, last, end, between(space, graph, last, end, slot), PROVEN, slot) >= 0 else -NO_ROOM


@kernel
def _path(scene, space, search, lanes, graph, query, slot):
    """The cheapest path, shortened where asked; its nodes, or why there is none (`lazy_path`)."""
    start, first, end = int(query.numbers[START]), int(query.numbers[FIRST]), int(query.numbers[END])
    bound, most = query.numbers[BOUND], query.numbers[MOST]
    count = lazy_path(scene, space, search, lanes, graph, start, first, end, bound, most, slot)
    if count <= 0:
        return count
    search.state[slot, FOUND_COST] = path_cost(space, search, count, slot)
    if space.numbers[SHORTEN] > 0.0:
        count = skip_nodes(scene, space, search, lanes, count, slot)
        tries = int(space.numbers[SHORTEN])
        count = cut_corners(scene, space, search, lanes, count, query.numbers[SEED], tries, slot)
        count = skip_nodes(scene, space, search, lanes, count, slot)
    search.state[slot, PATH] = count
    return count


@kernel
def graph_task(scene, space, search, lanes, graph, query, slot):
    """What came out of a task."""
    task = int(query.numbers[TASK])
    if task == GRAPH_POINTS:
        return _points(scene, space, search, lanes, graph, query, slot)
    if task == GRAPH_CHAIN:
        return _chain(space, search, graph, query, slot)
    if task == GRAPH_GROW:
        ends = int(query.numbers[START]), int(query.numbers[FIRST]), int(query.numbers[END])
        bound, drawn = query.numbers[BOUND], query.numbers[DRAWN]
        seed, target, wanted = query.numbers[SEED], query.numbers[MOST], int(query.numbers[WANTED])
        return grow_graph(scene, space, search, lanes, graph, seed, ends, bound, target, drawn, wanted, slot)
    if task == GRAPH_PROVE:
        proven = 0
        for edge in range(int(query.numbers[START]), int(query.numbers[MOST])):
            if graph.edges[slot, edge, STATE] == UNKNOWN:
                proven += 1 if check_edge(scene, space, search, lanes, graph, edge, slot) else 0
        return proven
    return _path(scene, space, search, lanes, graph, query, slot)
