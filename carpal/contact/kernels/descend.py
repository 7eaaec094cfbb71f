"""Newton's method on the overlap h(n) of two cores along a direction n, where both are smooth there.

h(n) = max over A of n . a - min over B of n . b is minus the distance, or the depth, at its least over all unit n. In the
plane tangent to the sphere of directions its gradient is that of w = a - b, and its second derivative the sum of the radii
of curvature less h. `gjk` and `epa` come near; three or four Newton steps then give all digits, which those two would
approach only step by step on a curved surface.

The whole side of a capsule or cylinder, or edge of a box, is farthest along an n across it: h has a crease there, and many
overlaps are least on it. `descend_crease` goes down along the crease.
"""

import math

from carpal._core.compile import kernel, leaf
from carpal.contact.kernels.kinds import BOX, CAPSULE, CYLINDER
from carpal.contact.kernels.segments import perpendicular, unit
from carpal.contact.kernels.support import spread_local, support_pair
from carpal.spatial.kernels.vec3 import (
    add,
    cross,
    dot,
    rotate,
    rotate_back,
    rotate_symmetric,
    scale,
    sub,
    symmetric_times,
)

CLOSE = 1e-9  # [rad, m] length of the last Newton step, and of w across n, at which a direction counts as found
_STEPS = 8
_LEVEL = 1e-12  # [m] where slope and stiffness are both below this, h is level
_CREASE = 0.05  # cosine to an axis within which a direction is taken for one across it


@leaf
def _curvature(kind_a, size_a, kind_b, size_b, R, n, e):
    """(W_A + W_B) e in A's frame: how far w moves when n turns along e."""
    b = rotate_symmetric(R, spread_local(kind_b, size_b, rotate_back(R, n)))
    return add(symmetric_times(spread_local(kind_a, size_a, n), e), symmetric_times(b, e))


@kernel
def descend(kind_a, size_a, start_a, count_a, kind_b, size_b, start_b, count_b, R, p, n, points):
    """From the unit direction n down to one where h is least around it.

    Returns (what is still to go, compare it with CLOSE, infinite where there is no such direction; overlap; direction; support
    point of A; of B), all in A's frame.
    """
    a, b = support_pair(kind_a, size_a, start_a, count_a, kind_b, size_b, start_b, count_b, R, p, n, points)
    w = sub(a, b)
    h = dot(w, n)
    angle = math.inf
    for _ in range(_STEPS):
        e = perpendicular(n)
        f = cross(n, e)
        We = _curvature(kind_a, size_a, kind_b, size_b, R, n, e)
        Wf = _curvature(kind_a, size_a, kind_b, size_b, R, n, f)
        xx, xy, yy = dot(We, e) - h, dot(We, f), dot(Wf, f) - h
        determinant = xx * yy - xy * xy
        g, k = dot(w, e), dot(w, f)
        if not (xx > 0.0 and determinant > 1e-12 * xx * yy):
            # concentric round shapes: every direction is as good, so that this one need only be stationary
            across = math.sqrt(g * g + k * k)
            level = across <= _LEVEL and xx > -_LEVEL and yy > -_LEVEL and determinant > -_LEVEL * _LEVEL
            return (across if level else math.inf), h, n, a, b
        x, y = -(yy * g - xy * k) / determinant, -(xx * k - xy * g) / determinant
        # beside a rim the radii are without bound, and a short step is no sign of having arrived: w must be along n, too
        angle = max(math.sqrt(x * x + y * y), math.sqrt(g * g + k * k))
        if angle <= 1e-3 * CLOSE:
            break
        n_try = unit(add(n, add(scale(x, e), scale(y, f))))[0]
        a_try, b_try = support_pair(
            kind_a, size_a, start_a, count_a, kind_b, size_b, start_b, count_b, R, p, n_try, points
        )
        w_try = sub(a_try, b_try)
        h_try = dot(w_try, n_try)
        if not h_try <= h + 1e-15 * (abs(h) + dot(w, w)):
            break
        n, a, b, w, h = n_try, a_try, b_try, w_try, h_try
    return angle, h, n, a, b


