"""A plane (the half-space below it) against every other kind: the other's lowest point decides.

Where a whole edge or face is lowest, its middle is the nearest point.
"""

import math

from carpal._core.compile import leaf
from carpal.contact.kernels.kinds import BOX, CAPSULE, CYLINDER
from carpal.contact.kernels.support import core_radius, support_local
from carpal.spatial.kernels.vec3 import add, dot, rotate, rotate_back, scale, sub

_LEVEL = 1e-10  # slope below which an edge or a face counts as lying level


@leaf
def _or_middle(slope, half):
    return math.copysign(half, slope) if abs(slope) > _LEVEL else 0.0


@leaf
def lowest(kind, size, start, count, d, points):
    """Farthest point of the core along the unit vector d, in the shape's frame; of a level edge or face its middle."""
    if kind == BOX:
        return _or_middle(d[0], size[0]), _or_middle(d[1], size[1]), _or_middle(d[2], size[2])
    if kind == CAPSULE:
        return 0.0, 0.0, _or_middle(d[2], size[1])
    if kind == CYLINDER:
        across = math.sqrt(d[0] * d[0] + d[1] * d[1])
        z = _or_middle(d[2], size[1])
        if across > _LEVEL:
            return size[0] * d[0] / across, size[0] * d[1] / across, z
        return 0.0, 0.0, z
    return support_local(kind, size, start, count, d, points)


@leaf
def plane_and_shape(R_a, p_a, kind, size, start, count, R_b, p_b, points):
    """(distance, point on the plane, point on the shape, plane's normal), all in W; A is the plane."""
    n = (R_a[2], R_a[5], R_a[8])
    down = rotate_back(R_b, scale(-1.0, n))
    low = add(p_b, rotate(R_b, lowest(kind, size, start, count, down, points)))
    low = sub(low, scale(core_radius(kind, size), n))
    distance = dot(n, sub(low, p_a))
    return distance, sub(low, scale(distance, n)), low, n


@leaf
def height_over_plane(R_a, p_a, kind, size, start, count, R_b, p_b, points):
    """Signed distance only."""
    n = (R_a[2], R_a[5], R_a[8])
    down = rotate_back(R_b, scale(-1.0, n))
    low = rotate(R_b, support_local(kind, size, start, count, down, points))
    return dot(n, add(sub(p_b, p_a), low)) - core_radius(kind, size)
