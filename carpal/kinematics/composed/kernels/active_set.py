"""A small strictly convex quadratic program by the dual active-set method of Goldfarb and Idnani (1983), in place.

Minimises x^T H x / 2 - g^T x under low <= B x <= high. It starts at the minimum without constraints and adds the most violated
one, side by side with the multipliers of those that hold, so every iterate is optimal for what it holds and the method ends
after finitely many steps; both loops have a cap nevertheless.
"""

import math
from typing import NamedTuple

import numpy as np

from carpal._core.compile import kernel
from carpal.spatial.kernels.cholesky import solve_spd

SOLVED, INFEASIBLE, NOT_POSITIVE, UNFINISHED = 0, 1, 2, 3
LOW, HIGH = 0, 1  # columns of `bounds`
_ROUNDING = 1e-12  # how far a held constraint may be off, in parts of its bound above one
_DEPENDENT = 1e-24  # of the squared length of a normal: what is left of one that depends on those that hold


class Quadratic(NamedTuple):
    """A slot's program and its scratch, for n variables and m constraints.

    H (n, n) lower triangle, overwritten; g (n); B (m, n), whose rows of single variables are not read; bounds (m, 2); x (n) the
    answer. T (n, n): inverse of the factor of H, turned so that its first columns span the held normals; R (n, n) upper triangle
    of those; d, z, r, u (n).
    """

    H: np.ndarray
    g: np.ndarray
    B: np.ndarray
    bounds: np.ndarray
    x: np.ndarray
    T: np.ndarray
    R: np.ndarray
    d: np.ndarray
    z: np.ndarray
    r: np.ndarray
    u: np.ndarray


@kernel
def _unconstrained(work, n, slot):
    """`x = H^-1 g`, and the factor L of H = L L^T in its place; False where H is not positive definite."""
    for i in range(n):
        work.x[slot, i] = work.g[slot, i]
    return solve_spd(work.H, work.x, slot, n)


@kernel
def _invert_factor(work, n, slot):
    """T = L^-T."""
    H, T = work.H, work.T
    for j in range(n):
        for i in range(j):
            T[slot, j, i] = 0.0
        T[slot, j, j] = 1.0 / H[slot, j, j]
        for i in range(j + 1, n):
            s = 0.0
            for k in range(j, i):
                s -= H[slot, i, k] * T[slot, j, k]
            T[slot, j, i] = s / H[slot, i, i]


@kernel
def _most_violated(work, n, boxes, m, slot):
    """(constraint, 1 at its low side and -1 at its high side, by how much); constraint -1 where all hold."""
    found, side, worst = -1, 1.0, 0.0
    for i in range(m):
        if i < boxes:
            s = work.x[slot, i]
        else:
            s = 0.0
            for k in range(n):
                s += work.B[slot, i, k] * work.x[slot, k]
        low, high = work.bounds[slot, i, LOW], work.bounds[slot, i, HIGH]
        if low - s > max(worst, _ROUNDING * (1.0 + abs(low))):
            found, side, worst = i, 1.0, low - s
        elif s - high > max(worst, _ROUNDING * (1.0 + abs(high))):
            found, side, worst = i, -1.0, s - high
    return found, side, worst


@kernel
def _direction(work, n, boxes, count, constraint, side, slot):
    """z: where x moves; r: how the multipliers of held constraints change. (curvature along z, squared length of the normal)."""
    T, R, d, z, r = work.T, work.R, work.d, work.z, work.r
    for k in range(n):
        d[slot, k] = side * T[slot, constraint, k] if constraint < boxes else 0.0
    if constraint >= boxes:
        for j in range(n):
            b = side * work.B[slot, constraint, j]
            if b != 0.0:
                for k in range(n):
                    d[slot, k] += b * T[slot, j, k]
    curvature, total = 0.0, 0.0
    for k in range(n):
        total += d[slot, k] * d[slot, k]
        if k >= count:
            curvature += d[slot, k] * d[slot, k]
    for j in range(n):
        s = 0.0
        for k in range(count, n):
            s += T[slot, j, k] * d[slot, k]
        z[slot, j] = s
    for i in range(count - 1, -1, -1):
        s = d[slot, i]
        for k in range(i + 1, count):
            s -= R[slot, i, k] * r[slot, k]
        r[slot, i] = s / R[slot, i, i]
    return curvature, total


