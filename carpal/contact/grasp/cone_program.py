"""Least cost over a product of second-order cones under linear equations: a barrier method (Boyd, Vandenberghe 2004, ch. 11).

No linearisation of cones; problems of a grasp have a few dozen unknowns, so that dense Newton steps in the null space of
the equations are quickest. SciPy has no solver for such cones.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.linalg import null_space

from carpal.spatial import Array

GAP = 1e-11
GROWTH = 20.0
NEWTON_STEPS = 60
OUTER_STEPS = 60


class Cone(NamedTuple):
    """|B x + d| <= a . x + c."""

    a: Array
    c: float
    B: Array
    d: Array

    def slack(self, x: Array) -> float:
        """How far inside x is; negative outside."""
        return float(self.a @ x + self.c - np.linalg.norm(self.B @ x + self.d))


def least_cost(cost: Array, A: Array, cones: list[Cone], start: Array, enough: float | None = None) -> Array:
    """X (n) that minimises cost . x with A x as at the start, inside all cones.

    Args:
        cost: (n).
        A: (rows, n) of the equations.
        cones: at least one; together they must bound the cost from below.
        start: (n), strictly inside all cones.
        enough: stop as soon as the cost is below this.
    """
    N = null_space(A) if len(A) else np.eye(len(start))
    if N.shape[1] == 0:
        return start
    x, t, barriers = np.array(start), 1.0, 2.0 * len(cones)
    for _ in range(OUTER_STEPS):
        x = _centre(t * cost, N, cones, x)
        if barriers / t < GAP or (enough is not None and cost @ x < enough):
            return x
        t *= GROWTH
    return x


def _centre(cost: Array, N: Array, cones: list[Cone], x: Array) -> Array:
    """Minimise cost . x plus the barrier, by Newton's method with a search along the line."""
    value = _barrier(cost, cones, x)
    for _ in range(NEWTON_STEPS):
        g, H = _derivatives(cost, cones, x)
        g, H = N.T @ g, N.T @ H @ N
        scale = 1.0 / np.sqrt(np.maximum(np.diag(H), 1e-300))
        step = _newton(scale[:, None] * H * scale, -scale * g, scale)
        fall = float(g @ step)
        if not fall < -1e-12:
            return x
        length, move = 1.0, N @ step
        while length > 1e-12:
            there = _barrier(cost, cones, x + length * move)
            if there <= value + 0.25 * length * fall:
                break
            length *= 0.5
        else:
            return x
        x, value = x + length * move, there
    return x


def _newton(H: Array, g: Array, scale: Array) -> Array:
    """The scaled step; least squares only where H is singular to rounding, which costs ten times as much."""
    try:
        step = scale * np.linalg.solve(H, g)
        if np.isfinite(step).all() and float(g @ (step / scale)) > 0:
            return step
    except np.linalg.LinAlgError:
        pass
    return scale * np.linalg.lstsq(H, g, rcond=1e-15)[0]


def _barrier(cost: Array, cones: list[Cone], x: Array) -> float:
    total = float(cost @ x)
    for cone in cones:
        top, side = float(cone.a @ x + cone.c), cone.B @ x + cone.d
        room = top - float(np.linalg.norm(side))
        if not room > 0:
            return np.inf
        total -= np.log(room) + np.log(top + float(np.linalg.norm(side)))
    return total


def _derivatives(cost: Array, cones: list[Cone], x: Array) -> tuple[Array, Array]:
    g, H = cost.copy(), np.zeros((len(x), len(x)))
    for cone in cones:
        top, side = float(cone.a @ x + cone.c), cone.B @ x + cone.d
        size = float(np.linalg.norm(side))
        room = (top - size) * (top + size)
        inner = 2.0 * (top * cone.a - cone.B.T @ side)
        g -= inner / room
        H += np.outer(inner, inner) / room**2 - 2.0 * (np.outer(cone.a, cone.a) - cone.B.T @ cone.B) / room
    return g, H
