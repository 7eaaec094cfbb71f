"""The way that was come, backwards: what an abort falls back upon, because it was free a moment ago."""

from __future__ import annotations

import numpy as np

from carpal.model import Model
from carpal.planning import Trajectory, joint_trajectory
from carpal.spatial import Array

STRAIGHT = 5e-4  # [rad] by which a polygon may leave the motion
ROWS = 2000


def thinned(q: Array, tolerance: float = STRAIGHT) -> Array:
    """The corners (m, nq) of a polygon through rows (n, nq) that leaves them by a tolerance at most (Douglas, Peucker 1973)."""
    keep = np.zeros(len(q), bool)
    keep[[0, -1]] = True
    stack = [(0, len(q) - 1)]
    while stack:
        a, b = stack.pop()
        if b - a < 2:
            continue
        along, rest = q[b] - q[a], q[a + 1 : b] - q[a]
        size = float(along @ along)
        share = np.clip(rest @ along / size, 0.0, 1.0) if size > 0 else np.zeros(len(rest))
        off = np.abs(rest - share[:, None] * along).max(axis=1)
        worst = int(np.argmax(off))
        if off[worst] > tolerance:
            middle = a + 1 + worst
            keep[middle] = True
            stack += [(a, middle), (middle, b)]
    return q[keep]


def back_along(model: Model, trajectory: Trajectory, until: Array | None = None) -> Trajectory | None:
    """Back to where a motion began, from its end or the place nearest to a configuration (5); None at its beginning."""
    return _along(model, trajectory, until, backwards=True)


def rest_of(model: Model, trajectory: Trajectory, since: Array) -> Trajectory | None:
    """On to where a motion ends, from the place nearest to a configuration (5); None where that is its end."""
    return _along(model, trajectory, since, backwards=False)


def _along(model: Model, trajectory: Trajectory, at: Array | None, *, backwards: bool) -> Trajectory | None:
    q = trajectory.at(np.linspace(0.0, trajectory.duration, ROWS))[0]
    nearest = len(q) - 1 if at is None else int(np.argmin(np.abs(q - at).max(axis=1)))
    part = q[nearest::-1] if backwards else q[nearest:]
    if at is not None and np.abs(part[0] - at).max() > 1e-9:
        part = np.vstack([at, part])
    part = thinned(part)
    moved = np.append(True, (np.abs(np.diff(part, axis=0)) > 1e-6).any(axis=1))
    part = np.clip(part[moved], model.q_min, model.q_max)
    return joint_trajectory(model, part, deviation=2 * STRAIGHT) if len(part) > 1 else None
