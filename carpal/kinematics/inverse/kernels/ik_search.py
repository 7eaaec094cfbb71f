"""The search that all numeric methods share: start, descend, start again elsewhere, keep the best."""

import math

from carpal._core.compile import entry, kernel, leaf
from carpal.kinematics.inverse.kernels.ik_ccd import descend_ccd
from carpal.kinematics.inverse.kernels.ik_dls import descend_dls
from carpal.kinematics.inverse.kernels.ik_lm import descend_lm
from carpal.kinematics.inverse.kernels.ik_newton import descend_newton
from carpal.kinematics.inverse.kernels.ik_starts import next_start
from carpal.kinematics.inverse.kernels.ik_task import (
    CENTER,
    POSE,
    REACH,
    TARGET_P,
    TARGET_R,
    TOL_P,
    TOL_R,
    WEIGHT,
    WRIST,
    WRIST_REACH,
    Arm,
    Goal,
    Work,
    length,
)
from carpal.kinematics.kernels.placement import place_world
from carpal.kinematics.kernels.state import all_finite
from carpal.model.kernels.tables import KIND, Q_INDEX, REVOLUTE, matrix_at, vector_at
from carpal.spatial.kernels.vec3 import add, rotate, sub

LM, NEWTON, DLS, CCD = 0, 1, 2, 3
# columns of the report
SOLVED, POSITION_ERROR, ROTATION_ERROR, STEPS, ATTEMPTS = 0, 1, 2, 3, 4
REPORT = 5
_FAR_ATTEMPTS = 4  # for targets that no configuration reaches: only the nearest point is wanted


@kernel
def _descend(method, arm, goal, work, steps, world, slot):
    if method == LM:
        return descend_lm(arm, goal, work, steps, world, slot)
    if method == NEWTON:
        return descend_newton(arm, goal, work, steps, world, slot)
    if method == DLS:
        return descend_dls(arm, goal, work, steps, world, slot)
    return descend_ccd(arm, goal, work, steps, world, slot)


@leaf
def _inside(arm, q, slot):
    """Whether the chain's joints are inside their limits; whole turns are taken off revolute joints that need it."""
    inside = True
    for i in range(arm.chain.shape[0]):
        body = arm.chain[i]
        iq = arm.joints[body, Q_INDEX]
        if arm.joints[body, KIND] == REVOLUTE:
            turn = 2.0 * math.pi
            if q[slot, iq] > arm.q_max[iq]:
                q[slot, iq] -= turn * math.ceil((q[slot, iq] - arm.q_max[iq]) / turn)
            elif q[slot, iq] < arm.q_min[iq]:
                q[slot, iq] += turn * math.ceil((arm.q_min[iq] - q[slot, iq]) / turn)
        inside = inside and arm.q_min[iq] <= q[slot, iq] <= arm.q_max[iq]
    return inside


@leaf
def is_rotation(target, world):
    """Whether the rotation's rows are orthonormal within 1e-6 and right-handed."""
    R = matrix_at(target, world, TARGET_R)
    off = 0.0
    for i in range(3):
        for j in range(i + 1):
            dot = R[3 * i] * R[3 * j] + R[3 * i + 1] * R[3 * j + 1] + R[3 * i + 2] * R[3 * j + 2]
            off = max(off, abs(dot - (1.0 if i == j else 0.0)))
    handed = (
        R[0] * (R[4] * R[8] - R[5] * R[7]) - R[1] * (R[3] * R[8] - R[5] * R[6]) + R[2] * (R[3] * R[7] - R[4] * R[6])
    )
    return off <= 1e-6 and handed > 0.0


@leaf
def certainly_out_of_reach(goal, world):
    """Beyond the chain's length (`reach.py`): more starts would be wasted."""
    numbers = goal.numbers
    center = (numbers[CENTER], numbers[CENTER + 1], numbers[CENTER + 2])
    p = vector_at(goal.target, world, TARGET_P)
    if length(sub(p, center)) > numbers[REACH]:
        return True
    if goal.task != POSE:
        return False
    wrist = rotate(matrix_at(goal.target, world, TARGET_R), (numbers[WRIST], numbers[WRIST + 1], numbers[WRIST + 2]))
    return length(sub(add(p, wrist), center)) > numbers[WRIST_REACH]


@entry
def ik_batch(
    joints, bodies, frames, frame, chain, q_min, q_max, method, task, numbers, steps, attempts, limited, use_q0,
    samples, sample_poses, target, q0, q_out, report, q, q_try, J, H, L, g, dq, scratch, start, stop, stride, slot,
):  # fmt: skip
    """Solve every world."""
    arm = Arm(joints, bodies, frames, frame, chain, q_min, q_max)
    goal = Goal(task, numbers, target)
    work = Work(q, q_try, J, H, L, g, dq, scratch)
    place_world(scratch, slot)  # ball and free joints on the world read its axes; no search writes there
    bad = 0
    for world in range(start, stop, stride):
        best, total = math.inf, 0
        distance, index = -1.0, -1
        allowed = min(attempts, _FAR_ATTEMPTS) if certainly_out_of_reach(goal, world) else attempts
        if (
            not all_finite(target, world)
            or not all_finite(q0, world)
            or (task == POSE and not is_rotation(target, world))
        ):
            allowed = 0
        for attempt in range(allowed):
            for i in range(q.shape[1]):
                q[slot, i] = q0[world, i]
                q_try[slot, i] = q0[world, i]
            if attempt > 0 or not use_q0:
                distance, index = next_start(arm, goal, samples, sample_poses, q, world, slot, distance, index)
                if index < 0 and attempt > 0:
                    break  # every sample has been tried
                for i in range(q.shape[1]):
                    q_try[slot, i] = q[slot, i]
            p_error, r_error, taken = _descend(method, arm, goal, work, steps, world, slot)
            total += taken
            near = p_error <= numbers[TOL_P] and r_error <= numbers[TOL_R]
            solved = near and (not limited or _inside(arm, q, slot))
            miss = p_error * p_error + (numbers[WEIGHT] * r_error) ** 2
            if solved or miss < best:
                best = miss
                for i in range(q.shape[1]):
                    q_out[world, i] = q[slot, i]
                report[world, SOLVED] = 1.0 if solved else 0.0
                report[world, POSITION_ERROR] = p_error
                report[world, ROTATION_ERROR] = r_error
            report[world, STEPS] = total
            report[world, ATTEMPTS] = attempt + 1
            if solved:
                break
        if not (best < math.inf and all_finite(q_out, world)) and bad == 0:
            bad = world + 1
    return bad
