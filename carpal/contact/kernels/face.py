"""The face (or line) of a shape that faces a direction, as a polygon above the plane across that direction.

A box has its most aligned face, a cylinder a cap or a line of its side, a capsule its line, a hull the corners of the face
around its farthest corner. The polygon is written as (u, v) rows, and its height along the direction as a linear function
of u and v, so that two faces that face each other have a depth at each place.
"""

import math

from carpal._core.compile import kernel, leaf
from carpal.contact.kernels.clip import hull_2d, make_counterclockwise
from carpal.contact.kernels.kinds import BOX, CAPSULE, CONVEX, CYLINDER
from carpal.contact.kernels.support import support_local
from carpal.spatial.kernels.sincos import sincos
from carpal.spatial.kernels.vec3 import add, cross, dot, rotate, rotate_back, scale, sub

CAP_CORNERS = 8  # a cylinder's cap counts as the octagon inscribed in it, with a corner at its farthest place
_ALIGNED = 1e-9  # 1 - cosine of the angle to the direction below which it points straight along it
_NEAR = 1e-3  # share of the size within which corners of a hull may belong to the face
_ON_FACE = 1e-7  # share of the size within which they do
_EIGHTH = 0.25 * math.pi
HULL_CANDIDATES = 48


@leaf
def _put(scratch, slot, row, x, o, e, f):
    d = sub(x, o)
    scratch[slot, row, 0], scratch[slot, row, 1] = dot(d, e), dot(d, f)


@leaf
def _plane(m, x, o, n, e, f):
    """Height over the plane through o across n of the face through x with normal m: (at u = v = 0, per u, per v)."""
    k = 1.0 / dot(m, n)
    return dot(m, sub(x, o)) * k, -dot(m, e) * k, -dot(m, f) * k


@leaf
def _line(a, b, o, n, e, f):
    """The same along the line from a to b."""
    d, r = sub(b, a), sub(a, o)
    du, dv, dz = dot(d, e), dot(d, f), dot(d, n)
    across = du * du + dv * dv
    k = dz / across if across > 0.0 else 0.0
    u, v = dot(r, e), dot(r, f)
    return dot(r, n) - k * (u * du + v * dv), k * du, k * dv


@kernel
def _hull_face(start, count, R, p, d, side, o, e, f, n, points, scratch, slot, row, work):
    """As `face_towards`, of a hull; `d` in its frame."""
    top, x0 = -math.inf, (0.0, 0.0, 0.0)
    low = math.inf
    for i in range(start, start + count):
        x = (points[i, 0], points[i, 1], points[i, 2])
        h = dot(x, d)
        low = min(low, h)
        if h > top:
            top, x0 = h, x
    size = 0.0
    for i in range(start, start + count):
        r = sub((points[i, 0], points[i, 1], points[i, 2]), x0)
        size = max(size, dot(r, r))
    size = math.sqrt(size)
    far, x1 = 0.0, x0
    for i in range(start, start + count):
        x = (points[i, 0], points[i, 1], points[i, 2])
        r = sub(x, x0)
        if top - dot(x, d) <= _NEAR * size and dot(r, r) > far:
            far, x1 = dot(r, r), x
    wide, m = 0.0, d
    for i in range(start, start + count):
        x = (points[i, 0], points[i, 1], points[i, 2])
        if top - dot(x, d) <= _NEAR * size:
            c = cross(sub(x1, x0), sub(x, x0))
            if dot(c, c) > wide:
                wide, m = dot(c, c), c
    if wide <= (1e-9 * size * size) ** 2:  # one corner, or an edge
        if far <= (1e-6 * size) ** 2:
            return 1, False, 0.0, 0.0, 0.0
        a, b = add(p, rotate(R, x0)), add(p, rotate(R, x1))
        _put(scratch, slot, row, a, o, e, f)
        _put(scratch, slot, row + 1, b, o, e, f)
        c0, cu, cv = _line(a, b, o, n, e, f)
        return 2, abs(top - dot(x1, d)) <= 1e-4 * math.sqrt(far), c0, cu, cv
    m = scale(math.copysign(1.0, dot(m, d)) / math.sqrt(wide), m)
    found = 0
    for i in range(start, start + count):
        x = (points[i, 0], points[i, 1], points[i, 2])
        if abs(dot(sub(x, x0), m)) <= _ON_FACE * size and found < HULL_CANDIDATES:
            _put(scratch, slot, work + found, add(p, rotate(R, x)), o, e, f)
            found += 1
    corners = hull_2d(scratch, slot, work, found, row)
    c0, cu, cv = _plane(rotate(R, m), add(p, rotate(R, x0)), o, n, e, f)
    return corners, 1.0 - dot(m, d) < _ALIGNED, c0, cu, cv


