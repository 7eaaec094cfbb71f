"""Two boxes by separating axes (Gottschalk, Lin and Manocha 1996): three axes of each and nine perpendiculars of edges.

These fifteen directions are all the faces of the boxes' Minkowski difference, so that the least overlap among them is the
exact depth. Apart, the largest gap is a lower bound of the distance, which `gjk` then finds.
"""

import math

from carpal._core.compile import leaf
from carpal.contact.kernels.segments import between_segments, clamp
from carpal.spatial.kernels.vec3 import add, dot, rotate, rotate_back, scale

_PARALLEL = 1e-7  # sine of the angle between two edges below which they have no perpendicular of their own
_LEVEL = 1e-9


@leaf
def box_gap(size_a, size_b, R, p):
    """Largest gap among the fifteen directions, and which: 0-2 axes of A, 3-5 of B, 6 + 3 i + j edges; B at (R, p) in A."""
    best, which = -math.inf, 0
    for i in range(3):
        gap = abs(p[i]) - (
            size_a[i] + abs(R[3 * i]) * size_b[0] + abs(R[3 * i + 1]) * size_b[1] + abs(R[3 * i + 2]) * size_b[2]
        )
        if gap > best:
            best, which = gap, i
    for j in range(3):
        gap = abs(p[0] * R[j] + p[1] * R[3 + j] + p[2] * R[6 + j]) - (
            size_b[j] + abs(R[j]) * size_a[0] + abs(R[3 + j]) * size_a[1] + abs(R[6 + j]) * size_a[2]
        )
        if gap > best + 1e-12:
            best, which = gap, 3 + j
    for i in range(3):
        k, l = (i + 1) % 3, (i + 2) % 3
        for j in range(3):
            # A's axis i x B's axis j, in A: zero along i
            y, z = -R[3 * l + j], R[3 * k + j]
            sine = math.sqrt(y * y + z * z)
            if sine > _PARALLEL:
                m, n = (j + 1) % 3, (j + 2) % 3
                reach_b = abs(y * R[3 * k + m] + z * R[3 * l + m]) * size_b[m]
                reach_b += abs(y * R[3 * k + n] + z * R[3 * l + n]) * size_b[n]
                gap = abs(y * p[k] + z * p[l]) - (abs(y) * size_a[k] + abs(z) * size_a[l] + reach_b)
                gap /= sine
                if gap > best + 1e-12:
                    best, which = gap, 6 + 3 * i + j
    return best, which


@leaf
def box_axis(which, R, p):
    """The unit direction that `box_gap` numbered, in A, from A's side to B's."""
    if which < 3:
        n = (1.0 if which == 0 else 0.0, 1.0 if which == 1 else 0.0, 1.0 if which == 2 else 0.0)
    elif which < 6:
        j = which - 3
        n = (R[j], R[3 + j], R[6 + j])
    else:
        i, j = (which - 6) // 3, (which - 6) % 3
        k, l = (i + 1) % 3, (i + 2) % 3
        y, z = -R[3 * l + j], R[3 * k + j]
        sine = math.sqrt(y * y + z * z)
        y, z = y / sine, z / sine
        if i == 0:
            n = (0.0, y, z)
        elif i == 1:
            n = (z, 0.0, y)
        else:
            n = (y, z, 0.0)
    return n if dot(n, p) >= 0.0 else scale(-1.0, n)


@leaf
def _or_middle(slope, half):
    return math.copysign(half, slope) if abs(slope) > _LEVEL else 0.0


@leaf
def _free(slope, half):
    return 0.0 if abs(slope) > _LEVEL else half


@leaf
def _into(p, middle, free):
    """P brought into the axis-aligned patch around `middle`; coordinates that are not free become the middle's."""
    return (
        middle[0] + clamp(p[0] - middle[0], -free[0], free[0]),
        middle[1] + clamp(p[1] - middle[1], -free[1], free[1]),
        middle[2] + clamp(p[2] - middle[2], -free[2], free[2]),
    )


@leaf
def overlapping_boxes(size_a, size_b, R, p, gap, which):
    """(point on A, point on B, unit normal) in A of overlapping boxes, from what `box_gap` found.

    The deepest features (vertex, edge or face of each) meet when B is moved out by the depth; a point that they then share
    is found by going to and fro between them, which for a vertex or two crossing edges ends at once.
    """
    n = box_axis(which, R, p)
    m = rotate_back(R, n)
    middle_a = (_or_middle(n[0], size_a[0]), _or_middle(n[1], size_a[1]), _or_middle(n[2], size_a[2]))
    free_a = (_free(n[0], size_a[0]), _free(n[1], size_a[1]), _free(n[2], size_a[2]))
    middle_b = (_or_middle(-m[0], size_b[0]), _or_middle(-m[1], size_b[1]), _or_middle(-m[2], size_b[2]))
    free_b = (_free(m[0], size_b[0]), _free(m[1], size_b[1]), _free(m[2], size_b[2]))
    out = add(p, scale(-gap, n))  # where B's frame is after the move
    if which >= 6:
        i, j = (which - 6) // 3, (which - 6) % 3
        along_a = (1.0 if i == 0 else 0.0, 1.0 if i == 1 else 0.0, 1.0 if i == 2 else 0.0)
        along_b = (R[j], R[3 + j], R[6 + j])
        edge_a = (0.0 if i == 0 else middle_a[0], 0.0 if i == 1 else middle_a[1], 0.0 if i == 2 else middle_a[2])
        edge_b = (0.0 if j == 0 else middle_b[0], 0.0 if j == 1 else middle_b[1], 0.0 if j == 2 else middle_b[2])
        edge_b = add(out, rotate(R, edge_b))
        s, _ = between_segments(edge_a, along_a, size_a[i], edge_b, along_b, size_b[j])
        on_a = add(edge_a, scale(s, along_a))
        return on_a, add(on_a, scale(gap, n)), n
    on_b = middle_b
    on_a = middle_a
    for _ in range(64):
        q = add(out, rotate(R, on_b))
        on_a = _into(q, middle_a, free_a)
        after = _into(rotate_back(R, (on_a[0] - out[0], on_a[1] - out[1], on_a[2] - out[2])), middle_b, free_b)
        moved = abs(after[0] - on_b[0]) + abs(after[1] - on_b[1]) + abs(after[2] - on_b[2])
        on_b = after
        if moved < 1e-12:
            break
    return on_a, add(on_a, scale(gap, n)), n
