"""One step of composed inverse kinematics, and steps until it converges."""

import math
from typing import NamedTuple

import numpy as np

from carpal._core.compile import entry, kernel
from carpal.kinematics.composed.kernels.active_set import HIGH, LOW, SOLVED, Quadratic
from carpal.kinematics.composed.kernels.priority_programs import best_step
from carpal.kinematics.composed.kernels.target_rows import (
    Targets,
    carried_masses,
    fill_rows,
    joint_of,
    place_all,
    reached,
    usable_goals,
)
from carpal.kinematics.inverse.kernels.ik_tied import eliminate_dependent
from carpal.kinematics.kernels.closure import TOLERANCE, Closure, close
from carpal.kinematics.kernels.integrate import integrate_body
from carpal.kinematics.kernels.state import all_finite, freedoms
from carpal.model.kernels.tables import PRISMATIC, REVOLUTE

# columns of `settings`: damping in parts of the squared error, least damping, most that a freedom moves in a step [rad, m], step
# below which lower priorities have settled
DAMPING, LEAST_DAMPING, BOX, SETTLED = 0, 1, 2, 3
SETTINGS = 4
# columns of a report: status of the program, steps, starts, longest step of a freedom, share of the step that was taken
STATUS, STEPS, ATTEMPTS, LONGEST, SHARE = 0, 1, 2, 3, 4
REPORT = 5
HALF_STEPS = 30  # of a step whose dependent joints would leave their limits or whose loops do not close
_CLOSING = 50
_SLACK = 1e-11  # [rad, m] that a dependent joint may be beyond its limit by rounding
_STILL = 1e-10  # [rad, m] a step that ends an attempt
_SLOW, _PATIENCE = (
    0.98,
    12,
)  # so many steps that lessen the first priority's squared error by less than 2 % end an attempt


class Work(NamedTuple):
    """A slot's scratch.

    q, q_try: configurations; J: rows of targets, dependent freedoms and further limits; e: errors; P: rows in the basis N;
    c (m, 2): low and high of what a step x of the independent freedoms (n) changes: x itself, then the last rows of J times x;
    step (n), dq (nv); y of the elimination.
    """

    q: np.ndarray
    q_try: np.ndarray
    J: np.ndarray
    e: np.ndarray
    P: np.ndarray
    N: np.ndarray
    c: np.ndarray
    step: np.ndarray
    dq: np.ndarray
    y: np.ndarray
    scratch: np.ndarray
    closure: Closure


class Limits(NamedTuple):
    """Further limits of every world, G dq <= h with dq by index in v: G (worlds, k, nv), h (worlds, k); settings (SETTINGS)."""

    G: np.ndarray
    h: np.ndarray
    settings: np.ndarray


@kernel
def _fill_limit_rows(robot, limits, work, first, world, slot):
    """Rows of the dependent freedoms, then of further limits, after those of the targets."""
    J = work.J
    for k in range(robot.tied.shape[0]):
        for j in range(J.shape[2]):
            J[slot, first + k, j] = 0.0
        J[slot, first + k, robot.tied[k, 0]] = 1.0
    first += robot.tied.shape[0]
    for k in range(limits.h.shape[1]):
        for j in range(J.shape[2]):
            J[slot, first + k, j] = limits.G[world, k, j]


@kernel
def _fill_bounds(robot, limits, work, box, world, slot):
    """c[slot]: low and high of a step of each independent freedom, of the dependent ones, of further limits.

    A joint beyond its limit may come back as fast as it may move, and not go farther.
    """
    c, n = work.c, robot.columns.shape[0]
    column = 0
    for a in range(robot.free.shape[0]):
        kind, iq, iv = joint_of(robot, robot.free[a])
        for k in range(freedoms(kind)):
            most = min(robot.longest[iv + k], box)
            c[slot, column, LOW], c[slot, column, HIGH] = -most, most
            if kind == REVOLUTE or kind == PRISMATIC:
                x = work.q[slot, iq]
                c[slot, column, LOW] = min(max(robot.q_low[iq] - x, -most), most)
                c[slot, column, HIGH] = max(min(robot.q_high[iq] - x, most), -most)
            column += 1
    for k in range(robot.tied.shape[0]):
        iv, iq = robot.tied[k, 0], robot.tied[k, 1]
        most = robot.longest[iv]
        c[slot, n + k, LOW], c[slot, n + k, HIGH] = -most, most
        if iq >= 0:
            x = work.q[slot, iq]
            c[slot, n + k, LOW] = max(-most, min(0.0, robot.q_low[iq] - x))
            c[slot, n + k, HIGH] = min(most, max(0.0, robot.q_high[iq] - x))
    n += robot.tied.shape[0]
    for k in range(limits.h.shape[1]):
        c[slot, n + k, LOW], c[slot, n + k, HIGH] = -math.inf, limits.h[world, k]


