"""The entry of searches in lanes: begin, go on to a number of samples, shorten; prove a given path with a margin; graphs."""

from typing import NamedTuple

import numpy as np

from carpal._core.compile import entry, kernel
from carpal.planning.planners.kernels.lane_connect import grow, path_cost
from carpal.planning.planners.kernels.lane_edges import edge_proven, follow_point, point_free, set_edge
from carpal.planning.planners.kernels.lane_graph_tasks import MOST, SEED, TASK, graph_task
from carpal.planning.planners.kernels.lane_search import (
    FOUND_COST,
    PATH,
    SHORTEN,
    SIZE_B,
    STATES,
    add_node,
)
from carpal.planning.planners.kernels.lane_shortening import cut_corners, skip_nodes

BEGIN, GO_ON, PROVE = 0, 1, 2
SEARCHING, FOUND, START_TOUCHES, GOAL_TOUCHES, FULL, TOO_LONG, BLOCKED = 0, 1, 2, 3, 4, 5, 6


class LaneQuery(NamedTuple):
    """start (1, nq); goals (n, nq); numbers: see `lane_graph_tasks.py`; answer: what came out."""

    start: np.ndarray
    goals: np.ndarray
    numbers: np.ndarray
    answer: np.ndarray


@kernel
def _root(space, search, q, row, tree, slot):
    for j in range(search.point.shape[2]):
        search.point[slot, 0, j] = q[row, j]
    follow_point(space, search.point, 0, slot)


@kernel
def _begin(scene, space, search, lanes, query, slot):
    """Roots of both trees; SEARCHING, FOUND where a straight edge will do, or which end touches."""
    for k in range(STATES):
        search.state[slot, k] = 0.0
    _root(space, search, query.start, 0, 0, slot)
    if not point_free(scene, space, search, lanes, 0, slot):
        return START_TOUCHES
    add_node(space, search, 0, -1, 1e9, slot)
    for i in range(query.goals.shape[0]):
        _root(space, search, query.goals, i, 1, slot)
        if point_free(scene, space, search, lanes, 0, slot):
            add_node(space, search, 1, -1, 1e9, slot)
    if search.state[slot, SIZE_B] == 0.0:
        return GOAL_TOUCHES
    for i in range(int(search.state[slot, SIZE_B])):
        for j in range(search.point.shape[2]):
            search.point[slot, 1, j], search.point[slot, 0, j] = (
                search.nodes[slot, 0, 0, j],
                search.nodes[slot, 1, i, j],
            )
        set_edge(space, search, slot)
        if edge_proven(scene, space, search, lanes, slot):
            for j in range(search.point.shape[2]):
                search.path[slot, 0, j], search.path[slot, 1, j] = (
                    search.nodes[slot, 0, 0, j],
                    search.nodes[slot, 1, i, j],
                )
            search.state[slot, PATH] = 2.0
            return FOUND
    return SEARCHING


@kernel
def _path_proven(scene, space, search, lanes, count, slot):
    for i in range(count - 1):
        for j in range(search.point.shape[2]):
            search.point[slot, 1, j], search.point[slot, 0, j] = search.path[slot, i, j], search.path[slot, i + 1, j]
        set_edge(space, search, slot)
        if not edge_proven(scene, space, search, lanes, slot):
            return False
    return True


@entry
def connect_in_lanes(scene, space, search, lanes, graph, query, start, stop, stride, slot):
    """query.answer[0]: what came out; the path is in search.path, its nodes in search.state."""
    task, seed, most = int(query.numbers[TASK]), query.numbers[SEED], query.numbers[MOST]
    if task > PROVE:
        query.answer[0] = graph_task(scene, space, search, lanes, graph, query, slot)
        return 0
    if task == PROVE:
        proven = _path_proven(scene, space, search, lanes, int(search.state[slot, PATH]), slot)
        query.answer[0] = FOUND if proven else BLOCKED
        return 0
    outcome = SEARCHING
    if task == BEGIN:
        outcome = _begin(scene, space, search, lanes, query, slot)
        search.state[slot, FOUND_COST] = path_cost(space, search, int(search.state[slot, PATH]), slot)
    if outcome == SEARCHING:
        count = grow(scene, space, search, lanes, seed, most, slot)
        if count > 0:
            outcome = FOUND
            search.state[slot, FOUND_COST] = path_cost(space, search, count, slot)
            if space.numbers[SHORTEN] > 0.0:
                count = skip_nodes(scene, space, search, lanes, count, slot)
                count = cut_corners(scene, space, search, lanes, count, seed, int(space.numbers[SHORTEN]), slot)
                count = skip_nodes(scene, space, search, lanes, count, slot)
            search.state[slot, PATH] = count
        elif count == -2:
            outcome = FULL
        elif count == -3:
            outcome = TOO_LONG
    query.answer[0] = outcome
    return 0
