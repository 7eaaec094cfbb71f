"""The catch, compiled: controller, digits and the penalty engine's step in one loop, for many worlds.

The step is the engine's trapezoidal rule with the contacts of balls alone (`ball_contacts.py`): all that the ball meets is
a box or a capsule. Every world has a ball of its own (`ball.py`). A call runs some rows of `every` steps from a carried state, so
that a long run can be followed, interrupted and replanned between calls; every row starts from the state as it is handed on,
so the numbers do not depend on where it is cut, bit for bit.
"""

from typing import Any, NamedTuple

from carpal._core.compile import entry, kernel
from carpal.engines.penalty.kernels.ball_contacts import ball_contact_forces
from carpal.engines.penalty.kernels.run import BOOK_COLUMNS, KINETIC, POTENTIAL, Parts, body_that_diverged
from carpal.engines.penalty.kernels.state import HELD, MASS, STORED, P, Work, load_state, store_state, triple
from carpal.engines.penalty.kernels.touch import (
    TOUCH_COLUMNS,
    TOUCH_DEPTH,
    TOUCH_FORCE,
    TOUCH_NORMAL,
    TOUCH_POINT,
    TOUCH_SPEED,
)  # fmt: skip
from carpal.engines.penalty.kernels.trapezoid import element_forces, kinetic_of, move_bodies, remember_anchors
from carpal.labs.catch.kernels.arm_chain import JOINTS
from carpal.labs.catch.kernels.ball import FRICTION, OWN_MASS, RADIUS, own_ball, own_kinetic
from carpal.labs.catch.kernels.control import CARRY_COLUMNS, TORQUE, WANTED, command_arm, command_digits
from carpal.labs.catch.kernels.watch import (
    BAD_BODY,
    BALL,
    DET,
    DIVERGED,
    ITERATIONS,
    RESIDUAL,
    WATCH_COLUMNS,
    look_at_ball,
    watch_hand,
    watch_torques,
    watch_touch,
)  # fmt: skip

__all__ = ["TOUCH_DEPTH", "TOUCH_FORCE", "TOUCH_NORMAL", "TOUCH_POINT", "TOUCH_SPEED", "run_catch"]
# after q in a row: torques, wanted angles, measured angles, errors (distance, angles' component, rotation)
EXTRA_COLUMNS = 3 * JOINTS + 3
CHECKED = 5  # steps between two looks for a body that moves too far


class Desk(NamedTuple):
    """The controller's scratch of one slot."""

    wish: Any
    desired: Any
    measured: Any
    rates: Any
    torques: Any
    errors: Any
    frames: Any
    A: Any
    N: Any
    x: Any


@kernel
def catch_step(tables, places, ball, dt, time, u, commands, since, memory, touch, books, work, world, slot):
    """`trapezoid_step` with the contacts of this world's ball alone."""
    for iteration in range(2):
        h = dt * iteration
        element_forces(tables, u, commands, since + h, h, memory, work, world, slot)
        ball_contact_forces(
            tables.shapes, tables.pairs, tables.law, ball[world, RADIUS], ball[world, FRICTION], h, work.now, work.force,
            work.sums, memory, work.rates, work.anchors, touch, world, slot,
        )  # fmt: skip
        own_ball(tables.bodies, tables.gravity, places, ball, work, world, slot)
        move_bodies(tables, iteration, dt, time, work, books, world, slot)
    remember_anchors(memory, work.anchors, world, slot)


@kernel
def write_row(q_next, rows, row, desk, world, slot):
    """Poses, torques, angles and errors of this moment."""
    if row >= rows.shape[1]:
        return
    nq = q_next.shape[1]
    for i in range(nq):
        rows[world, row, i] = q_next[world, i]
    for i in range(JOINTS):
        rows[world, row, nq + i] = desk.torques[slot, i]
        rows[world, row, nq + JOINTS + i] = desk.desired[slot, i]
        rows[world, row, nq + 2 * JOINTS + i] = desk.measured[slot, i]
    for i in range(3):
        rows[world, row, nq + 3 * JOINTS + i] = desk.errors[slot, i]


