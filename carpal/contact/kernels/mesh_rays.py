"""Ray against a triangle mesh, through its tree of boxes (`mesh_tree`), the nearer box first.

A triangle is hit by Cramer's rule on o + t d = a + u (b - a) + v (c - a) (Möller and Trumbore, 1997). A ray through a shared edge
must not slip between the two triangles, so u, v and 1 - u - v may be below zero by what rounding can do.
"""

import math

from carpal._core.compile import kernel, leaf
from carpal.contact.kernels.mesh_tree import FACE_NORMAL, FACE_NUMBER, leaf_rows, mesh_shape
from carpal.model.kernels.tables import vector_at
from carpal.spatial.kernels.vec3 import cross, dot, sub

SLACK = 1e-12


@leaf
def _inverse(x):
    """1 / x, large but finite for zero: zero times infinity must not become NaN."""
    return 1.0 / x if abs(x) > 1e-300 else math.copysign(1e300, x)


@leaf
def _enters(o, inverse, row, boxes):
    """Distance at which a ray enters a box, zero from inside, infinite where it misses."""
    ax, bx = (boxes[row, 0] - o[0]) * inverse[0], (boxes[row, 3] - o[0]) * inverse[0]
    ay, by = (boxes[row, 1] - o[1]) * inverse[1], (boxes[row, 4] - o[1]) * inverse[1]
    az, bz = (boxes[row, 2] - o[2]) * inverse[2], (boxes[row, 5] - o[2]) * inverse[2]
    enter = max(max(min(ax, bx), min(ay, by)), max(min(az, bz), 0.0))
    leave = min(min(max(ax, bx), max(ay, by)), max(az, bz))
    return enter if enter <= leave * (1.0 + 1e-14) else math.inf


@leaf
def ray_triangle(o, d, a, b, c):
    """Distance t at which a ray crosses a triangle from either side; infinite for a miss, and for a ray within its plane."""
    ab, ac = sub(b, a), sub(c, a)
    h = cross(d, ac)
    det = dot(ab, h)
    if det == 0.0:
        return math.inf
    inverse = 1.0 / det
    ao = sub(o, a)
    u = inverse * dot(ao, h)
    k = cross(ao, ab)
    v = inverse * dot(d, k)
    if u < -SLACK or v < -SLACK or u + v > 1.0 + SLACK:
        return math.inf
    t = inverse * dot(ac, k)
    return t if t >= 0.0 else math.inf


@kernel
def ray_mesh(o, d, base, boxes, points, normals, limit):
    """(t, outward unit normal, face) of the first triangle that a ray crosses, in the mesh's frame; t infinite for a miss."""
    leaves, triangles, first = mesh_shape(base, boxes)
    inverse = (_inverse(d[0]), _inverse(d[1]), _inverse(d[2]))
    best, best_row = limit, -1
    node, trail = 1, 0
    going = _enters(o, inverse, base + 1, boxes) <= best
    while going:
        if node >= leaves:
            row, stop = leaf_rows(node, leaves, triangles, first)
            while row < stop:
                t = ray_triangle(
                    o, d, vector_at(points, row, 0), vector_at(points, row + 1, 0), vector_at(points, row + 2, 0)
                )
                if t < best or (best_row < 0 and t <= best and t < math.inf):
                    best, best_row = t, row
                row += 3
        else:
            near = 2 * node
            enter, other = _enters(o, inverse, base + near, boxes), _enters(o, inverse, base + near + 1, boxes)
            if other < enter:
                near, enter, other = near + 1, other, enter
            if enter <= best and enter < math.inf:
                node = near
                trail = (trail << 1) | (1 if other <= best and other < math.inf else 0)
                continue
        going = False
        while trail != 0:
            if trail & 1:
                trail ^= 1
                node ^= 1
                if _enters(o, inverse, base + node, boxes) < best:
                    going = True
                    break
            else:
                trail >>= 1
                node >>= 1
    if best_row < 0:
        return math.inf, (0.0, 0.0, 0.0), -1
    return best, vector_at(normals, best_row, FACE_NORMAL), int(normals[best_row, FACE_NUMBER])
