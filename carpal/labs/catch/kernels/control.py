"""The catcher's controller: commands of the arm and the digits, from the wanted path and the measured joints.

By default the wanted angles follow the path from their own last values, with the rates J^-1 x', every `period` steps. As
the thesis's script has it (`SCRIPT`), every step solves from the measured angles to 2.5e-4 and the wanted rate is the
difference of two solutions over one step (erratum E12). The weight is held by shifting the wanted angle by torque / P, which
is the same torque, or not at all.
"""

import math
from typing import Any, NamedTuple

from carpal._core.compile import kernel, leaf
from carpal.engines.penalty.kernels.actuators import ROTARY_P
from carpal.engines.penalty.kernels.springs import angle_about
from carpal.labs.catch.kernels.arm_chain import JOINTS, holding_torque
from carpal.labs.catch.kernels.follow import follow_angles, follow_turn, rates_along
from carpal.labs.catch.kernels.path import closed_share, path_at

# columns of `hand` (the digits): open and closed length of a finger [m], open and closed angle of the thumb [rad]
FINGER_OPEN, FINGER_CLOSED, THUMB_OPEN, THUMB_CLOSED = 0, 1, 2, 3
FINGERS = 4
COMMANDS = JOINTS + FINGERS + 1
NOT_COMPUTED = 1e9  # of |det J|, where the controller does not compute it
# columns of `how`: steps of a control period, whether as the script, whether the weight is held, whether the inverse
# kinematics closes the thesis's angles
PERIOD, SCRIPT, WEIGHT, BY_ANGLES = 0, 1, 2, 3
# columns of `carry` (worlds, CARRY_COLUMNS): wanted angles, their rates, whether there are any, last torques
WANTED, WANTED_RATE, BEGUN, TORQUE = 0, 6, 12, 13
CARRY_COLUMNS = 19


class ControllerTables(NamedTuple):
    """The arm's `chain` and `links`, `places` of palm and ball, the digits' strokes, how the controller works, and `touches`."""

    chain: Any
    links: Any
    places: Any
    hand: Any
    how: Any
    touches: Any


class ControllerScratch(NamedTuple):
    """The fields of `FollowScratch`, and measured angles, torques and errors of the hand."""

    target: Any
    desired: Any
    measured: Any
    rates: Any
    torques: Any
    errors: Any
    frames: Any
    A: Any
    N: Any
    x: Any


@leaf
def near_turn(angle, other):
    """An angle plus whole turns, nearest to another."""
    return angle + 2.0 * math.pi * math.floor((other - angle) / (2.0 * math.pi) + 0.5)


@kernel
def measure_joints(rotary, now, desired, measured, slot):
    """Joint angles of the arm, as encoders on its axes have them, in the turn of the wanted ones."""
    for i in range(JOINTS):
        _, angle, _ = angle_about(rotary, i, now, slot)
        measured[slot, i] = near_turn(angle, desired[slot, i])


@kernel
def command_arm(controller, gravity, rotary, dt, step, knots, time, now, carry, commands, scratch, world, slot):
    """Wanted angles and rates of the arm for the step from `time`; returns (residual, |det J|, iterations).

    Between two periods nothing happens and the residual is zero: commands run on at their rates.
    """
    chain, links, how = controller.chain, controller.links, controller.how
    period, script = int(how[PERIOD]), how[SCRIPT] > 0.0
    if not script and step % period:
        return 0.0, NOT_COMPUTED, 0
    path_at(knots, world, time, scratch.target, slot)
    residual, det, used = 0.0, NOT_COMPUTED, 0
    for i in range(JOINTS):
        scratch.desired[slot, i] = carry[world, WANTED + i]
    if script:
        measure_joints(rotary, now, scratch.desired, scratch.measured, slot)
        for i in range(JOINTS):
            scratch.desired[slot, i] = scratch.measured[slot, i]
        residual, used = follow_angles(chain, scratch, slot)
        for i in range(JOINTS):
            moved = scratch.desired[slot, i] - carry[world, WANTED + i]
            scratch.rates[slot, i] = moved / dt if carry[world, BEGUN] > 0.0 else 0.0
    else:
        if how[BY_ANGLES] > 0.0:
            residual, used = follow_angles(chain, scratch, slot)
        else:
            residual, used = follow_turn(chain, links, scratch, slot)
        det = rates_along(chain, links, scratch, slot)
    half = commands.shape[1] // 2
    for i in range(JOINTS):
        carry[world, WANTED + i] = commands[world, i] = scratch.desired[slot, i]
        carry[world, WANTED_RATE + i] = commands[world, half + i] = scratch.rates[slot, i]
        if how[WEIGHT] > 0.0 and not script:
            torque = holding_torque(scratch.frames, (gravity[0], gravity[1], gravity[2]), i, slot)
            commands[world, i] += torque / rotary[i, ROTARY_P]
    carry[world, BEGUN] = 1.0
    return residual, det, used


@leaf
def command_digits(hand, grip, time, since, commands, world):
    """Lengths and the thumb's angle for the step from `time`, `since` seconds after the arm's commands were given."""
    share, rate = closed_share(grip, world, time)
    half = commands.shape[1] // 2
    for i in range(FINGERS + 1):
        opened, closed = hand[FINGER_OPEN], hand[FINGER_CLOSED]
        if i == FINGERS:
            opened, closed = hand[THUMB_OPEN], hand[THUMB_CLOSED]
        r = rate * (closed - opened)
        commands[world, JOINTS + i] = opened + share * (closed - opened) - r * since
        commands[world, half + JOINTS + i] = r
