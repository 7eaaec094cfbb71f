"""Support functions: the farthest point of a shape along a direction, and how curved it is there.

Round shapes are a core and a radius (sphere: a point, capsule: a segment), so that only cylinders and ellipsoids are
curved for the general algorithms. h(n) = max over the shape of n . x; its gradient is the support point, and its second
derivative (`spread`) holds the radii of curvature, which lets `descend` step like Newton.
"""

import math

from carpal._core.compile import kernel, leaf
from carpal.contact.kernels.kinds import BOX, CAPSULE, CONVEX, CYLINDER, ELLIPSOID, SPHERE
from carpal.spatial.kernels.vec3 import rotate, rotate_back

_ON_AXIS = 1e-14  # sine of an angle to a cylinder's axis below which a direction is the axis itself


@leaf
def core_radius(kind, size):
    """Radius around the core: what sphere and capsule are rounded by."""
    return size[0] if kind == SPHERE or kind == CAPSULE else 0.0


@leaf
def is_curved(kind):
    """Whether the core has a curved surface."""
    return kind == CYLINDER or kind == ELLIPSOID


@leaf
def support_local(kind, size, start, count, d, points):
    """Farthest point of the core along d, both in the shape's frame; d need not be a unit vector."""
    if kind == BOX:
        return math.copysign(size[0], d[0]), math.copysign(size[1], d[1]), math.copysign(size[2], d[2])
    if kind == CAPSULE:
        return 0.0, 0.0, math.copysign(size[1], d[2])
    if kind == CYLINDER:
        across = math.sqrt(d[0] * d[0] + d[1] * d[1])
        z = math.copysign(size[1], d[2])
        if across > _ON_AXIS * abs(d[2]):
            return size[0] * d[0] / across, size[0] * d[1] / across, z
        return 0.0, 0.0, z
    if kind == ELLIPSOID:
        x, y, z = size[0] * d[0], size[1] * d[1], size[2] * d[2]
        length = math.sqrt(x * x + y * y + z * z)
        if length > 0.0:
            return size[0] * x / length, size[1] * y / length, size[2] * z / length
        return 0.0, 0.0, size[2]
    if kind == CONVEX:
        best, chosen = -math.inf, start
        for i in range(start, start + count):
            value = d[0] * points[i, 0] + d[1] * points[i, 1] + d[2] * points[i, 2]
            if value > best:
                best, chosen = value, i
        return points[chosen, 0], points[chosen, 1], points[chosen, 2]
    return 0.0, 0.0, 0.0


@kernel
def support_pair(kind_a, size_a, start_a, count_a, kind_b, size_b, start_b, count_b, R, p, d, points):
    """Support of A along d and of B along -d, in A's frame; B stands at (R, p) in A. Returns (a, b)."""
    a = support_local(kind_a, size_a, start_a, count_a, d, points)
    e = rotate_back(R, d)
    b = rotate(R, support_local(kind_b, size_b, start_b, count_b, (-e[0], -e[1], -e[2]), points))
    return a, (b[0] + p[0], b[1] + p[1], b[2] + p[2])


@leaf
def spread_local(kind, size, d):
    """Second derivative of the support function of the core at a unit direction, symmetric (xx, yy, zz, xy, xz, yz) [m]."""
    if kind == ELLIPSOID:
        a, b, c = size[0] * size[0], size[1] * size[1], size[2] * size[2]
        x, y, z = a * d[0], b * d[1], c * d[2]
        h = math.sqrt(x * d[0] + y * d[1] + z * d[2])
        f = 1.0 / (h * h * h)
        return a / h - f * x * x, b / h - f * y * y, c / h - f * z * z, -f * x * y, -f * x * z, -f * y * z
    if kind == CYLINDER:
        across = math.sqrt(d[0] * d[0] + d[1] * d[1])
        if across > 1e-9:
            x, y, f = -d[1] / across, d[0] / across, size[0] / across
            return f * x * x, f * y * y, 0.0, f * x * y, 0.0, 0.0
    return 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
