"""Joints along straight tool lines: each node solved exactly, tangents from the Jacobian, steps as long as accuracy allows.

Leutenegger (2008, sections 5.3, 5.6.3) integrates joint rates from the Jacobian at every period and corrects the drift with a
gain. Here a node is corrected until nothing is left (Levenberg-Marquardt from the tangent's prediction, joints at limits
held), and between nodes the joints follow the cubic that has both nodes' positions and tangents. Its middle is checked: a step
whose middle misses the line by more than the accuracy, or leaves a limit, is halved. A point and a direction leave roll free
(5-joint arms), a point leaves the whole attitude free; what is left over of more joints is taken up with the least motion.
"""

import math
from typing import NamedTuple

import numpy as np

from carpal._core.compile import entry, kernel, leaf
from carpal.kinematics.inverse.kernels.ik_lm import descend_lm
from carpal.kinematics.inverse.kernels.ik_task import (
    POINTING,
    POSE,
    POSITION_ONLY,
    TARGET_P,
    TARGET_R,
    TOL_P,
    TOL_R,
    WEIGHT,
    Goal,
    fill_task_jacobian,
    length,
    place_tool,
    task_error,
)
from carpal.kinematics.inverse.kernels.ik_task import Arm as Arm
from carpal.kinematics.inverse.kernels.ik_task import Work as Work
from carpal.kinematics.kernels.placement import place_world
from carpal.kinematics.kernels.state import all_finite
from carpal.model.kernels.tables import Q_INDEX, matrix_at, vector_at
from carpal.spatial.kernels.cholesky import solve_spd
from carpal.spatial.kernels.quaternion import rotation_from_wxyz, rotation_vector_between, turn_between, wxyz_turned
from carpal.spatial.kernels.vec3 import add, product, rotate, scale, sub

# columns of a report: what came out, nodes, the leg and the share of it where it was lost, the joint that a limit held
OUTCOME, NODES, LEG, SHARE, JOINT = 0, 1, 2, 3, 4
REPORT = 5
TASKS = {"pose": POSE, "point": POSITION_ONLY, "point and direction": POINTING}
DONE, LOST, START_AWAY, TOO_MANY = 0, 1, 2, 3
# columns of a node: leg, share of the leg, then q and dq/dshare
NODE_LEG, NODE_SHARE, NODE_Q = 0, 1, 2
LONGEST = 0.2  # [rad, m] that a joint may move in a step
SHORTEST = 1e-8  # share of a leg: what needs shorter steps is not to be followed
# keeps the tangents of redundant arms finite; an arm without spare joints is only kept from dividing by zero: the folded K10
# has eigenvalues of 1e-11
_GENTLE, _BARELY = 1e-10, 1e-18


class LinesInput(NamedTuple):
    """vertices [world, 12 x vertex] of the polygon, and the configuration q0 [world, joint] to start from."""

    vertices: np.ndarray
    q0: np.ndarray


class LinesOutput(NamedTuple):
    """nodes [world, node, columns of a node] and report [world, REPORT]."""

    nodes: np.ndarray
    report: np.ndarray


class LinesScratch(NamedTuple):
    """A slot's scratch: the target of the present node, and that of inverse kinematics."""

    target: np.ndarray
    work: Work


@leaf
def _turn_of_leg(task, vertices, world, leg):
    """Rotation vector from a leg's first attitude to its second."""
    a, b = 12 * leg, 12 * (leg + 1)
    if task == POSE:
        return rotation_vector_between(
            matrix_at(vertices, world, a + TARGET_R), matrix_at(vertices, world, b + TARGET_R)
        )
    if task == POINTING:
        return turn_between(vector_at(vertices, world, a + TARGET_R), vector_at(vertices, world, b + TARGET_R))
    return 0.0, 0.0, 0.0


@leaf
def _put_target(task, vertices, world, leg, turn, share, target, slot):
    """target[slot]: where the tool is to be at a share of a leg."""
    a = 12 * leg
    travel = sub(vector_at(vertices, world, a + 12 + TARGET_P), vector_at(vertices, world, a + TARGET_P))
    p = add(vector_at(vertices, world, a + TARGET_P), scale(share, travel))
    w, x, y, z = wxyz_turned(1.0, 0.0, 0.0, 0.0, share * turn[0], share * turn[1], share * turn[2])
    R = rotation_from_wxyz(w, x, y, z)
    if task == POSE:
        R = product(R, matrix_at(vertices, world, a + TARGET_R))
        for i in range(9):
            target[slot, TARGET_R + i] = R[i]
    elif task == POINTING:
        d = rotate(R, vector_at(vertices, world, a + TARGET_R))
        for i in range(3):
            target[slot, TARGET_R + i] = d[i]
    for i in range(3):
        target[slot, TARGET_P + i] = p[i]


