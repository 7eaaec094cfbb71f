"""The catch, compiled: controller, digits and the penalty engine's step in one loop, for many worlds.

The step is the engine's trapezoidal rule with the contacts of balls alone (`ball_contacts.py`): the ball meets only boxes and
capsules. Every world has a ball of its own (`ball.py`). A call runs some rows of `every` steps from a carried state, so that a
long run can be followed, interrupted and replanned between calls; every row starts from the stored state, so the numbers do
not depend on where a run is cut, bit for bit.
"""

from typing import Any, NamedTuple

from carpal._core.compile import entry, kernel
from carpal.engines.penalty.kernels.ball_contacts import ball_contact_forces
from carpal.engines.penalty.kernels.run import KINETIC, LEDGER_COLUMNS, POTENTIAL, body_that_diverged
from carpal.engines.penalty.kernels.state import HELD, MASS, STORED, P, Work, load_state, store_state, triple
from carpal.engines.penalty.kernels.touch import (
    TOUCH_COLUMNS,
    TOUCH_DEPTH,
    TOUCH_FORCE,
    TOUCH_NORMAL,
    TOUCH_POINT,
    TOUCH_SPEED,
)  # fmt: skip
from carpal.engines.penalty.kernels.trapezoid import (
    DISSIPATED,
    WORK_IN,
    element_forces,
    kinetic_of,
    move_bodies,
    remember_anchors,
)  # fmt: skip
from carpal.labs.catch.kernels.arm_chain import JOINTS
from carpal.labs.catch.kernels.ball import FRICTION, OWN_MASS, RADIUS, own_ball, own_kinetic
from carpal.labs.catch.kernels.control import (
    CARRY_COLUMNS,
    PERIOD,
    SCRIPT,
    TORQUE,
    WANTED,
    ControllerScratch,
    command_arm,
    command_digits,
)  # fmt: skip
from carpal.labs.catch.kernels.watch import (
    BAD_BODY,
    BALL,
    DIVERGED,
    WATCH_COLUMNS,
    sample_ball,
    watch_hand,
    watch_solver,
    watch_torques,
    watch_touch,
)  # fmt: skip

__all__ = [
    "DISSIPATED", "KINETIC", "POTENTIAL", "TOUCH_DEPTH", "TOUCH_FORCE", "TOUCH_NORMAL", "TOUCH_POINT", "TOUCH_SPEED", "WORK_IN",
    "ControllerScratch", "Work", "run_catch",
]  # fmt: skip
# after q in a row: torques, wanted angles, measured angles, errors (distance, angles' component, rotation)
EXTRA_COLUMNS = 3 * JOINTS + 3
CHECK_EVERY = 5  # steps between two checks for a body that moves too far


class Clock(NamedTuple):
    """Length of a step [s], steps of a row, rows of this call, steps before it."""

    dt: Any
    every: Any
    rows: Any
    first: Any


class CatchInputs(NamedTuple):
    """Each world's state, forces on bodies (none), friction anchors, moments, ball, plan, and what controller and watch carry."""

    q: Any
    v: Any
    u: Any
    memory: Any
    times: Any
    ball: Any
    knots: Any
    grip: Any
    carry: Any
    watch: Any


class CatchOutputs(NamedTuple):
    """The same at the end, with commands, ledger, contacts, and a row of each millisecond."""

    q: Any
    v: Any
    memory: Any
    carry: Any
    watch: Any
    commands: Any
    ledger: Any
    touch: Any
    rows: Any


class CatchScratch(NamedTuple):
    """The engine's and the controller's."""

    work: Any
    controller: Any


