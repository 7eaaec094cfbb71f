"""Inverse kinematics of a chain whose joints are tied by couplings or loops: Levenberg-Marquardt over the independent joints.

Every tried configuration satisfies the constraints. The Jacobian is with respect to the independent joints: columns of followers
are added to their leaders', rates of the joints that close loops are eliminated through the loops' Jacobian. Independent
joints stay inside their limits; what a dependent joint is beyond its own counts as an error of its own, and must be zero
in an answer.
"""

import math
from typing import NamedTuple

import numpy as np

from carpal._core.compile import entry, kernel
from carpal.kinematics.inverse.kernels.ik_search import (
    ATTEMPTS,
    POSITION_ERROR,
    ROTATION_ERROR,
    SOLVED,
    STEPS,
    certainly_out_of_reach,
    is_rotation,
)
from carpal.kinematics.inverse.kernels.ik_starts import rough_distance
from carpal.kinematics.inverse.kernels.ik_task import (
    DAMPING,
    LONGEST,
    POINTING,
    POSE,
    POSITION_ONLY,
    TOL_P,
    TOL_R,
    WEIGHT,
    Arm,
    Goal,
    length,
    place_tool,
    pointing,
    reached,
    squared_cost,
    task_error,
)
from carpal.kinematics.kernels.closure import TOLERANCE, Closure, close, normal_matrix
from carpal.kinematics.kernels.constraints import fold_followers, loop_jacobian, place_loops
from carpal.kinematics.kernels.freedom import freedom_axis, slides
from carpal.kinematics.kernels.integrate import integrate_body
from carpal.kinematics.kernels.placement import P_WB, place_world
from carpal.kinematics.kernels.state import all_finite, freedoms
from carpal.model.kernels.constraint_tables import ConstraintTables
from carpal.model.kernels.tables import KIND, PRISMATIC, Q_INDEX, REVOLUTE, V_INDEX
from carpal.spatial.kernels.cholesky import solve_spd
from carpal.spatial.kernels.scratch import get_vector
from carpal.spatial.kernels.vec3 import cross, dot, scale, sub

_SLOW, _PATIENCE, _GIVE_UP = 0.98, 6, 1e6  # as in `ik_lm`
_FAR_ATTEMPTS = 4
_CLOSING = 50  # steps in which a tried configuration must close its loops
_ELIMINATION = 1e-11  # damping of the elimination, in parts of the largest diagonal


class Ties(NamedTuple):
    """Couplings and loops; rows of the independent joints that count; checked (n, 2): index of dependent joints in q and in v.

    moved (n): indices in q that a new start sets; low, high (n): limits of the checked joints.
    """

    tables: ConstraintTables
    free: np.ndarray
    checked: np.ndarray
    moved: np.ndarray
    low: np.ndarray
    high: np.ndarray


class TiedWork(NamedTuple):
    """A slot's scratch: configurations, rows of the Jacobian, normal equations, row errors, elimination, body poses, closure."""

    q: np.ndarray
    q_try: np.ndarray
    J: np.ndarray
    H: np.ndarray
    L: np.ndarray
    g: np.ndarray
    dq: np.ndarray
    e: np.ndarray
    y: np.ndarray
    scratch: np.ndarray
    closure: Closure


@kernel
def excess(ties, k, q, slot):
    """How far a checked joint is beyond its limits, signed; zero inside."""
    x = q[slot, ties.checked[k, 0]]
    return max(x - ties.high[k], 0.0) + min(x - ties.low[k], 0.0)


@kernel
def _excess_cost(ties, weight, q, slot):
    s = 0.0
    for k in range(ties.checked.shape[0]):
        x = weight * excess(ties, k, q, slot)
        s += x * x
    return s


