"""Principal curvatures and their directions at a point of a shape's surface.

A convex solid's curvature is positive: 1/r for a ball. Of an ellipsoid, the implicit form: with F(x) = sum x_i^2 / a_i^2 - 1 the
shape operator is the tangential part of F's second derivatives over the length of its gradient (do Carmo 1976, 3.3).
Flat pieces (plane, face of a box, end of a cylinder) have none; edges and corners have no curvature to give.
"""

import math

from carpal._core.compile import entry, kernel, leaf
from carpal.contact.kernels.frames import contact_axes
from carpal.contact.kernels.kinds import BOX, CAPSULE, CYLINDER, ELLIPSOID, PLANE, SPHERE
from carpal.spatial.kernels.vec3 import add, dot, scale

SMOOTH, EDGE, NO_FORM = 0, 1, 2  # a point with a curvature; an edge or corner; a kind without smooth surface
ON_EDGE = 1e-9  # relative to the shape's size: nearer to an edge than that is the edge


@leaf
def flat(n):
    """A flat piece with that normal."""
    x, y, z = contact_axes(n)
    return SMOOTH, 0.0, 0.0, x, y, z


@leaf
def round_point(d, length, r):
    """A ball's surface in direction d, |d| = length."""
    if not length > 0.0:
        return flat_none()
    x, y, z = contact_axes(scale(1.0 / length, d))
    return SMOOTH, 1.0 / r, 1.0 / r, x, y, z


@leaf
def flat_none():
    """No curvature at an edge."""
    return EDGE, 0.0, 0.0, (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


@leaf
def tube(p, r):
    """The side of a cylinder about z: bent around, straight along."""
    length = math.sqrt(p[0] * p[0] + p[1] * p[1])
    if not length > 0.0:
        return flat_none()
    n = (p[0] / length, p[1] / length, 0.0)
    return SMOOTH, 1.0 / r, 0.0, (-n[1], n[0], 0.0), (0.0, 0.0, 1.0), n


@kernel
def principal_2x2(a, b, c):
    """Eigenvalues l1 >= l2 of [[a, b], [b, c]] and the unit eigenvector (cos, sin) of l1."""
    half, mean = 0.5 * (a - c), 0.5 * (a + c)
    spread = math.sqrt(half * half + b * b)
    if spread == 0.0:
        return mean, mean, 1.0, 0.0
    # of the two rows that give the eigenvector, the longer one loses no digits
    x, y = (half + spread, b) if half >= 0.0 else (b, spread - half)
    length = math.sqrt(x * x + y * y)
    return mean + spread, mean - spread, x / length, y / length


@kernel
def ellipsoid_curvature(size, p):
    """Of an ellipsoid about the origin."""
    wx, wy, wz = 1.0 / (size[0] * size[0]), 1.0 / (size[1] * size[1]), 1.0 / (size[2] * size[2])
    g = (wx * p[0], wy * p[1], wz * p[2])
    length = math.sqrt(dot(g, g))
    if not length > 0.0:
        return flat_none()
    x, y, z = contact_axes(scale(1.0 / length, g))
    a = (wx * x[0] * x[0] + wy * x[1] * x[1] + wz * x[2] * x[2]) / length
    b = (wx * x[0] * y[0] + wy * x[1] * y[1] + wz * x[2] * y[2]) / length
    c = (wx * y[0] * y[0] + wy * y[1] * y[1] + wz * y[2] * y[2]) / length
    k1, k2, cosine, sine = principal_2x2(a, b, c)
    first = add(scale(cosine, x), scale(sine, y))
    second = add(scale(-sine, x), scale(cosine, y))
    return SMOOTH, k1, k2, first, second, z


@kernel
def box_curvature(size, p):
    """The face on which a point lies; EDGE where two or three meet."""
    near = ON_EDGE * max(size[0], max(size[1], size[2]))
    gap = (size[0] - abs(p[0]), size[1] - abs(p[1]), size[2] - abs(p[2]))
    least = min(gap[0], min(gap[1], gap[2]))
    at = (gap[0] <= least + near, gap[1] <= least + near, gap[2] <= least + near)
    if int(at[0]) + int(at[1]) + int(at[2]) > 1:
        return flat_none()
    if at[0]:
        return flat((math.copysign(1.0, p[0]), 0.0, 0.0))
    if at[1]:
        return flat((0.0, math.copysign(1.0, p[1]), 0.0))
    return flat((0.0, 0.0, math.copysign(1.0, p[2])))


@kernel
def cylinder_curvature(size, p):
    """Side or end; EDGE on the rim."""
    side = size[0] - math.sqrt(p[0] * p[0] + p[1] * p[1])
    end = size[1] - abs(p[2])
    if abs(side - end) <= ON_EDGE * max(size[0], size[1]):
        return flat_none()
    if side < end:
        return tube(p, size[0])
    return flat((0.0, 0.0, math.copysign(1.0, p[2])))


@kernel
def curvature(kind, size, p):
    """(status, k1, k2, t1, t2, n) at a surface point p, all in the shape's frame; k1 >= k2 [1/m], t1 x t2 = n.

    Where k1 = k2 any pair of tangents is principal and one of them is given.
    """
    if kind == PLANE:
        return flat((0.0, 0.0, 1.0))
    if kind == SPHERE:
        return round_point(p, math.sqrt(dot(p, p)), size[0])
    if kind == CAPSULE:
        beyond = abs(p[2]) - size[1]
        if beyond <= 0.0:
            return tube(p, size[0])
        d = (p[0], p[1], math.copysign(beyond, p[2]))
        return round_point(d, math.sqrt(dot(d, d)), size[0])
    if kind == CYLINDER:
        return cylinder_curvature(size, p)
    if kind == ELLIPSOID:
        return ellipsoid_curvature(size, p)
    if kind == BOX:
        return box_curvature(size, p)
    return NO_FORM, 0.0, 0.0, (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


@entry
def curvature_batch(kind, size, points, out, start, stop, stride, slot):
    """`curvature` over points (worlds, 3); out (worlds, 12): status, k1, k2, t1, t2, n."""
    bad = 0
    for world in range(start, stop, stride):
        p = (points[world, 0], points[world, 1], points[world, 2])
        if 0.0 * (p[0] + p[1] + p[2]) != 0.0 and bad == 0:
            bad = world + 1
        status, k1, k2, t1, t2, n = curvature(kind, (size[0], size[1], size[2]), p)
        out[world, 0], out[world, 1], out[world, 2] = status, k1, k2
        for i in range(3):
            out[world, 3 + i], out[world, 6 + i], out[world, 9 + i] = t1[i], t2[i], n[i]
    return bad
