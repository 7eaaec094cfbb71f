"""Errors of targets at a configuration, and the rows by which the joints' rates change them.

A target is a row of the table (what it asks, frame and body, base frame and body, first of its rows), 15 numbers (weights along
three axes, gain, axis, point, tolerances) and its goal, 12 numbers per world as of `ik_task`. Errors are in world axes: e is what
is missing, and a step dq with J dq = e brings it to zero to first order. Motion of the base is taken off.
"""

import math
from typing import NamedTuple

import numpy as np

from carpal._core.compile import kernel, leaf
from carpal.kinematics.inverse.kernels.ik_search import is_rotation
from carpal.kinematics.kernels.freedom import freedom_axis, slides
from carpal.kinematics.kernels.placement import P_WB, R_WB, place_body, place_world
from carpal.kinematics.kernels.state import all_finite, freedoms
from carpal.model.kernels.constraint_tables import ConstraintTables
from carpal.model.kernels.tables import (
    KIND,
    MASS,
    MOMENT,
    PARENT,
    POSITION,
    Q_INDEX,
    ROTATION,
    V_INDEX,
    matrix_at,
    vector_at,
)
from carpal.spatial.kernels.quaternion import rotation_vector_between, turn_between
from carpal.spatial.kernels.scratch import add_vector, get_matrix, get_vector, put_vector
from carpal.spatial.kernels.vec3 import add, cross, dot, product, rotate, scale, sub

POSE, POINT, DIRECTION, LOOK_AT, CENTER_OF_MASS = 0, 1, 2, 3, 4
# columns of the table of targets: the base is row -1 of the frames where it is the world
WHAT, FRAME, BODY, BASE, BASE_BODY, FIRST_ROW = 0, 1, 2, 3, 4, 5
TABLE_COLUMNS = 6
# columns of their numbers
LINEAR_WEIGHT, ANGULAR_WEIGHT, GAIN, AXIS, OFFSET, LINEAR_TOLERANCE, ANGULAR_TOLERANCE = 0, 3, 6, 7, 10, 13, 14
NUMBER_COLUMNS = 15
# columns of a goal
GOAL_R, GOAL_P = 0, 9
GOAL_COLUMNS = 12
# scratch columns of one body, after its pose: mass and first moment of what it carries
_MASS, _MOMENT = 12, 13
BODY_COLUMNS = 16
_ZERO = (0.0, 0.0, 0.0)


class Robot(NamedTuple):
    """The robot, what ties its joints, and what is free to move.

    free (bodies) rows of independent joints; columns (n) their indices in v; tied (k, 2) indices in v and q of dependent freedoms
    (q -1 where it has no limits); q_low, q_high, v_low, v_high: limits by index in q and of a step by index in v.
    """

    joints: np.ndarray
    bodies: np.ndarray
    frames: np.ndarray
    tables: ConstraintTables
    free: np.ndarray
    columns: np.ndarray
    tied: np.ndarray
    q_low: np.ndarray
    q_high: np.ndarray
    longest: np.ndarray


class Targets(NamedTuple):
    """What is asked of every world, and the worlds' goals.

    table (targets, TABLE_COLUMNS) int64; numbers (targets, NUMBER_COLUMNS); posture (k, 2) int64: index in v and q of the joints
    that a posture counts, posture_weight (k); posture_row: its first row; levels (levels + 1) int64: first row of each priority.
    """

    table: np.ndarray
    numbers: np.ndarray
    posture: np.ndarray
    posture_weight: np.ndarray
    posture_row: int
    levels: np.ndarray
    goals: np.ndarray
    posture_goal: np.ndarray


@kernel
def _frame_pose(robot, frame, body, scratch, slot):
    """R_WF, p_WF of a frame on a placed body; frame -1: the world."""
    R, p = get_matrix(scratch, slot, body, R_WB), get_vector(scratch, slot, body, P_WB)
    if frame < 0:
        return R, p
    return product(R, matrix_at(robot.frames, frame, ROTATION)), add(
        p, rotate(R, vector_at(robot.frames, frame, POSITION))
    )


@leaf
def _unit(a):
    size = math.sqrt(dot(a, a))
    return scale(1.0 / size, a) if size > 1e-9 else (0.0, 0.0, 0.0)


@kernel
def place_all(robot, q, scratch, slot):
    """Poses of all bodies, absolute."""
    place_world(scratch, slot)
    for body in range(1, robot.joints.shape[0]):
        place_body(robot.joints, robot.bodies, q, scratch, slot, slot, body, True)