@kernel
def take_stock(tables, places, ball, u, commands, memory, touch, books, work, world, slot):
    """Energies and contacts of the state at the end."""
    element_forces(tables, u, commands, 0.0, 0.0, memory, work, world, slot)
    ball_contact_forces(
        tables.shapes, tables.pairs, tables.law, ball[world, RADIUS], ball[world, FRICTION], 0.0, work.now, work.force,
        work.sums, memory, work.rates, work.anchors, touch, world, slot,
    )  # fmt: skip
    books[world, POTENTIAL] = work.sums[slot, STORED] + work.sums[slot, HELD]
    g = tables.gravity
    for body in range(tables.bodies.shape[0]):
        at = triple(work.now, slot, body, P)
        mass, kinetic = tables.bodies[body, MASS], 0.0
        if body == int(places[BALL]):
            mass, kinetic = ball[world, OWN_MASS], own_kinetic(ball, work.now, body, world, slot)
        else:
            kinetic = kinetic_of(tables.bodies, work.now, body, slot)
        books[world, KINETIC] += kinetic
        books[world, POTENTIAL] -= mass * (at[0] * g[0] + at[1] * g[1] + at[2] * g[2])


@entry
def run_catch(
    bodies, gravity, points, slots, corners, springs, rotary, linear, friction, motions, shapes, pairs, law, mesh,
    normals, boxes, limits, chain, links, places, hand, how, dt, every, count, first,
    q, v, u, memory, times, ball, knots, grip, carry, watch,
    q_next, v_next, memory_next, carry_next, watch_next, commands, books, touch, rows,
    now, old, accel, force, sums, rates, anchors, pair,
    wish, desired, measured, joint_rates, torques, errors, frames, A, N, x, start, stop, stride, slot,
):  # fmt: skip
    """`count` rows of `every` steps; `first` is the number of steps before. `rows` may hold fewer rows, then none is kept."""
    tables = Parts(
        bodies, gravity, points, slots, corners, springs, rotary, linear, friction, motions, shapes, pairs, law, mesh,
        normals, boxes,
    )  # fmt: skip
    work = Work(now, old, accel, force, sums, rates, anchors, pair)
    desk = Desk(wish, desired, measured, joint_rates, torques, errors, frames, A, N, x)
    for world in range(start, stop, stride):
        for i in range(q.shape[1]):
            q_next[world, i] = q[world, i]
        for i in range(v.shape[1]):
            v_next[world, i] = v[world, i]
        load_state(bodies, q_next, v_next, now, world, slot)
        for i in range(memory.shape[1]):
            memory_next[world, i] = memory[world, i]
        for i in range(CARRY_COLUMNS):
            carry_next[world, i] = carry[world, i]
        for i in range(WATCH_COLUMNS):
            watch_next[world, i] = watch[world, i]
        for i in range(BOOK_COLUMNS):
            books[world, i] = 0.0
        for i in range(commands.shape[1]):
            commands[world, i] = 0.0
        for i in range(touch.shape[1]):
            for k in range(TOUCH_COLUMNS):
                touch[world, i, k] = 0.0
        for i in range(JOINTS):
            torques[slot, i] = carry[world, TORQUE + i]
        period = int(how[0]) if how[1] == 0.0 else 1
        for step in range(count * every):
            if watch_next[world, DIVERGED] >= 0.0:
                break
            index = first + step
            time = index * dt
            if step and step % every == 0:
                store_state(bodies, now, q_next, v_next, world, slot)
                load_state(bodies, q_next, v_next, now, world, slot)
            residual, det, used = command_arm(
                chain, links, gravity, rotary, how, dt, index, knots, time, now, carry_next, commands, desk, world, slot
            )
            since = (index % period) * dt
            command_digits(hand, grip, time, since, commands, world)
            watch_next[world, RESIDUAL] = max(watch_next[world, RESIDUAL], residual)
            watch_next[world, DET] = min(watch_next[world, DET], det)
            watch_next[world, ITERATIONS] = max(watch_next[world, ITERATIONS], used)
            if step % every == 0:
                for i in range(JOINTS):
                    desired[slot, i] = carry_next[world, WANTED + i]
                far = watch_hand(chain, rotary, places, knots, times, time, now, watch_next, desk, world, slot)
                look_at_ball(places, times, time, time + every * dt, far, now, watch_next, world, slot)
                write_row(q_next, rows, step // every, desk, world, slot)
            catch_step(tables, places, ball, dt, time, u, commands, since, memory_next, touch, books, work, world, slot)
            watch_torques(sums, watch_next, desk, world, slot)
            watch_touch(times, time + dt, watch_next, work, world, slot)
            if step % CHECKED == CHECKED - 1:
                bad = body_that_diverged(bodies.shape[0], limits, dt, work, slot)
                if bad >= 0:
                    watch_next[world, DIVERGED], watch_next[world, BAD_BODY] = time + dt, bad
        for i in range(JOINTS):
            carry_next[world, TORQUE + i] = torques[slot, i]
        take_stock(tables, places, ball, u, commands, memory_next, touch, books, work, world, slot)
        store_state(bodies, now, q_next, v_next, world, slot)
    return 0