@kernel
def face_towards(kind, size, start, count, R, p, side, o, e, f, n, points, scratch, slot, row, work):
    """What a shape turns towards side * n (n a unit vector in W, side 1 or -1), as seen from o with axes e, f across n.

    Corners go to scratch rows from `row` on, 24 at most; rows from `work` on are used in between.

    Returns (corners: 1 for a point; whether it is straight across n; height along n: at u = v = 0, per u, per v).
    """
    d = rotate_back(R, scale(side, n))
    if kind == BOX:
        x, y, z = abs(d[0]), abs(d[1]), abs(d[2])
        axis = 0 if x >= y and x >= z else (1 if y >= z else 2)
        k, l = (axis + 1) % 3, (axis + 2) % 3
        s = math.copysign(1.0, d[axis])
        m = (s if axis == 0 else 0.0, s if axis == 1 else 0.0, s if axis == 2 else 0.0)
        first = (s * size[0], s * size[1], s * size[2])
        for i in range(4):
            a = size[k] if i == 0 or i == 3 else -size[k]
            b = size[l] if i < 2 else -size[l]
            c = s * size[axis]
            if axis == 0:
                first = (c, a, b)
            elif axis == 1:
                first = (b, c, a)
            else:
                first = (a, b, c)
            _put(scratch, slot, row + i, add(p, rotate(R, first)), o, e, f)
        make_counterclockwise(scratch, slot, row, 4)
        c0, cu, cv = _plane(rotate(R, m), add(p, rotate(R, first)), o, n, e, f)
        return 4, 1.0 - abs(d[axis]) < _ALIGNED, c0, cu, cv
    if kind == CYLINDER and abs(d[2]) > 0.7:
        z = math.copysign(size[1], d[2])
        across = math.sqrt(d[0] * d[0] + d[1] * d[1])
        cosine, sine = (d[0] / across, d[1] / across) if across > 1e-9 else (1.0, 0.0)
        for i in range(CAP_CORNERS):
            si, co = sincos(_EIGHTH * i)
            x = (size[0] * (cosine * co - sine * si), size[0] * (sine * co + cosine * si), z)
            _put(scratch, slot, row + i, add(p, rotate(R, x)), o, e, f)
        make_counterclockwise(scratch, slot, row, CAP_CORNERS)
        m = (0.0, 0.0, math.copysign(1.0, d[2]))
        c0, cu, cv = _plane(rotate(R, m), add(p, rotate(R, (0.0, 0.0, z))), o, n, e, f)
        return CAP_CORNERS, 1.0 - abs(d[2]) < _ALIGNED, c0, cu, cv
    if kind == CYLINDER or kind == CAPSULE:
        off = (
            support_local(kind, size, start, count, (d[0], d[1], 0.0), points)
            if kind == CYLINDER
            else scale(size[0], d)
        )
        a = add(p, rotate(R, (off[0], off[1], (off[2] if kind == CAPSULE else 0.0) - size[1])))
        b = add(p, rotate(R, (off[0], off[1], (off[2] if kind == CAPSULE else 0.0) + size[1])))
        _put(scratch, slot, row, a, o, e, f)
        _put(scratch, slot, row + 1, b, o, e, f)
        c0, cu, cv = _line(a, b, o, n, e, f)
        return 2, abs(d[2]) < 1e-4, c0, cu, cv
    if kind == CONVEX:
        return _hull_face(start, count, R, p, d, side, o, e, f, n, points, scratch, slot, row, work)
    return 1, False, 0.0, 0.0, 0.0
