"""Nearest point of an ellipsoid's surface to a point, inside or outside (Eberly, Distance from a Point to an Ellipsoid, 2013).

With the point reflected into the first octant and lengths in units of the shortest half axis, the nearest surface point is
x_i = a_i^2 p_i / (s + a_i^2 - 1), where s >= 0 is the largest root of F(s) = sum (a_i p_i / (s + a_i^2 - 1))^2 - 1. F falls
and is convex right of its last pole s = 0, so that Newton steps from the left of the root never pass it. Counting s from
that pole keeps its digits for points near the plane of symmetry across the shortest axis. On that plane, inside, the nearest
point may be either of two mirror images: then s = 0 and the equation of the surface gives the missing coordinate.
"""

import math

from carpal._core.compile import kernel, leaf

_ON_PLANE = 1e-14  # coordinate over shortest half axis below which a point counts as lying on the plane of symmetry


@leaf
def _share(a, x, s):
    """One term of F before squaring; a coordinate of zero has none, not even at its pole."""
    return a * x / (s + (a * a - 1.0)) if x > 0.0 else 0.0


@leaf
def _root(a, b, c, x, y, z, low):
    """Largest root of F, from the left."""
    high = max(math.sqrt(a * a * x * x + b * b * y * y + c * c * z * z), low)
    s = low
    for _ in range(300):
        u, v, w = _share(a, x, s), _share(b, y, s), _share(c, z, s)
        f = u * u + v * v + w * w - 1.0
        if f > 0.0:
            low = s
        else:
            high = s
        slope = 0.0
        if u > 0.0:
            slope += u * u / (s + (a * a - 1.0))
        if v > 0.0:
            slope += v * v / (s + (b * b - 1.0))
        if w > 0.0:
            slope += w * w / (s + (c * c - 1.0))
        after = s + 0.5 * f / slope if slope > 0.0 else 0.5 * (low + high)
        if not (after >= low and after <= high):
            after = 0.5 * (low + high)
        if abs(after - s) <= 2e-16 * s:
            break
        s = after
    return s


@kernel
def point_to_ellipsoid(p, size):
    """(distance, surface point, outward unit normal) in the ellipsoid's frame; negative inside."""
    shortest = min(size[0], min(size[1], size[2]))
    a, b, c = size[0] / shortest, size[1] / shortest, size[2] / shortest
    x, y, z = abs(p[0]) / shortest, abs(p[1]) / shortest, abs(p[2]) / shortest
    low = 0.0
    if a == 1.0:
        x = x if x > _ON_PLANE else 0.0
        low = max(low, x)
    if b == 1.0:
        y = y if y > _ON_PLANE else 0.0
        low = max(low, y)
    if c == 1.0:
        z = z if z > _ON_PLANE else 0.0
        low = max(low, z)
    flat = False
    if low == 0.0:
        u = _share(a, x, 0.0) if a > 1.0 else 0.0
        v = _share(b, y, 0.0) if b > 1.0 else 0.0
        w = _share(c, z, 0.0) if c > 1.0 else 0.0
        rest = 1.0 - (u * u + v * v + w * w)
        flat = rest >= 0.0
        if flat:  # any direction among the shortest axes will do: the first of them
            left = math.sqrt(rest)
            if a == 1.0:
                u = left
            elif b == 1.0:
                v = left
            else:
                w = left
            x, y, z = a * u, b * v, c * w
    if not flat:
        s = _root(a, b, c, x, y, z, low)
        x, y, z = a * _share(a, x, s), b * _share(b, y, s), c * _share(c, z, s)
    sx = math.copysign(shortest * x, p[0])
    sy = math.copysign(shortest * y, p[1])
    sz = math.copysign(shortest * z, p[2])
    nx, ny, nz = sx / (size[0] * size[0]), sy / (size[1] * size[1]), sz / (size[2] * size[2])
    length = math.sqrt(nx * nx + ny * ny + nz * nz)
    nx, ny, nz = nx / length, ny / length, nz / length
    # p - x is along the normal: its length with its sign
    d = (p[0] - sx) * nx + (p[1] - sy) * ny + (p[2] - sz) * nz
    return d, (sx, sy, sz), (nx, ny, nz)
