"""Linear and rotary PD actuators (Yesmunt 2014, eq. 2.40 to 2.45) with the signs of erratum E9.

Rotary: the torque on B is -P wrap(angle - wanted) - D (rate - wanted rate). Linear: a positive force is a pull between the
two points, P (length - wanted) + D (length' - wanted'), which is the script's +P because positive means contraction there.
A command runs on at its rate from the time it was given. The script differentiates a jumping command over one step, which
kicks each digit by D times the jump (erratum E24): to repeat it, give that rate for one step.
"""

import math

from carpal._core.compile import kernel, leaf
from carpal.engines.penalty.kernels.springs import angle_about, turn_apart, wrapped
from carpal.engines.penalty.kernels.state import POWER_IN, SUM_COLUMNS, point_motion, push
from carpal.model.kernels.tables import vector_at
from carpal.spatial.kernels.vec3 import dot, scale, sub

# rotary: after A, B, AXIS, LINE_A, LINE_B of a spring
ROTARY_P, ROTARY_D, ROTARY_TARGET, ROTARY_COMMAND, ROTARY_LIMIT = 11, 12, 13, 14, 15
ROTARY_COLUMNS = 16
# linear: bodies, the point from each centre of mass, gains, target [m], command (-1: none), limit [N]
A, B, ARM_A, ARM_B, LINEAR_P, LINEAR_D, LINEAR_TARGET, LINEAR_COMMAND, LINEAR_LIMIT = 0, 1, 2, 5, 8, 9, 10, 11, 12
LINEAR_COLUMNS = 13


@leaf
def wanted(command, target, commands, world, since):
    """Wanted value and its rate: the target, or the command `since` seconds after it was given."""
    if command < 0:
        return target, 0.0
    half = commands.shape[1] // 2
    rate = commands[world, half + command]
    return commands[world, command] + rate * since, rate


@leaf
def rotary_torque(rotary, i, commands, since, now, world, slot):
    """Axis in W, torque [N m] on B, rate [rad/s] of one actuator, and if its limit cut the torque."""
    axis, angle, rate = angle_about(rotary, i, now, slot)
    want, want_rate = wanted(int(rotary[i, ROTARY_COMMAND]), rotary[i, ROTARY_TARGET], commands, world, since)
    torque = -rotary[i, ROTARY_P] * wrapped(angle - want) - rotary[i, ROTARY_D] * (rate - want_rate)
    limit = rotary[i, ROTARY_LIMIT]
    return axis, min(max(torque, -limit), limit), rate, abs(torque) > limit


@kernel
def rotary_torques(rotary, commands, since, now, force, sums, world, slot):
    """All rotary actuators of a world; `commands` (worlds, 2 n) holds n values, then their rates."""
    for i in range(rotary.shape[0]):
        axis, torque, rate, limited = rotary_torque(rotary, i, commands, since, now, world, slot)
        if sums.shape[1] > SUM_COLUMNS:  # somebody wants to see them
            sums[slot, SUM_COLUMNS + 2 * i], sums[slot, SUM_COLUMNS + 2 * i + 1] = torque, 1.0 if limited else 0.0
        turn_apart(rotary, i, axis, torque, force, slot)
        sums[slot, POWER_IN] += torque * rate


@kernel
def linear_forces(linear, commands, since, now, force, sums, world, slot):
    """All linear actuators of a world; two points in one place have no direction and no force."""
    for i in range(linear.shape[0]):
        a, b = int(linear[i, A]), int(linear[i, B])
        arm_a, at_a, v_a = point_motion(now, slot, a, vector_at(linear, i, ARM_A))
        arm_b, at_b, v_b = point_motion(now, slot, b, vector_at(linear, i, ARM_B))
        line = sub(at_b, at_a)
        length = math.sqrt(dot(line, line))
        if length < 1e-12:
            continue
        n = scale(1.0 / length, line)
        rate = dot(n, sub(v_b, v_a))
        want, want_rate = wanted(int(linear[i, LINEAR_COMMAND]), linear[i, LINEAR_TARGET], commands, world, since)
        pull = linear[i, LINEAR_P] * (length - want) + linear[i, LINEAR_D] * (rate - want_rate)
        pull = min(max(pull, -linear[i, LINEAR_LIMIT]), linear[i, LINEAR_LIMIT])
        push(force, slot, a, arm_a, scale(pull, n))
        push(force, slot, b, arm_b, scale(-pull, n))
        sums[slot, POWER_IN] -= pull * rate
