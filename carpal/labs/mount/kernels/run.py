"""The compiled run loop of `mount`, and the same period for a Python policy: control by name, engine step by name."""

from carpal._core.compile import entry, kernel
from carpal.engines.rigid.kernels.rates import WORK_COLUMNS, Stage
from carpal.engines.rigid.kernels.run import step
from carpal.labs.mount.kernels.control import TABLE, Arm, Desk, Table, drive_arm, drive_table, forget, note_down, recall


@kernel
def control(arm, table, joints, bodies, dofs, weights, desk, k, seed, q, v, u, arm_q, arm_v, world, slot):
    """All controls of period k; the motion starts again after its last sample. Returns 1 when a number is not finite."""
    row = k % (arm.q.shape[0] - 1)
    bad = 0
    if table.setup[TABLE] != 0.0:
        bad |= drive_table(arm, table, weights, desk, k, row, seed, q, v, u, world, slot)
    else:
        for i in range(u.shape[1]):
            u[slot, i] = 0.0
    return bad | drive_arm(arm, table, joints, bodies, dofs, desk, k, row, q, v, u, arm_q, arm_v, slot)


@entry
def control_batch(
    arm_joints, arm_bodies, law, q_motion, v_motion, vdot_motion, friction, loop, drive, pulses, setup,
    joints, bodies, dofs, k, arm_q, arm_v, weights, seeds, q, v, u,
    memory, history, encoders, at_q, at_v, at_vdot, force, wanted, drives, drive_vdot, scratch,
    start, stop, stride, slot,
):  # fmt: skip
    """One period of a Python policy: q[0], v[0] to u[0] (3 nv); what the controller remembers stays in its arrays."""
    arm = Arm(arm_joints, arm_bodies, law, q_motion, v_motion, vdot_motion, friction)
    table = Table(loop, drive, pulses, setup)
    desk = Desk(memory, history, encoders, at_q, at_v, at_vdot, force, wanted, drives, drive_vdot, scratch)
    if k == 0:
        forget(desk, 0)
    return control(arm, table, joints, bodies, dofs, weights, desk, k, seeds[0, 0], q, v, u, arm_q, arm_v, 0, 0)


@kernel
def write_row(q, v, u, sums, q_out, v_out, u_out, work_out, world, row, slot):
    """One moment into the outputs; of u the controls at the period's start."""
    for i in range(q.shape[1]):
        q_out[world, row, i] = q[slot, i]
    for i in range(v.shape[1]):
        v_out[world, row, i] = v[slot, i]
        u_out[world, row, i] = u[slot, i]
    for i in range(WORK_COLUMNS):
        work_out[world, row, i] = sums[slot, i]


@entry
def mount_batch_run(
    integrator, joints, bodies, dofs, tendons, smooth, dt,
    arm_joints, arm_bodies, law, q_motion, v_motion, vdot_motion, friction, loop, drive, pulses, setup,
    law_dofs, arm_q, arm_v, first, steps, every,
    q_start, v_start, carry, weights, seeds, q_out, v_out, u_out, work_out, done, carry_out,
    q, v, u, work, sums, memory, history, encoders, at_q, at_v, at_vdot, force, wanted, drives, drive_vdot, scratch,
    q_sum, stage_q, v_sum, stage_v, passive, stage_force, vdot, stage_bodies, start, stop, stride, slot,
):  # fmt: skip
    """Every world from q_start[world], v_start[world]: periods `first` to `first + steps`, a row every so many and at the end.

    What the controller remembers comes from carry[world] (from nothing in period 0) and goes to carry_out[world].
    `done[world]` counts the good steps: fewer than `steps` means that it diverged.
    """
    arm = Arm(arm_joints, arm_bodies, law, q_motion, v_motion, vdot_motion, friction)
    table = Table(loop, drive, pulses, setup)
    desk = Desk(memory, history, encoders, at_q, at_v, at_vdot, force, wanted, drives, drive_vdot, scratch)
    stage = Stage(q_sum, stage_q, v_sum, stage_v, passive, stage_force, vdot, stage_bodies)
    for world in range(start, stop, stride):
        if first == 0:
            forget(desk, slot)
        else:
            recall(desk, carry, world, slot)
        for i in range(q.shape[1]):
            q[slot, i] = q_start[world, i]
        for i in range(v.shape[1]):
            v[slot, i] = v_start[world, i]
        for i in range(WORK_COLUMNS):
            sums[slot, i] = 0.0
        done[world, 0] = 0.0
        for k in range(steps):
            bad = control(
                arm, table, joints, bodies, law_dofs, weights, desk, first + k, seeds[world, 0], q, v, u, arm_q, arm_v,
                world, slot,
            )  # fmt: skip
            if k % every == 0:
                write_row(q, v, u, sums, q_out, v_out, u_out, work_out, world, k // every, slot)
            for i in range(WORK_COLUMNS):
                work[slot, i] = 0.0
            if bad | step(integrator, joints, bodies, dofs, tendons, smooth, dt, q, v, u, work, stage, slot, slot):
                break
            for i in range(WORK_COLUMNS):
                sums[slot, i] += work[slot, i]
            done[world, 0] += 1.0
        write_row(q, v, u, sums, q_out, v_out, u_out, work_out, world, q_out.shape[1] - 1, slot)
        note_down(desk, carry_out, world, slot)
    return 0
