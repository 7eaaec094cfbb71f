"""An arm, a target and scratch, laid out as the inverse-kinematics kernels take them."""

from __future__ import annotations

import numpy as np

import carpal
from carpal.kinematics.inverse.kernels.ik_task import (
    AXIS,
    DAMPING,
    LONGEST,
    NUMBERS,
    TOL_P,
    TOL_R,
    WEIGHT,
    Arm,
    Goal,
    Work,
)
from carpal.kinematics.kernels.placement import COLUMNS, place_world
from carpal.model import NV, Model
from carpal.model.tables import KINDS

SLOT, SLOTS = 1, 2


def arm_of(model: Model, frame: str | None = None) -> Arm:
    """The kernels' view of a model and a frame."""
    row, tables = model.frame_index(frame), model.tables
    return Arm(
        tables.joints, tables.bodies, tables.frames, row, tables.chains[row], model.q_min.copy(), model.q_max.copy()
    )


def work_for(model: Model, arm: Arm, q: np.ndarray) -> Work:
    """Scratch full of NaN but for the configuration and the world's pose, which the entry puts there."""
    n = sum(NV[KINDS[arm.joints[body, 0]]] for body in arm.chain)
    wide = max(n, 6)
    shapes = [(model.nq,), (model.nq,), (6, n), (n, n), (wide, wide), (wide,), (n,), (len(arm.joints), COLUMNS)]
    work = Work(*(np.full((SLOTS, *shape), np.nan) for shape in shapes))
    work.q[SLOT] = work.q_try[SLOT] = q
    place_world(work.scratch, SLOT)
    return work


def numbers(model: Model, *, damping: float = 0.01, longest: float = 1.0, tol: float = 1e-9) -> np.ndarray:
    """Options in the kernels' order; columns that a descent does not read stay zero."""
    out = np.zeros(NUMBERS)
    out[TOL_P] = out[TOL_R] = tol
    out[WEIGHT] = 0.2
    out[AXIS : AXIS + 3] = model.tool_axis
    out[DAMPING], out[LONGEST] = damping, longest
    return out


def twelve(X: np.ndarray) -> np.ndarray:
    """Poses (*batch, 4, 4) as targets (*batch, 12)."""
    return np.concatenate([X[..., :3, :3].reshape(*X.shape[:-2], 9), X[..., :3, 3]], -1)


def problem(
    model: Model, q_goal: np.ndarray, start: np.ndarray, task: int = 0, **options: float
) -> tuple[Arm, Goal, Work]:
    """A target that the configuration `goal` reaches, and a search that begins at `start`; two worlds, the second is real."""
    X = carpal.fk(model, q_goal)
    target = np.full((2, 12), np.nan)
    target[1] = twelve(X)
    if task == 2:
        target[1, :9] = 0.0
        target[1, :3] = X[:3, :3] @ model.tool_axis
    arm = arm_of(model)
    return arm, Goal(task, numbers(model, **options), target), work_for(model, arm, start)


WORLD = 1


def missed(model: Model, work: Work, q_goal: np.ndarray) -> float:
    """Largest difference of the poses that the search's end and the goal give."""
    return float(np.abs(carpal.fk(model, work.q[SLOT]) - carpal.fk(model, q_goal)).max())
