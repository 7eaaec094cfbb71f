"""Two convex polygons in a plane: their common part (Sutherland and Hodgman 1974), and the hull of a few points.

Corners are (u, v) in columns 0 and 1 of scratch rows; a polygon is its first row and a count, counterclockwise. Two corners
make a segment, which may be clipped but cannot clip.
"""

import math

from carpal._core.compile import kernel, leaf

MOST = 24  # corners that a clipped polygon may have: 8 + 16


@leaf
def _side(scratch, slot, i, j, u, v):
    """Twice the area of the triangle of corners i, j and (u, v): above zero on the left of the edge."""
    au, av = scratch[slot, i, 0], scratch[slot, i, 1]
    return (scratch[slot, j, 0] - au) * (v - av) - (scratch[slot, j, 1] - av) * (u - au)


@kernel
def make_counterclockwise(scratch, slot, first, count):
    """Turn a polygon round where it runs clockwise."""
    area = 0.0
    for k in range(1, count - 1):
        u, v = scratch[slot, first + k + 1, 0], scratch[slot, first + k + 1, 1]
        area += _side(scratch, slot, first, first + k, u, v)
    if area < 0.0:
        for k in range(count // 2):
            i, j = first + k, first + count - 1 - k
            for c in range(2):
                scratch[slot, i, c], scratch[slot, j, c] = scratch[slot, j, c], scratch[slot, i, c]


@kernel
def hull_2d(scratch, slot, first, count, target):
    """Corners of the hull of `count` points, written from row `target` on; returns how many, MOST at most (gift wrapping)."""
    start = first
    for i in range(first, first + count):
        u, v = scratch[slot, i, 0], scratch[slot, i, 1]
        if u < scratch[slot, start, 0] or (u == scratch[slot, start, 0] and v < scratch[slot, start, 1]):
            start = i
    corners, at = 0, start
    while corners < MOST:
        scratch[slot, target + corners, 0] = scratch[slot, at, 0]
        scratch[slot, target + corners, 1] = scratch[slot, at, 1]
        corners += 1
        au, av = scratch[slot, at, 0], scratch[slot, at, 1]
        after = -1
        for i in range(first, first + count):
            u, v = scratch[slot, i, 0], scratch[slot, i, 1]
            if u == au and v == av:
                continue
            if after < 0:
                after = i
                continue
            side = _side(scratch, slot, at, after, u, v)
            bu, bv = scratch[slot, after, 0], scratch[slot, after, 1]
            if side < 0.0 or (side == 0.0 and (u - au) ** 2 + (v - av) ** 2 > (bu - au) ** 2 + (bv - av) ** 2):
                after = i
        if after < 0:
            break
        at = after
        if scratch[slot, at, 0] == scratch[slot, start, 0] and scratch[slot, at, 1] == scratch[slot, start, 1]:
            break
    return corners


@kernel
def clip_polygon(scratch, slot, first, count, spare, by, by_count):
    """Part of a polygon or segment inside another polygon; rows `first` and `spare` are both used as buffers.

    Returns (first row of the result, count).
    """
    source, target = first, spare
    for k in range(by_count):
        i, j = by + k, by + (k + 1) % by_count
        kept = 0
        length = math.hypot(scratch[slot, j, 0] - scratch[slot, i, 0], scratch[slot, j, 1] - scratch[slot, i, 1])
        if length == 0.0:
            continue
        for m in range(count):
            p, q = source + m, source + (m + 1) % count
            pu, pv, qu, qv = scratch[slot, p, 0], scratch[slot, p, 1], scratch[slot, q, 0], scratch[slot, q, 1]
            a, b = _side(scratch, slot, i, j, pu, pv) / length, _side(scratch, slot, i, j, qu, qv) / length
            if a >= 0.0 and kept < MOST:
                scratch[slot, target + kept, 0], scratch[slot, target + kept, 1] = pu, pv
                kept += 1
            if ((a > 0.0 and b < 0.0) or (a < 0.0 and b > 0.0)) and kept < MOST:
                t = a / (a - b)
                scratch[slot, target + kept, 0], scratch[slot, target + kept, 1] = (
                    pu + t * (qu - pu),
                    pv + t * (qv - pv),
                )
                kept += 1
        count = kept
        source, target = target, source
        if count == 0:
            break
    return source, count
