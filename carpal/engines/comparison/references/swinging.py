"""Pendulums: Jacobi's elliptic functions, and Lagrange's equations by DOP853; a mass on a spring."""

from __future__ import annotations

import math

import numpy as np

from carpal.engines.comparison.reference import Reference
from carpal.spatial import Array

G, L = 9.81, 0.5


def _below(angle: Array) -> Array:
    """From a hinge along y to the end (rows, 3) of a rod that hangs from it, turned by angles."""
    return L * np.stack([-np.sin(angle), np.zeros_like(angle), -np.cos(angle)], axis=-1)


def pendulum_angle(times: Array, start: float) -> Array:
    """Angle (rows) [rad] of a rod of 0.5 m that falls from rest: sin(angle/2) = k cd(w t, k)."""
    from scipy.special import ellipj

    k = math.sin(start / 2)
    _, cn, dn, _ = ellipj(math.sqrt(1.5 * G / L) * np.asarray(times, float), k * k)
    return np.asarray(2 * np.arcsin(k * cn / dn))


def pendulum(times: Array) -> Reference:
    """Released at 1.2 rad."""
    return Reference({"arm/rod_0": _below(pendulum_angle(times, 1.2))}, {"arm/rod_0": np.array([0, 0, -L])})


def _solved(rates, start, times: Array) -> Array:  # type: ignore[no-untyped-def]
    from scipy.integrate import solve_ivp

    return np.asarray(solve_ivp(rates, (0.0, float(times[-1])), start, "DOP853", times, rtol=1e-12, atol=1e-12).y)


def double_angles(times: Array, first: float, second: float) -> Array:
    """Angles (2, rows) from the vertical of two rods in a chain, from rest."""

    def rates(t: float, y: Array) -> list[float]:
        a, b, da, db = y
        s, c = math.sin(a - b), math.cos(a - b)
        M = np.array([[4 / 3, c / 2], [c / 2, 1 / 3]])
        f = [-0.5 * s * db**2 - 1.5 * G / L * math.sin(a), 0.5 * s * da**2 - 0.5 * G / L * math.sin(b)]
        return [da, db, *np.linalg.solve(M, f)]

    return _solved(rates, [first, second, 0.0, 0.0], times)[:2]


def double_pendulum(times: Array) -> Reference:
    """Released at 1.0 rad, the second rod 0.5 rad further."""
    first, second = double_angles(times, 1.0, 1.5)
    elbow = _below(first)
    return Reference({"arm/rod_1": elbow + _below(second)}, {"arm/rod_1": np.array([0, 0, -L])})


def coupled_pendulums(times: Array, stiffness: float = 0.5) -> Reference:
    """Two rods with a rotary spring between them; the first begins at 0.4 rad."""

    def rates(t: float, y: Array) -> list[float]:
        pull = 3 * stiffness / L**2 * (y[0] - y[1])  # of one kilogram
        return [y[2], y[3], -1.5 * G / L * math.sin(y[0]) - pull, -1.5 * G / L * math.sin(y[1]) + pull]

    angles = _solved(rates, [0.4, 0.0, 0.0, 0.0], times)
    end = np.array([0, 0, -L])
    paths = {f"arm/rod_{i}": np.array([0.4 * i, 0, 0]) + _below(angles[i]) for i in range(2)}
    return Reference(paths, dict.fromkeys(paths, end))


def shaken_pinch(times: Array, mass: float = 1.4, stiffness: float = 200.0, start: float = 0.05) -> Reference:
    """What is held moves as one with its carriage: a mass on a spring."""
    still = -mass * G / stiffness
    swing = still + (start - still) * np.cos(math.sqrt(stiffness / mass) * np.asarray(times, float))
    zero = np.zeros_like(swing)
    return Reference({"object": np.stack([zero, zero, 0.5 + swing], axis=1)})


REFERENCES = {
    "pendulum": pendulum,
    "double_pendulum": double_pendulum,
    "coupled_pendulums": coupled_pendulums,
    "shaken_pinch": shaken_pinch,
}
