"""Stability of the table's position loop: the largest sensor delay at which the sampled PID settles.

One axis is a mass M under a force held for a period. The open loop of `kernels/table.py`, without delay, is

    L(z) = (kp + ki dt z / (z - 1) + kd a z / (z - 1 + a) (z - 1) / (z dt)) dt^2 (z + 1) / (2 M (z - 1)^2),  a = dt / (T + dt)

and a delay of d periods adds the phase -d w dt. The loop settles while the phase at the crossover |L| = 1 is above -180
degrees (Nyquist; |L| falls through one once). On a stand with springs the eigenvalues of a period's transition decide.
Cables are stiff here; friction, noise and resolution are left out.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from scipy.linalg import expm
from scipy.optimize import brentq

from carpal.labs.mount.controller import FILTER_SHARE, delay_periods
from carpal.labs.mount.table import PIDGains
from carpal.spatial import Array

if TYPE_CHECKING:
    from carpal.labs.mount.task import Mount

LONGEST = 1000
"""Periods; options allow a delay of 1 s."""


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


def transition(
    gains: PIDGains,
    mass: float,
    dt: float,
    filter_time: float,
    delay: int,
    stiffness: float = 0.0,
    damping: float = 0.0,
) -> Array:
    """Transition of one axis over a period: (position, velocity, integral, filtered rate, last sensed, delayed positions).

    Args:
        gains, mass, dt, filter_time: as of `open_loop`.
        delay: periods.
        stiffness, damping: of a spring and a damper beneath the mass [N/m, N s/m].
    """
    n = 5 + delay
    one, A = np.eye(n), np.zeros((n, n))
    free = expm(dt * np.array([[0.0, 1.0, 0.0], [-stiffness / mass, -damping / mass, 1.0 / mass], [0.0, 0.0, 0.0]]))
    s = one[4 + delay] if delay else one[0]
    rate = one[3] + dt / (filter_time + dt) * ((s - one[4]) / dt - one[3])
    integral = one[2] + dt * s
    force = -(gains.kp * s + gains.ki * integral + gains.kd * rate)
    for i in range(2):
        A[i] = free[i, 0] * one[0] + free[i, 1] * one[1] + free[i, 2] * force
    A[2], A[3], A[4] = integral, rate, s
    for j in range(delay):
        A[5 + j] = one[4 + j] if j else one[0]
    return A


def largest_delay_on_a_stand(
    gains: PIDGains, mass: float, dt: float, filter_time: float, stiffness: float, damping: float
) -> int:
    """Largest delay in periods up to which the loop on springs settles (eigenvalues inside the unit circle); -1: none."""

    def settles(delay: int) -> bool:
        A = transition(gains, mass, dt, filter_time, delay, stiffness, damping)
        return bool(np.abs(np.linalg.eigvals(A)).max() < 1.0)

    low, step = -1, 1
    while low + step <= LONGEST and settles(low + step):
        low, step = low + step, 2 * step
    while step > 1:
        step //= 2
        if low + step <= LONGEST and settles(low + step):
            low += step
    return low


def largest_delay(task: Mount) -> float | None:
    """Largest delay [s] of the position sensor at which the loop of a run settles; None where this is not known.

    Negative where the loop does not settle without delay either.
    """
    options, table = task.options, task.table
    if options.control != "closed" or options.feedback != "position" or options.cable_stiffness:
        return None
    dt, filter_time = task.dt, FILTER_SHARE / options.bandwidth
    masses = {task.sliding_mass}
    if not table.rail:
        masses.add(task.sliding_mass - table.sled_mass)  # y leaves the lower sled behind
    if table.stand:
        return dt * min(
            largest_delay_on_a_stand(task.gains, mass, dt, filter_time, table.stand, table.damping) for mass in masses
        )
    return dt * min(largest_stable_delay(task.gains, mass, dt, filter_time) for mass in masses)


def unstable_loop(task: Mount) -> str:
    """Why the position loop of a run cannot settle, in one sentence; empty where it can, or where this is not known."""
    most, delay = largest_delay(task), task.dt * delay_periods(task)
    if most is None or delay <= most + 0.5 * task.dt:
        return ""
    limit = (
        f"it settles up to a delay of {1e3 * most:.3g} ms" if most >= 0 else "it does not settle without delay either"
    )
    return (
        f"the table's loop is unstable: with poles at {task.options.bandwidth:g} rad/s and a period of {1e3 * task.dt:g} ms "
        f"{limit}, and the sensor's delay is {1e3 * delay:.3g} ms; lower the bandwidth or the delay"
    )
