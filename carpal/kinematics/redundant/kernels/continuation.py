"""Self-motion traced by pseudo-arclength continuation (Keller 1977): predict along the null vector, correct by Newton.

Joints are followed without regard to their limits, whole turns included, until the curve comes back to where it began. A step
is halved when Newton needs many iterations or the tangent turns far, so the curve is not left for a neighbouring one.
"""

import math
from typing import NamedTuple

import numpy as np

from carpal._core.compile import entry, kernel
from carpal.kinematics.inverse.kernels.ik_newton import wrapped
from carpal.kinematics.inverse.kernels.ik_task import POSE, Goal, Work, fill_task_jacobian, place_tool
from carpal.kinematics.kernels.placement import place_world
from carpal.kinematics.kernels.state import all_finite
from carpal.kinematics.redundant.kernels.pinned_pose import (
    ALONG,
    JOINTS,
    PSI,
    TANGENT,
    describe_point,
    elbow_frame,
    fill_tangent,
    pin_pose,
)
from carpal.model.kernels.tables import Q_INDEX

CLOSED, SINGULAR, TOO_LONG, NO_START = 1, 2, 3, 4  # how a trace ended
# columns of the trace's report
END, COUNT = 0, 1
_FLATTEST = math.cos(0.12)  # largest turn of the tangent in one step
_ITERATIONS = 4
_CORRECTED = 1e-12  # [m, rad] a point of the curve
_SHORTEST = 1e-7  # [rad] below which a step is given up: a point where curves cross
_SAME = 1e-7  # [rad] how near the start a closed curve must come back
_SWEEP, _FINEST = (
    0.4,
    1.0 / 64.0,
)  # [rad] largest change of arm angle in a step, and the share of `longest` kept nevertheless


class TraceInput(NamedTuple):
    """target [world, 12] and a configuration q0 [world, joint] near the curve."""

    target: np.ndarray
    q0: np.ndarray


class TraceOutput(NamedTuple):
    """curve [world, point, joint]; notes [world, point, ...]; report [world, END and COUNT].

    `notes` has for each point the arm angle, its rate along the curve, the elbow's distance from the line, and the tangent.
    """

    curve: np.ndarray
    notes: np.ndarray
    report: np.ndarray


class TraceScratch(NamedTuple):
    """A slot's scratch: that of inverse kinematics, the seventh row, the arm angle's row, the tangents here and before."""

    work: Work
    row: np.ndarray
    angle_row: np.ndarray
    tangent: np.ndarray
    old_tangent: np.ndarray


@kernel
def _step(arm, goal, work, points, u, ref, tangent, row, angle_row, length, world, slot):
    """From work.q_try[slot] along the tangent; whether work.q[slot] is on the curve, and the iterations it took."""
    value = 0.0
    for i in range(JOINTS):
        iq = arm.joints[arm.chain[i], Q_INDEX]
        work.q[slot, iq] = work.q_try[slot, iq] + length * tangent[slot, i]
        row[slot, i] = tangent[slot, i]
        value += row[slot, i] * work.q[slot, iq]
    error, taken = pin_pose(arm, goal, work, points, u, ref, ALONG, value, row, angle_row, _ITERATIONS, world, slot)
    return error <= _CORRECTED, taken


@kernel
def _distance_to_start(arm, work, curve, tangent, world, slot):
    """(along the tangent, squared length) from work.q_try[slot] to the first point, whole turns aside."""
    along, square = 0.0, 0.0
    for i in range(JOINTS):
        iq = arm.joints[arm.chain[i], Q_INDEX]
        d = wrapped(curve[world, 0, iq] - work.q_try[slot, iq])
        along += d * tangent[slot, i]
        square += d * d
    return along, square


@kernel
def _start(arm, goal, work, points, u, ref, row, angle_row, tangent, side, world, slot):
    """Correct the first point and find its tangent, turned by `side` = +1 or -1."""
    for i in range(JOINTS):
        row[slot, i] = side * (1.0 - 0.13 * i)  # any direction that is not across the tangent by chance
    for _ in range(8):
        R, p = place_tool(arm, work.q, work.scratch, slot)
        fill_task_jacobian(arm, goal, R, p, work.J, work.scratch, slot)
        if not fill_tangent(work, row, tangent, slot):
            return False
        for i in range(JOINTS):
            iq = arm.joints[arm.chain[i], Q_INDEX]
            work.q_try[slot, iq] = work.q[slot, iq]
        good, taken = _step(arm, goal, work, points, u, ref, tangent, row, angle_row, 0.0, world, slot)
        if good and taken <= 1:
            return True
    return False


