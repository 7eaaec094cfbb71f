"""The one question about two convex shapes: how far apart, where, along which normal.

`nearest` answers in full, `nearer_than` only whether the distance is at most a margin, as fast as it can be known. Closed
forms where they exist (sphere, capsule, box, plane; a sphere against anything but a hull); otherwise `gjk` on the shapes'
cores when these are apart and `epa` when they meet, with the radii of rounded shapes taken off afterwards.
"""

import math

from carpal._core.compile import kernel, leaf
from carpal.contact.kernels.box_pairs import box_gap, overlapping_boxes
from carpal.contact.kernels.capsule_pairs import between_cores, segment_and_box
from carpal.contact.kernels.ellipsoid import point_to_ellipsoid
from carpal.contact.kernels.epa import COLUMNS, ROWS, epa
from carpal.contact.kernels.gjk import MEETING, NEAR, gjk
from carpal.contact.kernels.kinds import BOX, CAPSULE, CONVEX, CYLINDER, PLANE, SPHERE
from carpal.contact.kernels.plane_pairs import height_over_plane, plane_and_shape
from carpal.contact.kernels.segments import segment_to_box, squared_between_segments, squared_to_box
from carpal.contact.kernels.sphere_pairs import point_to_box, point_to_cylinder, point_to_point, point_to_segment
from carpal.contact.kernels.support import core_radius, support_pair
from carpal.spatial.kernels.vec3 import add, dot, product, rotate, rotate_back, scale, sub

PAIR_SCRATCH = (ROWS, COLUMNS)  # one slot
_POOR = 1e-9  # [m] difference of the bounds that `gjk` may leave
DONE, NO_PAIR, ROUGH = 0, 1, 2  # status; ROUGH: found, but the bounds differ by more than 1e-6 m


@leaf
def transposed(R):
    """R^T."""
    return R[0], R[3], R[6], R[1], R[4], R[7], R[2], R[5], R[8]


@leaf
def _finish(distance, p_WA, p_WB, n, radius_a, radius_b):
    """Surface points and distance from those of the cores, drawn to satisfy p_WB - p_WA = distance n exactly."""
    distance = distance - radius_a - radius_b
    one, two = add(p_WA, scale(radius_a, n)), sub(p_WB, scale(radius_b, n))
    middle = scale(0.5, add(one, two))
    half = scale(0.5 * distance, n)
    return DONE, distance, sub(middle, half), add(middle, half), n


@kernel
def _sphere_and_shape(size_a, p_a, kind_b, size_b, R_b, p_b):
    """A is the sphere."""
    p = rotate_back(R_b, sub(p_a, p_b))
    if kind_b == SPHERE:
        d, q, n = point_to_point(p)
    elif kind_b == CAPSULE:
        d, q, n = point_to_segment(p, size_b[1])
    elif kind_b == BOX:
        d, q, n = point_to_box(p, size_b)
    elif kind_b == CYLINDER:
        d, q, n = point_to_cylinder(p, size_b)
    else:
        d, q, n = point_to_ellipsoid(p, size_b)
    n = scale(-1.0, rotate(R_b, n))
    return _finish(d, p_a, add(p_b, rotate(R_b, q)), n, size_a[0], core_radius(kind_b, size_b))


