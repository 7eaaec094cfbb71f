"""Checks in lanes: which of sixteen configurations touch, and which of the intervals around them are shown to be free.

A part's ball goes first, through a tree over the obstacles; its spheres follow where the ball is near. Comparisons read and
never write, so they need no look at aliases; only what is near is written down, lane by lane.
"""

import math

import numpy as np

from carpal._core.compile import kernel, leaf
from carpal.contact.kernels.lane_placing import place_ball, place_lanes, place_spheres
from carpal.contact.kernels.lane_tables import (
    BALL_RADIUS,
    HALF,
    HALF_SPACE,
    HALF_SPACES,
    LANES,
    LEAF,
    MARGIN,
    OBSTACLE_KIND,
    OBSTACLE_P,
    OBSTACLE_ROUND,
    OBSTACLE_SIZE,
    PART_END,
    PART_FIRST,
    ROUNDED_BOX,
    SKIP,
    SLACK,
)

FREE, UNDECIDED, TOUCHES = 0, 1, 2
HIT, NEAR = 0, 1  # rows of `flags`
_ZERO = np.float32(0.0)


@leaf
def _square_from(o, b, kind, x, y, z):
    """Squared distance [m2] of a point from the core of an obstacle (a half-space: from its plane)."""
    x, y, z = x - o[b, OBSTACLE_P], y - o[b, OBSTACLE_P + 1], z - o[b, OBSTACLE_P + 2]
    w = o[b, 2] * x + o[b, 5] * y + o[b, 8] * z
    if kind == HALF_SPACE:
        w = max(w, _ZERO)
        return w * w
    u = o[b, 0] * x + o[b, 3] * y + o[b, 6] * z
    v = o[b, 1] * x + o[b, 4] * y + o[b, 7] * z
    w = max(abs(w) - o[b, OBSTACLE_SIZE + 2], _ZERO)
    if kind == ROUNDED_BOX:
        u = max(abs(u) - o[b, OBSTACLE_SIZE], _ZERO)
        v = max(abs(v) - o[b, OBSTACLE_SIZE + 1], _ZERO)
        return u * u + v * v + w * w
    u = max(math.sqrt(u * u + v * v) - o[b, OBSTACLE_SIZE], _ZERO)
    return u * u + w * w


@leaf
def _any_within(o, b, kind, points, i, grow, part, radius, slot):
    """Whether in any lane point i is nearer to an obstacle than a radius and what the part moves."""
    found = np.int32(0)
    for l in range(LANES):
        far = radius + grow[slot, part, l]
        d2 = _square_from(o, b, kind, points[slot, i, 0, l], points[slot, i, 1, l], points[slot, i, 2, l])
        found |= np.int32(d2 < far * far)
    return found


@leaf
def _flag_within(o, b, kind, points, i, grow, part, radius, flags, slot):
    """Write down the lanes in which it is; returns whether any is nearer than the radius itself."""
    found = np.int32(0)
    for l in range(LANES):
        far = radius + grow[slot, part, l]
        d2 = _square_from(o, b, kind, points[slot, i, 0, l], points[slot, i, 1, l], points[slot, i, 2, l])
        flags[slot, HIT, l] |= np.int32(d2 < radius * radius)
        flags[slot, NEAR, l] |= np.int32(d2 < far * far)
        found |= np.int32(d2 < radius * radius)
    return found


@leaf
def _check_obstacle(scene, lanes, part, b, kind, wide, slot):
    """Whether any sphere of a part touches an obstacle of a kind in any lane; near ones are flagged."""
    o, points, grow = scene.obstacles, lanes.points, lanes.grow
    extra = wide + o[b, OBSTACLE_ROUND]
    if not _any_within(o, b, kind, lanes.balls, part, grow, part, scene.balls[part, BALL_RADIUS] + extra, slot):
        return False
    place_spheres(scene, lanes, part, slot)
    touches = False
    for k in range(scene.parts[part, PART_FIRST], scene.parts[part, PART_END]):
        radius = scene.spheres[k, 3] + extra
        near = _any_within(o, b, kind, points, k, grow, part, radius, slot)
        if near and _flag_within(o, b, kind, points, k, grow, part, radius, lanes.flags, slot):
            touches = True
    return touches


@kernel
def _check_one(scene, lanes, part, b, wide, slot):
    """The same for an obstacle of any kind."""
    kind = int(scene.obstacles[b, OBSTACLE_KIND])
    if kind == ROUNDED_BOX:
        return _check_obstacle(scene, lanes, part, b, ROUNDED_BOX, wide, slot)
    return _check_obstacle(scene, lanes, part, b, kind, wide, slot)


@leaf
def _bounds(lanes, part, r, slot):
    """(lowest, highest) coordinate r of a part's ball over all lanes, its motion included, without its radius."""
    low, high = lanes.balls[slot, part, r, 0], lanes.balls[slot, part, r, 0]
    for l in range(LANES):
        x, g = lanes.balls[slot, part, r, l], lanes.grow[slot, part, l]
        low, high = min(low, x - g), max(high, x + g)
    return low, high


