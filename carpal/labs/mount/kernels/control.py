"""Controls of one period: the arm follows its motion, the table cancels the arm's reaction.

Order of a period: sense the table, correct (PID), predict the reaction, command the pulleys, add external forces, drive the
arm. Controls go to u[slot], nv numbers each for the period's start, middle and end: the predicted force is known at all
three, sensed values are held.
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

# entries of `setup`: parts of the plant, drive of the arm, faults
(TABLE, CABLES, PREDICTED, MEASURED, TORQUES, ARM_KP, ARM_KD, DEAD_JOINT, DEAD_TIME, WORN_JOINT, WORN_RATE, WORN_SPEED,
 ENCODER_NOISE, ENCODER_STEP, FRICTION_KNOWN, PERIOD, RAIL) = range(17)  # fmt: skip
SETUP_NUMBERS = 17
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
    """The arm as the controller knows it: model, law of the prediction, motion (a row a period), joint friction."""

    joints: Any
    bodies: Any
    law: Any
    q: Any
    v: Any
    vdot: Any
    friction: Any


class Table(NamedTuple):
    """The table's loop, drive and external forces, and the settings of the run."""

    loop: Any
    drive: Any
    pulses: Any
    setup: Any


class ArmInPlant(NamedTuple):
    """The plant's `dofs` with the arm's joints prescribed, and the index of the arm's first q and v in the plant's state."""

    dofs: Any
    first_q: Any
    first_v: Any


class ControlScratch(NamedTuple):
    """Controller scratch, indexed by slot; `memory`, `history` and `encoders` are kept from period to period."""

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
def reset_memory(control, slot):
    """Clear the controller's memory before the first period."""
    for i in range(MEMORY_ROWS):
        for j in range(MEMORY_WIDTH):
            control.memory[slot, i, j] = 0.0


@leaf
def load_memory(control, carry, world, slot):
    """Read the controller's memory at the end of the previous segment from carry[world]."""
    at = 0
    for part in (control.memory, control.history, control.encoders):
        for i in range(part.shape[1]):
            for j in range(part.shape[2]):
                part[slot, i, j] = carry[world, at]
                at += 1


@leaf
def save_memory(control, carry, world, slot):
    """Write the controller's memory to carry[world] for the next segment."""
    at = 0
    for part in (control.memory, control.history, control.encoders):
        for i in range(part.shape[1]):
            for j in range(part.shape[2]):
                carry[world, at] = part[slot, i, j]
                at += 1


@leaf
def _reference(arm, row, dt, moment, control, slot):
    """Fill the scratch with the motion at the start, middle or end (0, 1, 2) of a period of constant acceleration."""
    t = 0.5 * dt * moment
    for i in range(control.q.shape[1]):
        a = arm.vdot[row, i]
        control.q[slot, i] = arm.q[row, i] + t * (arm.v[row, i] + 0.5 * t * a)
        control.v[slot, i] = arm.v[row, i] + t * a
        control.vdot[slot, i] = a


@leaf
def _read_encoders(setup, control, seed, k, q, first, slot):
    """Fill the scratch with the encoders' angles, and with rates and accelerations by differences."""
    dt = setup[PERIOD]
    n = control.q.shape[1]
    for i in range(n):
        noise = 0.0
        if setup[ENCODER_NOISE] > 0.0:
            noise = setup[ENCODER_NOISE] * normal(seed, ENCODER_CHANNEL + n * k + i)
        angle = rounded(q[slot, first + i] + noise, setup[ENCODER_STEP])
        if k == 0:
            control.encoders[slot, 0, i], control.encoders[slot, 1, i] = angle, 0.0
        rate = (angle - control.encoders[slot, 0, i]) / dt
        control.q[slot, i], control.v[slot, i] = angle, rate
        control.vdot[slot, i] = (rate - control.encoders[slot, 1, i]) / dt
        control.encoders[slot, 0, i], control.encoders[slot, 1, i] = angle, rate


@leaf
def external_force(pulses, time, dt):
    """External force (x, y) [N] during the period that starts at a time."""
    fx, fy = 0.0, 0.0
    for i in range(pulses.shape[0]):
        if pulses[i, PULSE_FROM] <= time + 0.5 * dt and time + 0.5 * dt < pulses[i, PULSE_UNTIL]:
            fx, fy = fx + pulses[i, PULSE_X], fy + pulses[i, PULSE_Y]
    return fx, fy


