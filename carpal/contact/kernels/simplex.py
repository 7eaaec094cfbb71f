"""The point of a simplex (2 to 4 points) that is nearest to the origin, as weights of its corners.

The step inside `gjk`. Regions as in Ericson (2005, sections 5.1.5 and 5.1.6); a flat tetrahedron is the nearest of its four
triangles, a flat triangle the nearest of its three edges, so that no determinant near zero is ever divided by.
"""

import math

from carpal._core.compile import kernel, leaf
from carpal.spatial.kernels.vec3 import cross, dot, sub

_FLAT = 1e-14  # squared sine (triangle) or volume over the product of edges (tetrahedron) below which it is flat


@leaf
def nearest_of_two(a, b):
    """Weights (of a, of b)."""
    ab = sub(b, a)
    t, squared = -dot(a, ab), dot(ab, ab)
    if t <= 0.0 or squared <= 0.0:
        return 1.0, 0.0
    if t >= squared:
        return 0.0, 1.0
    return 1.0 - t / squared, t / squared


@leaf
def _squared(wa, wb, a, b):
    x, y, z = wa * a[0] + wb * b[0], wa * a[1] + wb * b[1], wa * a[2] + wb * b[2]
    return x * x + y * y + z * z


@kernel
def nearest_of_three(a, b, c):
    """Weights of the three corners."""
    ab, ac, _bc = sub(b, a), sub(c, a), sub(c, b)
    n = cross(ab, ac)
    nn = dot(n, n)
    if nn > _FLAT * dot(ab, ab) * dot(ac, ac):
        # signed areas that the origin makes with each edge, over the triangle's
        wa, wb, wc = dot(cross(b, c), n), dot(cross(c, a), n), dot(cross(a, b), n)
        if wa >= 0.0 and wb >= 0.0 and wc >= 0.0:
            total = wa + wb + wc
            return wa / total, wb / total, wc / total
    t0, t1 = nearest_of_two(a, b)
    u0, u1 = nearest_of_two(a, c)
    v0, v1 = nearest_of_two(b, c)
    d_ab, d_ac, d_bc = _squared(t0, t1, a, b), _squared(u0, u1, a, c), _squared(v0, v1, b, c)
    if d_ab <= d_ac and d_ab <= d_bc:
        return t0, t1, 0.0
    if d_ac <= d_bc:
        return u0, 0.0, u1
    return 0.0, v0, v1


@leaf
def _beyond(a, b, c, d, tight):
    """Whether the origin lies on the other side of the plane a b c than d, or the tetrahedron is too flat to decide."""
    n = cross(sub(b, a), sub(c, a))
    side, inner = -dot(a, n), dot(sub(d, a), n)
    return side * inner < 0.0 or abs(inner) <= tight


@leaf
def _squared3(w, a, b, c):
    x = w[0] * a[0] + w[1] * b[0] + w[2] * c[0]
    y = w[0] * a[1] + w[1] * b[1] + w[2] * c[1]
    z = w[0] * a[2] + w[1] * b[2] + w[2] * c[2]
    return x * x + y * y + z * z


@kernel
def nearest_of_four(a, b, c, d, every):
    """(whether the origin is inside, weights of the four corners); `every`: check all four triangles in any case."""
    ab, ac, ad = sub(b, a), sub(c, a), sub(d, a)
    tight = math.inf if every else 1e-13 * math.sqrt(dot(ab, ab) * dot(ac, ac) * dot(ad, ad))
    best, outside = 1e300, False
    weights = (0.25, 0.25, 0.25, 0.25)
    if _beyond(a, b, c, d, tight):
        outside = True
        w = nearest_of_three(a, b, c)
        squared = _squared3(w, a, b, c)
        if squared < best:
            best, weights = squared, (w[0], w[1], w[2], 0.0)
    if _beyond(a, b, d, c, tight):
        outside = True
        w = nearest_of_three(a, b, d)
        squared = _squared3(w, a, b, d)
        if squared < best:
            best, weights = squared, (w[0], w[1], 0.0, w[2])
    if _beyond(a, c, d, b, tight):
        outside = True
        w = nearest_of_three(a, c, d)
        squared = _squared3(w, a, c, d)
        if squared < best:
            best, weights = squared, (w[0], 0.0, w[1], w[2])
    if _beyond(b, c, d, a, tight):
        outside = True
        w = nearest_of_three(b, c, d)
        squared = _squared3(w, b, c, d)
        if squared < best:
            best, weights = squared, (0.0, w[0], w[1], w[2])
    return not outside, weights