@kernel
def _fill_rows(arm, goal, ties, work, R, p, d, r, slot):
    """Rows of the task, then of dependent joints beyond their limits, for all columns; and their errors, weighted."""
    J, weight = work.J, goal.numbers[WEIGHT]
    for i in range(J.shape[1]):
        work.e[slot, i] = 0.0
        for j in range(J.shape[2]):
            J[slot, i, j] = 0.0
    axis_W = pointing(goal, R)
    for i in range(arm.chain.shape[0]):
        body = arm.chain[i]
        kind, first = arm.joints[body, KIND], arm.joints[body, V_INDEX]
        lever = sub(p, get_vector(work.scratch, slot, body, P_WB))
        for k in range(freedoms(kind)):
            axis = freedom_axis(arm.joints, arm.bodies, work.scratch, slot, body, k)
            linear, angular = cross(axis, lever), axis
            if slides(kind, k):
                linear, angular = axis, (0.0, 0.0, 0.0)
            if goal.task == POSITION_ONLY:
                angular = (0.0, 0.0, 0.0)
            elif goal.task == POINTING:
                angular = sub(angular, scale(dot(angular, axis_W), axis_W))
            for n in range(3):
                J[slot, n, first + k] = linear[n]
                J[slot, 3 + n, first + k] = weight * angular[n]
    for n in range(3):
        work.e[slot, n], work.e[slot, 3 + n] = d[n], weight * r[n]
    for k in range(ties.checked.shape[0]):
        x = excess(ties, k, work.q, slot)
        if x != 0.0:
            work.e[slot, 6 + k] = -weight * x
            J[slot, 6 + k, ties.checked[k, 1]] = weight


@kernel
def _substitute(L, x, slot, n):
    """x[slot] = A^-1 x for a matrix whose Cholesky factor stands in the lower triangle of L[slot]."""
    for i in range(n):
        s = x[slot, i]
        for k in range(i):
            s -= L[slot, i, k] * x[slot, k]
        x[slot, i] = s / L[slot, i, i]
    for i in range(n - 1, -1, -1):
        s = x[slot, i]
        for k in range(i + 1, n):
            s -= L[slot, k, i] * x[slot, k]
        x[slot, i] = s / L[slot, i, i]


@kernel
def eliminate_dependent(arm, ties, work, slot):
    """Take the rates of dependent joints out of the rows of J: followers, then joints that close loops."""
    tables, J, c = ties.tables, work.J, work.closure
    fold_followers(tables.couplings, work.q, slot, J, J.shape[1], slot)
    if tables.loops.shape[0] == 0 or tables.dependent.shape[0] == 0:
        return
    rows = c.r.shape[1]
    place_loops(arm.joints, arm.bodies, tables, work.q, c.scratch, slot, slot)
    loop_jacobian(arm.joints, arm.bodies, tables, c.G, 0, c.scratch, slot, slot)
    fold_followers(tables.couplings, work.q, slot, c.G, rows, slot)
    n = normal_matrix(arm.joints, tables, c.G, rows, c.A, _ELIMINATION, slot)
    for k in range(n):
        work.y[slot, k] = 0.0
    solve_spd(c.A, work.y, slot, n)  # leaves the factor in A
    for i in range(J.shape[1]):
        column = 0
        for a in range(tables.dependent.shape[0]):
            body = tables.dependent[a]
            for k in range(freedoms(arm.joints[body, KIND])):
                work.y[slot, column] = J[slot, i, arm.joints[body, V_INDEX] + k]
                column += 1
        _substitute(c.A, work.y, slot, n)
        for m in range(rows):  # multipliers of the loops' equations
            s, column = 0.0, 0
            for a in range(tables.dependent.shape[0]):
                body = tables.dependent[a]
                for k in range(freedoms(arm.joints[body, KIND])):
                    s += c.G[slot, m, arm.joints[body, V_INDEX] + k] * work.y[slot, column]
                    column += 1
            c.r_try[slot, m] = s
        for a in range(ties.free.shape[0]):
            body = ties.free[a]
            for k in range(freedoms(arm.joints[body, KIND])):
                column = arm.joints[body, V_INDEX] + k
                for m in range(rows):
                    J[slot, i, column] -= c.r_try[slot, m] * c.G[slot, m, column]


