"""The general step of the rigid engine and its entry: everything that `run.py` does, with lines, constraints, implicit steps.

A model that has none of these runs through `run.py`, which is faster and whose bits do not depend on this file.
"""

from carpal._core.compile import entry, kernel
from carpal.engines.rigid.kernels.general_rates import IMPLICIT, add_general_work, general_rates, line_and_joint_forces
from carpal.engines.rigid.kernels.passive import resolved
from carpal.engines.rigid.kernels.projection import MOST_OPEN, close_gaps, largest, project_velocity, row_speeds
from carpal.engines.rigid.kernels.rates import WORK_COLUMNS
from carpal.engines.rigid.kernels.run import RK4
from carpal.engines.rigid.kernels.runge_kutta import add_to_ledger, next_q, normalise
from carpal.kinematics.kernels.integrate import integrate
from carpal.kinematics.kernels.state import all_finite

# what `run_general` does
STEPS, ASSEMBLE, ACCELERATIONS = 0, 1, 2
# why a world ended: the step diverged, a row was open or moved apart at the start, a row could not be closed
DIVERGED, OPEN_AT_START, PARTING_AT_START, NOT_CLOSED = 1, 2, 3, 4
START_GAP = 1e-6
"""Largest gap [m, rad] or speed of a gap [m/s, rad/s] with which a step may start."""
_NEWTON_STEP, _NEWTON_ASSEMBLE = 10, 200


@kernel
def _start(general, stage, rows, gap, world, slot):
    """Whether the rows, just evaluated at the step's start, are closed and stay so; else why, with gap[world] to show it."""
    if general.rows == 0:
        return 0
    if not largest(rows.gap, general.rows, slot) <= START_GAP:
        for r in range(general.rows):
            gap[world, r] = abs(rows.gap[slot, r])
        return OPEN_AT_START
    if row_speeds(stage, rows, general.rows, slot) <= START_GAP:
        return 0
    for r in range(general.rows):
        gap[world, r] = abs(rows.target[slot, r])
    return PARTING_AT_START


@kernel
def _move(general, q, v, u, ctrl, work, gap, stage, loads, rows, world, slot):
    """Stages of a step; its end without drift correction goes to stage.q and stage.v. Returns why it ended, or 0."""
    rigid, dt = general.rigid, general.rigid.dt
    for i in range(q.shape[1]):
        stage.q[slot, i] = stage.q_sum[slot, i] = q[world, i]
    for i in range(v.shape[1]):
        stage.v[slot, i] = stage.v_sum[slot, i] = v[world, i]
    many = rigid.integrator == RK4
    bad = 0
    for k in range(4 if many else 1):
        moment = 0 if k == 0 else 2 if k == 3 else 1
        bad |= general_rates(general, u, ctrl, moment, stage, loads, rows, world, slot)
        if k == 0 and bad == 0:
            why = _start(general, stage, rows, gap, world, slot)
            if why != 0:
                return why
        if many:
            weight = dt / 6.0 if k == 0 or k == 3 else dt / 3.0
            ahead = dt if k == 2 else 0.5 * dt
            add_general_work(rigid.dofs, u, moment, stage, loads.drive, work, weight, world, slot)
            next_q(rigid.joints, q, stage, weight, ahead, world, slot)
            for i in range(v.shape[1]):
                add_to_ledger(stage.v_sum, stage.v, v, stage.vdot[slot, i], weight, ahead, i, world, slot)
    if many:
        for i in range(q.shape[1]):
            stage.q[slot, i] = stage.q_sum[slot, i]
        for i in range(v.shape[1]):
            stage.v[slot, i] = stage.v_sum[slot, i]
        normalise(rigid.joints, stage.q, slot)
    else:
        for i in range(v.shape[1]):
            stage.v[slot, i] += dt * stage.vdot[slot, i]
        if rigid.integrator == IMPLICIT:
            line_and_joint_forces(general, stage, loads, dt, slot)
        add_general_work(rigid.dofs, u, 0, stage, loads.drive, work, dt, world, slot)
        integrate(rigid.joints, stage.q, stage.v, dt, stage.q, slot)
    return DIVERGED if bad != 0 else 0


