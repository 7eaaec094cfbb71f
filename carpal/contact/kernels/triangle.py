"""Nearest point on a triangle, in closed form.

The plane of the triangle is cut into seven regions (face, three edges, three corners) by signs of scalar products, as in
Ericson, *Real-Time Collision Detection* (2005), 5.1.5. Those signs are differences of products, which lose all their digits
on a needle (height below 1e-4 of its length); a needle is answered by its three edges and, in a plane basis built along its
longest edge, by its face. Whatever the region, the answer is a weighted mean of the corners, so it never leaves the triangle.
"""

import math

from carpal._core.compile import kernel, leaf
from carpal.spatial.kernels.vec3 import add, cross, dot, scale, sub

# where the nearest point lies: the face, the edges ab, bc, ca, the corners a, b, c
FACE, EDGE_AB, EDGE_BC, EDGE_CA, CORNER_A, CORNER_B, CORNER_C = 0, 1, 2, 3, 4, 5, 6
NEEDLE = 1e-8  # squared: twice the area against the product of two edges


@leaf
def nearest_on_segment(p, a, b):
    """Share t from 0 to 1 and point a + t (b - a) of the segment that is nearest to p; a segment of no length is its end."""
    ab = sub(b, a)
    length2 = dot(ab, ab)
    t = 0.0
    if length2 > 0.0:
        t = min(max(dot(sub(p, a), ab) / length2, 0.0), 1.0)
    if t > 0.5:  # from the nearer end: fewer digits are lost
        return t, sub(b, scale(1.0 - t, ab))
    return t, add(a, scale(t, ab))


@leaf
def _edge_or_corner(t, edge, first, second):
    if t <= 0.0:
        return first
    return second if t >= 1.0 else edge


@kernel
def _on_needle(p, a, b, c):
    """The slow and careful method: each edge, then the face in a basis along the longest edge."""
    t, best = nearest_on_segment(p, a, b)
    feature = _edge_or_corner(t, EDGE_AB, CORNER_A, CORNER_B)
    gap = sub(p, best)
    least = dot(gap, gap)
    t, q = nearest_on_segment(p, b, c)
    gap = sub(p, q)
    if dot(gap, gap) < least:
        least, best, feature = dot(gap, gap), q, _edge_or_corner(t, EDGE_BC, CORNER_B, CORNER_C)
    t, q = nearest_on_segment(p, c, a)
    gap = sub(p, q)
    if dot(gap, gap) < least:
        least, best, feature = dot(gap, gap), q, _edge_or_corner(t, EDGE_CA, CORNER_C, CORNER_A)
    ab, bc, ca = sub(b, a), sub(c, b), sub(a, c)
    base, tip, longest = a, c, ab
    if dot(bc, bc) > dot(longest, longest):
        base, tip, longest = b, a, bc
    if dot(ca, ca) > dot(longest, longest):
        base, tip, longest = c, b, ca
    length = math.sqrt(dot(longest, longest))
    if length == 0.0:
        return best, feature
    along = scale(1.0 / length, longest)
    to_tip = sub(tip, base)
    foot = dot(along, to_tip)
    rise = sub(to_tip, scale(foot, along))
    height = math.sqrt(dot(rise, rise))
    if height == 0.0:
        return best, feature
    upward = scale(1.0 / height, rise)
    to_p = sub(p, base)
    x, y = dot(along, to_p), dot(upward, to_p)
    if y > 0.0 and y < height:
        share = y / height
        low, high = share * foot, length - share * (length - foot)
        if x > low and x < high:
            q = add(base, add(scale(x, along), scale(y, upward)))
            gap = sub(p, q)
            if dot(gap, gap) < least:
                best, feature = q, FACE
    return best, feature


@kernel
def nearest_on_triangle(p, a, b, c):
    """The point of the triangle (a, b, c) nearest to p, and the feature that it lies on."""
    ab, ac, ap = sub(b, a), sub(c, a), sub(p, a)
    normal = cross(ab, ac)
    bc = sub(c, b)
    l_ab, l_ac, l_bc = dot(ab, ab), dot(ac, ac), dot(bc, bc)
    longest = max(l_ab, max(l_ac, l_bc))
    if not dot(normal, normal) > NEEDLE * longest * longest:
        return _on_needle(p, a, b, c)
    d1, d2 = dot(ab, ap), dot(ac, ap)
    if d1 <= 0.0 and d2 <= 0.0:
        return a, CORNER_A
    bp = sub(p, b)
    d3, d4 = dot(ab, bp), dot(ac, bp)
    if d3 >= 0.0 and d4 <= d3:
        return b, CORNER_B
    vc = d1 * d4 - d3 * d2
    if vc <= 0.0 and d1 >= 0.0 and d3 <= 0.0:
        return add(a, scale(d1 / (d1 - d3), ab)), EDGE_AB
    cp = sub(p, c)
    d5, d6 = dot(ab, cp), dot(ac, cp)
    if d6 >= 0.0 and d5 <= d6:
        return c, CORNER_C
    vb = d5 * d2 - d1 * d6
    if vb <= 0.0 and d2 >= 0.0 and d6 <= 0.0:
        return add(a, scale(d2 / (d2 - d6), ac)), EDGE_CA
    va = d3 * d6 - d5 * d4
    if va <= 0.0 and d4 >= d3 and d5 >= d6:
        return add(b, scale((d4 - d3) / ((d4 - d3) + (d5 - d6)), bc)), EDGE_BC
    # the foot of the perpendicular; the two shares say only that it is inside, which they do to all digits here
    share = dot(normal, ap) / dot(normal, normal)
    return sub(p, scale(share, normal)), FACE