@kernel
def begin_world(tables, inputs, outputs, scratch, world, slot):
    """Carry state, anchors, controller and watch over from the inputs; clear ledger, commands and contacts."""
    for i in range(inputs.q.shape[1]):
        outputs.q[world, i] = inputs.q[world, i]
    for i in range(inputs.v.shape[1]):
        outputs.v[world, i] = inputs.v[world, i]
    load_state(tables.bodies, outputs.q, outputs.v, scratch.work.now, world, slot)
    for i in range(inputs.memory.shape[1]):
        outputs.memory[world, i] = inputs.memory[world, i]
    for i in range(CARRY_COLUMNS):
        outputs.carry[world, i] = inputs.carry[world, i]
    for i in range(WATCH_COLUMNS):
        outputs.watch[world, i] = inputs.watch[world, i]
    for i in range(LEDGER_COLUMNS):
        outputs.ledger[world, i] = 0.0
    for i in range(outputs.commands.shape[1]):
        outputs.commands[world, i] = 0.0
    for i in range(outputs.touch.shape[1]):
        for k in range(TOUCH_COLUMNS):
            outputs.touch[world, i, k] = 0.0
    for i in range(JOINTS):
        scratch.controller.torques[slot, i] = inputs.carry[world, TORQUE + i]


@kernel
def command(tables, controller, clock, index, inputs, outputs, scratch, world, slot):
    """Commands of arm and digits for step number `index`; returns their age [s]: the arm's are renewed every period."""
    time = index * clock.dt
    residual, det, used = command_arm(
        controller, tables.gravity, tables.elements.rotary, clock.dt, index, inputs.knots, time, scratch.work.now,
        outputs.carry, outputs.commands, scratch.controller, world, slot,
    )  # fmt: skip
    period = int(controller.how[PERIOD]) if controller.how[SCRIPT] == 0.0 else 1
    since = (index % period) * clock.dt
    command_digits(controller.hand, inputs.grip, time, since, outputs.commands, world)
    watch_solver(residual, det, used, outputs.watch, world)
    return since


