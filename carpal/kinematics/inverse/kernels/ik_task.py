"""What an inverse-kinematics target asks, and how far a configuration is from it.

A target is 12 numbers, rotation (row by row) and position. TASK says which part counts: the whole pose, the position
alone, or the position and the direction of one axis of the tool (its three numbers stand first in the rotation's place).
The rotation error is the rotation vector that turns the tool to its target, in world axes: it has no singular attitude.
"""

import math
from typing import NamedTuple

import numpy as np

from carpal._core.compile import leaf
from carpal.kinematics.kernels.freedom import freedom_axis, slides
from carpal.kinematics.kernels.integrate import integrate_body
from carpal.kinematics.kernels.placement import P_WB, R_WB, place_body
from carpal.kinematics.kernels.state import freedoms
from carpal.model.kernels.tables import KIND, POSITION, PRISMATIC, Q_INDEX, REVOLUTE, ROTATION, matrix_at, vector_at
from carpal.spatial.kernels.quaternion import rotation_vector_between, turn_between
from carpal.spatial.kernels.scratch import get_matrix, get_vector
from carpal.spatial.kernels.vec3 import add, cross, dot, product, rotate, scale, sub

POSE, POSITION_ONLY, POINTING = 0, 1, 2
# columns of `numbers`: tolerances [m], [rad], metres that a radian counts as, pointing axis, damping, longest joint step,
# step of finite differences (0: analytic Jacobian), and the bound of `reach.py`
TOL_P, TOL_R, WEIGHT, AXIS, DAMPING, LONGEST, DIFFERENCE = 0, 1, 2, 3, 6, 7, 8
CENTER, REACH, WRIST, WRIST_REACH = 9, 12, 13, 16
NUMBERS = 17
# columns of a target
TARGET_R, TARGET_P = 0, 9
TARGET_COLUMNS = 12


class Arm(NamedTuple):
    """The robot and the frame that is to reach."""

    joints: np.ndarray
    bodies: np.ndarray
    frames: np.ndarray
    frame: int
    chain: np.ndarray
    q_min: np.ndarray
    q_max: np.ndarray


class Goal(NamedTuple):
    """What is asked of every world."""

    task: int
    numbers: np.ndarray
    target: np.ndarray


class Work(NamedTuple):
    """A slot's scratch: the present and the tried configuration, Jacobian, matrices, vectors, body poses."""

    q: np.ndarray
    q_try: np.ndarray
    J: np.ndarray
    H: np.ndarray
    L: np.ndarray
    g: np.ndarray
    dq: np.ndarray
    scratch: np.ndarray


@leaf
def place_tool(arm, q, scratch, slot):
    """R_WT and p_WT at the slot's own configuration, positions absolute; the chain's bodies are left placed."""
    tip = 0
    for i in range(arm.chain.shape[0]):
        tip = arm.chain[i]
        place_body(arm.joints, arm.bodies, q, scratch, slot, slot, tip, True)
    R_WB_tip, p_WB_tip = get_matrix(scratch, slot, tip, R_WB), get_vector(scratch, slot, tip, P_WB)
    R = product(R_WB_tip, matrix_at(arm.frames, arm.frame, ROTATION))
    return R, add(p_WB_tip, rotate(R_WB_tip, vector_at(arm.frames, arm.frame, POSITION)))


@leaf
def task_error(goal, R, p, world):
    """(position error [m], rotation error [rad]) from the tool to its target, in world axes."""
    d = sub(vector_at(goal.target, world, TARGET_P), p)
    if goal.task == POSITION_ONLY:
        return d, (0.0, 0.0, 0.0)
    if goal.task == POINTING:
        return d, turn_between(pointing(goal, R), vector_at(goal.target, world, TARGET_R))
    return d, rotation_vector_between(R, matrix_at(goal.target, world, TARGET_R))


@leaf
def pointing(goal, R):
    """The tool's pointing direction in the world."""
    return rotate(R, (goal.numbers[AXIS], goal.numbers[AXIS + 1], goal.numbers[AXIS + 2]))


@leaf
def squared_cost(goal, d, r):
    """|position error|^2 + (weight |rotation error|)^2 [m^2]."""
    weight = goal.numbers[WEIGHT]
    return dot(d, d) + weight * weight * dot(r, r)


@leaf
def reached(goal, d, r):
    """Whether both errors are within tolerance."""
    return length(d) <= goal.numbers[TOL_P] and length(r) <= goal.numbers[TOL_R]


@leaf
def fill_task_jacobian(arm, goal, R, p, J, scratch, slot):
    """Columns of the chain's freedoms, in the chain's order, for bodies placed by `place_tool`.

    Rows that the task does not ask for are zero; turning about the pointing direction does not count.
    """
    axis_W = pointing(goal, R)
    column = 0
    for i in range(arm.chain.shape[0]):
        body = arm.chain[i]
        kind = arm.joints[body, KIND]
        lever = sub(p, get_vector(scratch, slot, body, P_WB))
        for k in range(freedoms(kind)):
            axis = freedom_axis(arm.joints, arm.bodies, scratch, slot, body, k)
            linear, angular = cross(axis, lever), axis
            if slides(kind, k):
                linear, angular = axis, (0.0, 0.0, 0.0)
            if goal.task == POSITION_ONLY:
                angular = (0.0, 0.0, 0.0)
            elif goal.task == POINTING:
                angular = sub(angular, scale(dot(angular, axis_W), axis_W))
            for r in range(3):
                J[slot, r, column] = linear[r]
                J[slot, 3 + r, column] = angular[r]
            column += 1


@leaf
def move_chain(arm, q, dq, longest, inside, q_next, slot):
    """q_next = q (+) dq, shortened so that no joint moves more than `longest`; kept inside the limits if asked."""
    size = 0.0
    for c in range(dq.shape[1]):
        size = max(size, abs(dq[slot, c]))
    shrink = 1.0 if size <= longest else longest / size
    column = 0
    for i in range(arm.chain.shape[0]):
        body = arm.chain[i]
        kind, iq = arm.joints[body, KIND], arm.joints[body, Q_INDEX]
        integrate_body(arm.joints, body, q, dq, column, shrink, q_next, slot)
        if inside and (kind == REVOLUTE or kind == PRISMATIC):
            q_next[slot, iq] = min(max(q_next[slot, iq], arm.q_min[iq]), arm.q_max[iq])
        column += freedoms(kind)


@leaf
def length(a):
    """|a|."""
    return math.sqrt(dot(a, a))
