"""Free velocity: v + dt M^-1 (drives - bias) without contact impulses, servo and damping implicit.

Trees of joints take their bias from `tree_dynamics`; single free bodies turn by `gyroscopic.free_turn` and fall
exactly. Springs of joints and tendons act as the servo does:
tau = P (target - q) + D (rate - v) with q and v at the end of the step.
"""

from carpal._core.compile import kernel, leaf
from carpal.engines.modal.kernels.contact_table import (
    DOF_DAMPING,
    DOF_FLOATS,
    DOF_Q,
    DOF_SLACK,
    DOF_SPRING,
    DOF_STIFFNESS,
    ORDER_DOF,
    TREE_FIRST,
    TREE_SINGLE,
)
from carpal.engines.modal.kernels.gyroscopic import free_turn
from carpal.engines.modal.kernels.passive_forces import pull_tendons
from carpal.engines.modal.kernels.tree_blocks import damping_of, solve_trees
from carpal.kinematics.kernels.placement import R_WB
from carpal.kinematics.kernels.state import vector_of
from carpal.model.kernels.tables import GRAVITY, INERTIA, MASS, MOMENT, symmetric_at, vector_at
from carpal.spatial.kernels.scratch import get_matrix
from carpal.spatial.kernels.vec3 import add, cross, dot, rotate, scale, sub


@leaf
def _free_body(bodies, placed, slot, body, v, first, dt):
    """Change of a free body's velocity over dt under gravity and its own turning, and what its turn has beyond the mean rate."""
    R = get_matrix(placed, slot, body, R_WB)
    m, h, I_o = bodies[body, MASS], vector_at(bodies, body, MOMENT), symmetric_at(bodies, body, INERTIA)
    c = scale(1.0 / m, h)
    hc = dot(h, c)
    I = (
        I_o[0] - hc + h[0] * c[0], I_o[1] - hc + h[1] * c[1], I_o[2] - hc + h[2] * c[2],
        I_o[3] + h[0] * c[1], I_o[4] + h[0] * c[2], I_o[5] + h[1] * c[2],
    )  # fmt: skip
    v_B, w_B = vector_of(v, slot, first), vector_of(v, slot, first + 3)
    w_next, rate, turned = free_turn(I, R, w_B, dt)
    arm = rotate(R, c)
    fall = scale(dt, vector_at(bodies, 0, GRAVITY))
    v_next = sub(add(add(v_B, cross(w_B, arm)), fall), cross(w_next, rotate(turned, arm)))
    return sub(v_next, v_B), sub(w_next, w_B), sub(rate, scale(0.5, add(w_B, w_next)))


@kernel
def free_velocity(
    bodies, trees, order, dofs, tendons, robots, dt, q, v, u, target, world, bias, weight, placed, L, free, move, x, slot
):  # fmt: skip
    """Write v after dt without contact impulses to `free`; to `move` what free bodies turn beyond the mean of old and new rate.

    target (slot, 2 nv): where the servo goes, and how fast.
    """
    n = v.shape[1]
    for dof in range(n):
        force = u[world, dof]
        stiff, fast = dofs[dof, DOF_STIFFNESS], v[slot, dof]
        if stiff > 0.0:
            force += stiff * (target[slot, dof] - q[slot, int(dofs[dof, DOF_Q])] - dt * fast)
        if dofs[dof, DOF_SPRING] > 0.0:
            force += dofs[dof, DOF_SPRING] * (dofs[dof, DOF_SLACK] - q[slot, int(dofs[dof, DOF_Q])] - dt * fast)
        force += dofs[dof, DOF_DAMPING] * target[slot, n + dof] - damping_of(dofs, dof, fast) * fast
        if robots:
            force -= bias[slot, dof]
            if robots > 1 and dofs[dof, DOF_FLOATS] > 0.0:
                force += weight[slot, dof]
        x[slot, dof] = dt * force
    if tendons.shape[0] > 0:
        pull_tendons(tendons, trees, order, dofs, q, v, dt, x, slot)
    solve_trees(trees, order, L, x, slot)
    for dof in range(n):
        free[slot, dof] = v[slot, dof] + x[slot, dof]
        move[slot, dof] = 0.0
    for tree in range(trees.shape[0]):
        if trees[tree, TREE_SINGLE] > 0:
            first = order[trees[tree, TREE_FIRST], ORDER_DOF]
            dv, dw, beyond = _free_body(bodies, placed, slot, trees[tree, TREE_SINGLE], v, first, dt)
            for i in range(3):
                free[slot, first + i] += dv[i]
                free[slot, first + 3 + i] += dw[i]
                move[slot, first + 3 + i] = beyond[i]
