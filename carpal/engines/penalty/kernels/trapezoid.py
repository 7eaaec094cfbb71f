"""The explicit trapezoidal predictor-corrector (Yesmunt 2014, section 2.6, eq. 2.46 to 2.52), in the order of its procedure.

Two force evaluations a step, order two. The procedure carries the acceleration of the last corrector into the next step; the
predictor's own evaluation at the unchanged state is that same acceleration, taken at the corrected state, and makes a step
a function of the state alone. Undamped modes lose z^4/8 of their amplitude squared a step, z = w dt, and stay stable
to z = 2.
"""

from carpal._core.compile import kernel, leaf
from carpal.engines.penalty.kernels.actuators import linear_forces, rotary_torques
from carpal.engines.penalty.kernels.asperity import joint_friction
from carpal.engines.penalty.kernels.contact_points import contact_forces
from carpal.engines.penalty.kernels.point_joints import point_joint_forces
from carpal.engines.penalty.kernels.prescribed import follow_motion
from carpal.engines.penalty.kernels.slot_joints import slot_joint_forces
from carpal.engines.penalty.kernels.springs import spring_torques
from carpal.engines.penalty.kernels.state import (
    COM,
    HELD,
    INERTIA,
    INVERSE,
    MASS,
    MOTIONS,
    OLD_W,
    POWER_IN,
    POWER_LOST,
    SUM_COLUMNS,
    W_W,
    P,
    Q,
    V,
    W,
    push,
    put,
    refresh,
    rotation_of,
    triple,
    turned_in_body,
    twist_by,
)  # fmt: skip
from carpal.model.kernels.tables import symmetric_at, vector_at
from carpal.spatial.kernels.vec3 import add, cross, dot, rotate, rotate_back, scale, sub, symmetric_times

# columns of a world's ledger: work of drives, commands and forces, energy dissipated [J]
WORK_IN, DISSIPATED = 0, 1


@kernel
def element_forces(tables, u, commands, since, h, memory, work, world, slot):
    """Forces and torques of everything but contacts at the state `now`; h is 0 at a step's start and dt at its end."""
    now, force, sums = work.now, work.force, work.sums
    count = tables.bodies.shape[0]
    # (a) initialise forces and moments: to zero for the world, to weight and u for bodies
    put(force, slot, count, 0, (0.0, 0.0, 0.0))
    put(force, slot, count, 3, (0.0, 0.0, 0.0))
    for i in range(SUM_COLUMNS):
        sums[slot, i] = 0.0
    # (b) all elements, joints and contacts
    for body in range(count):
        weight = scale(tables.bodies[body, MASS], (tables.gravity[0], tables.gravity[1], tables.gravity[2]))
        put(force, slot, body, 0, weight)
        put(force, slot, body, 3, (0.0, 0.0, 0.0))
        if u.shape[1] > 0:  # none is given where nobody pushes
            f, torque = vector_at(u, world, 6 * body), vector_at(u, world, 6 * body + 3)
            if dot(f, f) + dot(torque, torque) != 0.0:  # most bodies are pushed by nobody; NaN goes on to be noticed
                push_origin(tables.bodies, now, force, sums, body, f, torque, slot)
    point_joint_forces(tables.elements.points, now, force, sums, slot)
    slot_joint_forces(
        tables.elements.slots, tables.elements.corners, tables.elements.points.shape[0], now, force, sums, slot
    )
    spring_torques(tables.elements.springs, now, force, sums, slot)
    rotary_torques(tables.elements.rotary, commands, since, now, force, sums, world, slot)
    linear_forces(tables.elements.linear, commands, since, now, force, sums, world, slot)
    first = tables.contacts.pairs.shape[0]
    joint_friction(tables.elements.friction, first, h, now, force, sums, memory, work.rates, work.anchors, world, slot)


@kernel
def assemble_forces(tables, u, commands, since, h, memory, touch, work, world, slot):
    """`element_forces`, and those of all contacts."""
    element_forces(tables, u, commands, since, h, memory, work, world, slot)
    contact_forces(tables.contacts, h, memory, touch, work, world, slot)


@leaf
def push_origin(bodies, now, force, sums, body, f, torque, slot):
    """Add a force and a torque in W given at the body's origin."""
    arm = rotate(rotation_of(now, slot, body), scale(-1.0, vector_at(bodies, body, COM)))
    push(force, slot, body, arm, f)
    twist_by(force, slot, body, torque)
    spin = triple(now, slot, body, W_W)
    at = add(triple(now, slot, body, V), cross(spin, arm))
    sums[slot, POWER_IN] += dot(f, at) + dot(torque, spin)


@leaf
def _accelerations(bodies, now, force, body, slot):
    """(c) eq. 2.46 and 2.47: linear acceleration in W, angular in the body's axes."""
    linear = scale(1.0 / bodies[body, MASS], triple(force, slot, body, 0))
    spin = triple(now, slot, body, W)
    moment = rotate_back(rotation_of(now, slot, body), triple(force, slot, body, 3))
    moment = sub(moment, cross(spin, symmetric_times(symmetric_at(bodies, body, INERTIA), spin)))
    return linear, symmetric_times(symmetric_at(bodies, body, INVERSE), moment)