@kernel
def _by_search(
    kind_a, size_a, start_a, count_a, R_a, p_a, kind_b, size_b, start_b, count_b, R_b, p_b, points, scratch, slot
):
    """Any two convex kinds, in A's frame, by `gjk` and `epa`."""
    R = product(transposed(R_a), R_b)
    p = rotate_back(R_a, sub(p_b, p_a))
    found, distance, on_a, on_b, n, gap = gjk(
        kind_a, size_a, start_a, count_a, kind_b, size_b, start_b, count_b, R, p, 0.0, False, points, scratch, slot
    )
    if found == MEETING:
        h, on_a, n, gap, miss = epa(
            kind_a, size_a, start_a, count_a, kind_b, size_b, start_b, count_b, R, p, points, scratch, slot
        )
        distance = -h
        if (
            miss > _POOR
        ):  # the depth is found sooner than the place; with B moved out along n, a little apart, it is easy
            out = add(p, scale(h + 1e-3 * math.sqrt(dot(p, p) + h * h), n))
            moved, _, place, _, _, _ = gjk(
                kind_a,
                size_a,
                start_a,
                count_a,
                kind_b,
                size_b,
                start_b,
                count_b,
                R,
                out,
                0.0,
                False,
                points,
                scratch,
                slot,
            )
            if moved != MEETING:
                on_a = place
        on_b = add(on_a, scale(distance, n))
    else:
        for _ in range(2):
            # a hair apart, the distance has all its digits and its direction few; moved away along it, it has more
            away = 1e-3 * math.sqrt(dot(p, p))
            if gap <= _POOR or distance > away:
                break
            _, far, _, _, m, _ = gjk(
                kind_a, size_a, start_a, count_a, kind_b, size_b, start_b, count_b, R, add(p, scale(away, n)),
                0.0, False, points, scratch, slot,
            )  # fmt: skip
            a, b = support_pair(kind_a, size_a, start_a, count_a, kind_b, size_b, start_b, count_b, R, p, m, points)
            better = distance + dot(m, sub(a, b))
            if far > 0.0 and better < gap:
                gap, n = better, m
                on_b = add(on_a, scale(distance, n))
    r_a, r_b = core_radius(kind_a, size_a), core_radius(kind_b, size_b)
    n_W = rotate(R_a, n)
    _, distance, p_WA, p_WB, n_W = _finish(
        distance, add(p_a, rotate(R_a, on_a)), add(p_a, rotate(R_a, on_b)), n_W, r_a, r_b
    )
    return (ROUGH if gap > 1e-6 else DONE), distance, p_WA, p_WB, n_W


@kernel
def _in_order(
    kind_a, size_a, start_a, count_a, R_a, p_a, kind_b, size_b, start_b, count_b, R_b, p_b, points, scratch, slot
):
    """`nearest` with A's kind no larger than B's, but for a plane, which is always A."""
    if kind_a == PLANE:
        d, q_a, q_b, n = plane_and_shape(R_a, p_a, kind_b, size_b, start_b, count_b, R_b, p_b, points)
        return DONE, d, q_a, q_b, n
    if kind_a == SPHERE and kind_b != CONVEX:
        return _sphere_and_shape(size_a, p_a, kind_b, size_b, R_b, p_b)
    if kind_a == CAPSULE and kind_b == CAPSULE:
        d_a, d_b = (R_a[2], R_a[5], R_a[8]), (R_b[2], R_b[5], R_b[8])
        d, q_a, q_b, n = between_cores(p_a, d_a, size_a[1], p_b, d_b, size_b[1])
        return _finish(d, q_a, q_b, n, size_a[0], size_b[0])
    if kind_a == CAPSULE and kind_b == BOX:
        c, along = rotate_back(R_b, sub(p_a, p_b)), rotate_back(R_b, (R_a[2], R_a[5], R_a[8]))
        d, q_a, q_b, n = segment_and_box(c, along, size_a[1], size_b)
        n = scale(-1.0, rotate(R_b, n))
        return _finish(d, add(p_b, rotate(R_b, q_a)), add(p_b, rotate(R_b, q_b)), n, size_a[0], 0.0)
    if kind_a == BOX and kind_b == BOX:
        R, p = product(transposed(R_a), R_b), rotate_back(R_a, sub(p_b, p_a))
        gap, which = box_gap(size_a, size_b, R, p)
        if gap <= 0.0:
            q_a, q_b, n = overlapping_boxes(size_a, size_b, R, p, gap, which)
            return DONE, gap, add(p_a, rotate(R_a, q_a)), add(p_a, rotate(R_a, q_b)), rotate(R_a, n)
    return _by_search(
        kind_a, size_a, start_a, count_a, R_a, p_a, kind_b, size_b, start_b, count_b, R_b, p_b, points, scratch, slot
    )


@leaf
def _rank(kind):
    """Order in which `_in_order` wants its two kinds."""
    return -1 if kind == PLANE else kind


