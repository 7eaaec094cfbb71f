"""The rigid engine's entry: some steps of many worlds under their controls."""

from carpal._core.compile import entry, kernel
from carpal.engines.rigid.kernels.rates import WORK_COLUMNS, Stage
from carpal.engines.rigid.kernels.runge_kutta import rk4_step
from carpal.engines.rigid.kernels.symplectic import symplectic_step

# integrators
SYMPLECTIC, RK4 = 0, 1


@kernel
def step(integrator, joints, bodies, dofs, tendons, smooth, dt, q, v, u, work, stage, world, slot):
    """One step of one world, in place, by the chosen integrator; returns 1 when it diverged."""
    if integrator == RK4:
        return rk4_step(joints, bodies, dofs, tendons, smooth, dt, q, v, u, work, stage, world, slot)
    return symplectic_step(joints, bodies, dofs, tendons, smooth, dt, q, v, u, work, stage, world, slot)


@entry
def run_batch_of_steps(
    integrator, joints, bodies, dofs, tendons, smooth, dt, steps, q, v, u, q_next, v_next, work, done,
    q_sum, q_at, v_sum, v_at, passive, force, vdot, scratch, start, stop, stride, slot,
):  # fmt: skip
    """`steps` steps of every world. `done[world]` counts the good ones: fewer than `steps` means that it diverged."""
    stage = Stage(q_sum, q_at, v_sum, v_at, passive, force, vdot, scratch)
    for world in range(start, stop, stride):
        for i in range(q.shape[1]):
            q_next[world, i] = q[world, i]
        for i in range(v.shape[1]):
            v_next[world, i] = v[world, i]
        for i in range(WORK_COLUMNS):
            work[world, i] = 0.0
        done[world, 0] = 0.0
        for _ in range(steps):
            if step(integrator, joints, bodies, dofs, tendons, smooth, dt, q_next, v_next, u, work, stage, world, slot):
                break
            done[world, 0] += 1.0
    return 0
