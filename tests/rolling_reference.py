"""An independent way to roll a ball over a surface: its rigid motion by SciPy, its contact by geometry. No Carpal inside."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.integrate import solve_ivp


def nearest_on_plane(p):
    return np.array([p[0], p[1], 0.0])


def nearest_on_cylinder(radius):
    def nearest(p):
        around = np.hypot(p[0], p[1])
        return np.array([radius * p[0] / around, radius * p[1] / around, p[2]])

    return nearest


def nearest_on_sphere(radius):
    return lambda p: radius * p / np.linalg.norm(p)


def nearest_on_ellipsoid(radii):
    """Foot of the perpendicular: x_i = a_i^2 p_i / (a_i^2 + t) with t the largest root of sum (a_i p_i / (a_i^2 + t))^2 = 1."""
    square = np.asarray(radii) ** 2

    def nearest(p):
        t = 0.0  # outside the solid the function is positive here, convex and falling: Newton comes from the left
        for _ in range(60):
            f = (square * p**2 / (square + t) ** 2).sum() - 1.0
            change = f / (2 * (square * p**2 / (square + t) ** 3).sum())
            t += change
            if abs(change) <= 1e-16 * square.max():
                break
        return square * p / (square + t)

    return nearest


def roll_a_ball(
    nearest: Callable, radius: float, X_AB: np.ndarray, twist: Callable[[float], np.ndarray], times: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Centre (n, 3), rotation (n, 3, 3) and contact point on the surface (n, 3) of a ball that keeps touching a surface.

    `twist(t)`: slip velocity of the ball at the contact (its part along the normal is left out) and angular velocity, in
    the surface's axes.
    """

    def rates(t, y):
        p, R = y[:3], y[3:].reshape(3, 3)
        V = twist(t)
        n = p - nearest(p)
        n = n / np.linalg.norm(n)
        slip, w = V[:3] - n * (n @ V[:3]), V[3:]
        return np.concatenate([slip + np.cross(w, radius * n), np.cross(w, R.T).T.ravel()])

    first = np.concatenate([X_AB[:3, 3], X_AB[:3, :3].ravel()])
    found = solve_ivp(rates, (times[0], times[-1]), first, "DOP853", times, rtol=1e-12, atol=1e-13)
    p, R = found.y[:3].T, found.y[3:].T.reshape(-1, 3, 3)
    return p, R, np.array([nearest(x) for x in p])
