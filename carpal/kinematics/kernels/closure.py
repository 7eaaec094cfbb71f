"""Close the loops of one world: dependent joints move by damped Gauss-Newton steps, the others stay.

The shortest step is taken where equations repeat each other (a planar loop of points has one that is always met). A step that
does not lessen the residual raises the damping; the number of steps has a cap.
"""

from typing import NamedTuple

import numpy as np

from carpal._core.compile import entry, kernel
from carpal.kinematics.kernels.constraints import (
    fold_followers,
    follower_position,
    follower_slope,
    loop_jacobian,
    loop_residual,
    place_loops,
    put_followers,
)
from carpal.kinematics.kernels.integrate import integrate_body
from carpal.kinematics.kernels.state import all_finite, freedoms
from carpal.model.kernels.constraint_tables import Q_FOLLOWER, ROW, V_FOLLOWER, V_LEADER
from carpal.model.kernels.tables import KIND, V_INDEX
from carpal.spatial.kernels.cholesky import solve_spd

TOLERANCE = 1e-12  # [m, rad]
_LEAST_DAMPING, _MOST_DAMPING, _LONGEST = 1e-13, 1e6, 0.5


class Closure(NamedTuple):
    """Scratch of a slot: tried configuration, residuals at both configurations, Jacobian, normal matrix, step, body poses."""

    q_try: np.ndarray
    r: np.ndarray
    r_try: np.ndarray
    G: np.ndarray
    A: np.ndarray
    step: np.ndarray
    scratch: np.ndarray


@kernel
def normal_matrix(joints, tables, G, rows, A, damping, slot):
    """A[slot] = G_D^T G_D (lower triangle) of the dependent columns, plus damping in parts of its largest diagonal; its width."""
    n, largest = 0, 0.0
    for a in range(tables.dependent.shape[0]):
        body = tables.dependent[a]
        for i in range(freedoms(joints[body, KIND])):
            column, m = joints[body, V_INDEX] + i, 0
            for b in range(a + 1):
                other = tables.dependent[b]
                for j in range(freedoms(joints[other, KIND])):
                    if m <= n:
                        s = 0.0
                        for k in range(rows):
                            s += G[slot, k, column] * G[slot, k, joints[other, V_INDEX] + j]
                        A[slot, n, m] = s
                    m += 1
            largest = max(largest, A[slot, n, n])
            n += 1
    for i in range(n):
        A[slot, i, i] += damping * largest + 1e-300
    return n


@kernel
def dependent_gradient(joints, tables, G, rows, r, x, slot):
    """x[slot] = -G_D^T r of the dependent columns."""
    n = 0
    for a in range(tables.dependent.shape[0]):
        body = tables.dependent[a]
        for i in range(freedoms(joints[body, KIND])):
            s = 0.0
            for k in range(rows):
                s -= G[slot, k, joints[body, V_INDEX] + i] * r[slot, k]
            x[slot, n] = s
            n += 1


@kernel
def _try_step(joints, tables, q, work, n, slot):
    """work.q_try[slot] = q[slot] with the dependent joints moved by work.step[slot], no farther than the longest step."""
    size = 0.0
    for i in range(n):
        size = max(size, abs(work.step[slot, i]))
    shrink = 1.0 if size <= _LONGEST else _LONGEST / size
    for i in range(q.shape[1]):
        work.q_try[slot, i] = q[slot, i]
    column = 0
    for a in range(tables.dependent.shape[0]):
        body = tables.dependent[a]
        integrate_body(joints, body, q, work.step, column, shrink, work.q_try, slot)
        column += freedoms(joints[body, KIND])