@kernel
def drive_table(arm, table, place, weights, control, k, row, seed, q, v, u, world, slot):
    """Fill the table's entries of u[slot]; returns 1 when the prediction is not finite."""
    setup, drive, loop = table.setup, table.drive, table.loop
    dt, nv = setup[PERIOD], v.shape[1]
    arm_q = place.first_q
    feedback = (0.0, 0.0)
    if loop[FEEDBACK] != NO_FEEDBACK:
        held = control.memory[slot, 2, 0] != 0.0
        x = sensed(loop, control.memory, control.history, seed, k, 0, q[slot, 0], v[slot, 0], slot)
        y = sensed(loop, control.memory, control.history, seed, k, 1, q[slot, 1], v[slot, 1], slot)
        feedback = (pid(loop, control.memory, 0, k, x, held, slot), pid(loop, control.memory, 1, k, y, held, slot))
    bad = 0
    noise_5, noise_6 = 0.0, 0.0
    if drive[COMMAND_NOISE] > 0.0:
        noise_5, noise_6 = normal(seed, CHANNELS * k + 2), normal(seed, CHANNELS * k + 3)
    if setup[MEASURED] != 0.0:
        _read_encoders(setup, control, seed, k, q, arm_q, slot)
    ext_x, ext_y = external_force(table.pulses, k * dt, dt)
    saturated = 0.0
    for moment in range(3):
        if setup[PREDICTED] != 0.0 and (moment == 0 or setup[MEASURED] == 0.0):
            if setup[MEASURED] == 0.0:
                _reference(arm, row, dt, moment, control, slot)
            bad |= reaction(
                arm.joints, arm.bodies, arm.law, weights, control.q, control.v, control.vdot, control.force, control.scratch,
                world, slot, slot,
            )  # fmt: skip
        fx, fy = feedback
        if setup[PREDICTED] != 0.0:
            fx, fy = fx + control.force[slot, 0], fy + control.force[slot, 1]
        if setup[RAIL] != 0.0:
            fy = 0.0
        t5, t6 = pulley_torques(drive[RADIUS], fx, fy)
        if max(abs(t5), abs(t6)) > drive[LARGEST]:
            saturated = 1.0
        t5, t6 = driven(drive, t5, noise_5), driven(drive, t6, noise_6)
        first = moment * nv
        if setup[CABLES] != 0.0:
            u[slot, first], u[slot, first + 1] = ext_x, ext_y
            u[slot, first + nv - 2], u[slot, first + nv - 1] = t5, t6
        else:
            gx, gy = table_force(drive[RADIUS], t5, t6)
            u[slot, first] = gx + ext_x
            u[slot, first + 1] = 0.0 if setup[RAIL] != 0.0 else gy + ext_y  # a rail's y is given its acceleration
    control.memory[slot, 2, 0] = saturated
    return bad


@kernel
def drive_arm(arm, table, place, joints, bodies, control, k, row, q, v, u, slot):
    """Fill the arm's entries of u[slot]: accelerations of prescribed joints, or torques; 1 when not finite."""
    setup, arm_q, arm_v = table.setup, place.first_q, place.first_v
    dt, nv, n = setup[PERIOD], v.shape[1], control.q.shape[1]
    time = k * dt
    for i in range(n):
        vdot = arm.vdot[row, i]
        if i == int(setup[DEAD_JOINT]) and time >= setup[DEAD_TIME] - 0.5 * dt:
            vdot = -v[slot, arm_v + i] / dt  # stops within one period
        for moment in range(3):
            u[slot, moment * nv + arm_v + i] = vdot
    if setup[TORQUES] == 0.0:
        return 0
    # torques for these accelerations and feedback, under the table's forces at the period's middle
    for i in range(nv):
        control.wanted[slot, i] = u[slot, nv + i]
    for i in range(n):
        wanted = arm.vdot[row, i] + setup[ARM_KP] * (arm.q[row, i] - q[slot, arm_q + i])
        control.wanted[slot, arm_v + i] = wanted + setup[ARM_KD] * (arm.v[row, i] - v[slot, arm_v + i])
    bad = hybrid(
        joints, bodies, place.dofs, q, v, control.wanted, control.drive_vdot, control.wanted, control.drives, slot, slot
    )
    for i in range(n):
        j = arm_v + i
        torque = control.wanted[slot, j]
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