@kernel
def general_step(general, q, v, u, ctrl, work, gap, scratch, world, slot):
    """One step of one world, in place; gap[world] keeps each row's largest gap after a step. Returns why it ended, or 0."""
    stage, loads, rows = scratch.stage, scratch.loads, scratch.rows
    why = _move(general, q, v, u, ctrl, work, gap, stage, loads, rows, world, slot)
    if why == 0 and not (all_finite(stage.q, slot) and resolved(general.rigid.dofs, stage.v, slot)):
        why = DIVERGED
    if why == 0 and general.rows > 0:
        worst = close_gaps(general, stage, loads, rows, _NEWTON_STEP, slot)
        project_velocity(general, stage, loads, rows, slot)
        for r in range(general.rows):
            gap[world, r] = max(gap[world, r], abs(rows.gap[slot, r]))
        if not worst <= MOST_OPEN:
            why = NOT_CLOSED
        elif not resolved(general.rigid.dofs, stage.v, slot):
            why = DIVERGED
    if why == OPEN_AT_START or why == PARTING_AT_START:
        return why
    for i in range(q.shape[1]):
        q[world, i] = stage.q[slot, i]
    for i in range(v.shape[1]):
        v[world, i] = stage.v[slot, i]
    return why


@kernel
def _assemble(general, q, v, u, ctrl, gap, scratch, world, slot):
    """Close all rows from far away: positions, then velocities by a mass-weighted projection. Returns why not, or 0."""
    stage, loads, rows = scratch.stage, scratch.loads, scratch.rows
    for i in range(q.shape[1]):
        stage.q[slot, i] = q[world, i]
    for i in range(v.shape[1]):
        stage.v[slot, i] = v[world, i]
    worst, bad = 0.0, 0
    for _ in range(2):
        bad |= general_rates(general, u, ctrl, 0, stage, loads, rows, world, slot)
        if bad == 0:
            worst = close_gaps(general, stage, loads, rows, _NEWTON_ASSEMBLE, slot)
    if bad == 0:
        project_velocity(general, stage, loads, rows, slot)
    for r in range(general.rows):
        gap[world, r] = abs(rows.gap[slot, r])
    for i in range(q.shape[1]):
        q[world, i] = stage.q[slot, i]
    for i in range(v.shape[1]):
        v[world, i] = stage.v[slot, i]
    return DIVERGED if bad != 0 else 0 if worst <= MOST_OPEN else NOT_CLOSED


@entry
def run_general(general, task, steps, given, out, scratch, start, stop, stride, slot):
    """`steps` steps of every world, or its assembly, or its accelerations; `done[world]` is (good steps, why it ended)."""
    stage = scratch.stage
    for world in range(start, stop, stride):
        for i in range(given.q.shape[1]):
            out.q[world, i] = given.q[world, i]
        for i in range(given.v.shape[1]):
            out.v[world, i] = given.v[world, i]
            out.vdot[world, i] = out.force[world, i] = 0.0
        for i in range(WORK_COLUMNS):
            out.work[world, i] = 0.0
        out.done[world, 0] = 0.0
        for i in range(out.gap.shape[1]):
            out.gap[world, i] = 0.0
        why = 0
        if task == ASSEMBLE:
            why = _assemble(general, out.q, out.v, given.u, given.ctrl, out.gap, scratch, world, slot)
        elif task == ACCELERATIONS:
            for i in range(given.q.shape[1]):
                stage.q[slot, i] = given.q[world, i]
            for i in range(given.v.shape[1]):
                stage.v[slot, i] = given.v[world, i]
            why = general_rates(general, given.u, given.ctrl, 0, stage, scratch.loads, scratch.rows, world, slot)
            for i in range(given.v.shape[1]):
                out.vdot[world, i], out.force[world, i] = stage.vdot[slot, i], stage.force[slot, i]
        else:
            for _ in range(steps):
                why = general_step(general, out.q, out.v, given.u, given.ctrl, out.work, out.gap, scratch, world, slot)
                if why != 0:
                    break
                out.done[world, 0] += 1.0
        out.done[world, 1] = why
    return 0