@kernel
def close(joints, bodies, tables, q, work, steps, slot):
    """Move followers and dependent joints of q[slot] until couplings and loops are satisfied.

    Returns (the largest residual that is left [m, rad], steps taken).
    """
    put_followers(tables.couplings, q, slot)
    if tables.loops.shape[0] == 0:
        return 0.0, 0
    rows = work.r.shape[1]
    place_loops(joints, bodies, tables, q, work.scratch, slot, slot)
    largest, squares = loop_residual(tables, work.r, 0, work.scratch, slot, slot)
    damping, taken, fresh = _LEAST_DAMPING, 0, True
    while largest > TOLERANCE and taken < steps and tables.dependent.shape[0] > 0:
        taken += 1
        if fresh:
            loop_jacobian(joints, bodies, tables, work.G, 0, work.scratch, slot, slot)
            fold_followers(tables.couplings, q, slot, work.G, rows, slot)
        n = normal_matrix(joints, tables, work.G, rows, work.A, damping, slot)
        dependent_gradient(joints, tables, work.G, rows, work.r, work.step, slot)
        fresh = solve_spd(work.A, work.step, slot, n)
        if fresh:
            _try_step(joints, tables, q, work, n, slot)
            put_followers(tables.couplings, work.q_try, slot)
            place_loops(joints, bodies, tables, work.q_try, work.scratch, slot, slot)
            largest_try, squares_try = loop_residual(tables, work.r_try, 0, work.scratch, slot, slot)
            fresh = squares_try < squares
        if fresh:
            for i in range(q.shape[1]):
                q[slot, i] = work.q_try[slot, i]
            for i in range(rows):
                work.r[slot, i] = work.r_try[slot, i]
            largest, squares = largest_try, squares_try
            damping = max(0.01 * damping, _LEAST_DAMPING)
        else:
            damping = 100.0 * damping if damping > 1e-10 else 1e-8
            if damping > _MOST_DAMPING:
                break
    return largest, taken


@entry
def close_batch(
    joints, bodies, tables, steps, q_given, q_out, report, q, q_try, r, r_try, G, A, step, scratch,
    start, stop, stride, slot,
):  # fmt: skip
    """`close` over worlds; report[world]: residual and steps."""
    work = Closure(q_try, r, r_try, G, A, step, scratch)
    bad = 0
    for world in range(start, stop, stride):
        finite = all_finite(q_given, world)
        for i in range(q.shape[1]):
            q[slot, i] = q_given[world, i] if finite else 0.0
        if finite:
            report[world, 0], report[world, 1] = close(joints, bodies, tables, q, work, steps, slot)
        for i in range(q.shape[1]):
            q_out[world, i] = q[slot, i]
        if not (finite and all_finite(q_out, world)) and bad == 0:
            bad = world + 1
    return bad


@entry
def constraint_batch(joints, bodies, tables, with_jacobian, q, r, J, scratch, start, stop, stride, slot):
    """Residuals r (worlds, rows) of couplings, then loops; with_jacobian: also their Jacobian J (worlds, rows, nv)."""
    couplings = tables.couplings
    count, bad = couplings.shape[0], 0
    for world in range(start, stop, stride):
        place_loops(joints, bodies, tables, q, scratch, world, slot)
        for k in range(count):
            r[world, int(couplings[k, ROW])] = q[world, int(couplings[k, Q_FOLLOWER])] - follower_position(
                couplings, k, q, world
            )
        loop_residual(tables, r, count, scratch, world, slot)
        if with_jacobian:
            coupling_jacobian(couplings, q, J, world)
            loop_jacobian(joints, bodies, tables, J, count, scratch, world, slot)
        if not (all_finite(q, world) and all_finite(r, world)) and bad == 0:
            bad = world + 1
    return bad


@kernel
def coupling_jacobian(couplings, q, J, world):
    """Rows of the couplings in J[world]."""
    for k in range(couplings.shape[0]):
        row = int(couplings[k, ROW])
        for j in range(J.shape[2]):
            J[world, row, j] = 0.0
        J[world, row, int(couplings[k, V_FOLLOWER])] = 1.0
        if couplings[k, V_LEADER] >= 0.0:
            J[world, row, int(couplings[k, V_LEADER])] = -follower_slope(couplings, k, q, world)