@kernel
def _along_crease(axis, kind_a, size_a, start_a, count_a, kind_b, size_b, start_b, count_b, R, p, n, points):
    """Newton's method over the directions across a unit axis; returns as `descend`."""
    n = unit(sub(n, scale(dot(n, axis), axis)))[0]
    angle = math.inf
    a, b = support_pair(kind_a, size_a, start_a, count_a, kind_b, size_b, start_b, count_b, R, p, n, points)
    for _ in range(_STEPS):
        w = sub(a, b)
        h = dot(w, n)
        t = cross(axis, n)
        stiffness = dot(_curvature(kind_a, size_a, kind_b, size_b, R, n, t), t) - h
        if not stiffness > _LEVEL:  # coaxial: as above
            across = abs(dot(w, t))
            return (across if across <= _LEVEL and stiffness > -_LEVEL else math.inf), h, n, a, b
        x = -dot(w, t) / stiffness
        angle = max(abs(x), abs(dot(w, t)))
        if angle <= 1e-3 * CLOSE or angle > 1.0:
            break
        n = unit(add(n, scale(x, t)))[0]
        n = unit(sub(n, scale(dot(n, axis), axis)))[0]
        a, b = support_pair(kind_a, size_a, start_a, count_a, kind_b, size_b, start_b, count_b, R, p, n, points)
    return angle, dot(sub(a, b), n), n, a, b


@leaf
def _line_half(kind, size, i):
    """Half length of the lines that a shape has along its axis i: sides of capsule and cylinder, edges of a box; 0: none."""
    if kind == BOX:
        return size[i]
    return size[1] if i == 2 and (kind == CAPSULE or kind == CYLINDER) else 0.0


@kernel
def descend_crease(kind_a, size_a, start_a, count_a, kind_b, size_b, start_b, count_b, R, p, n, points):
    """As `descend`, among the directions across a line of A or B that n is nearly across already."""
    zero = (0.0, 0.0, 0.0)
    for k in range(6):
        of_a, i = k < 3, k % 3
        half = _line_half(kind_a, size_a, i) if of_a else _line_half(kind_b, size_b, i)
        axis = (1.0 if i == 0 else 0.0, 1.0 if i == 1 else 0.0, 1.0 if i == 2 else 0.0)
        if not of_a:
            axis = rotate(R, axis)
        if half == 0.0 or abs(dot(n, axis)) > _CREASE:
            continue
        angle, h, m, a, b = _along_crease(
            axis, kind_a, size_a, start_a, count_a, kind_b, size_b, start_b, count_b, R, p, n, points
        )
        if angle > CLOSE:
            continue
        if of_a and i == 2 and kind_a != BOX and (kind_b == CAPSULE or kind_b == CYLINDER):
            along = (R[2], R[5], R[8])
            if abs(along[2]) > 0.5 and abs(dot(m, along)) < 1e-12:  # side by side: the middle of what they share
                reach = size_b[1] * abs(along[2])
                z = 0.5 * (max(p[2] - reach, -half) + min(p[2] + reach, half))
                if abs(z) <= half and abs(z - p[2]) <= reach:
                    return angle, h, m, (a[0], a[1], z), add(b, scale((z - b[2]) / along[2], along))
        z = dot(b, axis) if of_a else dot(sub(a, p), axis)
        if abs(z) <= half:
            if of_a:
                a = add(a, scale(z - dot(a, axis), axis))
            else:
                b = add(b, scale(z - dot(sub(b, p), axis), axis))
            return angle, h, m, a, b
    return math.inf, 0.0, n, zero, zero


@leaf
def _own_axis(kind, size, i, R):
    """(Whether a line runs along axis i, whether a flat face lies across it, that axis turned by R)."""
    axis = rotate(R, (1.0 if i == 0 else 0.0, 1.0 if i == 1 else 0.0, 1.0 if i == 2 else 0.0))
    return _line_half(kind, size, i) > 0.0, kind == BOX or (i == 2 and kind == CYLINDER), axis


@kernel
def least_flat(kind_a, size_a, start_a, count_a, kind_b, size_b, start_b, count_b, R, p, points):
    """The least overlap across flat faces and pairs of lines (sides, edges), as (overlap, unit direction).

    Overlaps are often least there, in a pit so narrow among the directions that a search from elsewhere can miss it.
    """
    least, n = math.inf, (0.0, 0.0, 1.0)
    one = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
    for k in range(15):
        wanted, m = False, n
        if k < 3:
            _, wanted, m = _own_axis(kind_a, size_a, k, one)
        elif k < 6:
            _, wanted, m = _own_axis(kind_b, size_b, k - 3, R)
        else:
            line_a, _, u = _own_axis(kind_a, size_a, (k - 6) // 3, one)
            line_b, _, v = _own_axis(kind_b, size_b, (k - 6) % 3, R)
            m, sine = unit(cross(u, v))
            wanted = line_a and line_b and sine > 1e-7
        if wanted:
            for side in range(2):
                d = m if side == 0 else scale(-1.0, m)
                a, b = support_pair(kind_a, size_a, start_a, count_a, kind_b, size_b, start_b, count_b, R, p, d, points)
                h = dot(d, sub(a, b))
                if h < least:
                    least, n = h, d
    return least, n