@kernel
def _normal_equations(arm, ties, work, slot):
    """H = J^T J (lower triangle) and g = J^T e over the independent joints; those that a limit holds back are taken out.

    Returns how many freedoms stay.
    """
    J, H, g, q = work.J, work.H, work.g, work.q
    column, stay = 0, 0
    for a in range(ties.free.shape[0]):
        body = ties.free[a]
        kind, iq = arm.joints[body, KIND], arm.joints[body, Q_INDEX]
        for i in range(freedoms(kind)):
            v = arm.joints[body, V_INDEX] + i
            s = 0.0
            for m in range(J.shape[1]):
                s += J[slot, m, v] * work.e[slot, m]
            g[slot, column] = s
            other = 0
            for b in range(a + 1):
                rival = ties.free[b]
                for j in range(freedoms(arm.joints[rival, KIND])):
                    if other <= column:
                        s = 0.0
                        for m in range(J.shape[1]):
                            s += J[slot, m, v] * J[slot, m, arm.joints[rival, V_INDEX] + j]
                        H[slot, column, other] = s
                    other += 1
            column += 1
        stay += freedoms(kind)
        if kind == REVOLUTE or kind == PRISMATIC:
            x, push = q[slot, iq], g[slot, column - 1]
            if (x <= arm.q_min[iq] and push < 0.0) or (x >= arm.q_max[iq] and push > 0.0):
                for v in range(J.shape[1]):
                    J[slot, v, arm.joints[body, V_INDEX]] = (
                        0.0  # what comes later in the table does not see it any more
                    )
                for j in range(column - 1):
                    H[slot, column - 1, j] = 0.0
                H[slot, column - 1, column - 1] = 1.0
                g[slot, column - 1] = 0.0
                stay -= 1
    return stay


@kernel
def _try_step(arm, ties, work, longest, slot):
    """work.q_try: the independent joints moved by dq, inside their limits; False where loops do not close there."""
    size = 0.0
    for i in range(work.dq.shape[1]):
        size = max(size, abs(work.dq[slot, i]))
    shrink = 1.0 if size <= longest else longest / size
    for i in range(work.q.shape[1]):
        work.q_try[slot, i] = work.q[slot, i]
    column = 0
    for a in range(ties.free.shape[0]):
        body = ties.free[a]
        kind, iq = arm.joints[body, KIND], arm.joints[body, Q_INDEX]
        integrate_body(arm.joints, body, work.q, work.dq, column, shrink, work.q_try, slot)
        if kind == REVOLUTE or kind == PRISMATIC:
            work.q_try[slot, iq] = min(max(work.q_try[slot, iq], arm.q_min[iq]), arm.q_max[iq])
        column += freedoms(kind)
    left, _ = close(arm.joints, arm.bodies, ties.tables, work.q_try, work.closure, _CLOSING, slot)
    return left <= TOLERANCE