@kernel
def _trace(arm, goal, work, points, longest, side, curve, notes, row, angle_row, tangent, old, world, slot):
    """Follow one curve; returns (how it ended, number of points)."""
    q, q_try = work.q, work.q_try
    u, ref = elbow_frame(points, goal.target, world)
    if not _start(arm, goal, work, points, u, ref, row, angle_row, tangent, side, world, slot):
        return NO_START, 0
    count, step = 0, 0.5 * longest
    while True:
        for i in range(JOINTS):
            row[slot, i] = tangent[slot, i]
        off, psi, rate, radius = describe_point(
            arm, goal, work, points, u, ref, row, angle_row, tangent, world, slot
        )  # fmt: skip
        if count > 0:  # a sharp turn may be a jump to a neighbouring curve
            turn = 0.0
            for i in range(JOINTS):
                turn += tangent[slot, i] * old[slot, i]
            if (turn < _FLATTEST or off == math.inf) and step > _SHORTEST:
                step *= 0.5
                for i in range(JOINTS):
                    tangent[slot, i] = old[slot, i]
                good, _ = _step(arm, goal, work, points, u, ref, tangent, row, angle_row, step, world, slot)
                while not good and step > _SHORTEST:
                    step *= 0.5
                    good, _ = _step(arm, goal, work, points, u, ref, tangent, row, angle_row, step, world, slot)
                if not good:
                    return SINGULAR, count
                continue
            if turn < _FLATTEST or off == math.inf:
                return SINGULAR, count
        for i in range(q.shape[1]):
            q_try[slot, i] = q[slot, i]
            curve[world, count, i] = q[slot, i]
        notes[world, count, PSI - 1] = psi
        notes[world, count, PSI] = rate
        notes[world, count, PSI + 1] = radius
        for i in range(JOINTS):
            notes[world, count, TANGENT - 1 + i] = tangent[slot, i]
            old[slot, i] = tangent[slot, i]
        count += 1
        if count == curve.shape[1]:
            return TOO_LONG, count
        along, square = _distance_to_start(arm, work, curve, tangent, world, slot)
        if count > 3 and along > 0.0 and square < 2.25 * step * step:
            good, _ = _step(arm, goal, work, points, u, ref, tangent, row, angle_row, along, world, slot)
            near = 0.0
            for i in range(JOINTS):
                iq = arm.joints[arm.chain[i], Q_INDEX]
                near = max(near, abs(wrapped(curve[world, 0, iq] - q[slot, iq])))
            if good and near < _SAME:
                return CLOSED, count
        step = min(step, max(_SWEEP / max(abs(rate), _SWEEP), _FINEST * longest))  # the elbow near the line turns fast
        good, taken = _step(arm, goal, work, points, u, ref, tangent, row, angle_row, step, world, slot)
        while not good and step > _SHORTEST:
            step *= 0.5
            good, taken = _step(arm, goal, work, points, u, ref, tangent, row, angle_row, step, world, slot)
        if not good:
            return SINGULAR, count
        if taken <= 3:
            step = min(1.4 * step, longest)


@entry
def trace_batch(arm, numbers, points, longest, side, given, found, scratch, start, stop, stride, slot):
    """The self-motion curve through each world's q0 (corrected first)."""
    target, q0 = given.target, given.q0
    goal = Goal(POSE, numbers, target)
    work, row, angle_row, tangent, old = (
        scratch.work, scratch.row, scratch.angle_row, scratch.tangent, scratch.old_tangent,
    )  # fmt: skip
    q, curve, notes, report = work.q, found.curve, found.notes, found.report
    place_world(work.scratch, slot)
    bad = 0
    for world in range(start, stop, stride):
        for i in range(q.shape[1]):
            q[slot, i] = q0[world, i]
        end, count = _trace(
            arm, goal, work, points, longest, side, curve, notes, row, angle_row, tangent, old, world, slot
        )  # fmt: skip
        report[world, END] = end
        report[world, COUNT] = count
        if not (all_finite(target, world) and all_finite(q0, world)) and bad == 0:
            bad = world + 1
    return bad