@kernel
def begin_row(tables, controller, clock, step, inputs, outputs, scratch, world, slot):
    """Errors of the hand, the ball in it at the moments that decide, and the row itself."""
    time = (clock.first + step) * clock.dt
    for i in range(JOINTS):
        scratch.controller.desired[slot, i] = outputs.carry[world, WANTED + i]
    far = watch_hand(
        controller, tables.elements.rotary, inputs.knots, inputs.times, time, scratch.work.now, outputs.watch,
        scratch.controller, world, slot,
    )  # fmt: skip
    sample_ball(
        controller.places, inputs.times, time, time + clock.every * clock.dt, far, scratch.work.now, outputs.watch, world, slot
    )  # fmt: skip
    write_row(outputs.q, outputs.rows, step // clock.every, scratch.controller, world, slot)


@kernel
def write_row(q, rows, row, scratch, world, slot):
    """Poses, torques, angles and errors of this moment; nothing where `rows` has no room."""
    if row >= rows.shape[1]:
        return
    nq = q.shape[1]
    for i in range(nq):
        rows[world, row, i] = q[world, i]
    for i in range(JOINTS):
        rows[world, row, nq + i] = scratch.torques[slot, i]
        rows[world, row, nq + JOINTS + i] = scratch.desired[slot, i]
        rows[world, row, nq + 2 * JOINTS + i] = scratch.measured[slot, i]
    for i in range(3):
        rows[world, row, nq + 3 * JOINTS + i] = scratch.errors[slot, i]


@kernel
def catch_step(tables, places, dt, time, since, inputs, outputs, work, world, slot):
    """`trapezoid_step` with the contacts of this world's ball alone."""
    for iteration in range(2):
        h = dt * iteration
        element_forces(tables, inputs.u, outputs.commands, since + h, h, outputs.memory, work, world, slot)
        ball_forces(tables.contacts, inputs.ball, h, outputs.memory, outputs.touch, work, world, slot)
        own_ball(tables.bodies, tables.gravity, places, inputs.ball, work, world, slot)
        move_bodies(tables, iteration, dt, time, work, outputs.ledger, world, slot)
    remember_anchors(outputs.memory, work.anchors, world, slot)


@kernel
def ball_forces(contacts, ball, h, memory, touch, work, world, slot):
    """All contacts of this world's ball."""
    ball_contact_forces(
        contacts.shapes, contacts.pairs, ball[world, RADIUS], ball[world, FRICTION], h, work.now, work.force,
        work.sums, memory, work.rates, work.anchors, touch, world, slot,
    )  # fmt: skip


@kernel
def watch_step(bodies, limits, controller, dt, step, time, inputs, outputs, scratch, world, slot):
    """Torques and first touch of the step just made; every few steps, whether it diverged."""
    watch = outputs.watch
    watch_torques(scratch.work.sums, watch, scratch.controller, world, slot)
    watch_touch(
        controller.touches, controller.places, inputs.ball[world, RADIUS], inputs.times, time, outputs.touch, watch,
        scratch.work, world, slot,
    )  # fmt: skip
    if step % CHECK_EVERY == CHECK_EVERY - 1:
        bad = body_that_diverged(bodies.shape[0], limits, dt, scratch.work, slot)
        if bad >= 0:
            watch[world, DIVERGED], watch[world, BAD_BODY] = time, bad


@kernel
def end_world(tables, places, inputs, outputs, scratch, world, slot):
    """Energies, contacts and state at the end, and the last torques."""
    work, ledger, g = scratch.work, outputs.ledger, tables.gravity
    for i in range(JOINTS):
        outputs.carry[world, TORQUE + i] = scratch.controller.torques[slot, i]
    element_forces(tables, inputs.u, outputs.commands, 0.0, 0.0, outputs.memory, work, world, slot)
    ball_forces(tables.contacts, inputs.ball, 0.0, outputs.memory, outputs.touch, work, world, slot)
    ledger[world, POTENTIAL] = work.sums[slot, STORED] + work.sums[slot, HELD]
    for body in range(tables.bodies.shape[0]):
        at = triple(work.now, slot, body, P)
        mass, kinetic = tables.bodies[body, MASS], 0.0
        if body == int(places[BALL]):
            mass, kinetic = inputs.ball[world, OWN_MASS], own_kinetic(inputs.ball, work.now, body, world, slot)
        else:
            kinetic = kinetic_of(tables.bodies, work.now, body, slot)
        ledger[world, KINETIC] += kinetic
        ledger[world, POTENTIAL] -= mass * (at[0] * g[0] + at[1] * g[1] + at[2] * g[2])
    store_state(tables.bodies, work.now, outputs.q, outputs.v, world, slot)


@entry
def run_catch(tables, limits, controller, clock, inputs, outputs, scratch, start, stop, stride, slot):
    """`clock.rows` rows of every world; `outputs.rows` may have room for none, then none is kept."""
    work, places, dt = scratch.work, controller.places, clock.dt
    for world in range(start, stop, stride):
        begin_world(tables, inputs, outputs, scratch, world, slot)
        for step in range(clock.rows * clock.every):
            if outputs.watch[world, DIVERGED] >= 0.0:
                break
            index = clock.first + step
            time = index * dt
            if step and step % clock.every == 0:  # a row begins with the state as it would be handed on
                store_state(tables.bodies, work.now, outputs.q, outputs.v, world, slot)
                load_state(tables.bodies, outputs.q, outputs.v, work.now, world, slot)
            since = command(tables, controller, clock, index, inputs, outputs, scratch, world, slot)
            if step % clock.every == 0:
                begin_row(tables, controller, clock, step, inputs, outputs, scratch, world, slot)
            catch_step(tables, places, dt, time, since, inputs, outputs, work, world, slot)
            watch_step(
                tables.bodies, limits, controller, dt, step, time + dt, inputs, outputs, scratch, world, slot
            )  # fmt: skip
        end_world(tables, places, inputs, outputs, scratch, world, slot)
    return 0
