"""Finish closed-form answers on an arm whose axes are only nearly those of its class, as files with rounded angles have them.

Newton's method (Levenberg's damping, because a free roll leaves one direction without effect) on the arm's own axes, as a
product of rotations about lines. A row that does not get there is dropped.
"""

import math

from carpal._core.compile import entry, kernel
from carpal.kinematics.inverse.kernels.branches import (
    AMOUNT,
    BRANCH,
    COUNT,
    INEXACT,
    REASON,
    add_solution,
    arrange,
    turned,
)
from carpal.kinematics.kernels.state import all_finite
from carpal.spatial.kernels.gauss import solve_general
from carpal.spatial.kernels.sincos import sincos
from carpal.spatial.kernels.vec3 import add, cross, dot, sub

EXACT = 3e-10  # [m, rad]: what counts as there
SCRATCH = [(5, 5), (5,), (5, 6)]
_STEPS = 20


@kernel
def _place(lines, q, column, v, is_point, last):
    """A point or direction of the link after joint `last` - 1, moved by the joints before it; q belongs to one row."""
    for k in range(last - 1, -1, -1):
        u = (lines[k, 0], lines[k, 1], lines[k, 2])
        s, c = sincos(q[column[k]])
        if is_point:
            o = (lines[k, 3], lines[k, 4], lines[k, 5])
            v = add(o, turned(u, s, c, sub(v, o)))
        else:
            v = turned(u, s, c, v)
    return v


@kernel
def _refine_row(lines, tool, columns, target, row, A, x, moved, world, slot):
    """Improve one row in place; returns the error that is left, the larger of metres and radians."""
    p = (target[world, 9], target[world, 10], target[world, 11])
    d = (target[world, 0], target[world, 1], target[world, 2])
    error = math.inf
    for step in range(_STEPS):
        T = _place(lines, row, columns, (tool[0], tool[1], tool[2]), True, 5)
        D = _place(lines, row, columns, (tool[3], tool[4], tool[5]), False, 5)
        e, f = sub(p, T), sub(d, D)
        error = max(abs(e[0]), abs(e[1]), abs(e[2]), abs(f[0]), abs(f[1]), abs(f[2]))
        if error < 1e-15 or step == _STEPS - 1:
            break
        for k in range(5):
            z = _place(lines, row, columns, (lines[k, 0], lines[k, 1], lines[k, 2]), False, k)
            o = _place(lines, row, columns, (lines[k, 3], lines[k, 4], lines[k, 5]), True, k)
            m, t = cross(z, sub(T, o)), cross(z, D)
            moved[slot, k, 0], moved[slot, k, 1], moved[slot, k, 2] = m
            moved[slot, k, 3], moved[slot, k, 4], moved[slot, k, 5] = t
        largest = 0.0
        for i in range(5):
            for j in range(5):
                s = 0.0
                for k in range(6):
                    s += moved[slot, i, k] * moved[slot, j, k]
                A[slot, i, j] = s
            largest = max(largest, A[slot, i, i])
            x[slot, i] = (
                moved[slot, i, 0] * e[0] + moved[slot, i, 1] * e[1] + moved[slot, i, 2] * e[2]
                + moved[slot, i, 3] * f[0] + moved[slot, i, 4] * f[1] + moved[slot, i, 5] * f[2]
            )  # fmt: skip
        for i in range(5):
            A[slot, i, i] += 1e-12 * largest
        if not solve_general(A, x, slot, 5):
            break
        longest = 0.0
        for i in range(5):
            longest = max(longest, abs(x[slot, i]))
        if not longest < 1.0:
            break
        for i in range(5):
            row[columns[i]] += x[slot, i]
        if dot(e, e) + dot(f, f) < 1e-20 and longest < 1e-12:
            break
    return error


@entry
def refine_batch(
    lines, tool, columns, q_min, q_max, target, q0, q_out, marks, summary, A, x, moved, start, stop, stride, slot
):  # fmt: skip
    """Improve every row of every world, drop what does not get there, and sort again."""
    bad = 0
    for world in range(start, stop, stride):
        if not all_finite(target, world):
            bad = world + 1
            break
        before, count, least = int(summary[world, COUNT]), 0, math.inf
        for i in range(before):
            row = q_out[world, i]
            error = _refine_row(lines, tool, columns, target, row, A, x, moved, world, slot)
            least = min(least, error)
            if error <= EXACT:
                angles = (row[columns[0]], row[columns[1]], row[columns[2]], row[columns[3]], row[columns[4]])
                count = add_solution(
                    columns, q_min, q_max, q0, angles, marks[world, i, BRANCH], q_out, marks, count, world
                )
        arrange(q_out, marks, count, world)
        summary[world, COUNT] = count
        if before > 0 and count == 0:
            summary[world, REASON], summary[world, AMOUNT] = INEXACT, least
    return bad
