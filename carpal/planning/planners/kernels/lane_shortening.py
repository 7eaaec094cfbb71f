"""Shortening of a proven path: nodes that are not needed go, then pieces between random points of it become straight.

A part of a proven edge is proven, so only the new edges are checked.
"""

from carpal._core.compile import kernel
from carpal.planning.planners.kernels.lane_connect import leg_cost, path_cost
from carpal.planning.planners.kernels.lane_edges import edge_proven, follow_point, set_edge
from carpal.planning.planners.kernels.lane_search import apart, draw

_FAILURES = 12  # in a row end it
_WORTH = 1e-3  # of a path's cost


@kernel
def _leg_free(scene, space, search, lanes, i, k, slot):
    """Whether the straight edge between two rows of the path is proven."""
    for j in range(search.point.shape[2]):
        search.point[slot, 1, j], search.point[slot, 0, j] = search.path[slot, i, j], search.path[slot, k, j]
    set_edge(space, search, slot)
    return edge_proven(scene, space, search, lanes, slot)


@kernel
def _move_rows(search, first, count, by, slot):
    """Rows from `first` to `count` - 1 of the path moved by some rows."""
    if by < 0:
        for i in range(first, count):
            for j in range(search.point.shape[2]):
                search.path[slot, i + by, j] = search.path[slot, i, j]
    else:
        for i in range(count - 1, first - 1, -1):
            for j in range(search.point.shape[2]):
                search.path[slot, i + by, j] = search.path[slot, i, j]


@kernel
def skip_nodes(scene, space, search, lanes, count, slot):
    """Nodes left after edges from each node to the farthest that it reaches, halving the distance where that is blocked."""
    i = 0
    while i < count - 2:
        k = count - 1
        while k > i + 1:
            if _leg_free(scene, space, search, lanes, i, k, slot):
                _move_rows(search, k, count, i + 1 - k, slot)
                count -= k - i - 1
                break
            k = i + 1 + (k - i - 1) // 2
        i += 1
    return count


@kernel
def _point_at(space, search, count, where, row, slot):
    """The row before a place (in cost from the start) on the path; its configuration goes to search.point[slot, row]."""
    i = 0
    here = leg_cost(space, search, 0, 1, slot)
    while i < count - 2 and where > here:
        where -= here
        i += 1
        here = leg_cost(space, search, i, i + 1, slot)
    share = min(1.0, where / max(here, 1e-12))
    for j in range(search.point.shape[2]):
        a = search.path[slot, i, j]
        search.point[slot, row, j] = a + share * apart(space, j, search.path[slot, i + 1, j], a)
    follow_point(space, search.point, row, slot)
    return i


@kernel
def cut_corners(scene, space, search, lanes, count, seed, tries, slot):
    """Nodes left after random shortcuts."""
    failures = 0
    longest = search.path.shape[1]
    for _ in range(tries):
        if count < 3 or count > longest - 3 or failures >= _FAILURES:
            return count
        total = path_cost(space, search, count, slot)
        # one of the corners in the middle of the piece: the ends move towards their neighbours
        a, b = draw(search, seed, slot) * total, draw(search, seed, slot) * total
        a, b = min(a, b), max(a, b)
        i = _point_at(space, search, count, a, 1, slot)
        k = _point_at(space, search, count, b, 0, slot)
        failures += 1
        if k == i:
            continue
        s = 0.0
        for j in range(search.point.shape[2]):
            d = apart(space, j, search.point[slot, 0, j], search.point[slot, 1, j]) * space.cost[j]
            s += d * d
        if s**0.5 > b - a - _WORTH * total:
            continue
        set_edge(space, search, slot)
        if not edge_proven(scene, space, search, lanes, slot):
            continue
        failures = 0
        # rows i + 1 to k become the two points
        _move_rows(search, k + 1, count, i + 3 - (k + 1), slot)
        count += i + 3 - (k + 1)
        for j in range(search.point.shape[2]):
            search.path[slot, i + 1, j], search.path[slot, i + 2, j] = (
                search.point[slot, 1, j],
                search.point[slot, 0, j],
            )
    return count
