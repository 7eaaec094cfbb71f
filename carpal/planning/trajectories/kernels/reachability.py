"""The fastest pace along a path by reachability analysis.

Pham, Pham, "A new approach to time-optimal path parameterization based on reachability analysis", IEEE T-RO 34, 2018.

Along a path q(s) the unknowns at grid point i are x = (ds/dt)^2 and u = d2s/dt2, constant until the next, so that
x_{i+1} = x_i + 2 d u. A limit is a row lo <= a u + b x <= hi: a = q', b = q'' and the acceleration limit; or a = M q',
b = M q'' + C(q, q') q' and the torque that gravity leaves. Rows are asked for at both ends of a step (the end's row in terms
of the start's x and u), from that step's side: the second derivative of a cubic path jumps at its knots.
Backwards: which x at i have a u that leads into the controllable interval at i + 1. Forwards: the largest such u.

The linear programme in (u, x) needs no general solver: for given x the rows leave the interval [low(x), high(x)] of u, whose
length is a concave function of x, and Newton's method from outside meets its zero in at most as many steps as rows.

Between grid points a limit can be missed: x is linear in s there and q'' of a cubic too, so it is seen exactly, and
the step's own limits are tightened by what they were missed by before the pace is found again.
"""

import math
from typing import NamedTuple

import numpy as np

from carpal._core.compile import entry, kernel, leaf

# what a world can come out as: done; no pace at all keeps the limits at a grid point; no start or end with that speed
DONE, NO_PACE, NO_START = 0.0, 1.0, 2.0
# columns of a report: what came out, grid point, how far limits are still missed between grid points (1: not)
OUTCOME, PLACE, MISSED = 0, 1, 2
REPORT = 3
_FLAT = 1e-9  # a row whose u counts for less than this, beside its x, limits x alone
_STEPS = 64
_SLOWEST = 1e-3  # share of the largest x below which a pace need not go
_ROUNDS = 10
_ENOUGH = 1.0005  # limits missed by less than this between grid points are left to the caller


class Rows(NamedTuple):
    """Limits of every step [world, step, row]: where it begins (0) and where it ends (1); the first rows are accelerations.

    steps [world, step], scale [world, step]: share of the acceleration limits that a step may use; x_max [world, point].
    """

    a0: np.ndarray
    b0: np.ndarray
    a1: np.ndarray
    b1: np.ndarray
    low0: np.ndarray
    high0: np.ndarray
    low1: np.ndarray
    high1: np.ndarray
    steps: np.ndarray
    scale: np.ndarray
    x_max: np.ndarray
    accelerations: int


@leaf
def _row(rows, world, i, r):
    """(a, b, least, most) of row r of step i; the second half are the rows at the step's end, in terms of its start."""
    n = rows.a0.shape[2]
    if r < n:
        a, b = rows.a0[world, i, r], rows.b0[world, i, r]
        least, most = rows.low0[world, i, r], rows.high0[world, i, r]
    else:
        r -= n
        b = rows.b1[world, i, r]
        a = rows.a1[world, i, r] + 2.0 * rows.steps[world, i] * b
        least, most = rows.low1[world, i, r], rows.high1[world, i, r]
    if r < rows.accelerations:
        least, most = rows.scale[world, i] * least, rows.scale[world, i] * most
    return a, b, least, most


@leaf
def _u_range(rows, world, i, next_low, next_high, x):
    """(low, high, and their slopes by x) of u at x, from all rows and from where the next interval is."""
    two = 2.0 * rows.steps[world, i]
    lo, lo_slope = (next_low - x) / two, -1.0 / two
    hi, hi_slope = (next_high - x) / two, -1.0 / two
    for r in range(2 * rows.a0.shape[2]):
        a, b, least, most = _row(rows, world, i, r)
        if abs(a) > _FLAT * (abs(b) + 1.0):
            first, second = (least - b * x) / a, (most - b * x) / a
            slope = -b / a
            if a < 0.0:
                first, second = second, first
            if first > lo:
                lo, lo_slope = first, slope
            if second < hi:
                hi, hi_slope = second, slope
    return lo, hi, lo_slope, hi_slope


