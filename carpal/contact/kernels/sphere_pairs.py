"""A sphere against sphere, capsule, box, cylinder, ellipsoid: the nearest point of the other's surface to a centre.

Each function returns (distance, nearest surface point, outward unit normal there) of one point in the other shape's
frame, with a negative distance inside; where several surface points are equally near, one of them. Closed forms (Ericson
2005, chapter 5), the ellipsoid by root finding in `ellipsoid.py`.
"""

import math

from carpal._core.compile import leaf
from carpal.contact.kernels.segments import beyond, clamp

TINY = 1e-12  # [m] nearer to a surface than that, its own normal is taken instead of the line to the centre


@leaf
def point_to_point(p):
    """To the origin: the core of a sphere."""
    d = math.sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2])
    if d > TINY:
        return d, (0.0, 0.0, 0.0), (p[0] / d, p[1] / d, p[2] / d)
    return d, (0.0, 0.0, 0.0), (0.0, 0.0, 1.0)


@leaf
def point_to_segment(p, half):
    """To the segment |z| <= half: the core of a capsule."""
    z = clamp(p[2], -half, half)
    x, y, w = p[0], p[1], p[2] - z
    d = math.sqrt(x * x + y * y + w * w)
    if d > TINY:
        return d, (0.0, 0.0, z), (x / d, y / d, w / d)
    return d, (0.0, 0.0, z), (1.0, 0.0, 0.0)


@leaf
def point_to_box(p, size):
    """To a box."""
    x, y, z = beyond(p[0], size[0]), beyond(p[1], size[1]), beyond(p[2], size[2])
    d = math.sqrt(x * x + y * y + z * z)
    if d > TINY:
        return d, (p[0] - x, p[1] - y, p[2] - z), (x / d, y / d, z / d)
    depth_x, depth_y, depth_z = size[0] - abs(p[0]), size[1] - abs(p[1]), size[2] - abs(p[2])
    if depth_x <= depth_y and depth_x <= depth_z:
        s = math.copysign(1.0, p[0])
        return -depth_x, (s * size[0], p[1], p[2]), (s, 0.0, 0.0)
    if depth_y <= depth_z:
        s = math.copysign(1.0, p[1])
        return -depth_y, (p[0], s * size[1], p[2]), (0.0, s, 0.0)
    s = math.copysign(1.0, p[2])
    return -depth_z, (p[0], p[1], s * size[2]), (0.0, 0.0, s)


@leaf
def point_to_cylinder(p, size):
    """To a cylinder along z of radius size[0] and half length size[1]."""
    across = math.sqrt(p[0] * p[0] + p[1] * p[1])
    ux, uy = (p[0] / across, p[1] / across) if across > 0.0 else (1.0, 0.0)
    side, s = across - size[0], math.copysign(1.0, p[2])
    end = abs(p[2]) - size[1]
    outside_side, outside_end = max(side, 0.0), max(end, 0.0)
    d = math.sqrt(outside_side * outside_side + outside_end * outside_end)
    if d > TINY:
        r, z = min(across, size[0]), clamp(p[2], -size[1], size[1])
        return d, (r * ux, r * uy, z), (outside_side / d * ux, outside_side / d * uy, s * outside_end / d)
    if side >= end:
        return side, (size[0] * ux, size[0] * uy, p[2]), (ux, uy, 0.0)
    return end, (p[0], p[1], s * size[1]), (0.0, 0.0, s)
