"""Contact manifolds: up to four points, each with its depth, where a face of one shape meets the other.

On a plane the other shape's own corners (of a cylinder: three of its cap, and the far end of its lowest line) count. Between
two shapes, when the normal of the nearest points is straight across a face of one of them, the faces (or a face and a
line, or two parallel lines) are laid over each other along the normal; the corners of what they share are the candidates,
and the depth at each is the height of one face over the other. Otherwise the nearest points are the one contact. Of more
than four candidates those stay that span the most: the deepest, the farthest from it, and the two that add most area.
"""

import math

from carpal._core.compile import kernel, leaf
from carpal.contact.kernels.clip import MOST, clip_polygon
from carpal.contact.kernels.face import HULL_CANDIDATES, face_towards
from carpal.contact.kernels.kinds import BOX, CAPSULE, CONVEX, CYLINDER, PLANE
from carpal.contact.kernels.pair import nearest
from carpal.contact.kernels.segments import perpendicular
from carpal.contact.kernels.support import core_radius, support_local
from carpal.spatial.kernels.vec3 import add, cross, dot, rotate, rotate_back, scale, sub

MANIFOLD = 4  # points at most
# rows of the scratch that `nearest` uses before
_A, _B, _SPARE, _WORK, _CANDIDATES = 0, MOST, 2 * MOST, 3 * MOST, 3 * MOST + HULL_CANDIDATES
_MOST_CANDIDATES = 256
_ALMOST, _FACE_FIRST = (
    0.98,
    0.1,
)  # cosine, and share of the depth, within which a face goes before the nearest direction
_SAME = 1e-9  # [m] candidates nearer to each other than that are one


@leaf
def _offer(scratch, slot, found, x, depth, margin):
    """Add a candidate unless it is apart by more than the margin or there already; returns how many there are."""
    if not depth >= -margin or found >= _MOST_CANDIDATES:
        return found
    for i in range(_CANDIDATES, _CANDIDATES + found):
        d = sub((scratch[slot, i, 0], scratch[slot, i, 1], scratch[slot, i, 2]), x)
        if dot(d, d) <= _SAME * _SAME:
            return found
    row = _CANDIDATES + found
    scratch[slot, row, 0], scratch[slot, row, 1], scratch[slot, row, 2], scratch[slot, row, 3] = x[0], x[1], x[2], depth
    return found + 1


@kernel
def _on_plane(R_a, p_a, kind, size, start, count, R, p, margin, points, scratch, slot):
    """Candidates of a shape on the plane A: the middle between corner and plane."""
    n = (R_a[2], R_a[5], R_a[8])
    found = 0
    many = 8 if kind == BOX else (2 if kind == CAPSULE else (4 if kind == CYLINDER else count))
    d = rotate_back(R, scale(-1.0, n))
    across = math.sqrt(d[0] * d[0] + d[1] * d[1])
    cosine, sine = (d[0] / across, d[1] / across) if across > 1e-9 else (1.0, 0.0)
    for i in range(many):
        if kind == BOX:
            x = (
                size[0] if i & 1 else -size[0],
                size[1] if i & 2 else -size[1],
                size[2] if i & 4 else -size[2],
            )
            # only the lower face: its corners come before those above them
            axis = 0 if abs(d[0]) >= abs(d[1]) and abs(d[0]) >= abs(d[2]) else (1 if abs(d[1]) >= abs(d[2]) else 2)
            if x[axis] * d[axis] < 0.0:
                continue
        elif kind == CAPSULE:
            x = add((0.0, 0.0, size[1] if i else -size[1]), scale(size[0], d))
        elif kind == CYLINDER:
            z = math.copysign(size[1], d[2])
            half, root = -0.5 * size[0], 0.5 * math.sqrt(3.0) * size[0]
            if i == 0:
                x = (size[0] * cosine, size[0] * sine, z)
            elif i == 1:
                x = (half * cosine - root * sine, half * sine + root * cosine, z)
            elif i == 2:
                x = (half * cosine + root * sine, half * sine - root * cosine, z)
            else:
                x = (size[0] * cosine, size[0] * sine, -z)
        else:
            x = (points[start + i, 0], points[start + i, 1], points[start + i, 2])
        y = add(p, rotate(R, x))
        depth = -dot(n, sub(y, p_a))
        found = _offer(scratch, slot, found, add(y, scale(0.5 * depth, n)), depth, margin)
    return found


