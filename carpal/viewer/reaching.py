"""Live inverse kinematics of a target that is dragged: what is asked of a frame, and the configuration that answers."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np

from carpal.errors import CarpalError, InputError
from carpal.kinematics import fk, ik, jacobian, random_configurations, reduced_jacobian
from carpal.model import Model
from carpal.spatial import Array

POSE, POINTING, POINT = "pose", "point and direction", "point"
ASKED = (POSE, POINTING, POINT)
SMALL = 1e-6
"""Of the largest singular value: below it a direction is lost."""


@dataclass(frozen=True, eq=False)
class Answer:
    """Where a frame's target leads: `q` (nq) holds it or comes nearest, `status` is the sentence."""

    ok: bool
    q: Array
    status: str


@functools.lru_cache(maxsize=256)
def freedoms(model: Model, frame: str) -> int:
    """How many of six directions a frame can be moved in, at most over some configurations; 0 where nothing moves it."""
    found = 0
    for q in random_configurations(model, 3, seed=0):
        J = reduced_jacobian(model, q, frame) if model.is_constrained else jacobian(model, q, frame)
        if J.size:
            values = np.linalg.svd(J, compute_uv=False)
            found = max(found, int((values > SMALL * max(float(values[0]), 1e-12)).sum()))
    return found


def moved_frames(model: Model) -> tuple[str, ...]:
    """Frames that joints move, the tool first."""
    moved = [name for name in model.frames if len(model.tables.chains[model.frame_index(name)])]
    tool = [model.tool] if model.tool in moved else []
    return (*tool, *(name for name in moved if name != model.tool))


def usual_question(model: Model, frame: str) -> str:
    """What a frame can be asked: a pose with six freedoms, a point and a direction with five, else a point."""
    count = freedoms(model, frame)
    return POSE if count >= 6 else POINTING if count == 5 else POINT


def reach(model: Model, frame: str, X_WT: Array, q: Array, asked: str, *, attempts: int | None = None) -> Answer:
    """The configuration that brings a frame to a target, searched from q.

    Args:
        model: the robot.
        frame: that is to reach.
        X_WT: target pose (4, 4).
        q: (nq) where the search starts.
        asked: one of `ASKED`.
        attempts: 1 never leaves the neighbourhood of q.
    """
    if asked not in ASKED:
        raise InputError(f"a target asks for one of {', '.join(ASKED)}; got {asked!r:.60}.")
    point, direction = X_WT[:3, 3], X_WT[:3, :3] @ model.tool_axis
    target: Any = {POSE: X_WT, POINTING: (point, direction), POINT: point}[asked]
    try:
        found = ik(model, target, np.ascontiguousarray(q, float), frame=frame, attempts=attempts)
    except CarpalError as problem:
        return Answer(False, np.asarray(q, float), str(problem))
    return Answer(bool(found), np.asarray(found.q, float), str(found.status))


def target_of(model: Model, frame: str, q: Array) -> Array:
    """Where a frame is: the target's pose (4, 4) before it is dragged."""
    X: Array = fk(model, q, frame)
    return X