@kernel
def _tangent(arm, goal, work, travel, turn, slot):
    """work.dq[slot] = dq/dshare at work.q[slot]; joints at a limit that would leave it stand still."""
    R, p = place_tool(arm, work.q, work.scratch, slot)
    n = work.dq.shape[1]
    ww = goal.numbers[WEIGHT] * goal.numbers[WEIGHT]
    wanted = 6 if goal.task == POSE else 5 if goal.task == POINTING else 3
    gentle = _GENTLE if n > wanted else _BARELY
    for _ in range(n):
        fill_task_jacobian(arm, goal, R, p, work.J, work.scratch, slot)
        for i in range(n):
            if work.g[slot, i] != 0.0:
                for r in range(6):
                    work.J[slot, r, i] = 0.0
        for i in range(n):
            s = 0.0
            for r in range(3):
                s += work.J[slot, r, i] * travel[r] + ww * work.J[slot, 3 + r, i] * turn[r]
            work.dq[slot, i] = s
            for j in range(i + 1):
                h = 0.0
                for r in range(3):
                    h += work.J[slot, r, i] * work.J[slot, r, j] + ww * work.J[slot, 3 + r, i] * work.J[slot, 3 + r, j]
                work.L[slot, i, j] = h
            # a joint that is held has an empty row
            work.L[slot, i, i] += 1.0 if work.g[slot, i] != 0.0 else gentle
        solve_spd(work.L, work.dq, slot, n)
        held = False
        for i in range(n):
            iq = arm.joints[arm.chain[i], Q_INDEX]
            x, rate = work.q[slot, iq], work.dq[slot, i]
            if (x >= arm.q_max[iq] and rate > 0.0) or (x <= arm.q_min[iq] and rate < 0.0):
                work.g[slot, i] = 1.0
                held = True
        if not held:
            break


@leaf
def _clear_held(work, slot):
    for i in range(work.dq.shape[1]):
        work.g[slot, i] = 0.0


@leaf
def _store(arm, work, nodes, world, row, leg, share, slot):
    """A node: where the joints are and their tangent."""
    nq = work.q.shape[1]
    nodes[world, row, NODE_LEG], nodes[world, row, NODE_SHARE] = leg, share
    for i in range(nq):
        nodes[world, row, NODE_Q + i] = work.q[slot, i]
        nodes[world, row, NODE_Q + nq + i] = 0.0
    for i in range(arm.chain.shape[0]):
        iq = arm.joints[arm.chain[i], Q_INDEX]
        nodes[world, row, NODE_Q + nq + iq] = work.dq[slot, i]


@leaf
def _cubic(a, b, ta, tb, f):
    """The cubic from a to b with these tangents at its ends, at f from 0 to 1."""
    return a + f * (ta + f * (3.0 * (b - a) - 2.0 * ta - tb + f * (ta + tb - 2.0 * (b - a))))


@leaf
def _extremes(a, b, ta, tb):
    """(least, largest) value of that cubic."""
    low, high = min(a, b), max(a, b)
    k2, k1, k0 = 3.0 * (ta + tb - 2.0 * (b - a)), 2.0 * (3.0 * (b - a) - 2.0 * ta - tb), ta
    root = k1 * k1 - 4.0 * k2 * k0
    if root > 0.0:
        s = -0.5 * (k1 + math.copysign(math.sqrt(root), k1))
        if s != 0.0 and 0.0 < k0 / s < 1.0:
            x = _cubic(a, b, ta, tb, k0 / s)
            low, high = min(low, x), max(high, x)
        if k2 != 0.0 and 0.0 < s / k2 < 1.0:
            x = _cubic(a, b, ta, tb, s / k2)
            low, high = min(low, x), max(high, x)
    return low, high


@kernel
def _middle_fits(arm, goal, vertices, leg, turn, nodes, row, accuracy, work, world, slot):
    """Whether the cubic between nodes row - 1 and row stays on its line and in the limits at its middle; uses q_try."""
    nq = work.q.shape[1]
    h = nodes[world, row, NODE_SHARE] - nodes[world, row - 1, NODE_SHARE]
    inside = True
    for i in range(nq):
        a, b = nodes[world, row - 1, NODE_Q + i], nodes[world, row, NODE_Q + i]
        ta, tb = nodes[world, row - 1, NODE_Q + nq + i], nodes[world, row, NODE_Q + nq + i]
        x = 0.5 * (a + b) + 0.125 * h * (ta - tb)
        work.q_try[slot, i] = x
        low, high = _extremes(a, b, h * ta, h * tb)
        inside = inside and arm.q_min[i] - 1e-9 <= low and high <= arm.q_max[i] + 1e-9
        inside = inside and abs(b - a) <= LONGEST and abs(x - 0.5 * (a + b)) <= 0.25 * LONGEST
    share = 0.5 * (nodes[world, row, NODE_SHARE] + nodes[world, row - 1, NODE_SHARE])
    _put_target(goal.task, vertices, world, leg, turn, share, goal.target, slot)
    R, p = place_tool(arm, work.q_try, work.scratch, slot)
    d, r = task_error(goal, R, p, slot)
    return inside and length(d) <= accuracy and length(r) <= 10.0 * accuracy


