"""Coordinate charts of smooth surfaces: point, tangent frame, metric, curvature form, torsion form (Montana 1988).

A chart maps (u, v) to a point of the surface. Its tangent frame has x along the u-line, z the outward normal, y = z x x.
With f the chart, [f_u f_v] = [x y] M, dz = [x y] K [dx dy], T = y . dx per length along x and y. Montana's charts are
orthogonal and his M is diagonal; no simple chart of an ellipsoid with three different half axes is, so M is kept upper
triangular here, (m11, m12, m22), and his equations hold as they stand with M times the coordinates' rates.

| kind | chart | singular |
|---|---|---|
| plane | (u, v, 0) | never |
| cylinder's side | (r cos u, r sin u, v) | never; |v| ends at the half length |
| sphere, ellipsoid | half axes times (sin u, cos u sin v, cos u cos v), counted from axis `chart` on | u = +-pi/2 |

A sphere (Chan 1998, A.2 to A.5) has three charts, one for each axis that may carry the poles; `chart_left` says when to
change. Chart 0 of a sphere has M = diag(r, r cos u), K = 1/r, T = (0, -tan(u)/r).
"""

import math

from carpal._core.compile import kernel, leaf
from carpal.contact.kernels.kinds import CYLINDER, ELLIPSOID, PLANE, SPHERE
from carpal.spatial.kernels.sincos import sincos
from carpal.spatial.kernels.vec3 import cross, dot, scale

CHART_EDGE = 1.1  # latitude [rad] where another chart takes over; the best of three is never beyond 0.62


@leaf
def has_charts(kind):
    """Whether a kind of shape is covered."""
    return kind == PLANE or kind == CYLINDER or kind == SPHERE or kind == ELLIPSOID


@leaf
def from_axis(chart, a):
    """Components counted from axis `chart` on, put back to x, y, z."""
    if chart == 1:
        return a[2], a[0], a[1]
    if chart == 2:
        return a[1], a[2], a[0]
    return a[0], a[1], a[2]


@leaf
def to_axis(chart, a):
    """The inverse: x, y, z counted from axis `chart` on."""
    if chart == 1:
        return a[1], a[2], a[0]
    if chart == 2:
        return a[2], a[0], a[1]
    return a[0], a[1], a[2]


@leaf
def half_axes(kind, size):
    """Three half axes of a sphere or an ellipsoid."""
    if kind == SPHERE:
        return size[0], size[0], size[0]
    return size


@leaf
def forms(f_u, f_v, f_uu, f_uv, f_vv):
    """Frame, metric, curvature and torsion of any chart from its first and second derivatives."""
    m11 = math.sqrt(dot(f_u, f_u))
    x = scale(1.0 / m11, f_u)
    m12 = dot(x, f_v)
    normal = cross(f_u, f_v)
    m22 = math.sqrt(dot(normal, normal)) / m11
    z = scale(1.0 / (m11 * m22), normal)
    y = cross(z, x)
    # dz . df = -(second derivatives . z), brought from chart to frame by the inverse of M from both sides
    a, b, c = -dot(f_uu, z), -dot(f_uv, z), -dot(f_vv, z)
    k11 = a / (m11 * m11)
    k12 = (b - k11 * m11 * m12) / (m11 * m22)
    k22 = (c - (k11 * m12 + 2.0 * k12 * m22) * m12) / (m22 * m22)
    t1 = dot(y, f_uu) / (m11 * m11)
    t2 = (dot(y, f_uv) / m11 - t1 * m12) / m22
    return x, y, z, (m11, m12, m22), (k11, k12, k22), (t1, t2)


@kernel
def surface_at(kind, size, chart, u, v):
    """Point, x, y, z, metric, curvature (k11, k12, k22) and torsion (t1, t2) at chart coordinates, in the shape's frame."""
    if kind == PLANE:
        return (
            (u, v, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (1.0, 0.0, 1.0), (0.0, 0.0, 0.0), (0.0, 0.0),
        )  # fmt: skip
    su, cu = sincos(u)
    if kind == CYLINDER:
        r = size[0]
        return (
            (r * cu, r * su, v), (-su, cu, 0.0), (0.0, 0.0, 1.0), (cu, su, 0.0), (r, 0.0, 1.0), (1.0 / r, 0.0, 0.0),
            (0.0, 0.0),
        )  # fmt: skip
    sv, cv = sincos(v)
    a, b, c = to_axis(chart, half_axes(kind, size))
    p = (a * su, b * cu * sv, c * cu * cv)
    x, y, z, M, K, T = forms(
        (a * cu, -b * su * sv, -c * su * cv),
        (0.0, b * cu * cv, -c * cu * sv),
        (-p[0], -p[1], -p[2]),
        (0.0, -b * su * cv, c * su * sv),
        (0.0, -p[1], -p[2]),
    )
    return from_axis(chart, p), from_axis(chart, x), from_axis(chart, y), from_axis(chart, z), M, K, T


@kernel
def coordinates_of(kind, size, p):
    """(chart, u, v) of a point on (or near) the surface, in the chart that is farthest from singular there."""
    if kind == PLANE:
        return 0, p[0], p[1]
    if kind == CYLINDER:
        return 0, math.atan2(p[1], p[0]), p[2]
    radii = half_axes(kind, size)
    e = (p[0] / radii[0], p[1] / radii[1], p[2] / radii[2])
    chart = 0
    if abs(e[1]) < abs(e[0]):
        chart = 1
    if abs(e[2]) < abs(e[0]) and abs(e[2]) < abs(e[1]):
        chart = 2
    pole, a, b = to_axis(chart, e)
    return chart, math.atan2(pole, math.sqrt(a * a + b * b)), math.atan2(a, b)


@leaf
def has_poles(kind):
    """Whether a kind's charts have singular points, at u = +-pi/2."""
    return kind == SPHERE or kind == ELLIPSOID


@leaf
def chart_left(kind, u):
    """Whether a chart is so near its singular points that another one should take over."""
    return has_poles(kind) and abs(u) > CHART_EDGE


@leaf
def off_surface(kind, size, v):
    """Whether chart coordinates have run over the end of a cylinder's side."""
    return kind == CYLINDER and abs(v) > size[1]