@kernel
def _two_lines(scratch, slot, a, b, o, e, f, n, z_a, z_b, margin):
    """Candidates of two lines side by side: the ends of the stretch that they share, as places on A's line."""
    au, av = scratch[slot, a, 0], scratch[slot, a, 1]
    du, dv = scratch[slot, a + 1, 0] - au, scratch[slot, a + 1, 1] - av
    bu, bv = scratch[slot, b, 0] - au, scratch[slot, b, 1] - av
    cu, cv = scratch[slot, b + 1, 0] - au, scratch[slot, b + 1, 1] - av
    length = math.sqrt(du * du + dv * dv)
    other = math.sqrt((cu - bu) * (cu - bu) + (cv - bv) * (cv - bv))
    if length <= 0.0 or other <= 0.0:
        return 0
    du, dv = du / length, dv / length
    if abs(du * (cv - bv) - dv * (cu - bu)) > 1e-3 * other:
        return 0
    s, t = du * bu + dv * bv, du * cu + dv * cv
    low, high = max(0.0, min(s, t)), min(length, max(s, t))
    found = 0
    if low < high:
        for k in range(2):
            w = high if k else low
            u, v = au + w * du, av + w * dv
            found = _offer_height(scratch, slot, found, u, v, o, e, f, n, z_a, z_b, margin)
    return found


@leaf
def _offer_height(scratch, slot, found, u, v, o, e, f, n, z_a, z_b, margin):
    high = z_a[0] + z_a[1] * u + z_a[2] * v
    low = z_b[0] + z_b[1] * u + z_b[2] * v
    x = add(add(o, scale(u, e)), add(scale(v, f), scale(0.5 * (high + low), n)))
    return _offer(scratch, slot, found, x, high - low, margin)


@kernel
def _between_faces(
    kind_a,
    size_a,
    start_a,
    count_a,
    R_a,
    p_a,
    kind_b,
    size_b,
    start_b,
    count_b,
    R_b,
    p_b,
    o,
    n,
    margin,
    points,
    scratch,
    slot,
):
    """Candidates where the sides that two shapes turn to each other overlap; 0 where there is no face."""
    e = perpendicular(n)
    f = cross(n, e)
    m_a, flat_a, a0, au, av = face_towards(
        kind_a, size_a, start_a, count_a, R_a, p_a, 1.0, o, e, f, n, points, scratch, slot, _A, _WORK
    )
    m_b, flat_b, b0, bu, bv = face_towards(
        kind_b, size_b, start_b, count_b, R_b, p_b, -1.0, o, e, f, n, points, scratch, slot, _B, _WORK
    )
    z_a, z_b = (a0, au, av), (b0, bu, bv)
    if m_a == 1 or m_b == 1:
        return 0
    if m_a == 2 and m_b == 2:
        if flat_a and flat_b:
            return _two_lines(scratch, slot, _A, _B, o, e, f, n, z_a, z_b, margin)
        return 0
    if not ((m_a > 2 and flat_a) or (m_b > 2 and flat_b)):
        return 0
    if m_b > 2:
        first, count = clip_polygon(scratch, slot, _A, m_a, _SPARE, _B, m_b)
    else:
        first, count = clip_polygon(scratch, slot, _B, m_b, _SPARE, _A, m_a)
    found = 0
    for i in range(first, first + count):
        u, v = scratch[slot, i, 0], scratch[slot, i, 1]
        found = _offer_height(scratch, slot, found, u, v, o, e, f, n, z_a, z_b, margin)
    return found


@kernel
def _choose(scratch, slot, found, n, contacts, world):
    """Write up to four of the candidates to contacts[world]; returns how many."""
    first = 0
    for i in range(found):
        if scratch[slot, _CANDIDATES + i, 3] > scratch[slot, _CANDIDATES + first, 3] + 1e-12:
            first = i
    taken = 0
    chosen = first
    a, b, c = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    while taken < MANIFOLD and taken < found:
        row = _CANDIDATES + chosen
        x = (scratch[slot, row, 0], scratch[slot, row, 1], scratch[slot, row, 2])
        for k in range(4):
            contacts[world, taken, k] = scratch[slot, row, k]
        if taken == 0:
            a = x
        elif taken == 1:
            b = x
        else:
            c = x
        scratch[slot, row, 4] = -1.0  # taken
        if taken == 0:
            for i in range(found):
                if i != chosen:
                    scratch[slot, _CANDIDATES + i, 4] = 1.0
        taken += 1
        best, chosen = -math.inf, -1
        for i in range(found):
            row = _CANDIDATES + i
            if scratch[slot, row, 4] < 0.0:
                continue
            x = (scratch[slot, row, 0], scratch[slot, row, 1], scratch[slot, row, 2])
            if taken == 1:
                value = dot(sub(x, a), sub(x, a))
            elif taken == 2:
                value = abs(dot(n, cross(sub(b, a), sub(x, a))))
            else:  # the area that x adds beyond the nearest side of the triangle
                turn = math.copysign(1.0, dot(n, cross(sub(b, a), sub(c, a))))
                one = -turn * dot(n, cross(sub(b, a), sub(x, a)))
                two = -turn * dot(n, cross(sub(c, b), sub(x, b)))
                three = -turn * dot(n, cross(sub(a, c), sub(x, c)))
                value = max(one, max(two, three))
            if value > best:
                best, chosen = value, i
    return taken