@leaf
def _turn(now, old, body, w_old, w, half, slot):
    """Turn the body from its old attitude by the mean of two angular velocities, eq. 2.52."""
    turn = scale(half, add(w, w_old))
    turned = turned_in_body(
        old[slot, body, 0], old[slot, body, 1], old[slot, body, 2], old[slot, body, 3], turn[0], turn[1], turn[2]
    )
    for i in range(4):
        now[slot, body, Q + i] = turned[i]
    put(now, slot, body, W, w)
    refresh(now, slot, body)


@leaf
def _predict(bodies, now, old, force, accel, body, dt, slot):
    """(c) and (d) of the predictor: the trapezoidal rule with the acceleration at the step's start for both of its ends."""
    linear, angular = _accelerations(bodies, now, force, body, slot)
    put(accel, slot, body, 0, linear)
    put(accel, slot, body, 3, angular)
    for i in range(4):
        old[slot, body, i] = now[slot, body, Q + i]
    w_old = triple(now, slot, body, W)
    put(old, slot, body, OLD_W, w_old)
    v_old = triple(now, slot, body, V)
    v = add(v_old, scale(dt, linear))
    put(now, slot, body, P, add(triple(now, slot, body, P), scale(0.5 * dt, add(v, v_old))))
    put(now, slot, body, V, v)
    _turn(now, old, body, w_old, add(w_old, scale(dt, angular)), 0.5 * dt, slot)


@leaf
def _correct(bodies, now, old, force, accel, body, dt, slot):
    """(c) and (d) of the corrector, eq. 2.48 to 2.52.

    With the predicted values at hand v1 = v0 + dt/2 (a0 + a1) is v + dt/2 (a1 - a0), and the place likewise; only the
    attitude needs its old value. That halves what a step reads and writes.
    """
    half = 0.5 * dt
    linear, angular = _accelerations(bodies, now, force, body, slot)
    change = scale(half, sub(linear, triple(accel, slot, body, 0)))
    put(now, slot, body, V, add(triple(now, slot, body, V), change))
    put(now, slot, body, P, add(triple(now, slot, body, P), scale(half, change)))
    w = add(triple(now, slot, body, W), scale(half, sub(angular, triple(accel, slot, body, 3))))
    _turn(now, old, body, triple(old, slot, body, OLD_W), w, half, slot)


@leaf
def kinetic_of(bodies, now, body, slot):
    """Kinetic energy [J] of one body."""
    v, w = triple(now, slot, body, V), triple(now, slot, body, W)
    return 0.5 * (bodies[body, MASS] * dot(v, v) + dot(w, symmetric_times(symmetric_at(bodies, body, INERTIA), w)))


@leaf
def _power_on(now, force, body, slot):
    """Power [W] of all forces on one body."""
    linear = dot(triple(force, slot, body, 0), triple(now, slot, body, V))
    return linear + dot(triple(force, slot, body, 3), triple(now, slot, body, W_W))


@kernel
def move_bodies(tables, iteration, dt, time, work, ledger, world, slot):
    """(c) to (e) of the predictor (iteration 0) or the corrector (1), and their half of the step's ledger entries.

    In the predictor the values at the last time are the current ones (3.), kept for the corrector.
    """
    bodies, now = tables.bodies, work.now
    drive = 0.5 * dt * work.sums[slot, POWER_IN]
    for body in range(bodies.shape[0]):
        driven = bodies[body, MOTIONS] > 0.0
        if driven:  # its drive brings what the forces take
            drive -= 0.5 * dt * _power_on(now, work.force, body, slot)
            if iteration == 0:
                drive -= kinetic_of(bodies, now, body, slot)
        if iteration == 0:
            _predict(bodies, now, work.old, work.force, work.accel, body, dt, slot)
        else:
            _correct(bodies, now, work.old, work.force, work.accel, body, dt, slot)
        if driven:
            follow_motion(bodies, tables.motions, time + dt, now, body, slot)  # (e) prescribed motion
            if iteration == 1:
                drive += kinetic_of(bodies, now, body, slot)
    ledger[world, WORK_IN] += drive
    sign = 1.0 if iteration else -1.0  # what the anchors' springs gained over the step was not lost
    ledger[world, DISSIPATED] += 0.5 * dt * work.sums[slot, POWER_LOST] - sign * work.sums[slot, HELD]


@kernel
def remember_anchors(memory, anchors, world, slot):
    """The anchors of friction at the step's end become those of the next."""
    for row in range(memory.shape[1] // 3):
        for i in range(3):
            memory[world, 3 * row + i] = anchors[slot, row, i]


@kernel
def trapezoid_step(tables, dt, time, u, commands, since, memory, touch, ledger, work, world, slot):
    """Move one world by dt, from `time`; its state is in `work.now`. Adds to `ledger` (worlds, WORK_IN and DISSIPATED)."""
    for iteration in range(2):  # 4. a predictor and a corrector iteration
        h = dt * iteration
        assemble_forces(tables, u, commands, since + h, h, memory, touch, work, world, slot)  # (a), (b)
        move_bodies(tables, iteration, dt, time, work, ledger, world, slot)  # (c), (d), (e)
    remember_anchors(memory, work.anchors, world, slot)
