"""Inverse kinematics by Levenberg-Marquardt inside joint limits.

The step solves (J^T W J + lambda) dq = J^T W e over the joints that are free to move: a joint that stands at a limit and
would be pushed beyond it is left out. Damping in proportion to the squared error (Chan and Lawrence 1988) lets the last
steps converge quadratically; a step that does not lessen the error raises the factor.
"""

from carpal._core.compile import kernel, leaf
from carpal.kinematics.inverse.kernels.ik_task import (
    DAMPING,
    LONGEST,
    WEIGHT,
    fill_task_jacobian,
    length,
    move_chain,
    place_tool,
    reached,
    squared_cost,
    task_error,
)
from carpal.kinematics.kernels.state import freedoms
from carpal.model.kernels.tables import KIND, PRISMATIC, Q_INDEX, REVOLUTE
from carpal.spatial.kernels.cholesky import solve_spd

_SLOW, _PATIENCE = 0.98, 6  # so many steps in a row that lessen the squared error by less than 2 % end an attempt
_GIVE_UP = 1e6  # growth of the damping factor that ends an attempt


@leaf
def _normal_equations(J, H, g, weight, d, r, slot):
    """H = J^T W J (lower triangle) and g = J^T W e."""
    ww = weight * weight
    for i in range(H.shape[1]):
        a0, a1, a2 = J[slot, 0, i], J[slot, 1, i], J[slot, 2, i]
        b0, b1, b2 = ww * J[slot, 3, i], ww * J[slot, 4, i], ww * J[slot, 5, i]
        g[slot, i] = a0 * d[0] + a1 * d[1] + a2 * d[2] + b0 * r[0] + b1 * r[1] + b2 * r[2]
        for j in range(i + 1):
            H[slot, i, j] = (
                a0 * J[slot, 0, j] + a1 * J[slot, 1, j] + a2 * J[slot, 2, j]
                + b0 * J[slot, 3, j] + b1 * J[slot, 4, j] + b2 * J[slot, 5, j]
            )  # fmt: skip


@leaf
def _hold_blocked(arm, q, H, g, slot):
    """Take joints that a limit holds back out of the system; returns how many freedoms stay."""
    column, free = 0, 0
    for i in range(arm.chain.shape[0]):
        body = arm.chain[i]
        kind, iq = arm.joints[body, KIND], arm.joints[body, Q_INDEX]
        n = freedoms(kind)
        blocked = False
        if kind == REVOLUTE or kind == PRISMATIC:
            x, push = q[slot, iq], g[slot, column]
            blocked = (x <= arm.q_min[iq] and push < 0.0) or (x >= arm.q_max[iq] and push > 0.0)
        if blocked:
            g[slot, column] = 0.0
            for j in range(column):
                H[slot, column, j] = 0.0
            for j in range(column + 1, H.shape[1]):
                H[slot, j, column] = 0.0
            H[slot, column, column] = 1.0
        else:
            free += n
        column += n
    return free


@kernel
def descend_lm(arm, goal, work, steps, world, slot):
    """From work.q[slot] downhill; returns (position error, rotation error, steps). work.q[slot] ends at the best point."""
    q, q_try, dq, g = work.q, work.q_try, work.dq, work.g
    weight, gentle = goal.numbers[WEIGHT], goal.numbers[DAMPING]
    R, p = place_tool(arm, q, work.scratch, slot)
    d, r = task_error(goal, R, p, world)
    cost = squared_cost(goal, d, r)
    n = dq.shape[1]
    factor, taken, slow, fresh = gentle, 0, 0, True
    while taken < steps and not reached(goal, d, r):
        taken += 1
        if fresh:
            fill_task_jacobian(arm, goal, R, p, work.J, work.scratch, slot)
            _normal_equations(work.J, work.H, g, weight, d, r, slot)
            if _hold_blocked(arm, q, work.H, g, slot) == 0:
                break
        damping = factor * cost + 1e-12
        for i in range(n):
            dq[slot, i] = g[slot, i]
            for j in range(i):
                work.L[slot, i, j] = work.H[slot, i, j]
            work.L[slot, i, i] = work.H[slot, i, i] + damping
        solve_spd(work.L, dq, slot, n)
        move_chain(arm, q, dq, goal.numbers[LONGEST], True, q_try, slot)
        R_try, p_try = place_tool(arm, q_try, work.scratch, slot)
        d_try, r_try = task_error(goal, R_try, p_try, world)
        cost_try = squared_cost(goal, d_try, r_try)
        fresh = cost_try < cost
        if fresh:
            slow = slow + 1 if cost_try > _SLOW * cost else 0
            for i in range(q.shape[1]):
                q[slot, i] = q_try[slot, i]
            R, p, d, r, cost = R_try, p_try, d_try, r_try, cost_try
            factor = max(0.5 * factor, gentle)
            if slow > _PATIENCE:
                break
        else:
            factor = 8.0 * factor + 1e-3
            if factor > _GIVE_UP * gentle:
                break
    return length(d), length(r), taken
