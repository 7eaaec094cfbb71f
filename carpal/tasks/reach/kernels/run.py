"""The compiled run loop of `reach`: reference, control and engine step by name, every moment written down.

The reference is the quintic of least jerk (Flash, Hogan 1985), at rest at both ends.
"""

from carpal._core.compile import entry, leaf
from carpal.control.kernels.joint import GRAVITY_SCRATCH as _GRAVITY_SCRATCH
from carpal.control.kernels.joint import gravity_pd
from carpal.engines.rigid.kernels.rates import WORK_COLUMNS, Stage
from carpal.engines.rigid.kernels.run import step

GRAVITY_SCRATCH = _GRAVITY_SCRATCH


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


@entry
def reach_batch(
    integrator, joints, bodies, dofs, tendons, smooth, dt, gains, q_goal, moving, steps, q_start,
    q_out, v_out, u_out, work_out, done,
    q, v, u, work, sums, q_ref, v_ref, weight, gravity_scratch,
    q_sum, q_at, v_sum, v_at, passive, force, vdot, scratch, start, stop, stride, slot,
):  # fmt: skip
    """Every world from rest at q_start[world], `steps` steps; moments 0 to `steps` go to q_out, v_out, u_out, work_out.

    `done[world]` counts the good steps: fewer than `steps` means that it diverged. The last control is repeated.
    """
    stage = Stage(q_sum, q_at, v_sum, v_at, passive, force, vdot, scratch)
    for world in range(start, stop, stride):
        for i in range(q.shape[1]):
            q[slot, i] = q_start[world, i]
        for i in range(v.shape[1]):
            v[slot, i] = 0.0
        for i in range(WORK_COLUMNS):
            sums[slot, i] = 0.0
        done[world, 0] = 0.0
        for k in range(steps):
            quintic(q_start, q_goal, moving, k * dt, q_ref, v_ref, world, slot)
            bad = gravity_pd(joints, bodies, gains, q_ref, v_ref, q, v, u, weight, gravity_scratch, slot, slot)
            write_moment(q, q_out, world, k, slot)
            write_moment(v, v_out, world, k, slot)
            write_moment(u, u_out, world, k, slot)
            write_moment(sums, work_out, world, k, slot)
            for i in range(WORK_COLUMNS):
                work[slot, i] = 0.0
            if bad | step(integrator, joints, bodies, dofs, tendons, smooth, dt, q, v, u, work, stage, slot, slot):
                break
            for i in range(WORK_COLUMNS):
                sums[slot, i] += work[slot, i]
            done[world, 0] += 1.0
        write_moment(q, q_out, world, steps, slot)
        write_moment(v, v_out, world, steps, slot)
        write_moment(u, u_out, world, steps, slot)
        write_moment(sums, work_out, world, steps, slot)
    return 0
