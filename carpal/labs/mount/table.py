"""The XY table's pulley map and PID gains, and the kernels' tables of its drives and its loop."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import InputError, unknown_name
from carpal.labs.mount.kernels import table as kernels
from carpal.spatial import Array

FEEDBACKS = {
    "none": kernels.NO_FEEDBACK, "position": kernels.POSITION, "accelerometer": kernels.ACCELEROMETER,
}  # fmt: skip
MAP = np.array([[-1.0, 1.0], [1.0, 1.0]])


def pulley_angles(position: ArrayLike, radius: float) -> Array:
    """Angles (*batch, 2) [rad] of the control pulleys 5 and 6 for table positions (*batch, 2) [m] (erratum E8)."""
    return np.asarray(position) @ MAP / radius


def table_position(angles: ArrayLike, radius: float) -> Array:
    """Table positions (*batch, 2) [m] of pulley angles (*batch, 2) [rad]."""
    return 0.5 * radius * (np.asarray(angles) @ MAP.T)


def pulley_torques(force: ArrayLike, radius: float) -> Array:
    """Torques (*batch, 2) [N m] of pulleys 5 and 6 for a force (*batch, 2) [N] on the table."""
    return 0.5 * radius * (np.asarray(force) @ MAP.T)


@dataclass(frozen=True)
class PIDGains:
    """Gains of one axis [N/m, N/(m s), N s/m]."""

    kp: float
    ki: float
    kd: float

    def __str__(self) -> str:
        return f"kp {self.kp:.6g} N/m, ki {self.ki:.6g} N/(m s), kd {self.kd:.6g} N s/m"


def pid_gains(mass: float, bandwidth: float) -> PIDGains:
    """All three poles of M s^3 + kd s^2 + kp s + ki at -bandwidth.

    Args:
        mass: of the table and its load [kg].
        bandwidth: w [rad/s].
    """
    for name, value in (("mass", mass), ("bandwidth", bandwidth)):
        if not (math.isfinite(value) and value > 0):
            raise InputError(f"{name} must be finite and above zero; got {value!r}.")
    return PIDGains(3 * bandwidth**2 * mass, bandwidth**3 * mass, 3 * bandwidth * mass)


def loop_table(
    gains: PIDGains,
    *,
    dt: float,
    filter_time: float = 0.0,
    feedback: str = "position",
    noise: float = 0.0,
    step: float = 0.0,
    delay: int = 0,
    bias: float = 0.0,
) -> Array:
    """The kernels' numbers of the loop; `noise`, `step` and `bias` are the sensor's [m, or m/s^2], `delay` in periods."""
    if feedback not in FEEDBACKS:
        raise unknown_name("feedback", feedback, FEEDBACKS)
    table = np.zeros(kernels.LOOP_NUMBERS)
    table[[kernels.KP, kernels.KI, kernels.KD]] = gains.kp, gains.ki, gains.kd
    table[kernels.FILTER], table[kernels.PERIOD], table[kernels.FEEDBACK] = filter_time, dt, FEEDBACKS[feedback]
    table[kernels.SENSOR_NOISE], table[kernels.SENSOR_STEP] = noise, step
    table[kernels.DELAY], table[kernels.BIAS] = delay, bias
    return table


def drive_table(
    radius: float, *, largest: float = math.inf, slip: float = math.inf, step: float = 0.0, noise: float = 0.0
) -> Array:
    """The kernels' numbers of the two pulley drives: radius [m], then torques [N m]."""
    table = np.zeros(kernels.DRIVE_NUMBERS)
    table[kernels.RADIUS], table[kernels.LARGEST], table[kernels.SLIP] = radius, largest, slip
    table[kernels.TORQUE_STEP], table[kernels.COMMAND_NOISE] = step, noise
    return table
