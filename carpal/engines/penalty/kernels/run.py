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
    Work,
    load_state,
    store_state,
    triple,
)  # fmt: skip
from carpal.engines.penalty.kernels.trapezoid import assemble_forces, kinetic_of, trapezoid_step
from carpal.spatial.kernels.vec3 import dot

# after WORK_IN and DISSIPATED: energies at the end [J], good steps, the body that moved too far, the worst gap [m^2], its joint
KINETIC, POTENTIAL, DONE, BODY, WORST_GAP, WORST_JOINT = 2, 3, 4, 5, 6, 7
BOOK_COLUMNS = 8
# columns of `limits`: travel [m] and turn [rad] of a body in one step, gap of a joint [m]
TRAVEL, TURN, GAP_LIMIT = 0, 1, 2


class Parts(NamedTuple):
    """The tables of a mechanism; `engines/penalty/tables.py` fills them."""

    bodies: Any
    gravity: Any
    points: Any
    slots: Any
    corners: Any
    springs: Any
    rotary: Any
    linear: Any
    friction: Any
    motions: Any
    shapes: Any
    pairs: Any
    law: Any
    mesh: Any
    normals: Any
    boxes: Any


@kernel
def body_that_diverged(count, limits, dt, work, slot):
    """-1, or the first body that moved farther in a step than means anything; `count` itself for a joint torn apart."""
    travel, turn = (limits[TRAVEL] / dt) ** 2, (limits[TURN] / dt) ** 2
    for body in range(count):
        v, w = triple(work.now, slot, body, V), triple(work.now, slot, body, W_W)
        if not (dot(v, v) <= travel and dot(w, w) <= turn):
            return body
    if not work.sums[slot, GAP] <= limits[GAP_LIMIT] * limits[GAP_LIMIT]:
        return count
    return -1


@entry
def run_penalty_steps(
    bodies, gravity, points, slots, corners, springs, rotary, linear, friction, motions, shapes, pairs, law, mesh,
    normals, boxes, limits, dt, steps, q, v, u, commands, times, memory, q_next, v_next, memory_next, books, touch,
    now, old, accel, force, sums, rates, anchors, pair, start, stop, stride, slot,
):  # fmt: skip
    """`steps` steps of every world from `times`; fewer good ones in `books[DONE]` mean that it diverged."""
    tables = Parts(
        bodies, gravity, points, slots, corners, springs, rotary, linear, friction, motions, shapes, pairs, law, mesh,
        normals, boxes,
    )  # fmt: skip
    work = Work(now, old, accel, force, sums, rates, anchors, pair)
    count = bodies.shape[0]
    for world in range(start, stop, stride):
        load_state(bodies, q, v, now, world, slot)
        for row in range(memory.shape[1] // 3):
            for i in range(3):
                memory_next[world, 3 * row + i] = anchors[slot, row, i] = memory[world, 3 * row + i]
        for i in range(BOOK_COLUMNS):
            books[world, i] = 0.0
        books[world, BODY] = -1.0
        for body in range(count):
            if bodies[body, MOTIONS] > 0.0:
                follow_motion(bodies, motions, times[world, 0], now, body, slot)
        for step in range(steps):
            since = step * dt
            trapezoid_step(
                tables, dt, times[world, 0] + since, u, commands, since, memory_next, touch, books, work, world, slot
            )
            bad = body_that_diverged(count, limits, dt, work, slot)
            if bad >= 0:
                books[world, BODY] = bad
                break
            books[world, DONE] += 1.0
        if books[world, BODY] < 0.0:
            since = steps * dt
            assemble_forces(tables, u, commands, since, 0.0, memory_next, touch, work, world, slot)
        books[world, POTENTIAL] = sums[slot, STORED] + sums[slot, HELD]
        for body in range(count):
            books[world, KINETIC] += kinetic_of(bodies, now, body, slot)
            at = triple(now, slot, body, P)
            weight = at[0] * gravity[0] + at[1] * gravity[1] + at[2] * gravity[2]
            books[world, POTENTIAL] -= bodies[body, MASS] * weight
        books[world, WORST_GAP] = sums[slot, GAP]
        books[world, WORST_JOINT] = sums[slot, GAP_JOINT]
        store_state(bodies, now, q_next, v_next, world, slot)
    return 0
