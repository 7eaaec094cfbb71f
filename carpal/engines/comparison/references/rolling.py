"""Solids that roll on a plane without slipping, or turn about a fixed point or freely: Newton and Euler, integrated by DOP853.

With r from the centre of mass to the contact, v = -w x r, and the contact's force eliminated,
(I + m (r.r 1 - r r')) w' = -w x I w - m r x (w x r') - m r x g. No torque acts about the normal (a hard point).
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from carpal.engines.comparison.reference import Reference, Value
from carpal.engines.comparison.track import Track
from carpal.spatial import Array

G = np.array([0.0, 0.0, -9.81])
Support = Callable[[Array, Array], tuple[Array, Array]]


def ellipsoid_support(axes: Array) -> Support:
    """Support point and its rate in B of an ellipsoid, for a direction and its rate."""
    square = np.asarray(axes, float) ** 2

    def at(n: Array, rate: Array) -> tuple[Array, Array]:
        s = math.sqrt(n @ (square * n))
        return square * n / s, square * rate / s - square * n * (n @ (square * rate)) / s**3

    return at


def rim_support(radius: float, length: float) -> Support:
    """The same of a cylinder along z that stands on its rim."""

    def at(n: Array, rate: Array) -> tuple[Array, Array]:
        across, turned = n[:2], rate[:2]
        size = math.sqrt(across @ across)
        slope = turned / size - across * (across @ turned) / size**3
        place = np.array([*(radius * across / size), math.copysign(length / 2, n[2])])
        return place, np.array([*(radius * slope), 0.0])

    return at


def rotation(q: Array) -> Array:
    """R of a quaternion (w, x, y, z), of any length."""
    w, x, y, z = q / math.sqrt(q @ q)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def _turning(q: Array, w: Array) -> Array:
    """Rate of a quaternion for an angular velocity in W."""
    a, b = q[0], q[1:]
    return 0.5 * np.array([-(w @ b), *(a * w + np.cross(w, b))])


def _solved(rates: Callable[[float, Array], Array], start: Array, times: Array) -> Array:
    from scipy.integrate import solve_ivp

    run = solve_ivp(rates, (0.0, float(times[-1])), start, "DOP853", times, rtol=1e-10, atol=1e-12)
    return np.asarray(run.y.T)


def rolling(times: Array, mass: float, inertia: Array, support: Support, place: Array, q: Array, w: Array) -> Array:
    """States (rows, 10) of a rolling solid: middle, quaternion, angular velocity in W."""

    def rates(t: float, y: Array) -> Array:
        R, w = rotation(y[3:7]), y[7:]
        n = R.T @ [0.0, 0.0, -1.0]
        r_B, rate_B = support(n, -np.cross(R.T @ w, n))
        r, rate = R @ r_B, np.cross(w, R @ r_B) + R @ rate_B
        moment = R @ inertia @ R.T
        A = moment + mass * (r @ r * np.eye(3) - np.outer(r, r))
        b = -np.cross(w, moment @ w) - mass * np.cross(r, np.cross(w, rate)) - mass * np.cross(r, G)
        return np.concatenate([-np.cross(w, r), _turning(y[3:7], w), np.linalg.solve(A, b)])

    return _solved(rates, np.concatenate([place, q, w]), times)


def turning(times: Array, inertia: Array, arm: Array, mass: float, q: Array, w: Array) -> Array:
    """States (rows, 7) of a body that turns about a fixed point: quaternion and angular velocity in W.

    Args:
        times: [s].
        inertia: (3, 3) about the fixed point, in the body's axes.
        arm: from the fixed point to the centre of mass, in the body's axes.
        mass: [kg]; zero: no gravity.
        q, w: at the start.
    """

    def rates(t: float, y: Array) -> Array:
        R, w = rotation(y[:4]), y[4:]
        moment = R @ inertia @ R.T
        torque = mass * np.cross(R @ arm, G)
        return np.concatenate([_turning(y[:4], w), np.linalg.solve(moment, torque - np.cross(w, moment @ w))])

    return _solved(rates, np.concatenate([q, w]), times)


def about_x(angle: float) -> Array:
    """Quaternion of a turn about x."""
    return np.array([math.cos(angle / 2), math.sin(angle / 2), 0.0, 0.0])


def about_y(angle: float) -> Array:
    """Quaternion of a turn about y."""
    return np.array([math.cos(angle / 2), 0.0, math.sin(angle / 2), 0.0])


def _height(support: Support, q: Array) -> float:
    R = rotation(q)
    return -float((R @ support(R.T @ [0.0, 0.0, -1.0], np.zeros(3))[0])[2])


def _rolling_solid(times: Array, mass: float, moments: Array, support: Support, q: Array, w: Array) -> Reference:
    states = rolling(
        times, mass, np.diag(moments), support, np.array([0, 0, _height(support, q)]), q, np.asarray(w, float)
    )
    return Reference({"solid": states[:, :3]})


def rolling_ellipsoid(times: Array) -> Reference:
    """Half axes 60, 40, 40 mm, 0.3 kg."""
    axes, m = np.array([0.06, 0.04, 0.04]), 0.3
    moments = m / 5 * ((axes**2).sum() - axes**2)
    return _rolling_solid(times, m, moments, ellipsoid_support(axes), about_y(0.3), np.array([5.0, 0.0, 1.0]))


def _cylinder(times: Array, radius: float, length: float, tilt: float, w: Array) -> Reference:
    m = 0.3
    across = m * (radius**2 / 4 + length**2 / 12)
    moments = np.array([across, across, m * radius**2 / 2])
    return _rolling_solid(times, m, moments, rim_support(radius, length), about_x(tilt), w)


def euler_disc(times: Array) -> Reference:
    """Radius 37.5 mm, 2 mm thick, tilted by 0.5 rad; its centre hardly moves while it precesses at 2 sqrt(g / (r sin tilt))."""
    rate, tilt = math.sqrt(4 * 9.81 / (0.0375 * math.sin(0.5))), 0.5
    axis = np.array([0.0, -math.sin(tilt), math.cos(tilt)])
    return _cylinder(times, 0.0375, 0.002, tilt, np.array([0.0, 0.0, rate]) - rate * math.cos(tilt) * axis)


def wobbling_cylinder(times: Array) -> Reference:
    """Radius 30 mm, length 60 mm, tilted by 0.15 rad, until it first stands upright."""
    return _cylinder(times, 0.03, 0.06, 0.15, np.array([0.0, 0.0, 2.0]))


def rattleback_states(times: Array, skew: float = 0.1) -> Array:
    """An ellipsoid of half axes 100, 20, 15 mm whose principal axes of inertia are turned by `skew` [rad] about the vertical."""
    axes, m = np.array([0.1, 0.02, 0.015]), 0.1
    c, s = math.cos(skew), math.sin(skew)
    R = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])
    inertia = R @ np.diag(m / 5 * ((axes**2).sum() - axes**2)) @ R.T
    start = np.array([1.0, 0, 0, 0])
    return rolling(
        times, m, inertia, ellipsoid_support(axes), np.array([0, 0, 0.015]), start, np.array([0.1, 0.1, -3.0])
    )


def heading(track: Track, body: str) -> Array:
    """Turn (rows) [rad] of a body's x axis about the vertical, without jumps."""
    x = track.poses[:, track.bodies.index(body), :2, 0]
    return np.unwrap(np.arctan2(x[:, 1], x[:, 0]))


