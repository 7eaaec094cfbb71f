"""A cable-driven XY table: CoreXY pulley map, PID on a sensed position, and models of drives and sensors.

Forces and torques of the two control pulleys (Alkire 2020, 4.33; kinematics corrected by virtual work, erratum E8):

    F = (1/r) A tau,  tau = (r/2) A F,  theta = (1/r) A^T p,  p = (r/2) A theta,  A = [[-1, 1], [1, 1]]

The PID's three gains put all poles of M s^3 + kd s^2 + kp s + ki at -w: kd = 3 w M, kp = 3 w^2 M, ki = w^3 M. Its
derivative is that of the sensed position through a first-order filter, and its integral is held while a pulley is at
its largest torque.
"""

import math

from carpal._core.compile import leaf
from carpal.spatial.kernels.noise import normal

# entries of `drive`: pulley radius, largest torque, torque at which the cable slips, torque step, noise of the command
RADIUS, LARGEST, SLIP, TORQUE_STEP, COMMAND_NOISE = 0, 1, 2, 3, 4
DRIVE_NUMBERS = 5
# entries of `loop`: gains, filter's time constant, period, feedback, sensor's noise, step, delay [periods], bias
KP, KI, KD, FILTER, PERIOD, FEEDBACK, SENSOR_NOISE, SENSOR_STEP, DELAY, BIAS = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9
LOOP_NUMBERS = 10
# feedback
NO_FEEDBACK, POSITION, ACCELEROMETER = 0.0, 1.0, 2.0
# columns of `memory`, one row per axis: integral, sensed before, filtered rate, accelerometer's velocity and position,
# the true velocity a period ago
INTEGRAL, BEFORE, RATE, FELT_V, FELT_P, LAST_V = 0, 1, 2, 3, 4, 5
MEMORY_COLUMNS = 6


@leaf
def pulley_torques(radius, fx, fy):
    """(tau5, tau6) [N m] of a force (fx, fy) [N] on the table."""
    return 0.5 * radius * (fy - fx), 0.5 * radius * (fx + fy)


@leaf
def table_force(radius, t5, t6):
    """(fx, fy) [N] on the table of two pulley torques [N m]."""
    return (t6 - t5) / radius, (t5 + t6) / radius


@leaf
def rounded(value, step):
    """The nearest multiple of a step; the value itself when the step is zero."""
    return step * math.floor(value / step + 0.5) if step > 0.0 else value


@leaf
def driven(drive, torque, noise):
    """Torque of a pulley for a commanded torque: with noise, resolution, saturation and a slipping cable."""
    torque = rounded(torque + drive[COMMAND_NOISE] * noise, drive[TORQUE_STEP])
    torque = min(max(torque, -drive[LARGEST]), drive[LARGEST])
    return min(max(torque, -drive[SLIP]), drive[SLIP])


@leaf
def sensed(loop, memory, history, seed, k, axis, position, velocity, slot):
    """Sensed position of an axis at period k: delayed, rounded, noisy, or integrated twice from an accelerometer.

    `history[slot]` is a ring buffer of positions. An accelerometer has a bias and noise [m/s^2]; it measures the mean
    acceleration of the last period.
    """
    dt = loop[PERIOD]
    if loop[FEEDBACK] == ACCELEROMETER:
        noise = loop[BIAS] + (loop[SENSOR_NOISE] * normal(seed, 8 * k + axis) if loop[SENSOR_NOISE] > 0.0 else 0.0)
        felt = (velocity - memory[slot, axis, LAST_V]) / dt
        felt = rounded(felt + noise, loop[SENSOR_STEP])
        if k == 0:
            felt = 0.0
        memory[slot, axis, FELT_P] += dt * (memory[slot, axis, FELT_V] + 0.5 * dt * felt)
        memory[slot, axis, FELT_V] += dt * felt
        memory[slot, axis, LAST_V] = velocity
        return memory[slot, axis, FELT_P]
    length = history.shape[1]
    history[slot, k % length, axis] = position
    late = max(0, k - int(loop[DELAY]))
    noise = loop[SENSOR_NOISE] * normal(seed, 8 * k + axis) if loop[SENSOR_NOISE] > 0.0 else 0.0
    return rounded(history[slot, late % length, axis] + noise, loop[SENSOR_STEP])


@leaf
def pid(loop, memory, axis, k, position, held, slot):
    """Force [N] of the PID for a sensed position; `held`: the drive is at its limit (anti-windup)."""
    dt = loop[PERIOD]
    if k == 0:
        memory[slot, axis, BEFORE] = position
    raw = (position - memory[slot, axis, BEFORE]) / dt
    memory[slot, axis, BEFORE] = position
    memory[slot, axis, RATE] += dt / (loop[FILTER] + dt) * (raw - memory[slot, axis, RATE])
    if not held:
        memory[slot, axis, INTEGRAL] += dt * position
    return -(loop[KP] * position + loop[KI] * memory[slot, axis, INTEGRAL] + loop[KD] * memory[slot, axis, RATE])