@leaf
def _flat_range(rows, world, i):
    """(least, most) x that the speeds and the rows without u leave."""
    least_x, most_x = 0.0, rows.x_max[world, i]
    for r in range(2 * rows.a0.shape[2]):
        a, b, least, most = _row(rows, world, i, r)
        if abs(a) <= _FLAT * (abs(b) + 1.0) and abs(b) > 0.0:
            first, second = least / b, most / b
            if b < 0.0:
                first, second = second, first
            least_x, most_x = max(least_x, first), min(most_x, second)
    return least_x, most_x


@leaf
def _creep(rows, world, i, most):
    """The least x worth having inside a path: where a bend is sharp, standing still would be allowed and last for ever."""
    if i == 0:
        return 0.0
    _, most_u, _, _ = _u_range(rows, world, i - 1, 0.0, 1e300, 0.0)
    return min(_SLOWEST * most, 0.01 * 2.0 * rows.steps[world, i - 1] * max(most_u, 0.0))


@kernel
def controllable(rows, reach, world):
    """Backwards: fill reach[world, i] with the least and the largest x; returns the grid point that has none, or -1."""
    for i in range(rows.steps.shape[1] - 1, -1, -1):
        next_low, next_high = reach[world, i + 1, 0], reach[world, i + 1, 1]
        least, most = _flat_range(rows, world, i)
        for side in range(2):  # from above, then from below
            x = most if side == 0 else least
            found = False
            for _ in range(_STEPS):
                lo, hi, lo_slope, hi_slope = _u_range(rows, world, i, next_low, next_high, x)
                gap, slope = hi - lo, hi_slope - lo_slope
                if gap >= -1e-12 * (1.0 + abs(hi)):
                    found = True
                    break
                if (side == 0 and slope >= 0.0) or (side == 1 and slope <= 0.0):
                    break  # the other way it only gets worse
                move = gap / slope
                x -= move
                if x < least - 1e-15 or x > most + 1e-15:
                    break
                if abs(move) <= 1e-13 * x:  # a row that hardly holds u: rounding, no more to be gained
                    found = True
                    break
            if not found:
                return i
            if side == 0:
                most = x
            else:
                least = min(x, most)
        reach[world, i, 0], reach[world, i, 1] = max(least, _creep(rows, world, i, most)), most
    return -1


@kernel
def forward(rows, ends, reach, x, world):
    """The largest u from grid point to grid point; fills x[world] and returns (what came out, grid point)."""
    here = ends[world, 0] if ends[world, 0] >= 0.0 else reach[world, 0, 1]
    if here > reach[world, 0, 1] * (1.0 + 1e-9) + 1e-15 or here < reach[world, 0, 0] * (1.0 - 1e-9) - 1e-15:
        return NO_START, 0
    x[world, 0] = here
    for i in range(rows.steps.shape[1]):
        next_low, next_high = reach[world, i + 1, 0], reach[world, i + 1, 1]
        _, u, _, _ = _u_range(rows, world, i, next_low, next_high, here)
        here = min(max(here + 2.0 * rows.steps[world, i] * u, next_low), next_high)
        x[world, i + 1] = here
        if not here + x[world, i] > 0.0:  # it would take for ever
            return NO_PACE, i
    return DONE, 0


@leaf
def _squared_speed(a, b, c, x0, dx, f):
    rate = a + f * (b + f * c)
    return rate * rate * (x0 + f * dx)


