"""The rigid engine's entry: some steps of many worlds under their controls."""

from typing import Any, NamedTuple

from carpal._core.compile import entry, kernel
from carpal.engines.rigid.kernels.rates import WORK_COLUMNS
from carpal.engines.rigid.kernels.runge_kutta import rk4_step
from carpal.engines.rigid.kernels.symplectic import symplectic_step

# integrators
SYMPLECTIC, RK4 = 0, 1


class RigidTables(NamedTuple):
    """What all worlds share: integrator, the model's tables, joint components, tendons, friction speed, step [s]."""

    integrator: Any
    joints: Any
    bodies: Any
    dofs: Any
    tendons: Any
    friction_speed: Any
    dt: Any


class StepInput(NamedTuple):
    """State and controls of every world, indexed by world."""

    q: Any
    v: Any
    u: Any


class StepOutput(NamedTuple):
    """State after the steps, energies of the ledger and count of good steps, indexed by world."""

    q: Any
    v: Any
    work: Any
    done: Any


@kernel
def step(rigid, q, v, u, work, stage, world, slot):
    """One step of one world, in place, by the chosen integrator; returns 1 when it diverged."""
    joints, bodies, dofs, tendons = rigid.joints, rigid.bodies, rigid.dofs, rigid.tendons
    smooth, dt = rigid.friction_speed, rigid.dt
    if rigid.integrator == RK4:
        return rk4_step(joints, bodies, dofs, tendons, smooth, dt, q, v, u, work, stage, world, slot)
    return symplectic_step(joints, bodies, dofs, tendons, smooth, dt, q, v, u, work, stage, world, slot)


@entry
def run_batch_of_steps(rigid, steps, given, out, stage, start, stop, stride, slot):
    """`steps` steps of every world. `done[world]` counts the good ones: fewer than `steps` means that it diverged."""
    for world in range(start, stop, stride):
        for i in range(given.q.shape[1]):
            out.q[world, i] = given.q[world, i]
        for i in range(given.v.shape[1]):
            out.v[world, i] = given.v[world, i]
        for i in range(WORK_COLUMNS):
            out.work[world, i] = 0.0
        out.done[world, 0] = 0.0
        for _ in range(steps):
            if step(rigid, out.q, out.v, given.u, out.work, stage, world, slot):
                break
            out.done[world, 0] += 1.0
    return 0
