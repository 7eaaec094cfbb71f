"""One stage of a step: passive forces, hybrid dynamics, and the powers that the ledger sums up."""

from typing import Any, NamedTuple

from carpal._jit import leaf
from carpal.engines.rigid.kernels.hybrid import hybrid
from carpal.engines.rigid.kernels.passive import PRESCRIBED, passive_forces

# columns of `work`: energy put in by the joints' drives, energy turned to heat [J]
WORK_IN, DISSIPATED = 0, 1
WORK_COLUMNS = 2


class Stage(NamedTuple):
    """Scratch of a step, every array indexed by slot: running sums, the stage's state, forces, accelerations, bodies."""

    q_sum: Any
    q: Any
    v_sum: Any
    v: Any
    passive: Any
    force: Any
    vdot: Any
    bodies: Any


@leaf
def stage_rates(joints, bodies, dofs, smooth, u, stage, world, slot):
    """Fill the stage's passive forces, accelerations and joint forces; returns 1 when the dynamics refused."""
    passive_forces(joints, dofs, smooth, stage.v, stage.passive, slot)
    for i in range(u.shape[1]):
        stage.force[slot, i] = u[world, i]
        if dofs[i, PRESCRIBED] == 0.0:
            stage.force[slot, i] += stage.passive[slot, i]
    return hybrid(
        joints, bodies, dofs, stage.q, stage.v, stage.force, stage.vdot, stage.force, stage.bodies, slot, slot
    )


@leaf
def add_work(dofs, u, stage, v, work, weight, world, row, slot):
    """Book `weight` times the powers of the stage's forces along the velocity v[row].

    A prescribed joint's drive also overcomes the joint's own passive force.
    """
    power, heat = 0.0, 0.0
    for i in range(u.shape[1]):
        rate, lost = v[row, i], stage.passive[slot, i]
        drive = stage.force[slot, i] - lost if dofs[i, PRESCRIBED] != 0.0 else u[world, i]
        power += drive * rate
        heat -= lost * rate
    work[world, WORK_IN] += weight * power
    work[world, DISSIPATED] += weight * heat
