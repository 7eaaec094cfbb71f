"""Fixed tendons and compensated weight: forces of a model beside its joints' own springs and dampers.

A tendon's spring and damper are taken at the end of the step, as the servo is: dt b + dt^2 k along its coefficients goes into
M^. Whether its spring acts is decided by the length that the present speed leads to.
"""

from carpal._core.compile import kernel, leaf
from carpal.engines.modal.kernels.constraint_table import (
    LIFTED_MASS,
    LIFTED_MOMENT,
    T_COEFFICIENT,
    T_DAMPING,
    T_FRICTION,
    T_SLACK,
    T_SMOOTH,
    T_STIFFNESS,
    T_TIGHT,
    T_TREE,
)
from carpal.engines.modal.kernels.contact_table import DOF_Q, ORDER_DOF, TREE_COUNT, TREE_FIRST
from carpal.kinematics.kernels.freedom import freedom_axis, slides
from carpal.kinematics.kernels.placement import P_WB, R_WB
from carpal.kinematics.kernels.state import freedoms
from carpal.model.kernels.tables import GRAVITY, KIND, PARENT, V_INDEX, vector_at
from carpal.spatial.kernels.scratch import get_matrix, get_vector
from carpal.spatial.kernels.vec3 import cross, dot, rotate, scale, sub


@leaf
def tendon_length(tendons, trees, order, dofs, k, q, slot):
    """Length of a fixed tendon: the sum of coefficient times joint position."""
    tree, length = int(tendons[k, T_TREE]), 0.0
    for i in range(trees[tree, TREE_COUNT]):
        c = tendons[k, T_COEFFICIENT + i]
        if c != 0.0:
            length += c * q[slot, int(dofs[order[trees[tree, TREE_FIRST] + i, ORDER_DOF], DOF_Q])]
    return length


@leaf
def tendon_speed(tendons, trees, order, k, v, slot):
    """Rate of a tendon's length."""
    tree, speed = int(tendons[k, T_TREE]), 0.0
    for i in range(trees[tree, TREE_COUNT]):
        c = tendons[k, T_COEFFICIENT + i]
        if c != 0.0:
            speed += c * v[slot, order[trees[tree, TREE_FIRST] + i, ORDER_DOF]]
    return speed


@leaf
def tendon_damping(tendons, k, speed):
    """Viscous damping of a tendon, with its dry friction as the damping that gives its force at this speed."""
    return tendons[k, T_DAMPING] + tendons[k, T_FRICTION] / max(abs(speed), tendons[k, T_SMOOTH])


@leaf
def _spring(tendons, k, length):
    """(stiffness, length at which the spring is slack) at a length; no stiffness within the slack."""
    if length > tendons[k, T_TIGHT]:
        return tendons[k, T_STIFFNESS], tendons[k, T_TIGHT]
    if length < tendons[k, T_SLACK]:
        return tendons[k, T_STIFFNESS], tendons[k, T_SLACK]
    return 0.0, 0.0


@kernel
def add_tendons(tendons, trees, order, dofs, q, v, dt, tree, L, slot):
    """Add dt b + dt^2 k of the tendons of a tree to its block of M^ in L, which is not factored yet."""
    first, n = trees[tree, TREE_FIRST], trees[tree, TREE_COUNT]
    for k in range(tendons.shape[0]):
        if int(tendons[k, T_TREE]) != tree:
            continue
        speed = tendon_speed(tendons, trees, order, k, v, slot)
        stiff, _ = _spring(tendons, k, tendon_length(tendons, trees, order, dofs, k, q, slot) + dt * speed)
        gain = dt * (tendon_damping(tendons, k, speed) + dt * stiff)
        for i in range(n):
            for j in range(i + 1):
                L[slot, first + i, j] += gain * tendons[k, T_COEFFICIENT + i] * tendons[k, T_COEFFICIENT + j]


@kernel
def pull_tendons(tendons, trees, order, dofs, q, v, dt, x, slot):
    """Add the tendons' impulses over dt to x (nv), with spring and damper as `add_tendons` completes them."""
    for k in range(tendons.shape[0]):
        tree, speed = int(tendons[k, T_TREE]), tendon_speed(tendons, trees, order, k, v, slot)
        length = tendon_length(tendons, trees, order, dofs, k, q, slot) + dt * speed
        stiff, slack = _spring(tendons, k, length)
        impulse = dt * (stiff * (slack - length) - tendon_damping(tendons, k, speed) * speed)
        for i in range(trees[tree, TREE_COUNT]):
            x[slot, order[trees[tree, TREE_FIRST] + i, ORDER_DOF]] += impulse * tendons[k, T_COEFFICIENT + i]


@kernel
def tendon_loss(tendons, trees, order, v, v_next, dt, slot):
    """Energy that tendons dissipate in a step from v to v_next [J]."""
    lost = 0.0
    for k in range(tendons.shape[0]):
        old, new = tendon_speed(tendons, trees, order, k, v, slot), tendon_speed(tendons, trees, order, k, v_next, slot)
        lost += dt * tendon_damping(tendons, k, old) * new * 0.5 * (old + new)
    return lost


@kernel
def lift_weight(joints, bodies, lifted, placed, bias, weight, slot):
    """Take the compensated share of the bodies' weight from `bias` and `weight`; lifted: (rows, LIFTED_COLUMNS)."""
    up = scale(-1.0, vector_at(bodies, 0, GRAVITY))
    for body in range(1, lifted.shape[0]):
        if lifted[body, LIFTED_MASS] == 0.0:
            continue
        p, force = get_vector(placed, slot, body, P_WB), scale(lifted[body, LIFTED_MASS], up)
        torque = cross(rotate(get_matrix(placed, slot, body, R_WB), vector_at(lifted, body, LIFTED_MOMENT)), up)
        row = body
        while row > 0:
            kind, first = joints[row, KIND], joints[row, V_INDEX]
            arm = sub(p, get_vector(placed, slot, row, P_WB))
            for k in range(freedoms(kind)):
                axis = freedom_axis(joints, bodies, placed, slot, row, k)
                lift = dot(axis, force) if slides(kind, k) else dot(cross(axis, arm), force) + dot(axis, torque)
                bias[slot, first + k] -= lift
                weight[slot, first + k] -= lift
            row = joints[row, PARENT]