@kernel
def carried_masses(robot, table, scratch, slot):
    """Mass and first moment of what each body carries, itself included, for placed bodies; row 0 holds the total.

    Only where some target asks for the centre of mass.
    """
    bodies, asked = robot.bodies, False
    for t in range(table.shape[0]):
        asked = asked or table[t, WHAT] == CENTER_OF_MASS
    if not asked:
        return
    for body in range(bodies.shape[0]):
        R, p, m = get_matrix(scratch, slot, body, R_WB), get_vector(scratch, slot, body, P_WB), bodies[body, MASS]
        scratch[slot, body, _MASS] = m
        put_vector(scratch, slot, body, _MOMENT, add(rotate(R, vector_at(bodies, body, MOMENT)), scale(m, p)))
    for body in range(bodies.shape[0] - 1, 0, -1):
        parent = robot.joints[body, PARENT]
        scratch[slot, parent, _MASS] += scratch[slot, body, _MASS]
        add_vector(scratch, slot, parent, _MOMENT, get_vector(scratch, slot, body, _MOMENT))


@kernel
def _put(J, slot, row, column, weights, k, values, sign):
    for i in range(3):
        J[slot, row + i, column] += sign * weights[k + i] * values[i]


@kernel
def _pose_rows(robot, targets, t, J, p, axis, sight, scratch, slot, body, sign):
    """Add the motion of what a body carries at the point p to the rows of a target: the chain from `body` to the world.

    axis: the direction that counts; sight: towards the goal of a look, over its distance.
    """
    row, what = targets.table[t, FIRST_ROW], targets.table[t, WHAT]
    weights = targets.numbers[t]
    while body > 0:
        kind, first = robot.joints[body, KIND], robot.joints[body, V_INDEX]
        lever = sub(p, get_vector(scratch, slot, body, P_WB))
        for k in range(freedoms(kind)):
            s = freedom_axis(robot.joints, robot.bodies, scratch, slot, body, k)
            linear, angular = cross(s, lever), s
            if slides(kind, k):
                linear, angular = s, (0.0, 0.0, 0.0)
            if what == POSE or what == POINT:
                _put(J, slot, row, first + k, weights, LINEAR_WEIGHT, linear, sign)
            if what == POSE:
                _put(J, slot, row + 3, first + k, weights, ANGULAR_WEIGHT, angular, sign)
            if what == DIRECTION or what == LOOK_AT:
                turning = sub(angular, scale(dot(angular, axis), axis))
                if what == LOOK_AT and sign < 0.0:  # the goal's place counts, not how its base turns
                    turning = _ZERO
                angular = add(turning, cross(sight, linear))
                _put(J, slot, row, first + k, weights, ANGULAR_WEIGHT, angular, sign)
        body = robot.joints[body, PARENT]


@kernel
def _mass_rows(robot, targets, t, J, scratch, slot):
    """Rows of the centre of mass."""
    row, total = targets.table[t, FIRST_ROW], scratch[slot, 0, _MASS]
    for body in range(1, robot.joints.shape[0]):
        kind, first = robot.joints[body, KIND], robot.joints[body, V_INDEX]
        m, p = scratch[slot, body, _MASS], get_vector(scratch, slot, body, P_WB)
        about = sub(get_vector(scratch, slot, body, _MOMENT), scale(m, p))
        for k in range(freedoms(kind)):
            s = freedom_axis(robot.joints, robot.bodies, scratch, slot, body, k)
            moved = scale(m / total, s) if slides(kind, k) else scale(1.0 / total, cross(s, about))
            _put(J, slot, row, first + k, targets.numbers[t], LINEAR_WEIGHT, moved, 1.0)


