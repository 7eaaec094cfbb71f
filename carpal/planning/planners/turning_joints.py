"""Continuous joints: revolute ones without limits, whose positions count modulo a whole turn."""

from __future__ import annotations

import numpy as np

from carpal.kinematics import tied_groups
from carpal.model import Model
from carpal.spatial import Array

TURN = 2 * np.pi


def continuous_joints(model: Model) -> np.ndarray:
    """(nq) bool: joints that turn without limits; none that couplings or loops tie."""
    tied = set().union(*tied_groups(model)) if model.is_constrained else set()
    kinds = (kind for kind, _ in model.joint_slices())
    free = [kind == "revolute" and name not in tied for kind, name in zip(kinds, model.joint_names, strict=True)]
    return np.array(free, bool) & ~np.isfinite(model.q_min) & ~np.isfinite(model.q_max)


def nearest_turns(model: Model, starts: Array, goals: Array) -> Array:
    """Goals (n, nq) with continuous joints moved by whole turns to where they are nearest to the starts (n, nq)."""
    out = np.array(goals)
    columns = continuous_joints(model)
    out[:, columns] -= TURN * np.round((goals - starts)[:, columns] / TURN)
    return out
