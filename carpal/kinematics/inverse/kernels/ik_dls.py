"""Inverse kinematics by damped least squares (Wampler 1986; Alkire 2020, section 5.1).

dq = J^T (J J^T + a^2)^-1 e, joints clamped at their limits. Damping slows the motion near singular directions; for a
target that stands still it leaves no steady error, whatever a (Alkire 2020 claims one: erratum E13), and the joint steps are
bounded (its literal gains ask for hundreds of rad/s: E14).
"""

from carpal._core.compile import kernel
from carpal.kinematics.inverse.kernels.ik_task import (
    DAMPING,
    LONGEST,
    WEIGHT,
    fill_task_jacobian,
    length,
    move_chain,
    place_tool,
    reached,
    task_error,
)
from carpal.spatial.kernels.cholesky import solve_spd


@kernel
def descend_dls(arm, goal, work, steps, world, slot):
    """From work.q[slot] towards the target; returns (position error, rotation error, steps)."""
    q, J, L, dq = work.q, work.J, work.L, work.dq
    weight, aa = goal.numbers[WEIGHT], goal.numbers[DAMPING] * goal.numbers[DAMPING]
    R, p = place_tool(arm, q, work.scratch, slot)
    d, r = task_error(goal, R, p, world)
    taken = 0
    while taken < steps and not reached(goal, d, r):
        taken += 1
        fill_task_jacobian(arm, goal, R, p, J, work.scratch, slot)
        for i in range(3):
            work.g[slot, i] = d[i]
            work.g[slot, 3 + i] = weight * r[i]
            for c in range(dq.shape[1]):
                J[slot, 3 + i, c] *= weight
        for i in range(6):
            for j in range(i + 1):
                s = 0.0
                for c in range(dq.shape[1]):
                    s += J[slot, i, c] * J[slot, j, c]
                L[slot, i, j] = s
            L[slot, i, i] += aa
        solve_spd(L, work.g, slot, 6)
        for c in range(dq.shape[1]):
            s = 0.0
            for i in range(6):
                s += J[slot, i, c] * work.g[slot, i]
            dq[slot, c] = s
        move_chain(arm, q, dq, goal.numbers[LONGEST], True, q, slot)
        R, p = place_tool(arm, q, work.scratch, slot)
        d, r = task_error(goal, R, p, world)
    return length(d), length(r), taken
