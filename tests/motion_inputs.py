"""Random waypoint lists, and checks of motions that know nothing of how these were made. Only NumPy, and carpal's `fk`."""

from __future__ import annotations

import itertools

import numpy as np

import carpal
from carpal.kinematics import random_configurations

W_S, S_E, E_E, E_W = 0.112, 0.325, 0.0692, 0.311  # [m] of the K10, Leutenegger 2008, Table 1


def random_waypoints(model: carpal.Model, seed: int) -> np.ndarray:
    """2 to 8 configurations (n, nq) inside the limits: far apart, near each other, or some of each."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 9))
    if seed % 3 == 0:
        return random_configurations(model, n, seed=seed)
    step = 10 ** rng.uniform(-4, -0.5, size=(n, 1)) if seed % 3 == 1 else 0.3
    q = random_configurations(model, 1, seed=seed) + np.cumsum(rng.normal(size=(n, model.nq)) * step, axis=0)
    return np.clip(q, model.q_min, model.q_max)


def random_tool_waypoints(model: carpal.Model, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """2 to 5 reachable points and directions (n, 3): half of the lists wander, half jump through the whole workspace."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 6))
    q = random_configurations(model, n, seed=seed)
    if seed % 2:
        q = np.clip(q[:1] + np.cumsum(rng.normal(size=(n, model.nq)) * 0.2, axis=0), model.q_min, model.q_max)
    X = carpal.fk(model, q)
    return X[:, :3, 3], X[:, :3, :3] @ model.tool_axis


def worst_differences(q: np.ndarray, period: float) -> tuple[np.ndarray, np.ndarray]:
    """Largest |first| and |second differences| (nq each) of samples (n, nq): what a controller sees of speed and acceleration.

    By the mean value theorem a motion that keeps its limits cannot exceed them in these.
    """
    if len(q) < 3:
        q = np.vstack([q, np.repeat(q[-1:], 3, axis=0)])
    still = np.vstack([q[:1], q[:1], q, q[-1:], q[-1:]])  # at rest before and after
    return np.abs(np.diff(still, axis=0)).max(0) / period, np.abs(np.diff(still, 2, axis=0)).max(0) / period**2


def off_polygon(p: np.ndarray, corners: np.ndarray) -> float:
    """The largest distance [m] of points (n, 3) from the polygon through corners (m, 3)."""
    nearest = np.full(len(p), np.inf)
    for a, b in itertools.pairwise(corners):
        leg = b - a
        share = np.clip((p - a) @ leg / max(leg @ leg, 1e-300), 0.0, 1.0)
        nearest = np.minimum(nearest, np.linalg.norm(p - a - share[:, None] * leg, axis=1))
    return float(nearest.max())


def k10_postures(point: np.ndarray, direction: np.ndarray, model: carpal.Model) -> np.ndarray:
    """Every posture (n, 5) of the upright K10 inside its limits, by the corrected formulas of Leutenegger (errata E2, E3)."""
    x, y, Z = point[0], point[1], point[2] - W_S
    c3 = (x * x + y * y + Z * Z - E_E**2 - S_E**2 - E_W**2) / (2 * S_E * E_W)
    if abs(c3) > 1:
        return np.zeros((0, 5))
    found = []
    for elbow, side, wrist in itertools.product((1, -1), repeat=3):
        th3 = elbow * np.arccos(c3)
        f, l = S_E + E_W * np.cos(th3), E_W * np.sin(th3)
        square = f * f + E_E**2 - Z * Z
        if square < 0:
            continue
        X = side * np.sqrt(square)
        th2 = np.arctan2(E_E * X - f * Z, f * X + E_E * Z)
        th1 = np.arctan2(y, x) - np.arctan2(l, X)
        q = np.array([th1, th2, th3, 0.0, 0.0])
        # the forearm's frame before the wrist, from fk itself: the pointing direction seen from it gives the wrist
        frame = carpal.fk(model, q)[:3, :3]
        p1, p2, p3 = frame.T @ direction
        n = np.hypot(p2, p3)
        q[4] = wrist * np.arctan2(n, p1)
        q[3] = np.arctan2(wrist * p3, wrist * p2) if n > 1e-12 else 0.0
        q = (q + np.pi) % (2 * np.pi) - np.pi
        found.append(q)
    out = np.array(found).reshape(-1, 5)
    inside = ((out >= model.q_min - 1e-11) & (out <= model.q_max + 1e-11)).all(axis=1)
    return out[inside]


def further_on(end: object, ahead: float) -> tuple[np.ndarray, np.ndarray]:
    """Point and direction further on the straight stretch on which following ended, by a share of its length."""
    a, b = end.target, end.beyond  # type: ignore[attr-defined]
    ahead = min(1.0, ahead / max(1.0 - end.share, 1e-9))  # type: ignore[attr-defined]
    p = a[9:] + ahead * (b[9:] - a[9:])
    u, w = a[:3], b[:3]
    angle = np.arctan2(np.linalg.norm(np.cross(u, w)), u @ w)
    if angle < 1e-12:
        return p, u
    return p, (np.sin((1 - ahead) * angle) * u + np.sin(ahead * angle) * w) / np.sin(angle)


def refusal_is_right(model: carpal.Model, error: object) -> bool:
    """Whether, for every posture that was tried, some place further on its line has no posture of the K10 near by.

    Where an arm is stretched out, joints move with the square root of the path; so does what counts as near.
    """
    for end in error.ends:  # type: ignore[attr-defined]
        for ahead in (1e-6, 1e-5, 1e-4):
            postures = k10_postures(*further_on(end, ahead), model)
            if not len(postures) or np.abs(postures - end.q).max(axis=1).min() > 10 * np.sqrt(ahead):
                break
        else:
            return False
    return True