@kernel
def _compress(robot, work, rows, slot):
    """Columns of the independent freedoms of J move to the front, in place: they come in the order of v."""
    for i in range(rows):
        for k in range(robot.columns.shape[0]):
            work.J[slot, i, k] = work.J[slot, i, robot.columns[k]]


@kernel
def _relax(work, rows, n, m, first, slot):
    """A further limit that is broken by more than the box of steps can mend is mended as far as half of that."""
    for i in range(first, m):
        if work.c[slot, i, HIGH] < 0.0:
            least = 0.0
            for k in range(n):
                a = work.J[slot, rows + i - n, k]
                least += min(a * work.c[slot, k, LOW], a * work.c[slot, k, HIGH])
            work.c[slot, i, HIGH] = max(work.c[slot, i, HIGH], 0.5 * least)


@kernel
def _beyond(robot, q, q_from, slot):
    """Whether a dependent joint is farther beyond its limits than it was."""
    for k in range(robot.tied.shape[0]):
        iq = robot.tied[k, 1]
        if iq >= 0:
            x, before = q[slot, iq], q_from[slot, iq]
            low, high = min(robot.q_low[iq], before), max(robot.q_high[iq], before)
            if x < low - _SLACK or x > high + _SLACK:
                return True
    return False


@kernel
def take_step(robot, work, n, slot):
    """work.q[slot] moves by the step, or by the largest half, quarter ... of it that keeps dependent joints and loops.

    Returns (longest joint step, share taken); the step is scaled by that share.
    """
    for k in range(n):
        work.dq[slot, robot.columns[k]] = work.step[slot, k]
    share = 1.0
    for half in range(HALF_STEPS + 1):
        if half == HALF_STEPS:
            share = 0.0
        for i in range(work.q.shape[1]):
            work.q_try[slot, i] = work.q[slot, i]
        for a in range(robot.free.shape[0]):
            body = robot.free[a]
            kind, iq, iv = joint_of(robot, body)
            integrate_body(robot.joints, body, work.q, work.dq, iv, share, work.q_try, slot)
            if kind == REVOLUTE or kind == PRISMATIC:
                low = min(robot.q_low[iq], work.q[slot, iq])
                high = max(robot.q_high[iq], work.q[slot, iq])
                work.q_try[slot, iq] = min(max(work.q_try[slot, iq], low), high)
        left, _ = close(robot.joints, robot.bodies, robot.tables, work.q_try, work.closure, _CLOSING, slot)
        if share == 0.0 or (left <= TOLERANCE and not _beyond(robot, work.q_try, work.q, slot)):
            break
        share *= 0.5
    longest = 0.0
    for k in range(n):
        work.step[slot, k] *= share
        longest = max(longest, abs(work.step[slot, k]))
    if share > 0.0:
        for i in range(work.q.shape[1]):
            work.q[slot, i] = work.q_try[slot, i]
    return longest, share


@kernel
def _linearise(robot, targets, limits, work, errors, world, slot):
    """Poses, rows of targets and limits with dependent joints eliminated, and bounds, at work.q[slot]."""
    rows, n = targets.levels[targets.levels.shape[0] - 1], robot.columns.shape[0]
    place_all(robot, work.q, work.scratch, slot)
    carried_masses(robot, targets.table, work.scratch, slot)
    fill_rows(robot, targets, work.J, work.e, work.q, work.scratch, errors, world, slot)
    _fill_limit_rows(robot, limits, work, rows, world, slot)
    eliminate_dependent(robot, robot, work, slot)
    _compress(robot, work, rows + robot.tied.shape[0] + limits.h.shape[1], slot)
    _fill_bounds(robot, limits, work, limits.settings[BOX], world, slot)
    _relax(work, rows, n, n + robot.tied.shape[0] + limits.h.shape[1], n + robot.tied.shape[0], slot)


@kernel
def _rates(robot, targets, work, v, dt, world, slot):
    """v[world]: rates of all joints; those of dependent ones from their rows."""
    n, first = robot.columns.shape[0], targets.levels[targets.levels.shape[0] - 1]
    for k in range(n):
        v[world, robot.columns[k]] = work.step[slot, k] / dt
    for k in range(robot.tied.shape[0]):
        s = 0.0
        for j in range(n):
            s += work.J[slot, first + k, j] * work.step[slot, j]
        v[world, robot.tied[k, 0]] = s / dt


class Room(NamedTuple):
    """All scratch of a slot."""

    work: Work
    qp: Quadratic


@kernel
def _errors_at(robot, targets, work, errors, world, slot):
    """Errors at work.q[slot]; returns the squared error of the first priority."""
    place_all(robot, work.q, work.scratch, slot)
    carried_masses(robot, targets.table, work.scratch, slot)
    fill_rows(robot, targets, work.J, work.e, work.q, work.scratch, errors, world, slot)
    cost = 0.0
    for i in range(targets.levels[1]):
        cost += work.e[slot, i] * work.e[slot, i]
    return cost


