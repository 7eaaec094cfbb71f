"""What drives the mount's plant in one period: the arm along its motion, the table against the arm's reaction.

Order of a period: sense the table, correct (PID), predict the reaction, command the pulleys, add what comes from outside,
drive the arm. Controls go to u[slot], nv numbers for the period's start, its middle and its end: the predicted force is
known at all three, everything sensed is held.
"""

import math
from typing import Any, NamedTuple

from carpal._core.compile import kernel, leaf
from carpal.dynamics.kernels.reaction import EXACT as _EXACT
from carpal.dynamics.kernels.reaction import PRINTED as _PRINTED
from carpal.dynamics.kernels.reaction import REACTION_COLUMNS as _REACTION_COLUMNS
from carpal.dynamics.kernels.reaction import reaction
from carpal.engines.rigid.kernels.hybrid import HYBRID_COLUMNS as _HYBRID_COLUMNS
from carpal.engines.rigid.kernels.hybrid import hybrid
from carpal.labs.mount.kernels.table import (
    COMMAND_NOISE,
    FEEDBACK,
    LARGEST,
    MEMORY_COLUMNS,
    NO_FEEDBACK,
    RADIUS,
    driven,
    pid,
    pulley_torques,
    rounded,
    sensed,
    table_force,
)
from carpal.spatial.kernels.noise import normal

# entries of `setup`: what there is, how it is driven, what goes wrong
(TABLE, CABLES, PREDICTED, MEASURED, TORQUES, ARM_KP, ARM_KD, DEAD_JOINT, DEAD_TIME, WORN_JOINT, WORN_RATE, WORN_SPEED,
 ENCODER_NOISE, ENCODER_STEP, FRICTION_KNOWN, PERIOD) = range(16)  # fmt: skip
SETUP_NUMBERS = 16
# laws of the prediction, and scratch columns of the two models
EXACT, PRINTED = _EXACT, _PRINTED
REACTION_COLUMNS, HYBRID_COLUMNS = _REACTION_COLUMNS, _HYBRID_COLUMNS
# columns of `pulses`: force [N], from, until [s]
PULSE_X, PULSE_Y, PULSE_FROM, PULSE_UNTIL = 0, 1, 2, 3
# rows of `memory`: the table's two axes, and one whose first number says that a pulley is at its largest torque
MEMORY_ROWS, MEMORY_WIDTH = 3, MEMORY_COLUMNS
CHANNELS = 8
"""Random numbers of one period for the table: two sensors, two commands; encoders count on from ENCODER_CHANNEL."""
ENCODER_CHANNEL = 1 << 40


class Arm(NamedTuple):
    """The arm as the controller knows it, and the motion that it makes."""

    joints: Any
    bodies: Any
    law: Any
    q: Any
    v: Any
    vdot: Any
    friction: Any


class Table(NamedTuple):
    """The table's loop, drive and disturbances, and the settings of the whole run."""

    loop: Any
    drive: Any
    pulses: Any
    setup: Any


class Desk(NamedTuple):
    """A slot's scratch: what the controller remembers, and where it calculates."""

    memory: Any
    history: Any
    encoders: Any
    q: Any
    v: Any
    vdot: Any
    force: Any
    wanted: Any
    drives: Any
    drive_vdot: Any
    scratch: Any


@leaf
def forget(desk, slot):
    """Before the first period."""
    for i in range(MEMORY_ROWS):
        for j in range(MEMORY_WIDTH):
            desk.memory[slot, i, j] = 0.0


@leaf
def recall(desk, carry, world, slot):
    """What the controller remembered at the end of the piece before."""
    at = 0
    for part in (desk.memory, desk.history, desk.encoders):
        for i in range(part.shape[1]):
            for j in range(part.shape[2]):
                part[slot, i, j] = carry[world, at]
                at += 1


@leaf
def note_down(desk, carry, world, slot):
    """Keep what the controller remembers for the next piece."""
    at = 0
    for part in (desk.memory, desk.history, desk.encoders):
        for i in range(part.shape[1]):
            for j in range(part.shape[2]):
                carry[world, at] = part[slot, i, j]
                at += 1


@leaf
def _ahead(arm, row, dt, moment, desk, slot):
    """Put the motion at a moment of the period into the desk: along its parabola."""
    t = 0.5 * dt * moment
    for i in range(desk.q.shape[1]):
        a = arm.vdot[row, i]
        desk.q[slot, i] = arm.q[row, i] + t * (arm.v[row, i] + 0.5 * t * a)
        desk.v[slot, i] = arm.v[row, i] + t * a
        desk.vdot[slot, i] = a


@leaf
def _encoded(setup, desk, seed, k, q, first, slot):
    """Put what the joints' encoders tell into the desk: position, and rates by differences."""
    dt = setup[PERIOD]
    n = desk.q.shape[1]
    for i in range(n):
        noise = 0.0
        if setup[ENCODER_NOISE] > 0.0:
            noise = setup[ENCODER_NOISE] * normal(seed, ENCODER_CHANNEL + n * k + i)
        angle = rounded(q[slot, first + i] + noise, setup[ENCODER_STEP])
        if k == 0:
            desk.encoders[slot, 0, i], desk.encoders[slot, 1, i] = angle, 0.0
        rate = (angle - desk.encoders[slot, 0, i]) / dt
        desk.q[slot, i], desk.v[slot, i] = angle, rate
        desk.vdot[slot, i] = (rate - desk.encoders[slot, 1, i]) / dt
        desk.encoders[slot, 0, i], desk.encoders[slot, 1, i] = angle, rate