@kernel
def descend_tied(arm, goal, ties, work, steps, world, slot):
    """From work.q[slot], which satisfies the constraints, downhill; returns (position error, rotation error, steps)."""
    q, q_try, dq, g = work.q, work.q_try, work.dq, work.g
    gentle, weight = goal.numbers[DAMPING], goal.numbers[WEIGHT]
    R, p = place_tool(arm, q, work.scratch, slot)
    d, r = task_error(goal, R, p, world)
    outside = _excess_cost(ties, weight, q, slot)
    cost = squared_cost(goal, d, r) + outside
    n = dq.shape[1]
    factor, taken, slow, fresh = gentle, 0, 0, True
    while taken < steps and not (outside == 0.0 and reached(goal, d, r)):
        taken += 1
        if fresh:
            _fill_rows(arm, goal, ties, work, R, p, d, r, slot)
            eliminate_dependent(arm, ties, work, slot)
            if _normal_equations(arm, ties, work, slot) == 0:
                break
        damping = factor * cost + 1e-12
        for i in range(n):
            dq[slot, i] = g[slot, i]
            for j in range(i):
                work.L[slot, i, j] = work.H[slot, i, j]
            work.L[slot, i, i] = work.H[slot, i, i] + damping
        solve_spd(work.L, dq, slot, n)
        fresh = _try_step(arm, ties, work, goal.numbers[LONGEST], slot)
        if fresh:
            R_try, p_try = place_tool(arm, q_try, work.scratch, slot)
            d_try, r_try = task_error(goal, R_try, p_try, world)
            outside_try = _excess_cost(ties, weight, q_try, slot)
            cost_try = squared_cost(goal, d_try, r_try) + outside_try
            fresh = cost_try < cost
        if fresh:
            slow = slow + 1 if cost_try > _SLOW * cost else 0
            for i in range(q.shape[1]):
                q[slot, i] = q_try[slot, i]
            R, p, d, r, cost, outside = R_try, p_try, d_try, r_try, cost_try, outside_try
            factor = max(0.5 * factor, gentle)
            if slow > _PATIENCE:
                break
        else:
            factor = 8.0 * factor + 1e-3
            if factor > _GIVE_UP * gentle:
                break
    return length(d), length(r), taken


@kernel
def _next_start(goal, ties, samples, sample_poses, q, world, slot, last_distance, last_index):
    """Put the next nearest sample's joints that count into q[slot]; returns its (distance, index), -1 where none is left."""
    best, index = 1e300, -1
    for s in range(samples.shape[0]):
        distance = rough_distance(goal, sample_poses, s, world)
        after = distance > last_distance or (distance == last_distance and s > last_index)
        if after and distance < best:
            best, index = distance, s
    if index >= 0:
        for i in range(ties.moved.shape[0]):
            q[slot, ties.moved[i]] = samples[index, ties.moved[i]]
    return best, index


@entry
def ik_tied_batch(
    ties, joints, bodies, frames, frame, chain, q_min, q_max, method, task, numbers, steps, attempts, limited, use_q0,
    samples, sample_poses, target, q0, q_out, report, work, start, stop, stride, slot,
):  # fmt: skip
    """Solve every world; constants, inputs, outputs and reports as of `ik_batch`."""
    arm = Arm(joints, bodies, frames, frame, chain, q_min, q_max)
    goal = Goal(task, numbers, target)
    q = work.q
    place_world(work.scratch, slot)
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
            if attempt > 0 or not use_q0:
                distance, index = _next_start(goal, ties, samples, sample_poses, q, world, slot, distance, index)
                if index < 0 and attempt > 0:
                    break  # every sample has been tried
            left, _ = close(joints, bodies, ties.tables, q, work.closure, _CLOSING, slot)
            closed = left <= TOLERANCE
            p_error, r_error, taken = descend_tied(arm, goal, ties, work, steps if closed else 0, world, slot)
            total += taken
            near = p_error <= numbers[TOL_P] and r_error <= numbers[TOL_R]
            solved = closed and near and _all_inside(arm, ties, q, slot)
            miss = p_error * p_error + (numbers[WEIGHT] * r_error) ** 2 + (0.0 if closed else 1e6)
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


@kernel
def _all_inside(arm, ties, q, slot):
    """Whether independent and dependent joints that count are inside their limits."""
    inside = True
    for a in range(ties.free.shape[0]):
        body = ties.free[a]
        kind, iq = arm.joints[body, KIND], arm.joints[body, Q_INDEX]
        if kind == REVOLUTE or kind == PRISMATIC:
            inside = inside and arm.q_min[iq] <= q[slot, iq] <= arm.q_max[iq]
    for k in range(ties.checked.shape[0]):
        inside = inside and excess(ties, k, q, slot) == 0.0
    return inside
