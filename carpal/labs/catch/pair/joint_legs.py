"""Motions of an arm in joint space as quintic legs, and whether they keep the limits of speed, torque and position."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.polynomial.polynomial import polyval

from carpal.dynamics import inverse_dynamics
from carpal.model import Model
from carpal.spatial import Array

SAMPLES = 33
"""Of a leg that is checked."""
FRICTION_SPEED = 0.01
"""[rad/s, m/s] over which the fed-forward friction changes its side."""


@dataclass(frozen=True, eq=False)
class Leg:
    """A quintic between two states.

    Args:
        start, end: [s].
        coefficients: (6, n), the constant first, of the share of the leg's time.
    """

    start: float
    end: float
    coefficients: Array

    def at(self, time: Array | float) -> tuple[Array, Array, Array]:
        """Positions, rates and accelerations (*batch, n); before and after it stands in its ends' positions."""
        length = self.end - self.start
        s = np.clip((np.asarray(time) - self.start) / length, 0.0, 1.0)
        c = self.coefficients
        k = np.arange(1, 6)[:, None]
        first, second = k * c[1:], (k[1:] * k[:-1]) * c[2:]
        return tuple(np.moveaxis(polyval(s, x), 0, -1) / length**i for i, x in enumerate((c, first, second)))  # type: ignore[return-value]


def quintic_leg(start: float, end: float, a: tuple[Array, Array], b: tuple[Array, Array]) -> Leg:
    """The leg between two (position, rate), each (n), with zero acceleration at both ends."""
    T = end - start
    (q0, v0), (q1, v1) = a, b
    u0, u1, d = T * v0, T * v1, q1 - q0
    return Leg(
        start,
        end,
        np.array([q0, u0, 0 * q0, 10 * d - 6 * u0 - 4 * u1, -15 * d + 8 * u0 + 7 * u1, 6 * d - 3 * (u0 + u1)]),
    )


@dataclass(frozen=True)
class Limits:
    """Of the arm's joints: range, speed, torque (n), and the share of speed and torque that a plan may ask for."""

    low: Array
    high: Array
    speed: Array
    torque: Array
    share: float = 0.9


def asked_of(rigid: Model, leg: Leg, limits: Limits) -> tuple[float, float, float]:
    """Largest share of speed and of torque that a leg asks for, and how far it leaves the joints' range [rad, m].

    The torque is that of the arm with the open hand as one piece, its own damping and friction included.
    """
    q, v, vdot = leg.at(np.linspace(leg.start, leg.end, SAMPLES))
    speed = float((np.abs(v) / limits.speed).max())
    torque = float((np.abs(driving_torque(rigid, q, v, vdot)) / limits.torque).max())
    return speed, torque, float(max((limits.low - q).max(), (q - limits.high).max()))


def driving_torque(rigid: Model, q: Array, v: Array, vdot: Array, v_wanted: Array | None = None) -> Array:
    """Torques (*batch, n) [N m] of the arm's drives; its friction is held against the wanted rates, by default v."""
    joints = [body.joint for body in rigid.bodies if body.joint.kind != "fixed"]
    damping, friction = (np.array([getattr(joint, name) for joint in joints]) for name in ("damping", "friction"))
    along = v if v_wanted is None else v_wanted
    return np.asarray(inverse_dynamics(rigid, q, v, vdot) + damping * v + friction * np.tanh(along / FRICTION_SPEED))