@leaf
def _fastest(a, b, c, x0, dx):
    """The largest squared speed inside a step: of (a + b f + c f^2)^2 (x0 + dx f) for f from 0 to 1."""
    best = max(_squared_speed(a, b, c, x0, dx, 0.0), _squared_speed(a, b, c, x0, dx, 1.0))
    # its derivative, without the factor where the joint turns round
    k2, k1, k0 = 5.0 * c * dx, 3.0 * b * dx + 4.0 * c * x0, 2.0 * b * x0 + a * dx
    root = k1 * k1 - 4.0 * k2 * k0
    if root >= 0.0:
        s = -0.5 * (k1 + math.copysign(math.sqrt(root), k1))
        if s != 0.0 and 0.0 < k0 / s < 1.0:
            best = max(best, _squared_speed(a, b, c, x0, dx, k0 / s))
        if k2 != 0.0 and 0.0 < s / k2 < 1.0:
            best = max(best, _squared_speed(a, b, c, x0, dx, s / k2))
    return best


@kernel
def missed_between(rows, speed, x, world):
    """The largest share by which accelerations and speeds are missed inside steps; tightens those steps."""
    worst = 1.0
    for i in range(rows.steps.shape[1]):
        step, x0, x1 = rows.steps[world, i], x[world, i], x[world, i + 1]
        u = 0.5 * (x1 - x0) / step
        hard, fast = 1.0, 1.0
        for r in range(rows.accelerations):
            a0, b0, bend = rows.a0[world, i, r], rows.b0[world, i, r], rows.b1[world, i, r] - rows.b0[world, i, r]
            # along the step, f from 0 to 1, the acceleration is the parabola g0 + g1 f + g2 f^2
            g0 = a0 * u + b0 * x0
            g1 = 1.5 * b0 * (x1 - x0) + bend * x0
            g2 = 1.25 * bend * (x1 - x0)
            limit = rows.high0[world, i, r]
            hard = max(hard, abs(g0 + g1 + g2) / limit)
            if g1 * g2 < 0.0 and abs(g1) < 2.0 * abs(g2):
                hard = max(hard, abs(g0 - 0.25 * g1 * g1 / g2) / limit)
            fast = max(fast, _fastest(a0, step * b0, 0.5 * step * bend, x0, x1 - x0) / (speed[r] * speed[r]))
        if hard > 1.0:
            rows.scale[world, i] /= hard
        if fast > 1.0:
            rows.x_max[world, i] /= fast
            rows.x_max[world, i + 1] /= fast
        worst = max(worst, max(hard, fast))
    return worst


@entry
def pace_batch(
    a0, b0, a1, b1, low0, high0, low1, high1, steps, scale, x_max, accelerations, speed, ends, reach, x, report,
    start, stop, stride, slot,
):  # fmt: skip
    """The fastest pace of every world's path; `ends` [world, 2]: x at the start and at the end, -1 for any."""
    rows = Rows(a0, b0, a1, b1, low0, high0, low1, high1, steps, scale, x_max, accelerations)
    n = steps.shape[1]
    bad = 0
    for world in range(start, stop, stride):
        report[world, OUTCOME], report[world, PLACE], report[world, MISSED] = NO_START, n, 1.0
        if not math.isfinite(ends[world, 0] + ends[world, 1]):
            bad = world + 1 if bad == 0 else bad
            continue
        for _ in range(_ROUNDS):
            end = ends[world, 1]
            if end > x_max[world, n] * (1.0 + 1e-12):
                break
            reach[world, n, 0], reach[world, n, 1] = max(end, 0.0), (end if end >= 0.0 else x_max[world, n])
            lost = controllable(rows, reach, world)
            if lost >= 0:
                report[world, OUTCOME], report[world, PLACE] = NO_PACE, lost
                break
            outcome, place = forward(rows, ends, reach, x, world)
            report[world, OUTCOME], report[world, PLACE] = outcome, place
            if outcome != DONE:
                break
            report[world, MISSED] = missed_between(rows, speed, x, world)
            if report[world, MISSED] <= _ENOUGH:
                break
    return bad
