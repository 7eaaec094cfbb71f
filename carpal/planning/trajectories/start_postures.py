"""Postures with which a tool can begin at a target: every branch of a closed form, or what searches from many places find."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import InputError
from carpal.kinematics import fk, ik, ik_all, random_configurations
from carpal.model import Model, real_array
from carpal.planning.trajectories.kernels.line_following import POINTING, POSE
from carpal.planning.trajectories.waypoint_checks import inside_limits
from carpal.spatial import Array

SEARCHES = 48
MOST = 16
APART = 1e-3  # [rad, m] postures nearer than this in every joint are one


def start_postures(model: Model, frame: str, task: int, target: Array, q0: ArrayLike | None, seed: int) -> Array:
    """Postures (n, nq) inside the limits with a frame at a target (12), the nearest to `q_home` first; or q0 alone."""
    if q0 is not None:
        return _given(model, frame, task, target, q0)
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise InputError(f"seed must be a whole number, zero or above; got {seed!r}.")
    wanted: Any = target[9:]
    if task == POINTING:
        wanted = (target[9:].copy(), target[:3].copy())
        try:
            found = ik_all(model, wanted, frame=frame)
        except InputError:
            pass  # no closed form: searched below
        else:
            return np.array(found.q[: int(found.count)][found.in_limits[: int(found.count)]])
    elif task == POSE:
        X = np.eye(4)
        X[:3, :3], X[:3, 3] = target[:9].reshape(3, 3), target[9:]
        wanted = X
    starts = np.concatenate([np.asarray(model.q_home)[None], random_configurations(model, SEARCHES - 1, seed=seed)])
    many = [
        np.broadcast_to(part, (SEARCHES, *np.shape(part)))
        for part in (wanted if isinstance(wanted, tuple) else [wanted])
    ]
    given = (many[0], many[1]) if len(many) == 2 else many[0]
    found_q = ik(
        model, given, starts, frame=frame, attempts=1, seed=seed, position_tolerance=1e-9, angle_tolerance=1e-9
    )
    postures = found_q.q[np.asarray(found_q.ok)]
    order = np.argsort(np.linalg.norm(postures - np.asarray(model.q_home), axis=1), kind="stable")
    kept: list[Array] = []
    for q in postures[order]:
        if all(np.abs(q - other).max() > APART for other in kept) and len(kept) < MOST:
            kept.append(q)
    return np.array(kept).reshape(-1, model.nq)


def _given(model: Model, frame: str, task: int, target: Array, q0: ArrayLike) -> Array:
    q = real_array(q0, "q0")
    if q.shape != (model.nq,) or not np.isfinite(q).all():
        raise InputError(f"q0 must be {model.nq} finite numbers; got {q0!r:.80}.")
    q = inside_limits(model, q, "q0")
    X = fk(model, q, frame)
    miss = float(np.linalg.norm(X[:3, 3] - target[9:]))
    if task == POSE:
        miss = max(miss, float(np.abs(X[:3, :3].ravel() - target[:9]).max()))
    elif task == POINTING:
        miss = max(miss, float(np.abs(X[:3, :3] @ model.tool_axis - target[:3]).max()))
    if miss > 1e-3:
        raise InputError(
            f"q0 does not have frame '{frame}' at the first waypoint: it misses by {miss:.3g} m or rad; "
            "begin the waypoints with where the tool is."
        )
    return q[None]