@kernel
def nearest(
    kind_a, size_a, start_a, count_a, R_a, p_a, kind_b, size_b, start_b, count_b, R_b, p_b, points, scratch, slot
):
    """Signed distance, nearest points and normal of two convex shapes.

    Args:
        kind_a, kind_b: numbers of `kinds.py`, any but TRIANGLES; two planes are no pair.
        size_a, size_b: three sizes [m].
        start_a, count_a, start_b, count_b: rows in `points`, of hulls.
        R_a, p_a, R_b, p_b: poses R_WS (9) and p_WS (3).
        points: (points, 3) corners of hulls, each in its shape's frame [m].
        scratch, slot: (slots, *PAIR_SCRATCH).

    Returns:
        (status, distance, p_WA, p_WB, n_AB_W): p_WB - p_WA = distance n; a negative distance is a depth. Without a pair the
        status is NO_PAIR and the rest means nothing.
    """
    if kind_a > CONVEX or kind_b > CONVEX or (kind_a == PLANE and kind_b == PLANE):
        return NO_PAIR, 0.0, p_a, p_b, (0.0, 0.0, 1.0)
    if _rank(kind_a) <= _rank(kind_b):
        return _in_order(
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
            points,
            scratch,
            slot,
        )
    status, distance, q_b, q_a, n = _in_order(
        kind_b, size_b, start_b, count_b, R_b, p_b, kind_a, size_a, start_a, count_a, R_a, p_a, points, scratch, slot
    )
    return status, distance, q_a, q_b, scale(-1.0, n)


@kernel
def _nearer_in_order(
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
    margin,
    points,
    scratch,
    slot,
):
    if kind_a == PLANE:
        return height_over_plane(R_a, p_a, kind_b, size_b, start_b, count_b, R_b, p_b, points) <= margin
    reach = margin + core_radius(kind_a, size_a) + core_radius(kind_b, size_b)
    if reach >= 0.0:  # else only a depth can decide
        if kind_a == SPHERE:
            if kind_b == SPHERE:
                d = sub(p_b, p_a)
                return dot(d, d) <= reach * reach
            if kind_b == CAPSULE:
                d, along = sub(p_a, p_b), (R_b[2], R_b[5], R_b[8])
                z = min(max(dot(d, along), -size_b[1]), size_b[1])
                d = sub(d, scale(z, along))
                return dot(d, d) <= reach * reach
            if kind_b == BOX:
                return squared_to_box(rotate_back(R_b, sub(p_a, p_b)), size_b) <= reach * reach
        elif kind_a == CAPSULE:
            d_a = (R_a[2], R_a[5], R_a[8])
            if kind_b == CAPSULE:
                squared = squared_between_segments(p_a, d_a, size_a[1], p_b, (R_b[2], R_b[5], R_b[8]), size_b[1])
                return squared <= reach * reach
            if kind_b == BOX:
                c, d = rotate_back(R_b, sub(p_a, p_b)), rotate_back(R_b, d_a)
                t = segment_to_box(c, d, size_a[1], size_b)
                return squared_to_box(add(c, scale(t, d)), size_b) <= reach * reach
        if not (kind_a == SPHERE and kind_b != CONVEX):
            R, p = product(transposed(R_a), R_b), rotate_back(R_a, sub(p_b, p_a))
            if kind_a == BOX and kind_b == BOX:
                gap, _ = box_gap(size_a, size_b, R, p)
                if gap > margin:
                    return False
                if gap <= 0.0:
                    return True
            found, _, _, _, _, _ = gjk(
                kind_a,
                size_a,
                start_a,
                count_a,
                kind_b,
                size_b,
                start_b,
                count_b,
                R,
                p,
                reach,
                True,
                points,
                scratch,
                slot,
            )
            return found == NEAR or found == MEETING
    _, distance, _, _, _ = _in_order(
        kind_a, size_a, start_a, count_a, R_a, p_a, kind_b, size_b, start_b, count_b, R_b, p_b, points, scratch, slot
    )
    return distance <= margin


@kernel
def nearer_than(
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
    margin,
    points,
    scratch,
    slot,
):
    """1 if the signed distance is at most `margin` [m], else 0; arguments as of `nearest`. Two planes: 0."""
    if kind_a > CONVEX or kind_b > CONVEX or (kind_a == PLANE and kind_b == PLANE):
        return 0
    if _rank(kind_a) <= _rank(kind_b):
        near = _nearer_in_order(
            kind_a, size_a, start_a, count_a, R_a, p_a, kind_b, size_b, start_b, count_b, R_b, p_b,
            margin, points, scratch, slot,
        )  # fmt: skip
    else:
        near = _nearer_in_order(
            kind_b, size_b, start_b, count_b, R_b, p_b, kind_a, size_a, start_a, count_a, R_a, p_a,
            margin, points, scratch, slot,
        )  # fmt: skip
    return 1 if near else 0
