"""Geared linear motors from their data sheets: Firgelli's L12 (Leutenegger 2008, 4.3 and C.2), force from current (erratum E15).

The sheet gives force and speed at peak power and at peak efficiency, and the speed without load. A motor with V = I R + k_v u
and F = eta k_v I - F0 has a straight load line; its efficiency peaks at I = sqrt(I0 I_stall), with I0 the current without load.
So the force F_e of peak efficiency gives I0 = I_stall (r / (1 - r))^2 with r = F_e / F_stall, and k_v, eta and F0 follow.
The printed F = k_v I (4.7) would give 450 N at stall where the load line has 90 N.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import InputError, unknown_name
from carpal.labs.retrieve.gripper.kernels import motor as kernels
from carpal.model import real_array
from carpal.spatial import Array

# gearing: peak power (N, mm/s), peak efficiency (N, mm/s), speed without load [mm/s], back-drive force [N]
L12 = {
    30: ((8.0, 16.0), (4.5, 23.0), 33.0, 27.0),
    63: ((14.0, 8.0), (7.5, 12.0), 16.0, 55.0),
    100: ((23.0, 6.0), (12.0, 8.0), 12.0, 80.0),
    210: ((45.0, 2.5), (18.0, 4.0), 5.0, 150.0),
    298: ((67.0, 2.0), (30.0, 3.0), 4.0, 230.0),
}
STALL_CURRENT = {6: 0.450, 12: 0.200}  # [A] by voltage
SIDE_FORCE = {0.010: 50.0, 0.030: 40.0, 0.050: 30.0, 0.100: 15.0}  # [N] at full extension, by stroke [m]
ROTOR_TIME = 0.010
"""Assumed mechanical time constant of the motor without load [s]; nothing is published."""
BREAKAWAY = 1.3
"""Assumed: friction that holds the standing rod over that which brakes the moving one."""


@dataclass(frozen=True)
class LinearMotor:
    """A geared linear motor: V = I R + k_v u, F = force_per_ampere I - friction.

    Args:
        volts: rated voltage [V].
        resistance: of the winding [Ohm].
        k_v: back EMF over the rod's speed [V s/m].
        force_per_ampere: eta k_v [N/A].
        friction: F0 of the moving rod [N].
        breakaway: force to be overcome before it moves [N].
        mass: the rotor's inertia as a mass on the rod [kg].
        stroke: [m].
        backdrive: load up to which the gear holds without current [N].
        side_force: largest side force at full extension [N].
    """

    volts: float
    resistance: float
    k_v: float
    force_per_ampere: float
    friction: float
    breakaway: float
    mass: float
    stroke: float
    backdrive: float
    side_force: float

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if not (isinstance(value, int | float) and math.isfinite(value) and value > 0):
                raise InputError(f"{name} of a linear motor must be finite and above zero; got {value!r}.")

    @property
    def efficiency(self) -> float:
        """Eta: share of the electrical force k_v I that reaches the rod."""
        return self.force_per_ampere / self.k_v

    @property
    def free_current(self) -> float:
        """Current without load [A]."""
        return self.friction / self.force_per_ampere

    @property
    def free_speed(self) -> float:
        """Speed without load at the rated voltage [m/s]."""
        return (self.volts - self.free_current * self.resistance) / self.k_v

    @property
    def stall_current(self) -> float:
        """[A] at the rated voltage."""
        return self.volts / self.resistance

    @property
    def stall_force(self) -> float:
        """[N] at the rated voltage, without a current limit."""
        return self.force_per_ampere * self.stall_current - self.friction

    def speed(self, force: ArrayLike) -> Array:
        """Steady speed [m/s] at the rated voltage against forces [N]: the load line."""
        return self.free_speed * (1.0 - np.asarray(force, float) / self.stall_force)

    def table(self) -> Array:
        """The kernels' numbers."""
        table = np.zeros(kernels.MOTOR_NUMBERS)
        table[[kernels.RESISTANCE, kernels.BACK_EMF, kernels.FORCE_PER_AMPERE]] = (
            self.resistance, self.k_v, self.force_per_ampere,
        )  # fmt: skip
        table[[kernels.FRICTION, kernels.BREAKAWAY]] = self.friction, self.breakaway
        table[[kernels.MASS, kernels.STROKE]] = self.mass, self.stroke
        return table


def l12_motor(gearing: int = 210, *, stroke: float = 0.050, volts: int = 12) -> LinearMotor:
    """A Firgelli L12 from its data sheet; Leutenegger's has gearing 210, stroke 50 mm and 12 V.

    Args:
        gearing: 30, 63, 100, 210 or 298.
        stroke: 0.01, 0.03, 0.05 or 0.1 m.
        volts: 6 or 12 V.
    """
    for what, given, choices in (
        ("gearing", gearing, L12),
        ("stroke", stroke, SIDE_FORCE),
        ("volts", volts, STALL_CURRENT),
    ):
        if given not in choices:
            raise unknown_name(f"{what} of an L12", given, map(str, choices))
    (power_force, power_speed), (best_force, _), free, backdrive = L12[gearing]
    stall_force = power_force / (1.0 - power_speed / free)
    ratio = best_force / stall_force
    stall_current = STALL_CURRENT[volts]
    free_current = stall_current * (ratio / (1.0 - ratio)) ** 2
    resistance = volts / stall_current
    k_v = (volts - free_current * resistance) / (free * 1e-3)
    per_ampere = stall_force / (stall_current - free_current)
    friction = per_ampere * free_current
    mass = ROTOR_TIME * per_ampere * k_v / resistance
    return LinearMotor(
        float(volts), resistance, k_v, per_ampere, friction, BREAKAWAY * friction, mass, stroke, backdrive,
        SIDE_FORCE[stroke],
    )  # fmt: skip


def _numbers(values: ArrayLike, what: str) -> Array:
    array = real_array(values, what)
    if not np.isfinite(array).all():
        raise InputError(f"{what} must be finite; got {array.ravel()[~np.isfinite(array.ravel())][0]}.")
    return array


def force_from_current(motor: LinearMotor, current: ArrayLike) -> Array:
    """Force [N] of a rod that moves or has just stalled, from currents (*batch) [A]; none below the current without load.

    Erratum E15: eta k_v |I| - F0 instead of k_v |I| - F_fr.
    """
    return np.maximum(motor.force_per_ampere * np.abs(_numbers(current, "current")) - motor.friction, 0.0)


def current_from_force(motor: LinearMotor, force: ArrayLike) -> Array:
    """Current [A] that gives forces (*batch) [N], zero or above."""
    wanted = _numbers(force, "force")
    if (wanted < 0).any():
        raise InputError(f"force must be zero or above [N]; got {wanted.min():.6g}.")
    return (wanted + motor.friction) / motor.force_per_ampere
