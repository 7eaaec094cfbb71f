"""What closed forms share: one equation a cos x + b sin x = c, angles near a start, limits, order, no duplicates."""

import math

from carpal._core.compile import kernel, leaf
from carpal.spatial.kernels.vec3 import cross, dot, scale

TURN = 2.0 * math.pi
_PER_TURN = 1.0 / TURN
SNAP = 1e-10  # [rad]: an angle this little outside its limits is put on them, rounding must not close a limit
SAME = 1e-7  # [rad]: closer solutions are one; two that merge at a fold are never better than this apart
_FOLD = 1e-15
# columns of the marks of a row
INSIDE, BRANCH, DISTANCE = 0, 1, 2
MARKS = 3
# columns of the summary of a world
COUNT, REASON, AMOUNT, FREE, HELD = 0, 1, 2, 3, 4
SUMMARY = 5
# reasons why there is no solution; the amount is in metres or radians
NO_REASON, TOO_FAR, TOO_NEAR, HOLLOW, OUT_OF_PLANE, CONE, BEYOND, INEXACT = 0, 1, 2, 3, 4, 5, 6, 7


@leaf
def vector(geo, first):
    """Three numbers of the geometry's table."""
    return geo[first], geo[first + 1], geo[first + 2]


@leaf
def turned(u, s, c, v):
    """The vector v turned about the unit vector u; s and c are the sine and cosine of the angle (Rodrigues)."""
    along = dot(u, v) * (1.0 - c)
    w = cross(u, v)
    return (
        c * v[0] + s * w[0] + along * u[0],
        c * v[1] + s * w[1] + along * u[1],
        c * v[2] + s * w[2] + along * u[2],
    )


@leaf
def across(u, v):
    """The part of v at right angles to the unit vector u."""
    w = scale(dot(u, v), u)
    return v[0] - w[0], v[1] - w[1], v[2] - w[2]


@leaf
def short_of_fold(x, loose):
    """A sine or cosine between -1 and 1; for an arm that is not quite of its class it stops short of the fold by `loose`.

    So the two branches that meet there start apart, and can be finished on the arm as it is.
    """
    most = 1.0 - min(loose, 0.5)
    return max(-most, min(most, x))


@leaf
def sine_of(cosine):
    """Sqrt(1 - x^2); zero at a fold, where x is within its own rounding of one and its root would be noise of 3e-8."""
    square = (1.0 - cosine) * (1.0 + cosine)
    return math.sqrt(square) if square > _FOLD else 0.0


@leaf
def wrapped(angle):
    """The same angle between -pi and pi."""
    return angle - TURN * math.floor(angle * _PER_TURN + 0.5)


@leaf
def settle(angle, near, low, high):
    """The same angle, whole turns away: inside the limits and next to `near` where possible, else where it is least outside."""
    x = near + wrapped(angle - near)
    if low <= x <= high:
        return x
    if x > high + SNAP:
        x -= TURN * math.ceil((x - high - SNAP) * _PER_TURN)
        if x < low - SNAP and x + TURN - high < low - x:
            x += TURN
    elif x < low - SNAP:
        x += TURN * math.ceil((low - SNAP - x) * _PER_TURN)
        if x > high + SNAP and low - (x - TURN) < x - high:
            x -= TURN
    if high < x <= high + SNAP:
        return high
    if low - SNAP <= x < low:
        return low
    return x


@leaf
def add_solution(columns, q_min, q_max, q0, angles, branch, q_out, marks, count, world):
    """Write a solution of five joints as the next row, unless it is there already; returns how many rows there are."""
    distance, inside = 0.0, 1.0
    if q0.shape[1] > 5:  # joints that do not move the tool stay
        for i in range(q0.shape[1]):
            q_out[world, count, i] = q0[world, i]
    for k in range(5):
        i = columns[k]
        x = settle(angles[k], q0[world, i], q_min[i], q_max[i])
        q_out[world, count, i] = x
        distance += (x - q0[world, i]) * (x - q0[world, i])
        if not q_min[i] <= x <= q_max[i]:
            inside = 0.0
    for row in range(count):
        if abs(distance - marks[world, row, DISTANCE]) <= 1e-4 * (1.0 + distance):  # cheap test before the real one
            same = True
            for k in range(5):
                i = columns[k]
                if abs(wrapped(q_out[world, row, i] - q_out[world, count, i])) > SAME:
                    same = False
            if same:
                return count
    marks[world, count, INSIDE] = inside
    marks[world, count, BRANCH] = branch
    marks[world, count, DISTANCE] = distance
    return count + 1


@kernel
def arrange(q_out, marks, count, world):
    """Sort the rows by distance and make the rest NaN."""
    nan = math.nan
    rows, width = q_out.shape[1], q_out.shape[2]
    for i in range(count - 1):
        best = i
        for j in range(i + 1, count):
            if marks[world, j, DISTANCE] < marks[world, best, DISTANCE]:
                best = j
        if best != i:
            for k in range(width):
                kept = q_out[world, i, k]
                q_out[world, i, k] = q_out[world, best, k]
                q_out[world, best, k] = kept
            for k in range(3):
                kept = marks[world, i, k]
                marks[world, i, k] = marks[world, best, k]
                marks[world, best, k] = kept
    for i in range(count, rows):
        for k in range(width):
            q_out[world, i, k] = nan
        marks[world, i, INSIDE] = 0.0
        marks[world, i, BRANCH] = -1.0
        marks[world, i, DISTANCE] = nan