@leaf
def _overlap_along(kind_a, size_a, start_a, count_a, R_a, p_a, kind_b, size_b, start_b, count_b, R_b, p_b, m, points):
    a = support_local(kind_a, size_a, start_a, count_a, rotate_back(R_a, m), points)
    b = support_local(kind_b, size_b, start_b, count_b, rotate_back(R_b, scale(-1.0, m)), points)
    radii = core_radius(kind_a, size_a) + core_radius(kind_b, size_b)
    return dot(m, sub(add(p_a, rotate(R_a, a)), add(p_b, rotate(R_b, b)))) + radii


@leaf
def _flat_side(kind, R, n):
    """Normal in W, on n's side, of the flat face of a box or cylinder that is most along n; n itself where there is none."""
    d = rotate_back(R, n)
    axis = 2
    if kind == BOX:
        x, y, z = abs(d[0]), abs(d[1]), abs(d[2])
        axis = 0 if x >= y and x >= z else (1 if y >= z else 2)
    elif kind != CYLINDER:
        return n
    s = math.copysign(1.0, d[axis])
    return s * R[axis], s * R[3 + axis], s * R[6 + axis]


@kernel
def manifold(
    kind_a, size_a, start_a, count_a, R_a, p_a, kind_b, size_b, start_b, count_b, R_b, p_b,
    margin, contacts, world, points, scratch, slot,
):  # fmt: skip
    """Contact points of two convex shapes that are at most `margin` [m] apart; arguments otherwise as of `nearest`.

    contacts[world, i] = (midpoint between the two surfaces in W, depth) for up to four i, the deepest first.

    Returns (status, how many, distance along the normal, n_AB_W); the normal is that of a face where one is almost across the
    nearest direction and overlaps at most a tenth more.
    """
    status, distance, p_WA, p_WB, n = nearest(
        kind_a, size_a, start_a, count_a, R_a, p_a, kind_b, size_b, start_b, count_b, R_b, p_b, points, scratch, slot
    )
    if status == 1 or not distance <= margin:
        return status, 0, distance, n
    nearest_n = n
    if kind_a != PLANE and kind_b != PLANE:
        # a face that lies almost flat on another is parted a hair sooner over two edges; the face is what it rests on
        least, straight = math.inf, n
        for k in range(2):
            m = _flat_side(kind_b, R_b, n) if k else _flat_side(kind_a, R_a, n)
            if dot(m, n) > _ALMOST:
                h = _overlap_along(
                    kind_a, size_a, start_a, count_a, R_a, p_a, kind_b, size_b, start_b, count_b, R_b, p_b, m, points
                )
                if h < least - 1e-12:
                    least, straight = h, m
        n = straight
    found = 0
    if kind_a == PLANE and (kind_b == BOX or kind_b == CAPSULE or kind_b == CYLINDER or kind_b == CONVEX):
        found = _on_plane(R_a, p_a, kind_b, size_b, start_b, count_b, R_b, p_b, margin, points, scratch, slot)
    elif kind_b == PLANE and (kind_a == BOX or kind_a == CAPSULE or kind_a == CYLINDER or kind_a == CONVEX):
        found = _on_plane(R_b, p_b, kind_a, size_a, start_a, count_a, R_a, p_a, margin, points, scratch, slot)
    else:
        found = _between_faces(
            kind_a, size_a, start_a, count_a, R_a, p_a, kind_b, size_b, start_b, count_b, R_b, p_b,
            p_WA, n, margin, points, scratch, slot,
        )  # fmt: skip
    deepest = -math.inf
    for i in range(found):
        deepest = max(deepest, scratch[slot, _CANDIDATES + i, 3])
    # a line over an edge, a cap over its rim, two edges that cross: the nearest points say more than the faces
    if deepest >= -distance - 1e-7 and deepest <= -distance + _FACE_FIRST * abs(distance) + 1e-7:
        distance = -deepest
    else:
        n = nearest_n
        found = _offer(scratch, slot, 0, scale(0.5, add(p_WA, p_WB)), -distance, math.inf)
    return status, _choose(scratch, slot, found, n, contacts, world), distance, n