@leaf
def _outside(pulses, time, dt):
    """Force (x, y) [N] from outside during the period that starts at a time."""
    fx, fy = 0.0, 0.0
    for i in range(pulses.shape[0]):
        if pulses[i, PULSE_FROM] <= time + 0.5 * dt and time + 0.5 * dt < pulses[i, PULSE_UNTIL]:
            fx, fy = fx + pulses[i, PULSE_X], fy + pulses[i, PULSE_Y]
    return fx, fy


@kernel
def drive_table(arm, table, weights, desk, k, row, seed, q, v, u, world, slot):
    """Fill the table's entries of u[slot]; returns 1 when the prediction is not finite."""
    setup, drive, loop = table.setup, table.drive, table.loop
    dt, nv = setup[PERIOD], v.shape[1]
    arm_q = 2
    back = (0.0, 0.0)
    if loop[FEEDBACK] != NO_FEEDBACK:
        held = desk.memory[slot, 2, 0] != 0.0
        x = sensed(loop, desk.memory, desk.history, seed, k, 0, q[slot, 0], v[slot, 0], slot)
        y = sensed(loop, desk.memory, desk.history, seed, k, 1, q[slot, 1], v[slot, 1], slot)
        back = (pid(loop, desk.memory, 0, k, x, held, slot), pid(loop, desk.memory, 1, k, y, held, slot))
    bad = 0
    noise_5, noise_6 = 0.0, 0.0
    if drive[COMMAND_NOISE] > 0.0:
        noise_5, noise_6 = normal(seed, CHANNELS * k + 2), normal(seed, CHANNELS * k + 3)
    if setup[MEASURED] != 0.0:
        _encoded(setup, desk, seed, k, q, arm_q, slot)
    out_x, out_y = _outside(table.pulses, k * dt, dt)
    strained = 0.0
    for moment in range(3):
        if setup[PREDICTED] != 0.0 and (moment == 0 or setup[MEASURED] == 0.0):
            if setup[MEASURED] == 0.0:
                _ahead(arm, row, dt, moment, desk, slot)
            bad |= reaction(
                arm.joints, arm.bodies, arm.law, weights, desk.q, desk.v, desk.vdot, desk.force, desk.scratch,
                world, slot, slot,
            )  # fmt: skip
        fx, fy = back
        if setup[PREDICTED] != 0.0:
            fx, fy = fx + desk.force[slot, 0], fy + desk.force[slot, 1]
        t5, t6 = pulley_torques(drive[RADIUS], fx, fy)
        if max(abs(t5), abs(t6)) > drive[LARGEST]:
            strained = 1.0
        t5, t6 = driven(drive, t5, noise_5), driven(drive, t6, noise_6)
        first = moment * nv
        if setup[CABLES] != 0.0:
            u[slot, first], u[slot, first + 1] = out_x, out_y
            u[slot, first + nv - 2], u[slot, first + nv - 1] = t5, t6
        else:
            gx, gy = table_force(drive[RADIUS], t5, t6)
            u[slot, first], u[slot, first + 1] = gx + out_x, gy + out_y
    desk.memory[slot, 2, 0] = strained
    return bad


@kernel
def drive_arm(arm, table, joints, bodies, dofs, desk, k, row, q, v, u, arm_q, arm_v, slot):
    """Fill the arm's entries of u[slot]: accelerations of prescribed joints, or torques; 1 when not finite."""
    setup = table.setup
    dt, nv, n = setup[PERIOD], v.shape[1], desk.q.shape[1]
    time = k * dt
    for i in range(n):
        given = arm.vdot[row, i]
        if i == int(setup[DEAD_JOINT]) and time >= setup[DEAD_TIME] - 0.5 * dt:
            given = -v[slot, arm_v + i] / dt  # stops within one period, and stays
        if setup[TORQUES] != 0.0:
            given += setup[ARM_KP] * (arm.q[row, i] - q[slot, arm_q + i])
            given += setup[ARM_KD] * (arm.v[row, i] - v[slot, arm_v + i])
        for moment in range(3):
            u[slot, moment * nv + arm_v + i] = given
    if setup[TORQUES] == 0.0:
        return 0
    # torques that give these accelerations while the table gets the forces of the period's middle
    for i in range(nv):
        desk.wanted[slot, i] = u[slot, nv + i]
    bad = hybrid(joints, bodies, dofs, q, v, desk.wanted, desk.drive_vdot, desk.wanted, desk.drives, slot, slot)
    for i in range(n):
        j = arm_v + i
        torque = desk.wanted[slot, j]
        if setup[FRICTION_KNOWN] != 0.0:
            torque += arm.friction[i, 0] * v[slot, j]
            torque += arm.friction[i, 1] * math.tanh(v[slot, j] / setup[WORN_SPEED])
        torque = min(max(torque, -arm.friction[i, 2]), arm.friction[i, 2])
        if i == int(setup[WORN_JOINT]):
            torque -= setup[WORN_RATE] * time * math.tanh(v[slot, j] / setup[WORN_SPEED])
        u[slot, j] = u[slot, nv + j] = u[slot, 2 * nv + j] = torque
    for i in range(2 if setup[TABLE] != 0.0 else 0):
        u[slot, i] = u[slot, 2 * nv + i] = u[slot, nv + i]
    if setup[CABLES] != 0.0:
        for i in range(nv - 2, nv):
            u[slot, i] = u[slot, 2 * nv + i] = u[slot, nv + i]
    return bad