@kernel
def _check_part(scene, lanes, part, wide, stop, slot):
    """Whether a part touches a standing shape in any lane; goes on to all shapes unless `stop`."""
    touches = False
    for b in range(int(scene.numbers[HALF_SPACES])):
        if scene.meets[part, b] and _check_one(scene, lanes, part, b, wide, slot):
            touches = True
            if stop:
                return True
    count = scene.tree.shape[0]
    if count == 0:
        return touches
    r = scene.balls[part, BALL_RADIUS] + wide
    (x0, x1), (y0, y1) = _bounds(lanes, part, 0, slot), _bounds(lanes, part, 1, slot)
    z0, z1 = _bounds(lanes, part, 2, slot)
    node = 0
    while node < count:
        if (
            x1 + r < scene.boxes[node, 0] or y1 + r < scene.boxes[node, 1] or z1 + r < scene.boxes[node, 2]
            or x0 - r > scene.boxes[node, 3] or y0 - r > scene.boxes[node, 4] or z0 - r > scene.boxes[node, 5]
        ):  # fmt: skip
            node = scene.tree[node, SKIP]
            continue
        b = scene.tree[node, LEAF]
        if b >= 0 and scene.meets[part, b] and _check_one(scene, lanes, part, b, wide, slot):
            touches = True
            if stop:
                return True
        node += 1
    return touches


@leaf
def _any_pair(points, i, others, j, half, reach, speed, slot):
    """Whether in any lane two points are nearer than a reach and what they move against each other."""
    found = np.int32(0)
    for l in range(LANES):
        x = points[slot, i, 0, l] - others[slot, j, 0, l]
        y = points[slot, i, 1, l] - others[slot, j, 1, l]
        z = points[slot, i, 2, l] - others[slot, j, 2, l]
        far = reach + speed * half[slot, l]
        found |= np.int32(x * x + y * y + z * z < far * far)
    return found


@leaf
def _flag_pair(points, i, j, half, reach, speed, flags, slot):
    """Write down the lanes in which they are; returns whether any is nearer than the reach itself."""
    found = np.int32(0)
    for l in range(LANES):
        x = points[slot, i, 0, l] - points[slot, j, 0, l]
        y = points[slot, i, 1, l] - points[slot, j, 1, l]
        z = points[slot, i, 2, l] - points[slot, j, 2, l]
        d2 = x * x + y * y + z * z
        far = reach + speed * half[slot, l]
        flags[slot, HIT, l] |= np.int32(d2 < reach * reach)
        flags[slot, NEAR, l] |= np.int32(d2 < far * far)
        found |= np.int32(d2 < reach * reach)
    return found


@kernel
def _check_pair(scene, lanes, pair, wide, slot):
    """Whether two parts of the robot touch in any lane; near ones are flagged."""
    a, b = scene.pairs[pair, 0], scene.pairs[pair, 1]
    balls, points, half = lanes.balls, lanes.points, lanes.half
    speed = np.float32(lanes.bounds[slot, scene.parts.shape[0] + pair])
    reach_b = scene.balls[b, BALL_RADIUS] + wide
    if not _any_pair(balls, a, balls, b, half, scene.balls[a, BALL_RADIUS] + reach_b, speed, slot):
        return False
    place_spheres(scene, lanes, a, slot)
    place_spheres(scene, lanes, b, slot)
    touches = False
    for i in range(scene.parts[a, PART_FIRST], scene.parts[a, PART_END]):
        r = scene.spheres[i, 3]
        if not _any_pair(points, i, balls, b, half, r + reach_b, speed, slot):
            continue
        for j in range(scene.parts[b, PART_FIRST], scene.parts[b, PART_END]):
            reach = r + scene.spheres[j, 3] + wide
            near = _any_pair(points, i, points, j, half, reach, speed, slot)
            if near and _flag_pair(points, i, j, half, reach, speed, lanes.flags, slot):
                touches = True
    return touches


@kernel
def check_lanes(scene, lanes, margin, moving, stop, slot):
    """FREE, UNDECIDED or TOUCHES of all lanes at lanes.q[slot]; lanes.flags[slot] says which.

    margin: [m] beyond the scene's own. moving: whether lanes stand for intervals (lanes.span, rate, bounds). stop: return
    at the first that touches, with the others' flags not all set.
    """
    wide = np.float32(scene.numbers[MARGIN] + margin + scene.numbers[SLACK])
    for l in range(LANES):
        lanes.flags[slot, HIT, l] = 0
        lanes.flags[slot, NEAR, l] = 0
        lanes.half[slot, l] = np.float32(lanes.span[slot, HALF, l] * 1.000001) if moving else _ZERO
    place_lanes(scene, lanes, moving, slot)
    touches = False
    for part in range(scene.parts.shape[0]):
        place_ball(scene, lanes, part, moving, slot)
        if _check_part(scene, lanes, part, wide, stop, slot):
            touches = True
            if stop:
                return TOUCHES
    for pair in range(scene.pairs.shape[0]):
        if _check_pair(scene, lanes, pair, wide, slot):
            touches = True
            if stop:
                return TOUCHES
    if touches:
        return TOUCHES
    near = np.int32(0)
    for l in range(LANES):
        near |= lanes.flags[slot, NEAR, l]
    return UNDECIDED if near else FREE
