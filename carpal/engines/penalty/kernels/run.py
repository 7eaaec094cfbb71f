"""The penalty engine's entry: some steps of many worlds under their forces and commands."""

from typing import Any, NamedTuple

from carpal._core.compile import entry, kernel
from carpal.engines.penalty.kernels.prescribed import follow_motion
from carpal.engines.penalty.kernels.state import (
    GAP,
    GAP_JOINT,
    HELD,
    MASS,
    MOTIONS,
    STORED,
    W_W,
    P,
    V,
    load_state,
    store_state,
    triple,
)  # fmt: skip
from carpal.engines.penalty.kernels.trapezoid import assemble_forces, kinetic_of, trapezoid_step
from carpal.spatial.kernels.vec3 import dot

# columns of `ledger` after WORK_IN and DISSIPATED: energies at the end [J], completed steps, the body that diverged (-1: none),
# the worst squared gap of a joint [m^2], its joint
KINETIC, POTENTIAL, DONE, BODY, WORST_GAP, WORST_JOINT = 2, 3, 4, 5, 6, 7
LEDGER_COLUMNS = 8
# columns of `limits`: travel [m] and turn [rad] of a body in one step, gap of a joint [m]
TRAVEL, TURN, GAP_LIMIT = 0, 1, 2


class ElementTables(NamedTuple):
    """Joints, springs, actuators and joint friction of a mechanism, one row each; `corners` are the slots' paths."""

    points: Any
    slots: Any
    corners: Any
    springs: Any
    rotary: Any
    linear: Any
    friction: Any


class ContactTables(NamedTuple):
    """Shapes, pairs that may touch with the law of each, and triangle meshes with their normals and trees."""

    shapes: Any
    pairs: Any
    mesh: Any
    normals: Any
    boxes: Any


class MechanismTables(NamedTuple):
    """All tables of a mechanism; `engines/penalty/tables.py` fills them."""

    bodies: Any
    gravity: Any
    motions: Any
    elements: Any
    contacts: Any


class StepInputs(NamedTuple):
    """Each world's state, forces on its bodies, commands with their rates, time and friction anchors."""

    q: Any
    v: Any
    u: Any
    commands: Any
    times: Any
    memory: Any


class StepOutputs(NamedTuple):
    """Each world's state and friction anchors at the end, its ledger and its contacts."""

    q: Any
    v: Any
    memory: Any
    ledger: Any
    touch: Any


@kernel
def body_that_diverged(count, limits, dt, work, slot):
    """-1, or the first body that moved farther in a step than is plausible; `count` itself for a joint torn apart."""
    travel, turn = (limits[TRAVEL] / dt) ** 2, (limits[TURN] / dt) ** 2
    for body in range(count):
        v, w = triple(work.now, slot, body, V), triple(work.now, slot, body, W_W)
        if not (dot(v, v) <= travel and dot(w, w) <= turn):
            return body
    if not work.sums[slot, GAP] <= limits[GAP_LIMIT] * limits[GAP_LIMIT]:
        return count
    return -1


@kernel
def begin_world(tables, inputs, outputs, work, world, slot):
    """Load the state and the anchors, clear the ledger, place bodies with a prescribed motion."""
    load_state(tables.bodies, inputs.q, inputs.v, work.now, world, slot)
    for row in range(inputs.memory.shape[1] // 3):
        for i in range(3):
            outputs.memory[world, 3 * row + i] = work.anchors[slot, row, i] = inputs.memory[world, 3 * row + i]
    for i in range(LEDGER_COLUMNS):
        outputs.ledger[world, i] = 0.0
    outputs.ledger[world, BODY] = -1.0
    for body in range(tables.bodies.shape[0]):
        if tables.bodies[body, MOTIONS] > 0.0:
            follow_motion(tables.bodies, tables.motions, inputs.times[world, 0], work.now, body, slot)


@kernel
def run_world(tables, limits, dt, steps, inputs, outputs, work, world, slot):
    """All steps of a world, or those until it diverges."""
    for step in range(steps):
        since = step * dt
        trapezoid_step(
            tables, dt, inputs.times[world, 0] + since, inputs.u, inputs.commands, since, outputs.memory, outputs.touch,
            outputs.ledger, work, world, slot,
        )  # fmt: skip
        bad = body_that_diverged(tables.bodies.shape[0], limits, dt, work, slot)
        if bad >= 0:
            outputs.ledger[world, BODY] = bad
            break
        outputs.ledger[world, DONE] += 1.0


@kernel
def close_ledger(tables, ledger, work, world, slot):
    """Energies and the worst joint gap of the state at the end."""
    gravity = tables.gravity
    ledger[world, POTENTIAL] = work.sums[slot, STORED] + work.sums[slot, HELD]
    for body in range(tables.bodies.shape[0]):
        ledger[world, KINETIC] += kinetic_of(tables.bodies, work.now, body, slot)
        at = triple(work.now, slot, body, P)
        weight = at[0] * gravity[0] + at[1] * gravity[1] + at[2] * gravity[2]
        ledger[world, POTENTIAL] -= tables.bodies[body, MASS] * weight
    ledger[world, WORST_GAP] = work.sums[slot, GAP]
    ledger[world, WORST_JOINT] = work.sums[slot, GAP_JOINT]


@entry
def run_penalty_steps(tables, limits, dt, steps, inputs, outputs, work, start, stop, stride, slot):
    """`steps` steps of every world from `times`; fewer completed ones in `ledger[DONE]` mean that it diverged."""
    for world in range(start, stop, stride):
        begin_world(tables, inputs, outputs, work, world, slot)
        run_world(tables, limits, dt, steps, inputs, outputs, work, world, slot)
        if outputs.ledger[world, BODY] < 0.0:
            assemble_forces(
                tables, inputs.u, inputs.commands, steps * dt, 0.0, outputs.memory, outputs.touch, work, world, slot
            )
        close_ledger(tables, outputs.ledger, work, world, slot)
        store_state(tables.bodies, work.now, outputs.q, outputs.v, world, slot)
    return 0
