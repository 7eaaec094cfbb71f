"""Depth of two overlapping convex cores (expanding polytope algorithm, van den Bergen 2001), with Newton's finish.

A polytope of support points inside the Minkowski difference A - B grows outward at the face that is nearest to the origin.
It begins with a tetrahedron that is spread as wide as the difference itself, not with the last simplex of `gjk`, so that
a flat start cannot spoil it and the origin may lie anywhere: on the surface, or a rounding outside. The overlap h(n) along
any face's normal is an upper bound, the nearest face a lower one. On curved shapes `descend` takes a face's normal to the
nearest stationary direction; a face whose distance is within 1 % of the overlap found so (close to touching, within a small
share of the size) is explained by that minimum and needs no further cutting, while all other faces are cut until none is
nearer than the best overlap. Directions across flat faces and lines are tried before.
"""

import math

from carpal._core.compile import kernel, leaf
from carpal.contact.kernels.descend import CLOSE, descend, descend_crease, least_flat
from carpal.contact.kernels.segments import perpendicular, unit
from carpal.contact.kernels.simplex import nearest_of_three
from carpal.contact.kernels.support import is_curved, support_pair
from carpal.spatial.kernels.vec3 import add, cross, dot, scale, sub

CORNERS, FACES, EDGES = 128, 280, 160
FACE_ROW, EDGE_ROW = CORNERS, CORNERS + FACES
ROWS, COLUMNS = CORNERS + FACES + EDGES, 8
# of a face: three corners, outward unit normal, distance of its plane from the origin, state
_OFFSET, _STATE = 6, 7
_FREE, _USED, _SETTLED = 0.0, 1.0, 2.0  # states: the row is free; a face; a face that needs no more cutting
# a face is explained within that share of the overlap, or of the longest side; a crease explains less than a smooth place
_SLACK, _CREASE_SLACK, _SHALLOW = 0.01, 0.005, 1e-4


@leaf
def _corner(scratch, slot, row):
    return scratch[slot, row, 0], scratch[slot, row, 1], scratch[slot, row, 2]


@leaf
def _set_corner(scratch, slot, row, a, b):
    scratch[slot, row, 0], scratch[slot, row, 1], scratch[slot, row, 2] = a[0] - b[0], a[1] - b[1], a[2] - b[2]
    scratch[slot, row, 3], scratch[slot, row, 4], scratch[slot, row, 5] = a[0], a[1], a[2]


@leaf
def _set_face(scratch, slot, row, i, j, k, long):
    """Store the face i j k, seen counterclockwise from outside.

    A sliver, lower than 1e-7 of the longest side, is never nearest: rounding would turn its normal by more than 1e-9.
    """
    a, b, c = _corner(scratch, slot, i), _corner(scratch, slot, j), _corner(scratch, slot, k)
    ab, ac = sub(b, a), sub(c, a)
    n, area = unit(cross(ab, ac))
    face = FACE_ROW + row
    scratch[slot, face, 0], scratch[slot, face, 1], scratch[slot, face, 2] = i, j, k
    scratch[slot, face, 3], scratch[slot, face, 4], scratch[slot, face, 5] = n[0], n[1], n[2]
    bc = sub(c, b)
    side = max(dot(ab, ab), max(dot(ac, ac), dot(bc, bc)))
    thin = area <= 1e-7 * long * math.sqrt(side)
    # the mean of the three corners' offsets: with one corner, rounding would depend on the order
    scratch[slot, face, _OFFSET] = math.inf if thin else dot(n, add(add(a, b), c)) / 3.0
    scratch[slot, face, _STATE] = _USED


@kernel
def _witness(scratch, slot, faces, target):
    """Point of A that belongs to the polytope's point nearest to a target point, that point's length, and its miss."""
    best, length, on_a = math.inf, 0.0, (0.0, 0.0, 0.0)
    for face in range(FACE_ROW, FACE_ROW + faces):
        if scratch[slot, face, _STATE] != _FREE:
            i, j, k = int(scratch[slot, face, 0]), int(scratch[slot, face, 1]), int(scratch[slot, face, 2])
            a, b, c = _corner(scratch, slot, i), _corner(scratch, slot, j), _corner(scratch, slot, k)
            s, t, u = nearest_of_three(sub(a, target), sub(b, target), sub(c, target))
            foot = add(add(scale(s, a), scale(t, b)), scale(u, c))
            miss = sub(foot, target)
            if dot(miss, miss) < best:
                best, length = dot(miss, miss), math.sqrt(dot(foot, foot))
                on_a = (
                    s * scratch[slot, i, 3] + t * scratch[slot, j, 3] + u * scratch[slot, k, 3],
                    s * scratch[slot, i, 4] + t * scratch[slot, j, 4] + u * scratch[slot, k, 4],
                    s * scratch[slot, i, 5] + t * scratch[slot, j, 5] + u * scratch[slot, k, 5],
                )
    return on_a, length, math.sqrt(best)