@kernel
def descend(robot, targets, limits, work, qp, errors, steps, world, slot):
    """Steps from work.q[slot] until the first priority is reached and the others have settled; returns the steps taken.

    Damping grows while the first priority's error grows: steps are never taken back, since what a lower priority wants may raise
    it by what is of second order.
    """
    settings, levels = limits.settings, targets.levels
    n = robot.columns.shape[0]
    m = n + robot.tied.shape[0] + limits.h.shape[1]
    factor, last, slow, longest = settings[DAMPING], math.inf, 0, math.inf
    for taken in range(steps):
        _linearise(robot, targets, limits, work, errors, world, slot)
        there = reached(targets, errors, world, levels[1])
        if there and (levels.shape[0] == 2 or longest < settings[SETTLED]):
            return taken
        status, cost = best_step(targets, factor, settings[LEAST_DAMPING], work, qp, n, m, slot)
        if status != SOLVED:
            return taken
        factor = min(4.0 * factor + 1e-3, 1e3) if cost > last else max(0.5 * factor, settings[DAMPING])
        slow = slow + 1 if cost > _SLOW * last and not there else 0
        if slow > _PATIENCE:
            return taken
        last = cost
        longest, _ = take_step(robot, work, n, slot)
        if longest < _STILL:
            return taken + 1
    return steps


@kernel
def _one_step(robot, targets, limits, room, q0, q_out, v, dt, errors, report, world, slot):
    """One step from q0; returns whether its numbers are finite."""
    work, n = room.work, robot.columns.shape[0]
    settings = limits.settings
    for i in range(q0.shape[1]):
        work.q[slot, i] = q0[world, i]
    _linearise(robot, targets, limits, work, errors, world, slot)
    m = n + robot.tied.shape[0] + limits.h.shape[1]
    status, _ = best_step(targets, settings[DAMPING], settings[LEAST_DAMPING], work, room.qp, n, m, slot)
    if status != SOLVED:
        for k in range(n):
            work.step[slot, k] = 0.0
    longest, share = take_step(robot, work, n, slot)
    _rates(robot, targets, work, v, dt, world, slot)
    report[world, STATUS], report[world, LONGEST], report[world, SHARE] = status, longest, share
    report[world, STEPS], report[world, ATTEMPTS] = 1.0, 1.0
    for i in range(q0.shape[1]):
        q_out[world, i] = work.q[slot, i]
    return all_finite(q_out, world) and all_finite(v, world) and all_finite(q0, world)


@kernel
def _search(robot, targets, limits, room, samples, steps, q0, q_out, errors, report, world, slot):
    """Steps to convergence from q0, then from one sample after the other until the first priority is reached."""
    work, best, total, there = room.work, math.inf, 0, False
    allowed = 1 + samples.shape[0] if all_finite(q0, world) else 0
    for attempt in range(allowed):
        for i in range(q0.shape[1]):
            work.q[slot, i] = q0[world, i] if attempt == 0 else samples[attempt - 1, i]
        left, _ = close(robot.joints, robot.bodies, robot.tables, work.q, work.closure, _CLOSING, slot)
        if left > TOLERANCE:
            continue
        total += descend(robot, targets, limits, work, room.qp, errors, steps, world, slot)
        cost = _errors_at(robot, targets, work, errors, world, slot)
        there = reached(targets, errors, world, targets.levels[1])
        if there or cost < best:
            best = cost
            for i in range(q0.shape[1]):
                q_out[world, i] = work.q[slot, i]
        report[world, ATTEMPTS] = attempt + 1
        if there:
            break
    report[world, STATUS], report[world, STEPS] = 0.0 if there else 1.0, total
    report[world, LONGEST], report[world, SHARE] = 0.0, 1.0
    if not best < math.inf:
        return False
    for i in range(q0.shape[1]):
        work.q[slot, i] = q_out[world, i]
    _errors_at(robot, targets, work, errors, world, slot)
    return True


@entry
def composed_batch(
    robot, table, numbers, posture, posture_weight, posture_row, levels, settings, dt, steps, samples, q0, goals,
    posture_goal, G, h, q_out, v, errors, report, room, start, stop, stride, slot,
):  # fmt: skip
    """Steps = 0: one step of every world, v the rate that brings q0 to q_out in dt and errors those at q0; else a search."""
    targets = Targets(table, numbers, posture, posture_weight, posture_row, levels, goals, posture_goal)
    limits, bad = Limits(G, h, settings), 0
    for world in range(start, stop, stride):
        for k in range(v.shape[1]):
            v[world, k] = 0.0
        fine = usable_goals(targets, world)
        if fine and steps == 0:
            fine = _one_step(robot, targets, limits, room, q0, q_out, v, dt, errors, report, world, slot)
        elif fine:
            fine = _search(robot, targets, limits, room, samples, steps, q0, q_out, errors, report, world, slot)
        if not fine and bad == 0:
            bad = world + 1
    return bad
