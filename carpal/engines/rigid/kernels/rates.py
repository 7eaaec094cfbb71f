"""One stage of a step: passive forces, tendons, hybrid dynamics, and the powers that the ledger sums up.

Controls u[world] hold nv numbers that stay for the whole step, or 3 nv: those of its start, its middle and its end.
"""

from typing import Any, NamedTuple

from carpal._core.compile import leaf
from carpal.engines.rigid.kernels.hybrid import hybrid
from carpal.engines.rigid.kernels.passive import PRESCRIBED, passive_forces
from carpal.engines.rigid.kernels.tendons import tendon_forces

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
def first_control(u, v, moment):
    """Where the controls of a moment of the step (0 its start, 1 its middle, 2 its end) begin in u[world]."""
    return moment * v.shape[1] if u.shape[1] > v.shape[1] else 0


@leaf
def stage_rates(joints, bodies, dofs, tendons, smooth, u, moment, stage, world, slot):
    """Fill the stage's passive forces, accelerations and joint forces; returns 1 when the dynamics refused."""
    passive_forces(joints, dofs, smooth, stage.v, stage.passive, slot)
    first = first_control(u, stage.v, moment)
    for i in range(stage.v.shape[1]):
        stage.force[slot, i] = u[world, first + i]
        if dofs[i, PRESCRIBED] == 0.0:
            stage.force[slot, i] += stage.passive[slot, i]
    tendon_forces(tendons, stage.q, stage.v, stage.passive, stage.force, slot)
    return hybrid(
        joints, bodies, dofs, stage.q, stage.v, stage.force, stage.vdot, stage.force, stage.bodies, slot, slot
    )


@leaf
def add_work(dofs, u, moment, stage, v, work, weight, world, row, slot):
    """Book `weight` times the powers of the stage's forces along the velocity v[row].

    A prescribed joint's drive also overcomes the joint's own passive force.
    """
    power, heat = 0.0, 0.0
    first = first_control(u, v, moment)
    for i in range(v.shape[1]):
        rate, lost = v[row, i], stage.passive[slot, i]
        drive = stage.force[slot, i] - lost if dofs[i, PRESCRIBED] != 0.0 else u[world, first + i]
        power += drive * rate
        heat -= lost * rate
    work[world, WORK_IN] += weight * power
    work[world, DISSIPATED] += weight * heat