@kernel
def target_error(robot, targets, t, scratch, world, slot):
    """What a target misses, in world axes: (linear, angular, point of the frame, direction that counts, sight)."""
    table, numbers, goals = targets.table, targets.numbers, targets.goals
    what = table[t, WHAT]
    if what == CENTER_OF_MASS:
        com = scale(1.0 / scratch[slot, 0, _MASS], get_vector(scratch, slot, 0, _MOMENT))
        return sub(vector_at(goals[world], t, GOAL_P), com), _ZERO, com, _ZERO, _ZERO
    R, origin = _frame_pose(robot, table[t, FRAME], table[t, BODY], scratch, slot)
    R_B, p_B = _frame_pose(robot, table[t, BASE], table[t, BASE_BODY], scratch, slot)
    p = add(origin, rotate(R, vector_at(numbers, t, OFFSET)))
    p_goal = add(p_B, rotate(R_B, vector_at(goals[world], t, GOAL_P)))
    axis = rotate(R, vector_at(numbers, t, AXIS))
    if what == POSE:
        R_goal = product(R_B, matrix_at(goals[world], t, GOAL_R))
        return sub(p_goal, p), rotation_vector_between(R, R_goal), p, axis, _ZERO
    if what == POINT:
        return sub(p_goal, p), _ZERO, p, axis, _ZERO
    if what == DIRECTION:
        return _ZERO, turn_between(axis, rotate(R_B, vector_at(goals[world], t, GOAL_R))), p, axis, _ZERO
    away = sub(p_goal, p)
    sight = _unit(away)
    return _ZERO, turn_between(axis, sight), p, axis, scale(1.0 / max(math.sqrt(dot(away, away)), 1e-9), sight)


@kernel
def fill_rows(robot, targets, J, e, q, scratch, errors, world, slot):
    """Weighted rows J[slot] and errors e[slot] of targets and posture; errors[world, target]: (linear [m], angular [rad])."""
    numbers = targets.numbers
    for i in range(targets.levels[targets.levels.shape[0] - 1]):
        for j in range(J.shape[2]):
            J[slot, i, j] = 0.0
    for t in range(targets.table.shape[0]):
        what, row = targets.table[t, WHAT], targets.table[t, FIRST_ROW]
        d, r, p, axis, sight = target_error(robot, targets, t, scratch, world, slot)
        if what == CENTER_OF_MASS:
            _mass_rows(robot, targets, t, J, scratch, slot)
        else:
            _pose_rows(robot, targets, t, J, p, axis, sight, scratch, slot, targets.table[t, BODY], 1.0)
            base = targets.table[t, BASE_BODY]
            if base > 0:
                at = p
                if what == LOOK_AT:  # the goal moves with the base
                    R_B, p_B = _frame_pose(robot, targets.table[t, BASE], base, scratch, slot)
                    at = add(p_B, rotate(R_B, vector_at(targets.goals[world], t, GOAL_P)))
                elif what == POSE or what == POINT:
                    at = add(p, d)
                _pose_rows(robot, targets, t, J, at, axis, sight, scratch, slot, base, -1.0)
        linear, angular = 0.0, 0.0
        for k in range(3):
            wl, wr, gain = numbers[t, LINEAR_WEIGHT + k], numbers[t, ANGULAR_WEIGHT + k], numbers[t, GAIN]
            if what == POSE:
                e[slot, row + k], e[slot, row + 3 + k] = gain * wl * d[k], gain * wr * r[k]
            elif what == DIRECTION or what == LOOK_AT:
                e[slot, row + k] = gain * wr * r[k]
            else:
                e[slot, row + k] = gain * wl * d[k]
            linear += d[k] * d[k] if wl > 0.0 else 0.0
            angular += r[k] * r[k] if wr > 0.0 else 0.0
        errors[world, t, 0], errors[world, t, 1] = math.sqrt(linear), math.sqrt(angular)
    for k in range(targets.posture.shape[0]):
        row = targets.posture_row + k
        J[slot, row, targets.posture[k, 0]] = targets.posture_weight[k]
        e[slot, row] = targets.posture_weight[k] * (
            targets.posture_goal[world, targets.posture[k, 1]] - q[slot, targets.posture[k, 1]]
        )


@kernel
def usable_goals(targets, world):
    """Whether a world's goals are finite and those of poses hold rotations."""
    total = 0.0
    for t in range(targets.table.shape[0]):
        for k in range(GOAL_COLUMNS):
            total += 0.0 * targets.goals[world, t, k]
        if targets.table[t, WHAT] == POSE and not is_rotation(targets.goals[world], t):
            return False
    return total == 0.0 and all_finite(targets.posture_goal, world)


@kernel
def reached(targets, errors, world, first):
    """Whether all targets whose rows come before row `first` are within their tolerances."""
    near = True
    for t in range(targets.table.shape[0]):
        if targets.table[t, FIRST_ROW] < first:
            near = near and (
                errors[world, t, 0] <= targets.numbers[t, LINEAR_TOLERANCE]
                and errors[world, t, 1] <= targets.numbers[t, ANGULAR_TOLERANCE]
            )
    return near


@leaf
def joint_of(robot, body):
    """(kind, index in q, index in v) of a body's joint."""
    return robot.joints[body, KIND], robot.joints[body, Q_INDEX], robot.joints[body, V_INDEX]
