"""Inverse kinematics by cyclic coordinate descent (Wang and Chen 1991; Prabhu 2018, section 5.1.3).

One pass goes from the last joint to the first; each joint takes, in closed form, the angle or travel inside its limits that
brings the tool nearest to its target while the others stand still.
"""

import math

from carpal._core.compile import kernel, leaf
from carpal.kinematics.inverse.kernels.ik_task import (
    AXIS,
    POINTING,
    POSITION_ONLY,
    TARGET_P,
    TARGET_R,
    WEIGHT,
    length,
    place_tool,
    reached,
    task_error,
)
from carpal.kinematics.kernels.freedom import freedom_axis
from carpal.kinematics.kernels.placement import P_WB
from carpal.model.kernels.tables import KIND, PRISMATIC, Q_INDEX, REVOLUTE, matrix_at, vector_at
from carpal.spatial.kernels.scratch import get_vector
from carpal.spatial.kernels.sincos import sincos
from carpal.spatial.kernels.vec3 import add, cross, dot, rotate, scale, sub


@leaf
def _turned(axis, s, c, a):
    """A turned about the unit vector axis (Rodrigues)."""
    return add(scale(c, a), add(scale(s, cross(axis, a)), scale((1.0 - c) * dot(axis, a), axis)))


@leaf
def _pull(axis, weight, have, want, k):
    """Add a pair of vectors, where the tool's is and where it should be, to the sums that the best angle comes from."""
    along = dot(want, axis) * dot(have, axis)
    return k[0] + weight * (dot(want, have) - along), k[1] + weight * dot(axis, cross(have, want))


@leaf
def _best_turn(goal, axis, lever, aim, R, world):
    """Angle about the axis that brings the tool nearest to its target."""
    k = _pull(axis, 1.0, lever, aim, (0.0, 0.0))
    weight = goal.numbers[WEIGHT] * goal.numbers[WEIGHT]
    if goal.task == POINTING:
        have = rotate(R, (goal.numbers[AXIS], goal.numbers[AXIS + 1], goal.numbers[AXIS + 2]))
        k = _pull(axis, weight, have, vector_at(goal.target, world, TARGET_R), k)
    elif goal.task != POSITION_ONLY:
        want = matrix_at(goal.target, world, TARGET_R)
        for i in range(3):
            k = _pull(axis, weight, (R[i], R[i + 3], R[i + 6]), (want[i], want[i + 3], want[i + 6]), k)
    return math.atan2(k[1], k[0])


@leaf
def _turn_columns(axis, s, c, R):
    """Rotation about the axis, times R."""
    x = _turned(axis, s, c, (R[0], R[3], R[6]))
    y = _turned(axis, s, c, (R[1], R[4], R[7]))
    z = _turned(axis, s, c, (R[2], R[5], R[8]))
    return x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]


@kernel
def descend_ccd(arm, goal, work, steps, world, slot):
    """From work.q[slot] by passes over revolute and prismatic joints; returns (position error, rotation error, passes)."""
    q, scratch = work.q, work.scratch
    R, p = place_tool(arm, q, scratch, slot)
    d, r = task_error(goal, R, p, world)
    taken = 0
    while taken < steps and not reached(goal, d, r):
        taken += 1
        for i in range(arm.chain.shape[0] - 1, -1, -1):
            body = arm.chain[i]
            kind, iq = arm.joints[body, KIND], arm.joints[body, Q_INDEX]
            axis = freedom_axis(arm.joints, arm.bodies, scratch, slot, body, 0)
            aim = vector_at(goal.target, world, TARGET_P)
            before = q[slot, iq]
            if kind == REVOLUTE:
                pivot = get_vector(scratch, slot, body, P_WB)
                lever = sub(p, pivot)
                turn = _best_turn(goal, axis, lever, sub(aim, pivot), R, world)
                q[slot, iq] = min(max(before + turn, arm.q_min[iq]), arm.q_max[iq])
                s, c = sincos(q[slot, iq] - before)
                p, R = add(pivot, _turned(axis, s, c, lever)), _turn_columns(axis, s, c, R)
            elif kind == PRISMATIC:
                q[slot, iq] = min(max(before + dot(axis, sub(aim, p)), arm.q_min[iq]), arm.q_max[iq])
                p = add(p, scale(q[slot, iq] - before, axis))
        R, p = place_tool(arm, q, scratch, slot)
        d, r = task_error(goal, R, p, world)
    return length(d), length(r), taken
