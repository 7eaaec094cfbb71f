"""Independent collisions for tests: Routh's equations in the normal impulse itself by SciPy, springs that really move.

Imports nothing of the package. Stick by the inverse of K (E17), the diverging ray by a fine grid and Brent's method.
"""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

MASS, EDGE = 0.1, 0.06
POINT = np.array([0.01, 0.015, 0.03])


def cross_matrix(p):
    return np.array([[0, -p[2], p[1]], [p[2], 0, -p[0]], [-p[1], p[0], 0]])


def reference_gain():
    """K of facts_2, section 4: a cube of 0.1 kg and 60 mm, a finger of 20 / kg in every direction."""
    r = cross_matrix(POINT)
    return 20 * np.eye(3) + np.eye(3) / MASS - r @ r / (MASS * EDGE**2 / 6)


def random_hits(count, seed, *, least=1e-2):
    """K, u, mu, e of random collisions: K with eigenvalues over two decades."""
    rng = np.random.default_rng(seed)
    Q = np.linalg.qr(rng.normal(size=(count, 3, 3)))[0]
    K = np.einsum("nij,nj,nkj->nik", Q, 10 ** rng.uniform(np.log10(least), 0, (count, 3)), Q) * 10
    u = rng.normal(size=(count, 3))
    u[:, 2] = -np.abs(u[:, 2])
    return 0.5 * (K + np.swapaxes(K, 1, 2)), u, rng.uniform(0.05, 1.2, count), rng.uniform(0, 1, count)


def stick_is_stable(K, mu):
    C = np.linalg.inv(K)
    return C[0, 2] ** 2 + C[1, 2] ** 2 <= mu**2 * C[2, 2] ** 2


def rays(K, mu, count=20_001):
    """Every direction [rad] along which a slip can start, on a grid of 0.018 degrees, refined."""

    def turning(b):
        c, s = np.cos(b), np.sin(b)
        k = K @ np.array([-mu * c, -mu * s, np.ones_like(c)])
        return k[0] * s - k[1] * c

    grid = np.linspace(0, 2 * np.pi, count)
    f = turning(grid)
    found = []
    for i in np.flatnonzero(f[:-1] * f[1:] <= 0):
        b = brentq(turning, grid[i], grid[i + 1], xtol=1e-15)
        k = K @ np.array([-mu * np.cos(b), -mu * np.sin(b), 1.0])
        if k[0] * np.cos(b) + k[1] * np.sin(b) > 0:
            found.append(b)
    return found


def routh(K, u0, mu, e, law="stronge"):
    """(impulse, velocity after, work of compression) by integrating dP/dp = (-mu cos, -mu sin, 1)."""
    u0 = np.asarray(u0, float)
    y = np.zeros(4)  # Px, Py, p, work
    s0, stopped = np.hypot(u0[0], u0[1]), False
    direction = None
    compression, goal, work = True, None, 0.0

    def velocity(y):
        return u0 + K @ y[:3]

    def rates(_, y):
        u = velocity(y)
        xi = direction if direction is not None else np.array([*(-mu * u[:2] / max(np.hypot(*u[:2]), 1e-300)), 1.0])
        return np.array([*xi, u[2]])

    slow = 1e-9 * s0
    if mu == 0 or s0 == 0:
        direction, stopped = _after_stop(K, mu), True
    for _ in range(20):
        events = []
        if compression:
            events.append(lambda _, y: velocity(y)[2])
        elif law == "stronge":
            events.append(lambda _, y, goal=goal: y[3] - goal)
        else:
            events.append(lambda _, y, goal=goal: y[2] - goal)
        events[0].direction = 1
        if not stopped:
            events.append(lambda _, y: np.hypot(*velocity(y)[:2]) - slow)
            events[1].direction = -1
        for event in events:
            event.terminal = True
        run = solve_ivp(
            rates, (0, 100 * np.linalg.norm(u0) / np.linalg.eigvalsh(K)[0]), y, method="DOP853", rtol=1e-11,
            atol=1e-13 * np.linalg.norm(u0), events=events, max_step=-0.04 * u0[2] / K[2, 2],
        )  # fmt: skip
        assert run.status == 1, "no end of the collision"
        y = run.y[:, -1]
        if len(run.t_events[0]):
            if not compression:
                return y[:3], velocity(y), work
            compression, work = False, y[3]
            goal = y[3] * (1 - e * e) if law == "stronge" else (1 + e) * y[2]
            if e == 0:
                return y[:3], velocity(y), work
        else:
            direction, stopped = _after_stop(K, mu), True
    raise AssertionError("too many phases")


def _after_stop(K, mu):
    if mu == 0:
        return np.array([0.0, 0.0, 1.0])
    if stick_is_stable(K, mu):
        C = np.linalg.inv(K)
        return C[:, 2] / C[2, 2]
    (b,) = rays(K, mu)
    return np.array([-mu * np.cos(b), -mu * np.sin(b), 1.0])


def spring_chain(masses, v, duration=60.0):
    """Velocities after balls in a row, held apart by springs that only push, have parted."""
    m, n = np.asarray(masses, float), len(masses)

    def rates(_, y):
        f = np.maximum(y[: n - 1] - y[1:n], 0)
        push = np.concatenate([-f, [0]]) + np.concatenate([[0], f])
        return np.concatenate([y[n:], push / m])

    start = np.concatenate([np.zeros(n), v])
    return solve_ivp(rates, (0, duration), start, rtol=1e-11, atol=1e-13, max_step=0.05).y[n:, -1]


def chain(count):
    """J (count - 1, 3, 3 count) of balls in a row along x; the normal of each contact is x."""
    J = np.zeros((count - 1, 3, 3 * count))
    for i in range(count - 1):
        for row, axis in enumerate((1, 2, 0)):
            J[i, row, 3 * i + axis], J[i, row, 3 * (i + 1) + axis] = -1, 1
    return J


def box_on_corners(half, mass):
    """M (6, 6) and J (4, 3, 6) of a box whose four lower corners touch the ground; velocities of its centre, in W."""
    h = np.asarray(half, float)
    I = mass / 3 * (h @ h - h**2)
    J = []
    for x in (-1, 1):
        for y in (-1, 1):
            r = np.array([x * h[0], y * h[1], -h[2]])
            J.append(np.hstack([np.eye(3), -cross_matrix(r)]))
    return np.diag([mass] * 3 + list(I)), np.array(J)
