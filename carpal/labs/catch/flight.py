"""The ball's flight and where the hand meets it: catch plane, time, palm attitude (Yesmunt 2014, section 5.2.2).

The thesis's flight is without drag (erratum E17); `air_flight.py` has it. The palm faces the ball: its normal is the
negative of the ball's direction at the plane (normalised by the speed there, erratum E14), its side axis is -x, made square
to it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import InputError
from carpal.labs.catch.air_flight import crossing
from carpal.labs.catch.hand_geometry import BALL_AIM
from carpal.labs.catch.scene import GRAVITY
from carpal.spatial import Array, zxz_from_rotation

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


def launch(
    x: ArrayLike, y: ArrayLike, speed: ArrayLike, angle: ArrayLike, side: ArrayLike = 0.0, k: ArrayLike = 0.0
) -> tuple[Array, Array]:
    """Positions and velocities (*batch, 3) of balls thrown at their own catch's height that cross the plane in grid points.

    Args:
        x, y: [m], on the grid.
        speed: [m/s].
        angle: above the horizon [rad].
        side: of the horizontal direction away from +z towards +x [rad].
        k: drag rate [1/m].
    """
    x, y, speed, angle, side, k = np.broadcast_arrays(
        *(np.asarray(each, float) for each in (x, y, speed, angle, side, k))
    )
    flat = speed * np.cos(angle)
    v = np.stack([flat * np.sin(side), speed * np.sin(angle), flat * np.cos(side)], -1)
    time = 2.0 * v[..., 1] / 9.81
    goal = np.stack([x + GRID_ORIGIN[0], y + GRID_ORIGIN[1], np.full(x.shape, CATCH_PLANE)], -1)
    way = time[..., None] * v + 0.5 * (time * time)[..., None] * GRAVITY
    there = v
    if (k > 0.0).any():
        _, way, there = crossing(np.zeros_like(v), v, k, 1, 0.0, time)
    wrong = ~((v[..., 2] > 1e-3) & (time > 1e-3) & (there[..., 2] > 1e-3))
    if wrong.any():
        speed, angle = (float(each[wrong].flat[0]) for each in (speed, angle))
        raise InputError(
            f"a throw of {speed:g} m/s at {math.degrees(angle):g} deg never reaches the catch plane z = {CATCH_PLANE} m from its "
            "own height; the speed must be above 0, the angle between 0 and 90 deg, and a light ball's drag not too large."
        )
    return goal - way, v


def flown(p: Array, v: Array, time: float) -> tuple[Array, Array]:
    """Position and velocity of a ball after some time [s] of free flight."""
    return p + time * v + 0.5 * time * time * GRAVITY, v + time * GRAVITY


def palm_facing(v: Array) -> Array:
    """R (*batch, 3, 3) of hands whose palms face against velocities (*batch, 3)."""
    z = -v / np.linalg.norm(v, axis=-1, keepdims=True)
    y = np.array([-1.0, 0.0, 0.0]) + z[..., :1] * z
    length = np.linalg.norm(y, axis=-1, keepdims=True)
    if (length < 1e-6).any():
        raise InputError(
            "a ball that comes along the palm's side axis (x) leaves the hand's attitude open; throw it along z."
        )
    y = y / length
    return np.stack([np.cross(y, z), y, z], -1)


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
    return Meeting(time, there, speed, hand_at(there, speed, near, 0.0))


def hand_at(p: Array, v: Array, near: Array, height: ArrayLike) -> Array:
    """Coordinates (*batch, 6) of hands that face balls at p (*batch, 3) [m] with velocities v.

    Args:
        p, v: of the balls.
        near: (theta, phi, psi) to whose turns the hands' angles belong.
        height: of the ball's centre above the palm (*batch) [m].
    """
    R = palm_facing(v)
    angles = zxz_from_rotation(R)
    angles = angles + 2 * np.pi * np.round((near - angles) / (2 * np.pi))
    aim = BALL_AIM[0] * R[..., 0] + BALL_AIM[1] * R[..., 1] + (BALL_AIM[2] + np.asarray(height))[..., None] * R[..., 2]
    return np.concatenate([angles, p - aim], -1)