@kernel
def _farther(kind_a, size_a, start_a, count_a, kind_b, size_b, start_b, count_b, R, p, d, points, scratch, slot, row):
    """Put the support along d, or along -d if that is farther from the plane through corner 0, into a row.

    Returns how far from that plane the chosen one is.
    """
    a, b = support_pair(kind_a, size_a, start_a, count_a, kind_b, size_b, start_b, count_b, R, p, d, points)
    c, e = support_pair(
        kind_a, size_a, start_a, count_a, kind_b, size_b, start_b, count_b, R, p, scale(-1.0, d), points
    )
    origin = _corner(scratch, slot, 0)
    one, two = dot(d, sub(sub(a, b), origin)), -dot(d, sub(sub(c, e), origin))
    if one >= two:
        _set_corner(scratch, slot, row, a, b)
        return one
    _set_corner(scratch, slot, row, c, e)
    return two


@kernel
def _first_tetrahedron(kind_a, size_a, start_a, count_a, kind_b, size_b, start_b, count_b, R, p, points, scratch, slot):
    """Four corners as far apart as they come; returns (how many dimensions it has, a normal of it, its longest side)."""
    best, chosen = -1.0, (1.0, 0.0, 0.0)
    for i in range(3):
        d = (1.0 if i == 0 else 0.0, 1.0 if i == 1 else 0.0, 1.0 if i == 2 else 0.0)
        a, b = support_pair(kind_a, size_a, start_a, count_a, kind_b, size_b, start_b, count_b, R, p, d, points)
        _set_corner(scratch, slot, 0, a, b)
        wide = _farther(
            kind_a, size_a, start_a, count_a, kind_b, size_b, start_b, count_b, R, p, d, points, scratch, slot, 1
        )
        if wide > best:
            best, chosen = wide, d
    a, b = support_pair(kind_a, size_a, start_a, count_a, kind_b, size_b, start_b, count_b, R, p, chosen, points)
    _set_corner(scratch, slot, 0, a, b)
    long = _farther(
        kind_a, size_a, start_a, count_a, kind_b, size_b, start_b, count_b, R, p, chosen, points, scratch, slot, 1
    )
    axis = unit(sub(_corner(scratch, slot, 1), _corner(scratch, slot, 0)))[0]
    e = perpendicular(axis)
    f = cross(axis, e)
    wide = _farther(
        kind_a, size_a, start_a, count_a, kind_b, size_b, start_b, count_b, R, p, e, points, scratch, slot, 2
    )
    other = _farther(
        kind_a, size_a, start_a, count_a, kind_b, size_b, start_b, count_b, R, p, f, points, scratch, slot, 3
    )
    if other > wide:
        wide = other
        for k in range(6):
            scratch[slot, 2, k] = scratch[slot, 3, k]
    if wide <= 1e-12 * long:
        return 1, e, long
    o = _corner(scratch, slot, 0)
    n = unit(cross(sub(_corner(scratch, slot, 1), o), sub(_corner(scratch, slot, 2), o)))[0]
    high = _farther(
        kind_a, size_a, start_a, count_a, kind_b, size_b, start_b, count_b, R, p, n, points, scratch, slot, 3
    )
    if high <= 1e-12 * long:
        return 2, n, long
    if dot(n, sub(_corner(scratch, slot, 3), o)) > 0.0:  # the fourth corner must be behind the first face
        for k in range(6):
            scratch[slot, 1, k], scratch[slot, 2, k] = scratch[slot, 2, k], scratch[slot, 1, k]
    return 3, n, long


@leaf
def _face_normal(scratch, slot, face):
    return scratch[slot, face, 3], scratch[slot, face, 4], scratch[slot, face, 5]


@leaf
def _is_corner(scratch, slot, face, w):
    """Whether w is a corner of the face already: then nothing lies beyond it, whatever rounding says."""
    same = False
    for k in range(3):
        c = _corner(scratch, slot, int(scratch[slot, face, k]))
        same = same or (c[0] == w[0] and c[1] == w[1] and c[2] == w[2])
    return same


@kernel
def _nearest_face(scratch, slot, faces):
    best, nearest = math.inf, -1
    for face in range(FACE_ROW, FACE_ROW + faces):
        if scratch[slot, face, _STATE] == _USED and scratch[slot, face, _OFFSET] < best:
            best, nearest = scratch[slot, face, _OFFSET], face
    return nearest, best