@leaf
def _held_joint(arm, work, nodes, world, row, ahead, slot):
    """The joint that leaves its limits furthest on the tangent ahead, or -1."""
    nq = work.q.shape[1]
    worst, joint = 1e-9, -1
    for i in range(nq):
        x = nodes[world, row, NODE_Q + i]
        rate = nodes[world, row, NODE_Q + nq + i]
        on = x + ahead * rate
        beyond = max(on - arm.q_max[i], arm.q_min[i] - on)
        if beyond > worst:
            worst, joint = beyond, i
    if joint < 0:  # its tangent was held at the limit already
        for i in range(nq):
            x = nodes[world, row, NODE_Q + i]
            if min(arm.q_max[i] - x, x - arm.q_min[i]) <= 1e-7:
                return i
    return joint


@kernel
def follow_legs(arm, goal, vertices, accuracy, nodes, report, work, world, slot):
    """Follow all legs of a world from work.q[slot]; fills nodes[world] and report[world]."""
    legs = vertices.shape[1] // 12 - 1
    nq = work.q.shape[1]
    row = 0
    report[world, JOINT] = -1
    for leg in range(legs):
        turn = _turn_of_leg(goal.task, vertices, world, leg)
        travel = sub(
            vector_at(vertices, world, 12 * leg + 12 + TARGET_P), vector_at(vertices, world, 12 * leg + TARGET_P)
        )
        _clear_held(work, slot)
        _tangent(arm, goal, work, travel, turn, slot)
        if row + 1 >= nodes.shape[1]:
            report[world, OUTCOME] = TOO_MANY
            return row
        _store(arm, work, nodes, world, row, leg, 0.0, slot)
        share, step = 0.0, 0.125
        while share < 1.0:
            if row + 2 >= nodes.shape[1]:
                report[world, OUTCOME], report[world, LEG], report[world, SHARE] = TOO_MANY, leg, share
                return row
            if 1.0 - share - step < 0.25 * step:
                step = 1.0 - share  # no tiny rest at the end of a leg
            for i in range(nq):
                x = nodes[world, row, NODE_Q + i] + step * nodes[world, row, NODE_Q + nq + i]
                work.q[slot, i] = min(max(x, arm.q_min[i]), arm.q_max[i])
            end = 1.0 if step == 1.0 - share else share + step
            _put_target(goal.task, vertices, world, leg, turn, end, goal.target, slot)
            d, r, _ = descend_lm(arm, goal, work, 12, slot, slot)
            fits = d <= goal.numbers[TOL_P] and r <= goal.numbers[TOL_R]
            if fits:
                _clear_held(work, slot)
                _tangent(arm, goal, work, travel, turn, slot)
                _store(arm, work, nodes, world, row + 1, leg, end, slot)
                fits = _middle_fits(arm, goal, vertices, leg, turn, nodes, row + 1, accuracy, work, world, slot)
            if fits:
                row += 1
                share = end
                step *= 1.6
            else:
                step *= 0.5
                if step < SHORTEST:
                    report[world, OUTCOME], report[world, LEG], report[world, SHARE] = LOST, leg, share
                    report[world, JOINT] = _held_joint(arm, work, nodes, world, row, 1e-4, slot)
                    return row
        row += 1
        for i in range(nq):
            work.q[slot, i] = nodes[world, row - 1, NODE_Q + i]
    report[world, OUTCOME] = DONE
    return row


@entry
def follow_lines_batch(arm, task, numbers, accuracy, given, found, scratch, start, stop, stride, slot):
    """Follow every world's polygon from its q0, which is first brought onto the first vertex."""
    vertices, q0, nodes, report = given.vertices, given.q0, found.nodes, found.report
    target, work = scratch.target, scratch.work
    goal, q = Goal(task, numbers, target), work.q
    place_world(work.scratch, slot)
    bad = 0
    for world in range(start, stop, stride):
        if not all_finite(vertices, world) or not all_finite(q0, world):
            bad = world + 1 if bad == 0 else bad
            continue
        for i in range(q.shape[1]):
            q[slot, i] = q0[world, i]
        zero = (0.0, 0.0, 0.0)
        _put_target(task, vertices, world, 0, zero, 0.0, target, slot)
        d, r, _ = descend_lm(arm, goal, work, 50, slot, slot)
        for k in range(REPORT):
            report[world, k] = 0.0
        if not (d <= numbers[TOL_P] and r <= numbers[TOL_R] and math.isfinite(d + r)):
            report[world, OUTCOME] = START_AWAY
            continue
        report[world, NODES] = follow_legs(arm, goal, vertices, accuracy, nodes, report, work, world, slot)
    return bad
