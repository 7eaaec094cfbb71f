"""Independent checks of grasps: NumPy and SciPy only; friction cones as pyramids inside and outside, linear programs."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linprog


def random_grasp(rng: np.random.Generator, count: int) -> tuple[np.ndarray, np.ndarray, float]:
    """Points on a unit sphere, normals that point more or less inwards, and a friction."""
    points = rng.normal(size=(count, 3))
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    normals = -points + rng.uniform(0.0, 0.6) * rng.normal(size=(count, 3))
    return points, normals / np.linalg.norm(normals, axis=1, keepdims=True), float(rng.uniform(0.1, 1.2))


def pyramid_wrenches(points, normals, mu, *, edges=48, outside=False, torsion=0.0, length=1.0):
    """Wrenches (6, m) of the edges of pyramids inside or around the cones, about the origin, unit normal force."""
    columns = []
    reach = mu / np.cos(np.pi / edges) if outside else mu
    for p, n in zip(points, normals, strict=True):
        helper = np.eye(3)[np.argmin(np.abs(n))]
        a = np.cross(n, helper)
        a /= np.linalg.norm(a)
        b = np.cross(n, a)
        for k in range(edges):
            angle = 2 * np.pi * k / edges
            f = n + reach * (np.cos(angle) * a + np.sin(angle) * b)
            for spin in (torsion, -torsion) if torsion else (0.0,):
                columns.append(np.r_[f, (np.cross(p, f) + spin * n) / length])
    return np.array(columns).T


def closed_by_lp(W: np.ndarray) -> bool:
    """Whether zero is strictly inside the hull of the columns: the largest least weight of a balance is above zero."""
    if np.linalg.matrix_rank(W, tol=1e-9) < 6:
        return False
    m = W.shape[1]
    A = np.vstack([np.hstack([W, np.zeros((6, 1))]), np.r_[np.ones(m), 0.0]])
    upper = np.hstack([-np.eye(m), np.ones((m, 1))])
    found = linprog(
        np.r_[np.zeros(m), -1.0], A_ub=upper, b_ub=np.zeros(m), A_eq=A, b_eq=np.r_[np.zeros(6), 1.0],
        bounds=[(0, None)] * m + [(None, None)],
    )  # fmt: skip
    return found.status == 0 and -found.fun > 1e-10


def reach_by_lp(W: np.ndarray, direction: np.ndarray) -> float:
    """How far along a direction the hull of the columns goes from zero."""
    m = W.shape[1]
    A = np.vstack([np.hstack([W, -direction[:, None]]), np.r_[np.ones(m), 0.0]])
    found = linprog(np.r_[np.zeros(m), -1.0], A_eq=A, b_eq=np.r_[np.zeros(6), 1.0], bounds=[(0, None)] * (m + 1))
    return -found.fun if found.status == 0 else 0.0


def least_sum_by_lp(W: np.ndarray, wrench: np.ndarray) -> float:
    """Least sum of normal forces whose wrench balances another; infinite where there are none."""
    found = linprog(np.ones(W.shape[1]), A_eq=W, b_eq=-wrench, bounds=[(0, None)] * W.shape[1])
    return found.fun if found.status == 0 else np.inf
