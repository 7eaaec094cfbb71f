"""Reversed and remaining parts of an executed trajectory, used by an abort: a path just travelled is collision-free."""

from __future__ import annotations

import numpy as np

from carpal.model import Model
from carpal.planning import Trajectory, joint_trajectory
from carpal.spatial import Array

STRAIGHT = 5e-4  # [rad] by which a polygon may leave the motion
ROWS = 2000


def thinned(q: Array, tolerance: float = STRAIGHT) -> Array:
    """Corners (m, nq) of a polyline within a tolerance of rows (n, nq) (Douglas, Peucker 1973)."""
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


def retraced(model: Model, trajectory: Trajectory, until: Array | None = None) -> Trajectory | None:
    """The reversed trajectory, from its end or from the point nearest to a configuration (5); None at its start."""
    return _along(model, trajectory, until, backwards=True)


def remainder(model: Model, trajectory: Trajectory, since: Array) -> Trajectory | None:
    """The rest of a trajectory, from the point nearest to a configuration (5); None at its end."""
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
