"""Newton's method on a pose and one more equation: a point of a self-motion curve, picked by its arm angle or by a plane.

Seven joints and a pose leave one freedom. A seventh row closes the system: row . q = value (a plane across the curve, or one
joint's value), or the arm angle. The arm angle's row follows from the elbow alone, because shoulder and wrist stand still.
"""

import math
from typing import NamedTuple

import numpy as np

from carpal._core.compile import entry, kernel, leaf
from carpal.kinematics.inverse.kernels.ik_newton import wrapped
from carpal.kinematics.inverse.kernels.ik_task import (
    POSE,
    TARGET_P,
    TARGET_R,
    Goal,
    Work,
    fill_task_jacobian,
    length,
    place_tool,
    task_error,
)
from carpal.kinematics.kernels.freedom import freedom_axis
from carpal.kinematics.kernels.placement import P_WB, R_WB, place_world
from carpal.kinematics.kernels.state import all_finite
from carpal.model.kernels.tables import Q_INDEX, matrix_at, vector_at
from carpal.spatial.kernels.gauss import solve_general
from carpal.spatial.kernels.scratch import get_matrix, get_vector
from carpal.spatial.kernels.vec3 import add, cross, dot, rotate, scale, sub

# columns of `points`: in the world, in the fourth joint's body, in the tool; two directions in the world
SHOULDER, ELBOW, WRIST, UP, SIDE = 0, 3, 6, 9, 12
ALONG, ANGLE = 0, 1  # what the seventh equation is
MODE, VALUE, ROW = 0, 1, 2  # columns of `pin`
# columns of a point's report: error [m, rad], arm angle, its rate along the curve, distance of the elbow from the line, tangent
ERROR, PSI, PSI_RATE, ELBOW_RADIUS, TANGENT = 0, 1, 2, 3, 4
JOINTS = 7
_ITERATIONS = 12
_EXACT = 2e-13  # [m, rad]; rounding of the chain itself is about 1e-15
_SMALL = 1e-12


class PinInput(NamedTuple):
    """target [world, 12]; a guess q0 [world, joint]; pin [world, MODE, VALUE, ROW ...]."""

    target: np.ndarray
    q0: np.ndarray
    pin: np.ndarray


class PinOutput(NamedTuple):
    """The point q [world, joint] and its report, as named above."""

    q: np.ndarray
    report: np.ndarray


class PinScratch(NamedTuple):
    """A slot's scratch: that of inverse kinematics, the seventh row, the arm angle's row, the tangent."""

    work: Work
    row: np.ndarray
    angle_row: np.ndarray
    tangent: np.ndarray


@leaf
def _across(a, u):
    """The part of a that is perpendicular to the unit vector u."""
    return sub(a, scale(dot(a, u), u))


@leaf
def elbow_frame(points, target, world):
    """(unit vector from shoulder to wrist, unit reference across it); zero where shoulder and wrist coincide."""
    S = (points[SHOULDER], points[SHOULDER + 1], points[SHOULDER + 2])
    wrist = (points[WRIST], points[WRIST + 1], points[WRIST + 2])
    W = add(vector_at(target, world, TARGET_P), rotate(matrix_at(target, world, TARGET_R), wrist))
    line = sub(W, S)
    size = length(line)
    u = scale(1.0 / size, line) if size > _SMALL else (0.0, 0.0, 0.0)
    across = _across((points[UP], points[UP + 1], points[UP + 2]), u)
    if length(across) < 1e-9:  # the wrist stands over the shoulder: any plane will do, if it is always the same
        across = _across((points[SIDE], points[SIDE + 1], points[SIDE + 2]), u)
    return u, scale(1.0 / max(length(across), _SMALL), across)


@leaf
def elbow_angle(arm, points, u, ref, row, scratch, slot):
    """(psi, distance of the elbow from the line) for bodies placed by `place_tool`; fills row[slot] with d psi / d q."""
    body = arm.chain[3]
    R, p = get_matrix(scratch, slot, body, R_WB), get_vector(scratch, slot, body, P_WB)
    E = add(p, rotate(R, (points[ELBOW], points[ELBOW + 1], points[ELBOW + 2])))
    e = sub(E, (points[SHOULDER], points[SHOULDER + 1], points[SHOULDER + 2]))
    away = _across(e, u)
    size = length(away)
    psi = math.atan2(dot(u, cross(ref, away)), dot(ref, away))
    gradient = scale(1.0 / max(size * size, _SMALL * _SMALL), cross(u, away))
    for i in range(JOINTS):
        row[slot, i] = 0.0
        if i < 3:  # the elbow lies on the fourth axis
            joint = arm.chain[i]
            axis = freedom_axis(arm.joints, arm.bodies, scratch, slot, joint, 0)
            row[slot, i] = dot(gradient, cross(axis, sub(E, get_vector(scratch, slot, joint, P_WB))))
    return psi, size


