"""Spatial vectors (linear first) and inertias at a common point, in common axes.

A rigid inertia is (mass, h, I): mass, first moment and rotational inertia about the point. An articulated inertia is
three blocks, A (linear-linear, symmetric), B (linear-angular), C (angular-angular, symmetric). Featherstone 2008, ch. 2.
"""

from carpal._core.compile import leaf
from carpal.spatial.kernels.vec3 import add, cross, dot, rotate, rotate_back, scale, sub, symmetric_times


@leaf
def motion_cross(v, w, sv, sw):
    """Twist (v, w) crossed with the motion (sv, sw)."""
    return add(cross(w, sv), cross(v, sw)), cross(w, sw)


@leaf
def shifted_inertia(mass, h, inertia, p):
    """First moment and inertia about a point from which the body's origin is seen at p."""
    mp = scale(mass, p)
    first = add(h, mp)
    g = add(h, first)  # 2 h + m p, so that both shifts share one product
    d = dot(p, g)
    second = (
        inertia[0] + d - p[0] * g[0],
        inertia[1] + d - p[1] * g[1],
        inertia[2] + d - p[2] * g[2],
        inertia[3] - 0.5 * (p[0] * g[1] + p[1] * g[0]),
        inertia[4] - 0.5 * (p[0] * g[2] + p[2] * g[0]),
        inertia[5] - 0.5 * (p[1] * g[2] + p[2] * g[1]),
    )
    return first, second


@leaf
def momentum(mass, h, inertia, v, w):
    """Linear and angular momentum of a rigid inertia moving with (v, w)."""
    return add(scale(mass, v), cross(w, h)), add(symmetric_times(inertia, w), cross(h, v))


@leaf
def articulated_times(A, B, C, v, w):
    """Force and torque that an articulated inertia takes for the acceleration (v, w)."""
    return add(symmetric_times(A, v), rotate(B, w)), add(rotate_back(B, v), symmetric_times(C, w))


@leaf
def less_outer(S, k, a):
    """S - k a a^T of a symmetric matrix."""
    ka = scale(k, a)
    return (
        S[0] - ka[0] * a[0], S[1] - ka[1] * a[1], S[2] - ka[2] * a[2],
        S[3] - ka[0] * a[1], S[4] - ka[0] * a[2], S[5] - ka[1] * a[2],
    )  # fmt: skip


@leaf
def less_outer_pair(B, k, a, b):
    """B - k a b^T."""
    ka = scale(k, a)
    return (
        B[0] - ka[0] * b[0], B[1] - ka[0] * b[1], B[2] - ka[0] * b[2],
        B[3] - ka[1] * b[0], B[4] - ka[1] * b[1], B[5] - ka[1] * b[2],
        B[6] - ka[2] * b[0], B[7] - ka[2] * b[1], B[8] - ka[2] * b[2],
    )  # fmt: skip


@leaf
def about_point(force, torque, p):
    """Torque at the common point of a wrench that acts at p."""
    return add(torque, cross(p, force))


@leaf
def velocity_of_point(v, w, p):
    """Velocity of the point p of a body whose point at the origin moves with v."""
    return sub(v, cross(p, w))