@kernel
def _hold(work, n, count, multiplier, slot):
    """Add the constraint whose normal stands in d to those that hold."""
    T, d = work.T, work.d
    for j in range(n - 1, count, -1):
        if d[slot, j] != 0.0:
            h = math.sqrt(d[slot, j - 1] * d[slot, j - 1] + d[slot, j] * d[slot, j])
            c, s = d[slot, j - 1] / h, d[slot, j] / h
            d[slot, j - 1], d[slot, j] = h, 0.0
            for i in range(n):
                a, b = T[slot, i, j - 1], T[slot, i, j]
                T[slot, i, j - 1], T[slot, i, j] = c * a + s * b, c * b - s * a
    for i in range(count + 1):
        work.R[slot, i, count] = d[slot, i]
    work.u[slot, count] = multiplier


@kernel
def _release(work, n, count, place, slot):
    """Take the held constraint at a place out; those after it move up."""
    T, R, u = work.T, work.R, work.u
    for k in range(place, count - 1):
        u[slot, k] = u[slot, k + 1]
        for i in range(k + 2):
            R[slot, i, k] = R[slot, i, k + 1]
    for j in range(place, count - 1):
        h = math.sqrt(R[slot, j, j] * R[slot, j, j] + R[slot, j + 1, j] * R[slot, j + 1, j])
        if h > 0.0:
            c, s = R[slot, j, j] / h, R[slot, j + 1, j] / h
            for k in range(j, count - 1):
                a, b = R[slot, j, k], R[slot, j + 1, k]
                R[slot, j, k], R[slot, j + 1, k] = c * a + s * b, c * b - s * a
            for i in range(n):
                a, b = T[slot, i, j], T[slot, i, j + 1]
                T[slot, i, j], T[slot, i, j + 1] = c * a + s * b, c * b - s * a


@kernel
def _enforce(work, n, boxes, count, constraint, side, gap, slot):
    """Move to where a violated constraint holds too; returns (status, constraints that hold)."""
    x, u, multiplier = work.x, work.u, 0.0
    for _ in range(n + 2):  # each turn but the last releases a held constraint, of which there are at most n
        curvature, total = _direction(work, n, boxes, count, constraint, side, slot)
        longest, place = math.inf, -1  # before a held constraint's multiplier changes its sign
        for k in range(count):
            if work.r[slot, k] > 0.0 and u[slot, k] < longest * work.r[slot, k]:
                longest, place = u[slot, k] / work.r[slot, k], k
        whole = gap / curvature if curvature > _DEPENDENT * total else math.inf
        t = min(longest, whole)
        if t == math.inf:
            return INFEASIBLE, count
        for k in range(count):
            u[slot, k] -= t * work.r[slot, k]
        multiplier += t
        if whole < math.inf:
            for j in range(n):
                x[slot, j] += t * work.z[slot, j]
            gap -= t * curvature
        if whole <= longest:
            _hold(work, n, count, multiplier, slot)
            return SOLVED, count + 1
        _release(work, n, count, place, slot)
        count -= 1
    return UNFINISHED, count


@kernel
def solve_quadratic(work, n, boxes, m, slot):
    """work.x[slot]: the minimum under the constraints, of which the first `boxes` bound a variable each; SOLVED or why not."""
    if not _unconstrained(work, n, slot):
        return NOT_POSITIVE
    count, fresh = 0, True
    for _ in range(10 * (n + m) + 10):
        constraint, side, gap = _most_violated(work, n, boxes, m, slot)
        if constraint < 0:
            return SOLVED
        if fresh:
            _invert_factor(work, n, slot)
            fresh = False
        status, count = _enforce(work, n, boxes, count, constraint, side, gap, slot)
        if status != SOLVED:
            return status
    return UNFINISHED