@kernel
def _grow(scratch, slot, corner, nearest, faces, long):
    """Replace the faces that the new corner sees by a cone of new ones; returns how many face rows are in use, 0 if stuck."""
    w = _corner(scratch, slot, corner)
    edges = 0
    for face in range(FACE_ROW, FACE_ROW + faces):
        if scratch[slot, face, _STATE] != _FREE:
            n = _face_normal(scratch, slot, face)
            first = _corner(scratch, slot, int(scratch[slot, face, 0]))
            if face == nearest or dot(n, sub(w, first)) > 1e-14 * long:
                scratch[slot, face, _STATE] = _FREE
                for k in range(3):
                    i, j = scratch[slot, face, k], scratch[slot, face, (k + 1) % 3]
                    shared = False
                    for e in range(EDGE_ROW, EDGE_ROW + edges):
                        if scratch[slot, e, 0] == j and scratch[slot, e, 1] == i:
                            edges -= 1
                            last = EDGE_ROW + edges
                            scratch[slot, e, 0], scratch[slot, e, 1] = scratch[slot, last, 0], scratch[slot, last, 1]
                            shared = True
                            break
                    if not shared:
                        if edges == EDGES:
                            return 0
                        scratch[slot, EDGE_ROW + edges, 0], scratch[slot, EDGE_ROW + edges, 1] = i, j
                        edges += 1
    row = 0
    for e in range(EDGE_ROW, EDGE_ROW + edges):
        while row < faces and scratch[slot, FACE_ROW + row, _STATE] != _FREE:
            row += 1
        if row == FACES:
            return 0
        _set_face(scratch, slot, row, int(scratch[slot, e, 0]), int(scratch[slot, e, 1]), corner, long)
        faces = max(faces, row + 1)
    return faces


@kernel
def epa(kind_a, size_a, start_a, count_a, kind_b, size_b, start_b, count_b, R, p, points, scratch, slot):
    """Depth of two cores that meet; B stands at (R, p) in A. Uses all rows of the scratch.

    Returns (overlap h, point of A, unit normal from A to B, upper less lower bound of h, what the point misses the surface
    by), in A's frame.
    """
    curved = is_curved(kind_a) or is_curved(kind_b)
    dimensions, n, long = _first_tetrahedron(
        kind_a, size_a, start_a, count_a, kind_b, size_b, start_b, count_b, R, p, points, scratch, slot
    )
    if dimensions < 3:  # flat: across it nothing overlaps
        if dot(n, p) < 0.0:
            n = scale(-1.0, n)
        a, b = support_pair(kind_a, size_a, start_a, count_a, kind_b, size_b, start_b, count_b, R, p, n, points)
        _set_face(scratch, slot, 0, 0, 1, 2 if dimensions == 2 else 1, long)
        on_a, _, _ = _witness(scratch, slot, 1, (0.0, 0.0, 0.0))
        return dot(n, sub(a, b)), on_a, n, 0.0, 0.0
    _set_face(scratch, slot, 0, 0, 1, 2, long)
    _set_face(scratch, slot, 1, 0, 2, 3, long)
    _set_face(scratch, slot, 2, 0, 3, 1, long)
    _set_face(scratch, slot, 3, 1, 3, 2, long)
    faces, corners = 4, 4
    tolerance = 1e-12 * long
    best, on_a, exact, lower = math.inf, (0.0, 0.0, 0.0), False, 0.0
    if curved:
        best, n = least_flat(kind_a, size_a, start_a, count_a, kind_b, size_b, start_b, count_b, R, p, points)
    while True:
        nearest, lower = _nearest_face(scratch, slot, faces)
        if nearest < 0 or lower >= best - tolerance:
            break
        m = _face_normal(scratch, slot, nearest)
        a, b = support_pair(kind_a, size_a, start_a, count_a, kind_b, size_b, start_b, count_b, R, p, m, points)
        h = dot(m, sub(a, b))
        known = _is_corner(scratch, slot, nearest, sub(a, b))
        if h - lower <= tolerance or (known and h - lower <= 1e3 * tolerance):
            best, n, exact = h, m, False
            break
        if h < best - tolerance:
            best, n, exact = h, m, False
        if known:
            scratch[slot, nearest, _STATE] = _SETTLED
            continue
        if curved and h - lower <= 0.2 * long:
            angle, down, d, on, _ = descend(
                kind_a, size_a, start_a, count_a, kind_b, size_b, start_b, count_b, R, p, m, points
            )
            slack = _SLACK
            if angle > CLOSE:
                slack = _CREASE_SLACK
                angle, down, d, on, _on_b = descend_crease(
                    kind_a, size_a, start_a, count_a, kind_b, size_b, start_b, count_b, R, p, m, points
                )
            if angle <= CLOSE:
                if down < best + tolerance:
                    best, n, on_a, exact = down, d, on, True
                if lower >= down - max(slack * abs(down), _SHALLOW * long):
                    scratch[slot, nearest, _STATE] = _SETTLED
                    continue
        if corners == CORNERS:
            break
        _set_corner(scratch, slot, corners, a, b)
        grown = _grow(scratch, slot, corners, nearest, faces, long)
        corners += 1
        if grown == 0:
            break
        faces = grown
    if exact:
        return best, on_a, n, 0.0, 0.0
    on_a, foot, miss = _witness(scratch, slot, faces, scale(best, n))
    # a hair apart, h along n is only a lower bound of the distance, and the foot an upper one
    return best, on_a, n, (best - lower if best >= 0.0 else foot + best), miss
