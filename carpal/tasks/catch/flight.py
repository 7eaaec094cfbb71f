"""The ball's flight and where the hand meets it: catch plane, time, palm attitude (thesis 1, section 5.2.2).

Without drag. The palm faces the ball: its normal is the negative of the ball's direction at the plane (normalised by the
speed there, erratum E14), its side axis is -x, made square to it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from carpal.errors import InputError
from carpal.spatial import Array, zxz_from_rotation
from carpal.tasks.catch.hand_geometry import BALL_AIM
from carpal.tasks.catch.plant import GRAVITY

CATCH_PLANE = -0.35
"""z [m] of the plane in which the ball is met."""
GRID_ORIGIN = (-0.10, -0.18)
"""World x, y [m] of the grid's point (0, 0), whose place is only in a lost figure."""


@dataclass(frozen=True, eq=False)
class Meeting:
    """Where and when the ball crosses the catch plane, and the hand that meets it.

    Args:
        time: [s] from now.
        p_ball, v_ball: of the ball there (3) [m, m/s].
        coordinates: (theta, phi, psi, x, y, z) (6) of the hand.
    """

    time: float
    p_ball: Array
    v_ball: Array
    coordinates: Array


def launch(x: float, y: float, speed: float, angle: float, side: float = 0.0) -> tuple[Array, Array]:
    """Position and velocity (3) of a ball thrown at the catch plane's own height that crosses it in grid point (x, y).

    Args:
        x, y: [m], on the grid.
        speed: [m/s].
        angle: above the horizon [rad].
        side: of the horizontal direction away from +z towards +x [rad].
    """
    flat = speed * math.cos(angle)
    v = np.array([flat * math.sin(side), speed * math.sin(angle), flat * math.cos(side)])
    time = 2.0 * v[1] / 9.81
    if not (v[2] > 1e-3 and time > 1e-3):
        raise InputError(
            f"a throw of {speed:g} m/s at {math.degrees(angle):g} deg never reaches the catch plane z = {CATCH_PLANE} m from its "
            "own height; the speed must be above 0 and the angle between 0 and 90 deg."
        )
    goal = np.array([x + GRID_ORIGIN[0], y + GRID_ORIGIN[1], CATCH_PLANE])
    return goal - time * v - 0.5 * time * time * GRAVITY, v


def flown(p: Array, v: Array, time: float) -> tuple[Array, Array]:
    """Position and velocity of a ball after some time [s] of free flight."""
    return p + time * v + 0.5 * time * time * GRAVITY, v + time * GRAVITY


def palm_facing(v: Array) -> Array:
    """R (3, 3) of a hand whose palm looks against a velocity (3)."""
    z = -v / np.linalg.norm(v)
    y = np.array([-1.0, 0.0, 0.0])
    y = y - (y @ z) * z
    if np.linalg.norm(y) < 1e-6:
        raise InputError(
            "a ball that comes along the palm's side axis (x) leaves the hand's attitude open; throw it along z."
        )
    y /= np.linalg.norm(y)
    return np.column_stack([np.cross(y, z), y, z])


def meeting(p: Array, v: Array, near: Array) -> Meeting:
    """Where a ball at p with velocity v crosses the plane; a ball that flies away is refused (erratum E15).

    Args:
        p, v: of the ball now (3) [m, m/s].
        near: (theta, phi, psi) to whose turns the hand's angles belong.
    """
    if not v[2] > 0 or not p[2] < CATCH_PLANE:
        raise InputError(
            f"a ball at z = {p[2]:.3g} m with {v[2]:.3g} m/s along z never reaches the catch plane z = {CATCH_PLANE} m; it "
            "must be before it and fly in +z."
        )
    time = float((CATCH_PLANE - p[2]) / v[2])
    there, speed = flown(p, v, time)
    R = palm_facing(speed)
    angles = zxz_from_rotation(R)
    angles = angles + 2 * np.pi * np.round((near - angles) / (2 * np.pi))
    return Meeting(time, there, speed, np.r_[angles, there - R @ np.array(BALL_AIM)])
