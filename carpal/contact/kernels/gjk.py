"""Distance of two convex cores that are apart (Gilbert, Johnson and Keerthi 1988).

The nearest point v of the Minkowski difference A - B to the origin is approached by simplices of at most four of its
points; n . w along -v bounds the distance from below, which says when to stop. Everything is computed in A's frame, so
that no digit is lost far from the world's origin. On curved shapes `descend` finishes the work.
"""

import math

from carpal._core.compile import kernel, leaf
from carpal.contact.kernels.descend import CLOSE, descend
from carpal.contact.kernels.segments import unit
from carpal.contact.kernels.simplex import nearest_of_four, nearest_of_three, nearest_of_two
from carpal.contact.kernels.support import is_curved, support_pair
from carpal.spatial.kernels.vec3 import add, dot, scale, sub

APART, MEETING, NEAR, FAR = 0, 1, 2, 3  # what was found
_ITERATIONS = 128
# distance over size below which the cores count as meeting; a curved surface takes more digits to find the normal
_MEETING, _MEETING_CURVED = 1e-9, 1e-7


@leaf
def _load(scratch, slot, row):
    return scratch[slot, row, 0], scratch[slot, row, 1], scratch[slot, row, 2]


@kernel
def _nearest_of_simplex(scratch, slot, count, every):
    """(inside, weights of up to four rows)."""
    a = _load(scratch, slot, 0)
    if count == 1:
        return False, (1.0, 0.0, 0.0, 0.0)
    b = _load(scratch, slot, 1)
    if count == 2:
        s, t = nearest_of_two(a, b)
        return False, (s, t, 0.0, 0.0)
    c = _load(scratch, slot, 2)
    if count == 3:
        s, t, u = nearest_of_three(a, b, c)
        return False, (s, t, u, 0.0)
    return nearest_of_four(a, b, c, _load(scratch, slot, 3), every)


@leaf
def _squared(scratch, slot, count, weights):
    """Squared length of the weighted sum of the rows."""
    v = (0.0, 0.0, 0.0)
    for i in range(count):
        v = add(v, scale(weights[i], _load(scratch, slot, i)))
    return dot(v, v)


@kernel
def _keep(scratch, slot, count, weights):
    """Drop the corners without weight, move the others up with their weights; returns (count, weights, nearest point)."""
    kept = 0
    w0, w1, w2, w3 = 0.0, 0.0, 0.0, 0.0
    v = (0.0, 0.0, 0.0)
    for i in range(count):
        w = weights[i]
        if w > 0.0:
            v = add(v, scale(w, _load(scratch, slot, i)))
            if kept != i:
                for k in range(6):
                    scratch[slot, kept, k] = scratch[slot, i, k]
            if kept == 0:
                w0 = w
            elif kept == 1:
                w1 = w
            elif kept == 2:
                w2 = w
            else:
                w3 = w
            kept += 1
    return kept, (w0, w1, w2, w3), v


@kernel
def gjk(
    kind_a, size_a, start_a, count_a, kind_b, size_b, start_b, count_b, R, p, margin, yes_no, points, scratch, slot
):
    """Distance of two cores; B stands at (R, p) in A. Uses rows 0 to 3 of the scratch.

    With yes_no it stops as soon as it is known whether the distance is at most `margin`.

    Returns (APART, MEETING, NEAR or FAR; distance; point of A; of B; unit normal from A to B; upper less lower bound).
    """
    curved = is_curved(kind_a) or is_curved(kind_b)
    meeting = _MEETING_CURVED if curved and not yes_no else _MEETING
    v = (-p[0], -p[1], -p[2])
    if dot(v, v) == 0.0:
        v = (1.0, 0.0, 0.0)
    a, b = support_pair(
        kind_a, size_a, start_a, count_a, kind_b, size_b, start_b, count_b, R, p, scale(-1.0, v), points
    )
    w = sub(a, b)
    count, weights, largest = 0, (1.0, 0.0, 0.0, 0.0), 0.0
    squared, bound = math.inf, -math.inf  # squared length of v; the best lower bound of the distance
    polished = 0.5  # relative gap at which `descend` is tried next
    nothing = (0.0, 0.0, 0.0)
    best = nothing  # the direction that gave that bound: a hair apart, the last v is less sure than the best bound
    for _ in range(_ITERATIONS):
        # w is the support along -v
        if count > 0:
            again = False
            for i in range(count):
                again = again or (
                    w[0] == scratch[slot, i, 0] and w[1] == scratch[slot, i, 1] and w[2] == scratch[slot, i, 2]
                )
            if again:
                break
        for k in range(3):
            scratch[slot, count, k] = w[k]
            scratch[slot, count, 3 + k] = a[k]
        largest = max(largest, dot(w, w))
        inside, weights = _nearest_of_simplex(scratch, slot, count + 1, False)
        if inside:
            return MEETING, 0.0, nothing, nothing, nothing, 0.0
        if count == 3 and not _squared(scratch, slot, 4, weights) < squared:
            # a new corner must bring it nearer; in a flat tetrahedron rounding may have ruled out the right triangle
            _, weights = _nearest_of_simplex(scratch, slot, 4, True)
        count, weights, v = _keep(scratch, slot, count + 1, weights)
        stalled = not dot(v, v) < squared
        squared = dot(v, v)
        if squared <= meeting * meeting * largest:
            return MEETING, 0.0, nothing, nothing, nothing, 0.0
        if stalled:
            break
        length = math.sqrt(squared)
        if yes_no and length <= margin:
            return NEAR, length, nothing, nothing, nothing, 0.0
        a, b = support_pair(
            kind_a, size_a, start_a, count_a, kind_b, size_b, start_b, count_b, R, p, scale(-1.0, v), points
        )
        w = sub(a, b)
        lower = dot(v, w) / length
        if lower > bound:
            bound, best = lower, scale(-1.0 / length, v)
        if yes_no and bound > margin:
            return FAR, bound, nothing, nothing, nothing, 0.0
        if length - bound <= 1e-13 * length:
            break
        if curved and not yes_no and length - bound < polished * length:
            polished *= 0.05
            n = scale(-1.0 / length, v)
            angle, h, n, on_a, on_b = descend(
                kind_a, size_a, start_a, count_a, kind_b, size_b, start_b, count_b, R, p, n, points
            )
            if h < 0.0 and angle <= CLOSE:
                return APART, -h, on_a, on_b, n, 0.0
    length = math.sqrt(squared)
    n = best if bound > -math.inf else unit(scale(-1.0, v))[0]
    if yes_no:
        return (NEAR if length <= margin else FAR), length, nothing, nothing, nothing, 0.0
    on_a = nothing
    for i in range(count):
        corner = (scratch[slot, i, 3], scratch[slot, i, 4], scratch[slot, i, 5])
        on_a = add(on_a, scale(weights[i], corner))
    return APART, length, on_a, add(on_a, scale(length, n)), n, length - bound
