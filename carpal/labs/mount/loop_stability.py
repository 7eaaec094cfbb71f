"""Stability of the table's position loop: the largest sensor delay at which the sampled PID settles.

One axis is a mass M under a force held for a period. The open loop of `kernels/table.py`, without delay, is

    L(z) = (kp + ki dt z / (z - 1) + kd a z / (z - 1 + a) (z - 1) / (z dt)) dt^2 (z + 1) / (2 M (z - 1)^2),  a = dt / (T + dt)

and a delay of d periods adds the phase -d w dt. The loop settles while the phase at the crossover |L| = 1 is above -180
degrees (Nyquist; |L| falls through one once). Cables are stiff here; friction, noise and resolution are left out.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import brentq

from carpal.labs.mount.controller import FILTER_SHARE, delay_periods
from carpal.labs.mount.table import PIDGains

if TYPE_CHECKING:
    from carpal.labs.mount.task import Mount


def open_loop(gains: PIDGains, mass: float, dt: float, filter_time: float, turn: float) -> complex:
    """L(exp(i turn)) of one axis without delay.

    Args:
        gains: of the PID.
        mass: that slides [kg].
        dt: period [s].
        filter_time: T of the derivative's filter [s].
        turn: frequency times the period [rad].
    """
    z = np.exp(1j * turn)
    a = dt / (filter_time + dt)
    control = gains.kp + gains.ki * dt * z / (z - 1) + gains.kd * a * z / (z - 1 + a) * (z - 1) / (z * dt)
    return complex(control * dt**2 * (z + 1) / (2 * mass * (z - 1) ** 2))


def largest_stable_delay(gains: PIDGains, mass: float, dt: float, filter_time: float) -> int:
    """Largest delay in periods at which the loop settles; -1 where it does not settle even without one."""
    low, high = 1e-9, math.pi - 1e-9

    def gain(log_turn: float) -> float:
        return math.log(abs(open_loop(gains, mass, dt, filter_time, math.exp(log_turn))))

    if gain(math.log(high)) > 0:
        return -1
    crossover = math.exp(brentq(gain, math.log(low), math.log(high), xtol=1e-14))
    phase = np.angle(open_loop(gains, mass, dt, filter_time, crossover))
    margin = (phase + math.pi) % (2 * math.pi)  # three integrators begin at -270 degrees, and zeros raise it
    if margin > math.pi:
        return -1
    return math.ceil(margin / crossover) - 1


def unstable_loop(task: Mount) -> str:
    """Why the position loop of a run cannot settle, in one sentence; empty where it can, or where this is not known."""
    options = task.options
    if options.control != "closed" or options.feedback != "position" or options.cable_stiffness:
        return ""
    dt, filter_time, delay = task.dt, FILTER_SHARE / options.bandwidth, delay_periods(task)
    masses = task.sliding_mass, task.sliding_mass - task.table.sled_mass  # x, and y, which leaves the lower sled behind
    most = min(largest_stable_delay(task.gains, mass, dt, filter_time) for mass in masses)
    if delay <= most:
        return ""
    limit = (
        f"it settles up to a delay of {1e3 * most * dt:.3g} ms"
        if most >= 0
        else "it does not settle without delay either"
    )
    return (
        f"the table's loop is unstable: with poles at {options.bandwidth:g} rad/s and a period of {1e3 * dt:g} ms {limit}, "
        f"and the sensor's delay is {1e3 * delay * dt:.3g} ms; lower the bandwidth or the delay"
    )
