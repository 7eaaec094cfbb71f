"""Inverse kinematics of six joints by Newton-Raphson on ZXZ angles and position (Yesmunt 2014, section 5.1), corrected.

R = Rz(psi) Rx(theta) Rz(phi). Errata: E1, the step is q - J^-1 f, and residuals and finite differences of angles are wrapped;
E2, psi = atan2(A13, -A23); E3, the singular attitude is |A33| = 1, not A33 = 0. Yesmunt's Jacobian is a forward difference of
0.12 rad, available as an option; the analytic one is the default. Joint limits play no part in the steps.
"""

import math

from carpal._core.compile import kernel, leaf
from carpal.kinematics.inverse.kernels.ik_task import (
    DIFFERENCE,
    TARGET_P,
    TARGET_R,
    fill_task_jacobian,
    length,
    move_chain,
    place_tool,
    reached,
    task_error,
)
from carpal.model.kernels.tables import matrix_at, vector_at
from carpal.spatial.kernels.gauss import solve_general


@leaf
def zxz_angles(R):
    """(theta, phi, psi) of R = Rz(psi) Rx(theta) Rz(phi); at the singular attitude phi = 0."""
    s = math.sqrt(R[6] * R[6] + R[7] * R[7])
    theta = math.atan2(s, R[8])
    if s < 1e-12:
        return theta, 0.0, math.atan2(R[3], R[0])
    return theta, math.atan2(R[6], R[7]), math.atan2(R[2], -R[5])


@leaf
def wrapped(angle):
    """The same angle in (-pi, pi]."""
    return angle - 2.0 * math.pi * math.ceil((angle - math.pi) / (2.0 * math.pi))


@leaf
def _residual(angles, p, aim, p_goal):
    return (
        wrapped(angles[0] - aim[0]), wrapped(angles[1] - aim[1]), wrapped(angles[2] - aim[2]),
        p[0] - p_goal[0], p[1] - p_goal[1], p[2] - p_goal[2],
    )  # fmt: skip


@leaf
def _analytic_rows(angles, J, L, slot):
    """d(theta, phi, psi, p)/dq from the geometric Jacobian."""
    theta, _, psi = angles
    c, s, st = math.cos(psi), math.sin(psi), math.sin(theta)
    for k in range(6):
        wx, wy, wz = J[slot, 3, k], J[slot, 4, k], J[slot, 5, k]
        phi_rate = (s * wx - c * wy) / st
        L[slot, 0, k] = c * wx + s * wy
        L[slot, 1, k] = phi_rate
        L[slot, 2, k] = wz - phi_rate * math.cos(theta)
        for i in range(3):
            L[slot, 3 + i, k] = J[slot, i, k]


@leaf
def _difference_rows(arm, work, angles, p, h, slot):
    """The same by forward differences of step h."""
    q, q_try, dq, L = work.q, work.q_try, work.dq, work.L
    for k in range(6):
        for i in range(6):
            dq[slot, i] = h if i == k else 0.0
        move_chain(arm, q, dq, math.inf, False, q_try, slot)
        R_k, p_k = place_tool(arm, q_try, work.scratch, slot)
        angles_k = zxz_angles(R_k)
        for i in range(3):
            L[slot, i, k] = wrapped(angles_k[i] - angles[i]) / h
            L[slot, 3 + i, k] = (p_k[i] - p[i]) / h


@kernel
def descend_newton(arm, goal, work, steps, world, slot):
    """From work.q[slot] towards the target; returns (position error, rotation error, steps)."""
    q, dq = work.q, work.dq
    aim, p_goal = zxz_angles(matrix_at(goal.target, world, TARGET_R)), vector_at(goal.target, world, TARGET_P)
    taken = 0
    R, p = place_tool(arm, q, work.scratch, slot)
    d, r = task_error(goal, R, p, world)
    while taken < steps and not reached(goal, d, r):
        taken += 1
        angles = zxz_angles(R)
        f = _residual(angles, p, aim, p_goal)
        if goal.numbers[DIFFERENCE] > 0.0:
            _difference_rows(arm, work, angles, p, goal.numbers[DIFFERENCE], slot)
        else:
            fill_task_jacobian(arm, goal, R, p, work.J, work.scratch, slot)
            _analytic_rows(angles, work.J, work.L, slot)
        for i in range(6):
            dq[slot, i] = -f[i]
        if not solve_general(work.L, dq, slot, 6):
            break
        move_chain(arm, q, dq, math.inf, False, q, slot)
        R, p = place_tool(arm, q, work.scratch, slot)
        d, r = task_error(goal, R, p, world)
    return length(d), length(r), taken