@leaf
def fill_system(work, row, d, r, last, slot):
    """Seven equations [J; row] x = (d, r, last) in work.L and work.g."""
    for i in range(JOINTS):
        for k in range(6):
            work.L[slot, k, i] = work.J[slot, k, i]
        work.L[slot, 6, i] = row[slot, i]
    for k in range(3):
        work.g[slot, k] = d[k]
        work.g[slot, 3 + k] = r[k]
    work.g[slot, 6] = last


@kernel
def fill_tangent(work, row, tangent, slot):
    """Unit null vector of work.J with row . tangent > 0; False where the pose's rows are dependent."""
    for _ in range(2):  # the second solve is well conditioned whatever the first row was
        fill_system(work, row, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 1.0, slot)
        if not solve_general(work.L, work.g, slot, JOINTS):
            return False
        size = 0.0
        for i in range(JOINTS):
            size += work.g[slot, i] * work.g[slot, i]
        size = math.sqrt(size)
        for i in range(JOINTS):
            tangent[slot, i] = work.g[slot, i] / size
            row[slot, i] = tangent[slot, i]
    return True


@kernel
def pin_pose(arm, goal, work, points, u, ref, mode, value, row, angle_row, most, world, slot):
    """Newton from work.q[slot]; returns (largest error, iterations). The Jacobian is left at the last point but one."""
    q = work.q
    error, taken = math.inf, 0
    while True:
        R, p = place_tool(arm, q, work.scratch, slot)
        d, r = task_error(goal, R, p, world)
        last = value
        if mode == ANGLE:
            psi, _ = elbow_angle(arm, points, u, ref, angle_row, work.scratch, slot)
            last = wrapped(value - psi)
        else:
            for i in range(JOINTS):
                last -= row[slot, i] * q[slot, arm.joints[arm.chain[i], Q_INDEX]]
        error = max(max(length(d), length(r)), abs(last))
        if not error > _EXACT or taken == most or 0.0 * error != 0.0:
            break
        fill_task_jacobian(arm, goal, R, p, work.J, work.scratch, slot)
        fill_system(work, angle_row if mode == ANGLE else row, d, r, last, slot)
        if not solve_general(work.L, work.g, slot, JOINTS):
            return math.inf, taken
        for i in range(JOINTS):
            q[slot, arm.joints[arm.chain[i], Q_INDEX]] += work.g[slot, i]
        taken += 1
    return error, taken


@kernel
def describe_point(arm, goal, work, points, u, ref, row, angle_row, tangent, world, slot):
    """(error, psi, d psi / ds, elbow radius) at work.q[slot]; `tangent` is turned along row[slot]."""
    R, p = place_tool(arm, work.q, work.scratch, slot)
    d, r = task_error(goal, R, p, world)
    fill_task_jacobian(arm, goal, R, p, work.J, work.scratch, slot)
    good = fill_tangent(work, row, tangent, slot)
    psi, radius = elbow_angle(arm, points, u, ref, angle_row, work.scratch, slot)
    rate = 0.0
    for i in range(JOINTS):
        rate += angle_row[slot, i] * tangent[slot, i]
    return max(length(d), length(r)) if good else math.inf, psi, rate, radius


@entry
def pin_batch(arm, numbers, points, given, found, scratch, start, stop, stride, slot):
    """The point of a self-motion curve that each world's pin picks, from a guess q0; `report` as named above."""
    target, q0, pin = given.target, given.q0, given.pin
    goal = Goal(POSE, numbers, target)
    work, row, angle_row, tangent = scratch.work, scratch.row, scratch.angle_row, scratch.tangent
    q, q_out, report = work.q, found.q, found.report
    place_world(work.scratch, slot)
    bad = 0
    for world in range(start, stop, stride):
        for i in range(q.shape[1]):
            q[slot, i] = q0[world, i]
        for i in range(JOINTS):
            row[slot, i] = pin[world, ROW + i]
        u, ref = elbow_frame(points, target, world)
        mode, value = int(pin[world, MODE]), pin[world, VALUE]
        error, _ = pin_pose(arm, goal, work, points, u, ref, mode, value, row, angle_row, _ITERATIONS, world, slot)
        for i in range(JOINTS):
            row[slot, i] = pin[world, ROW + i]
        off, psi, rate, radius = describe_point(
            arm, goal, work, points, u, ref, row, angle_row, tangent, world, slot
        )  # fmt: skip
        report[world, ERROR] = max(error, off)
        report[world, PSI] = psi
        report[world, PSI_RATE] = rate
        report[world, ELBOW_RADIUS] = radius
        for i in range(JOINTS):
            report[world, TANGENT + i] = tangent[slot, i]
        for i in range(q.shape[1]):
            q_out[world, i] = q[slot, i]
        if not (all_finite(target, world) and all_finite(q0, world)) and bad == 0:
            bad = world + 1
    return bad
