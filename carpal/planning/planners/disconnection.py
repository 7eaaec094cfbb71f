"""That no path exists, shown for up to three joints: cells of joint space in which everything collides separate start and goal.

A signed distance of convex shapes changes by no more than their points move, overlapping or apart: where all configurations of a
cell are nearer to its middle than the overlap there, the cell is blocked. Cells that are not shown to be blocked count as
passable, also across corners; where these do not connect start and goal, nothing does (Zhang, Kim, Manocha 2008).
"""

from __future__ import annotations

import numpy as np

from carpal.contact import LaneTables, distance
from carpal.model import TriangleMesh
from carpal.planning.planners.planned_scene import PlannedScene
from carpal.planning.planners.turning_joints import continuous_joints
from carpal.spatial import Array

FINEST = {1: 12, 2: 8, 3: 6}
"""How often the ranges of so many joints are halved."""
MOST_CELLS = 150_000
"""Cells that are measured before the question is left open."""


def shown_apart(scene: PlannedScene, lanes: LaneTables, start: Array, goals: Array) -> int:
    """Blocked cells that separate a start (nq) from all goals (n, nq); 0 where that is not shown."""
    model = scene.model
    if model.nq not in FINEST or model.is_constrained or continuous_joints(model).any():
        return 0
    if any(isinstance(shape.shape, TriangleMesh) and shape.collides for shape in model.shapes):
        return 0  # not convex
    low, high = np.asarray(model.q_min), np.asarray(model.q_max)
    if not np.isfinite(low).all() or not np.isfinite(high).all():
        return 0
    passable = np.ones((1,) * model.nq, bool)
    unknown = passable.copy()
    measured = blocked = 0
    for level in range(1, FINEST[model.nq] + 1):
        for axis in range(model.nq):
            passable, unknown = passable.repeat(2, axis), unknown.repeat(2, axis)
        half = 0.5 * (high - low) / 2**level
        cells = np.argwhere(passable & unknown)
        measured += len(cells)
        if measured > MOST_CELLS:
            return 0
        far = np.asarray(distance(scene.tables, low + (2 * cells + 1) * half).distance)
        moved = float(lanes.displacement(half[None])[0]) * (1 + 1e-9) + 1e-9
        closed, free = far + moved < scene.margin, far - moved > scene.margin
        passable[tuple(cells[closed].T)] = False
        unknown[tuple(cells[closed | free].T)] = False
        blocked += int(closed.sum())
        begun, ends = _cell(start, low, half, level), _cell(goals, low, half, level)
        passable = _reached(passable, begun)
        if not passable[tuple(ends.T)].any():
            return blocked
        unknown &= passable
    return 0


def _cell(q: Array, low: Array, half: Array, level: int) -> np.ndarray:
    return np.clip(((np.atleast_2d(q) - low) / (2 * half)).astype(np.int64), 0, 2**level - 1)


def _reached(passable: np.ndarray, begun: np.ndarray) -> np.ndarray:
    """Cells that hang together with one, corners included."""
    from scipy.ndimage import label

    parts, _ = label(passable, np.ones((3,) * passable.ndim, bool))
    number = parts[tuple(begun[0])]
    return np.asarray(parts == number) if number else np.zeros_like(passable)
