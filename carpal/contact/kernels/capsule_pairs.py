"""Capsule against capsule and against box: closed forms on their cores.

Where the cores meet, the capsules' depth is the sum of the radii along the common perpendicular of the axes. A segment
that enters a box is pushed out along the least deep of the box's three axes and the three perpendiculars of segment and
box edges: those are all the faces that the Minkowski sum of a box and a segment has.
"""

import math

from carpal._core.compile import leaf
from carpal.contact.kernels.segments import between_segments, clamp, perpendicular, segment_to_box, squared_to_box, unit
from carpal.contact.kernels.sphere_pairs import point_to_box
from carpal.spatial.kernels.vec3 import add, cross, dot, scale, sub

_CROSSED = 1e-9  # [m] cores nearer than that count as meeting


@leaf
def between_cores(c_a, d_a, half_a, c_b, d_b, half_b):
    """(distance, point on A's core, point on B's core, unit normal from A to B) of two segments."""
    s, t = between_segments(c_a, d_a, half_a, c_b, d_b, half_b)
    p_a, p_b = add(c_a, scale(s, d_a)), add(c_b, scale(t, d_b))
    n, distance = unit(sub(p_b, p_a))
    if distance > _CROSSED:
        return distance, p_a, p_b, n
    n, sine = unit(cross(d_a, d_b))
    if sine < 1e-9:
        n = perpendicular(d_a)
    if dot(n, sub(c_b, c_a)) < 0.0:
        n = scale(-1.0, n)
    return dot(n, sub(p_b, p_a)), p_a, p_b, n


@leaf
def segment_and_box(c, d, half, size):
    """(distance, point on the segment, point on the box, outward unit normal of the box) in the box's frame."""
    t = segment_to_box(c, d, half, size)
    p = add(c, scale(t, d))
    if squared_to_box(p, size) > _CROSSED * _CROSSED:
        distance, q, n = point_to_box(p, size)
        return distance, p, q, n
    # through the box: the least deep of six perpendiculars
    best, axis, sign = math.inf, 0, 1.0
    for i in range(3):
        reach = abs(d[i]) * half
        depth = size[i] + reach - abs(c[i])
        if depth < best:
            best, axis, sign = depth, i, math.copysign(1.0, c[i])
    edge, edge_axis = (1.0, 0.0, 0.0), -1
    for i in range(3):
        if i == 0:
            m = (0.0, -d[2], d[1])
        elif i == 1:
            m = (d[2], 0.0, -d[0])
        else:
            m = (-d[1], d[0], 0.0)
        m, sine = unit(m)
        if sine > 1e-7:
            off = dot(m, c)
            depth = abs(m[0]) * size[0] + abs(m[1]) * size[1] + abs(m[2]) * size[2] - abs(off)
            if depth < best - 1e-12:
                best, edge_axis = depth, i
                edge = scale(math.copysign(1.0, off), m)
    if edge_axis >= 0:
        q = (
            math.copysign(size[0], edge[0]),
            math.copysign(size[1], edge[1]),
            math.copysign(size[2], edge[2]),
        )
        if edge_axis == 0:
            middle, along = (0.0, q[1], q[2]), (1.0, 0.0, 0.0)
        elif edge_axis == 1:
            middle, along = (q[0], 0.0, q[2]), (0.0, 1.0, 0.0)
        else:
            middle, along = (q[0], q[1], 0.0), (0.0, 0.0, 1.0)
        on_line = add(middle, scale(-best, edge))  # the edge, moved down to the segment's own height
        s, u = between_segments(c, d, half, on_line, along, size[edge_axis])
        return -best, add(c, scale(s, d)), add(middle, scale(u, along)), edge
    n = (sign if axis == 0 else 0.0, sign if axis == 1 else 0.0, sign if axis == 2 else 0.0)
    slope = sign * d[axis]
    if slope > 1e-12:
        s = -half
    elif slope < -1e-12:
        s = half
    else:  # along the face: the middle of what lies under it
        low, high = -half, half
        for i in range(3):
            if i != axis and abs(d[i]) > 1e-12:
                one, two = (-size[i] - c[i]) / d[i], (size[i] - c[i]) / d[i]
                low, high = max(low, min(one, two)), min(high, max(one, two))
        s = clamp(0.5 * (low + high), -half, half)
    p = add(c, scale(s, d))
    return -best, p, add(p, scale(best, n)), n
