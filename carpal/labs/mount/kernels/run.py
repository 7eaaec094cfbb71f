"""The compiled run loop of `mount`, and one period of the same controller for a Python policy."""

from typing import Any, NamedTuple

from carpal._core.compile import entry, kernel
from carpal.engines.rigid.kernels.rates import WORK_COLUMNS
from carpal.engines.rigid.kernels.rates import Stage as _Stage
from carpal.engines.rigid.kernels.run import step
from carpal.labs.mount.kernels.control import TABLE, drive_arm, drive_table, load_memory, reset_memory, save_memory

Stage = _Stage


class PeriodInput(NamedTuple):
    """One world of a Python policy: believed masses, seed of the noise, state."""

    weights: Any
    seeds: Any
    q: Any
    v: Any


class MountStart(NamedTuple):
    """Where every world starts: state, controller memory, believed masses, seed of the noise."""

    q: Any
    v: Any
    carry: Any
    weights: Any
    seeds: Any


class MountRows(NamedTuple):
    """Rows of every world (state, control, work so far), its count of good steps, controller memory at the end."""

    q: Any
    v: Any
    u: Any
    work: Any
    done: Any
    carry: Any


class MountScratch(NamedTuple):
    """Scratch of a run, indexed by slot: state, control, work of a step and so far; the controller's and the engine's."""

    q: Any
    v: Any
    u: Any
    work: Any
    sums: Any
    control: Any
    stage: Any


@kernel
def calculate_controls(arm, table, place, joints, bodies, weights, control, k, seed, q, v, u, world, slot):
    """All controls of period k; the motion starts again after its last sample. Returns 1 when a number is not finite."""
    row = k % (arm.q.shape[0] - 1)
    bad = 0
    if table.setup[TABLE] != 0.0:
        bad |= drive_table(arm, table, place, weights, control, k, row, seed, q, v, u, world, slot)
    else:
        for i in range(u.shape[1]):
            u[slot, i] = 0.0
    return bad | drive_arm(arm, table, place, joints, bodies, control, k, row, q, v, u, slot)


@entry
def control_batch(arm, table, place, joints, bodies, k, given, u, control, start, stop, stride, slot):
    """One period of a Python policy: q[0], v[0] to u[0] (3 nv); the controller's memory stays in its scratch."""
    if k == 0:
        reset_memory(control, 0)
    return calculate_controls(
        arm, table, place, joints, bodies, given.weights, control, k, given.seeds[0, 0], given.q, given.v, u, 0, 0
    )


@kernel
def write_row(q, v, u, sums, rows, world, row, slot):
    """One moment into the rows; of u the controls at the period's start."""
    for i in range(q.shape[1]):
        rows.q[world, row, i] = q[slot, i]
    for i in range(v.shape[1]):
        rows.v[world, row, i] = v[slot, i]
        rows.u[world, row, i] = u[slot, i]
    for i in range(WORK_COLUMNS):
        rows.work[world, row, i] = sums[slot, i]


@entry
def mount_batch_run(rigid, arm, table, place, first, steps, every, given, rows, scratch, start, stop, stride, slot):
    """Every world from its start: periods `first` to `first + steps`, a row every so many periods and at the end.

    The controller's memory comes from `given.carry` (cleared in period 0) and goes to `rows.carry`. `done[world]` counts the
    good steps: fewer than `steps` means that it diverged.
    """
    q, v, u, work, sums, control = scratch.q, scratch.v, scratch.u, scratch.work, scratch.sums, scratch.control
    for world in range(start, stop, stride):
        if first == 0:
            reset_memory(control, slot)
        else:
            load_memory(control, given.carry, world, slot)
        for i in range(q.shape[1]):
            q[slot, i] = given.q[world, i]
        for i in range(v.shape[1]):
            v[slot, i] = given.v[world, i]
        for i in range(WORK_COLUMNS):
            sums[slot, i] = 0.0
        rows.done[world, 0] = 0.0
        for k in range(steps):
            bad = calculate_controls(
                arm, table, place, rigid.joints, rigid.bodies, given.weights, control, first + k, given.seeds[world, 0], q, v, u,
                world, slot,
            )  # fmt: skip
            if k % every == 0:
                write_row(q, v, u, sums, rows, world, k // every, slot)
            for i in range(WORK_COLUMNS):
                work[slot, i] = 0.0
            if bad | step(rigid, q, v, u, work, scratch.stage, slot, slot):
                break
            for i in range(WORK_COLUMNS):
                sums[slot, i] += work[slot, i]
            rows.done[world, 0] += 1.0
        write_row(q, v, u, sums, rows, world, rows.q.shape[1] - 1, slot)
        save_memory(control, rows.carry, world, slot)
    return 0
