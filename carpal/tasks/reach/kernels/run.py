"""The compiled run loop of `reach`: reference, control and engine step by name, every moment written down.

The reference is the quintic of least jerk (Flash, Hogan 1985), at rest at both ends.
"""

from typing import Any, NamedTuple

from carpal._core.compile import entry, leaf
from carpal.control.kernels.joint import GRAVITY_SCRATCH as _GRAVITY_SCRATCH
from carpal.control.kernels.joint import gravity_pd
from carpal.engines.rigid.kernels.rates import WORK_COLUMNS
from carpal.engines.rigid.kernels.rates import Stage as _Stage
from carpal.engines.rigid.kernels.run import step

GRAVITY_SCRATCH, Stage = _GRAVITY_SCRATCH, _Stage


class ReachLaw(NamedTuple):
    """The controller's gains, the goal and the duration of the reference [s]."""

    gains: Any
    q_goal: Any
    moving: Any


class ReachRows(NamedTuple):
    """States, controls and work of every world at every moment, and its count of good steps; indexed by world."""

    q: Any
    v: Any
    u: Any
    work: Any
    done: Any


class ReachScratch(NamedTuple):
    """Scratch of a run, indexed by slot: state, control, work of a step and so far, reference, gravity; the engine's."""

    q: Any
    v: Any
    u: Any
    work: Any
    sums: Any
    q_ref: Any
    v_ref: Any
    weight: Any
    gravity: Any
    stage: Any


@leaf
def quintic(q_start, q_goal, moving, time, q_ref, v_ref, world, slot):
    """Fill q_ref[slot] and v_ref[slot] with the reference of q_start[world] to q_goal at a time."""
    s = min(time / moving, 1.0)
    part = s * s * s * (10.0 + s * (6.0 * s - 15.0))
    rate = 30.0 * s * s * (1.0 - s) * (1.0 - s) / moving
    for i in range(q_goal.shape[0]):
        way = q_goal[i] - q_start[world, i]
        q_ref[slot, i] = q_start[world, i] + part * way
        v_ref[slot, i] = rate * way


@entry
def reference_batch(q_goal, moving, time, q_start, q_ref, v_ref, start, stop, stride, slot):
    """`quintic` over worlds, all at one time."""
    for world in range(start, stop, stride):
        quintic(q_start, q_goal, moving, time, q_ref, v_ref, world, world)
    return 0


@leaf
def write_moment(source, out, world, row, slot):
    """out[world, row] = source[slot]."""
    for i in range(source.shape[1]):
        out[world, row, i] = source[slot, i]


@leaf
def write_row(scratch, rows, world, row, slot):
    """One moment of a world: its state, control and work so far."""
    write_moment(scratch.q, rows.q, world, row, slot)
    write_moment(scratch.v, rows.v, world, row, slot)
    write_moment(scratch.u, rows.u, world, row, slot)
    write_moment(scratch.sums, rows.work, world, row, slot)


@entry
def reach_batch(rigid, law, steps, q_start, rows, scratch, start, stop, stride, slot):
    """Every world from rest at q_start[world], `steps` steps; moments 0 to `steps` go to `rows`.

    `done[world]` counts the good steps: fewer than `steps` means that it diverged. The last control is repeated.
    """
    q, v, u, work, sums = scratch.q, scratch.v, scratch.u, scratch.work, scratch.sums
    q_ref, v_ref = scratch.q_ref, scratch.v_ref
    for world in range(start, stop, stride):
        for i in range(q.shape[1]):
            q[slot, i] = q_start[world, i]
        for i in range(v.shape[1]):
            v[slot, i] = 0.0
        for i in range(WORK_COLUMNS):
            sums[slot, i] = 0.0
        rows.done[world, 0] = 0.0
        for k in range(steps):
            quintic(q_start, law.q_goal, law.moving, k * rigid.dt, q_ref, v_ref, world, slot)
            bad = gravity_pd(
                rigid.joints,
                rigid.bodies,
                law.gains,
                q_ref,
                v_ref,
                q,
                v,
                u,
                scratch.weight,
                scratch.gravity,
                slot,
                slot,
            )
            write_row(scratch, rows, world, k, slot)
            for i in range(WORK_COLUMNS):
                work[slot, i] = 0.0
            if bad | step(rigid, q, v, u, work, scratch.stage, slot, slot):
                break
            for i in range(WORK_COLUMNS):
                sums[slot, i] += work[slot, i]
            rows.done[world, 0] += 1.0
        write_row(scratch, rows, world, steps, slot)
    return 0
