"""Edges proven in lanes: sixteen configurations spread along an edge, each standing for the interval around it.

The spheres are enlarged by what they can move within the interval: their speed there, and a bound on the second derivative of
their path. Where an enlarged sphere is free of everything, so is the interval; where only the sphere itself is, the interval
is cut; where the sphere touches, the edge is blocked. So a free edge is proven, and open space takes few checks.
"""

from carpal._core.compile import kernel, leaf
from carpal.contact.kernels.lane_checks import FREE, NEAR, TOUCHES, check_lanes
from carpal.contact.kernels.lane_tables import HALF, LANES, LEAST, PART_ROW, WHERE
from carpal.model.kernels.constraint_tables import (
    COEFFICIENTS,
    FOLLOWER_REF,
    LEADER_REF,
    Q_FOLLOWER,
    Q_LEADER,
)
from carpal.model.kernels.tables import KIND, PARENT, Q_INDEX, REVOLUTE
from carpal.planning.planners.kernels.lane_search import (
    ALONG,
    BEND,
    FROM,
    GROUPS,
    QUEUE,
    SPEED,
    apart,
    lanes_of_joint,
)
from carpal.planning.planners.kernels.lane_search import MARGIN as WIDER


@leaf
def _polynomial(couplings, k, x):
    """(position, slope) of a follower at a distance x of its leader from where the polynomial counts."""
    y, slope = 0.0, 0.0
    for i in range(4, -1, -1):
        slope = y + x * slope
        y = couplings[k, COEFFICIENTS + i] + x * y
    return couplings[k, FOLLOWER_REF] + y, slope


@kernel
def follow_lanes(space, lanes, slot):
    """Positions and rates of followers in all lanes."""
    table = space.couplings
    for k in range(table.shape[0]):
        follower, leader = int(table[k, Q_FOLLOWER]), int(table[k, Q_LEADER])
        for l in range(LANES):
            x = 0.0 if leader < 0 else lanes.q[slot, leader, l] - table[k, LEADER_REF]
            y, slope = _polynomial(table, k, x)
            lanes.q[slot, follower, l] = y
            lanes.rate[slot, follower, l] = 0.0 if leader < 0 else slope * lanes.rate[slot, leader, l]


@kernel
def follow_point(space, point, row, slot):
    """Put the followers of point[slot, row] where their couplings have them."""
    table = space.couplings
    for k in range(table.shape[0]):
        leader = int(table[k, Q_LEADER])
        x = 0.0 if leader < 0 else point[slot, row, leader] - table[k, LEADER_REF]
        y, _ = _polynomial(table, k, x)
        point[slot, row, int(table[k, Q_FOLLOWER])] = y


@kernel
def _bound_joints(space, search, slot):
    """search.ends[slot, SPEED and BEND]: bounds on the derivatives of every joint along the edge."""
    ends, table = search.ends, space.couplings
    for j in range(ends.shape[2]):
        ends[slot, SPEED, j], ends[slot, BEND, j] = abs(ends[slot, ALONG, j]), 0.0
    for k in range(table.shape[0]):
        follower, leader = int(table[k, Q_FOLLOWER]), int(table[k, Q_LEADER])
        ends[slot, SPEED, follower], ends[slot, BEND, follower] = 0.0, 0.0
        if leader < 0:
            continue
        x = ends[slot, FROM, leader] - table[k, LEADER_REF]
        most = abs(x) + ends[slot, SPEED, leader]
        slope, bend = 0.0, 0.0
        for i in range(4, 0, -1):
            c = abs(table[k, COEFFICIENTS + i])
            slope = i * c + most * slope
            if i > 1:
                bend = i * (i - 1) * c + most * bend
        v = ends[slot, SPEED, leader]
        ends[slot, SPEED, follower] = slope * v
        ends[slot, BEND, follower] = bend * v * v + slope * ends[slot, BEND, leader]