def rattleback(times: Array) -> Reference:
    """Its path, and how far it turns before it reverses."""
    states = rattleback_states(times)
    axes = np.array([rotation(q)[:2, 0] for q in states[:, 3:7]])
    turned = np.unwrap(np.arctan2(axes[:, 1], axes[:, 0]))
    value = Value(
        "turn before the spin reverses [rad]",
        float(turned.min()),
        lambda track: float(heading(track, "body/solid").min()),
    )
    return Reference({"body/solid": states[:, :3]}, values=(value,))


def cone_inertia(radius: float = 0.04, height: float = 0.05, sides: int = 24, mass: float = 0.1) -> tuple[Array, float]:
    """Inertia about the tip, and the height of the centre of mass, of an upright pyramid on its tip."""
    # slices: a regular polygon with circumradius radius z / height; its second moment of area over its area is c R^2
    c = (2 + math.cos(2 * math.pi / sides)) / 12
    square, up = 3 / 5 * radius**2, 3 / 5 * height**2  # means of (R z/h)^2 and z^2 over the volume
    across = c * square + up
    return mass * np.diag([across, across, 2 * c * square]), 0.75 * height


def spinning_top(times: Array, spin: float = 200.0, tilt: float = 0.3) -> Reference:
    """The tip stands still: a heavy symmetric top (Goldstein, Classical Mechanics, 5.7)."""
    inertia, up = cone_inertia()
    q = about_y(tilt)
    states = turning(times, inertia, np.array([0, 0, up]), 0.1, q, spin * rotation(q)[:, 2])
    point = np.array([0.0, 0.0, 0.05])
    return Reference({"top": np.array([rotation(row[:4]) @ point for row in states])}, {"top": point})


def free_rotor(times: Array) -> Reference:
    """A box of 0.3, 0.2, 0.1 m that turns about its middle axis (Dzhanibekov)."""
    x, y, z = np.array([0.3, 0.2, 0.1]) ** 2 / 12
    states = turning(
        times, np.diag([y + z, x + z, x + y]), np.zeros(3), 0.0, np.array([1.0, 0, 0, 0]), np.array([0.05, 5.0, 0.05])
    )
    point = np.array([0.1, 0.1, 0.0])
    return Reference({"box": np.array([rotation(row[:4]) @ point for row in states])}, {"box": point})


REFERENCES = {
    "rolling_ellipsoid": rolling_ellipsoid,
    "euler_disc": euler_disc,
    "wobbling_cylinder": wobbling_cylinder,
    "rattleback": rattleback,
    "spinning_top": spinning_top,
    "free_rotor": free_rotor,
}