@kernel
def _bound_parts(scene, search, lanes, slot):
    """lanes.bounds: second derivatives of the parts' motion, and speeds of the pairs against each other.

    The second derivative of a point by two joints is at most its distance from the outer one's axis.
    """
    ends, bounds, parts = search.ends, lanes.bounds, scene.parts.shape[0]
    for part in range(parts):
        row = scene.parts[part, PART_ROW]
        outer, total = 0.0, 0.0
        while row > 0:
            j = scene.joints[row, Q_INDEX]
            reach, v = scene.reaches[part, row], ends[slot, SPEED, j]
            total += ends[slot, BEND, j] * reach
            if scene.joints[row, KIND] == REVOLUTE:
                total += v * (v * reach + 2.0 * outer)
            outer += v * reach
            row = scene.joints[row, PARENT]
        bounds[slot, part] = total
    for pair in range(scene.pairs.shape[0]):
        total = 0.0
        for row in range(1, scene.joints.shape[0]):
            total += scene.reaches[parts + pair, row] * ends[slot, SPEED, scene.joints[row, Q_INDEX]]
        bounds[slot, parts + pair] = total


@kernel
def _motion(scene, lanes, lane, slot):
    """What the enlarged spheres of a lane are enlarged by at most [m]."""
    most = 0.0
    parts = scene.parts.shape[0]
    for part in range(parts):
        most = max(most, lanes.grow[slot, part, lane])
    for pair in range(scene.pairs.shape[0]):
        most = max(most, lanes.bounds[slot, parts + pair] * lanes.half[slot, lane])
    return most


@kernel
def _load(search, first, count, lanes, slot):
    """Intervals of the queue into the lanes; the last one fills lanes that have none."""
    for l in range(LANES):
        k = first + min(l, count - 1)
        lanes.span[slot, WHERE, l], lanes.span[slot, HALF, l] = search.queue[slot, 0, k], search.queue[slot, 1, k]


@kernel
def _cut(scene, search, lanes, first, count, end, slot):
    """Cut the intervals of lanes that are near into pieces at the queue's end; the new end, or -1 where the edge is blocked."""
    near = 0
    for l in range(count):
        near += lanes.flags[slot, NEAR, l]
    pieces = 2 if near > 4 else 4 if near > 2 else 8
    least = scene.numbers[LEAST]
    for l in range(count):
        if lanes.flags[slot, NEAR, l] == 0:
            continue
        if end + pieces > QUEUE or _motion(scene, lanes, l, slot) < least:
            return -1
        t, h = search.queue[slot, 0, first + l], search.queue[slot, 1, first + l]
        for k in range(pieces):
            search.queue[slot, 0, end] = t + h * ((2 * k + 1) / pieces - 1.0)
            search.queue[slot, 1, end] = h / pieces
            end += 1
    return end


@kernel
def edge_proven(scene, space, search, lanes, slot):
    """Whether the edge in search.ends[slot, FROM and ALONG] is proven free, all of it."""
    ends = search.ends
    _bound_joints(space, search, slot)
    _bound_parts(scene, search, lanes, slot)
    for l in range(LANES):
        search.queue[slot, 0, l], search.queue[slot, 1, l] = (l + 0.5) / LANES, 0.5 / LANES
    first, end = 0, LANES
    while first < end:
        count = min(LANES, end - first)
        _load(search, first, count, lanes, slot)
        for j in range(ends.shape[2]):
            lanes_of_joint(lanes, j, ends[slot, FROM, j], ends[slot, ALONG, j], slot)
        follow_lanes(space, lanes, slot)
        search.state[slot, GROUPS] += 1.0
        code = check_lanes(scene, lanes, space.numbers[WIDER], True, True, slot)
        if code == TOUCHES:
            return False
        if code != FREE:
            end = _cut(scene, search, lanes, first, count, end, slot)
            if end < 0:
                return False
        first += count
    return True


@kernel
def point_free(scene, space, search, lanes, row, slot):
    """Whether search.point[slot, row] touches nothing."""
    for j in range(search.point.shape[2]):
        lanes_of_joint(lanes, j, search.point[slot, row, j], 0.0, slot)
    search.state[slot, GROUPS] += 1.0
    return check_lanes(scene, lanes, space.numbers[WIDER], False, True, slot) == FREE


@kernel
def set_edge(space, search, slot):
    """The edge from search.point[slot, 1] to search.point[slot, 0], the short way round; returns its length in the metric."""
    total = 0.0
    for j in range(search.point.shape[2]):
        d = apart(space, j, search.point[slot, 0, j], search.point[slot, 1, j])
        search.ends[slot, FROM, j], search.ends[slot, ALONG, j] = search.point[slot, 1, j], d
        total += (d * space.scale[j]) ** 2
    return total**0.5
