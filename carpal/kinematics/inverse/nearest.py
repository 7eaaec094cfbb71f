"""The configuration inside the limits that comes nearest to a target out of reach, position first or direction first.

The first aim is made as small as it can be, then the second without giving up the first: a weight between the two grows from
stage to stage (a penalty method). Starts: where the numeric search ends, the best of 4,096 samples, and what the caller
offers. It is a search: the result is the best that was found, its errors are exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from carpal.errors import unknown_name
from carpal.kinematics.axes import chain_axes
from carpal.kinematics.configuration import random_configurations
from carpal.kinematics.forward import fk
from carpal.kinematics.inverse.ik_target import Target
from carpal.kinematics.inverse.numeric import search
from carpal.kinematics.inverse.solutions import NearestAnswer
from carpal.kinematics.jacobians import jacobian
from carpal.model import Model
from carpal.spatial import Array

PREFERENCES = ("position", "direction")
_STAGES = (1e1, 1e3, 1e5)  # how many times the first aim outweighs the second
_STEPS = 60
_SAMPLES, _KEPT = 4096, 4  # drawn, and started from for each ranking
_EQUAL = 1e-7  # [m, rad]: first aims closer than this are equal, the second decides


def check_preference(prefer: str) -> None:
    """One clear sentence for anything but the two."""
    if prefer not in PREFERENCES:
        raise unknown_name("preference", prefer, PREFERENCES)


def _sampled_starts(
    model: Model, frame: str, position: Array, own: Array, wanted: Array, size: float, prefer: str
) -> list[Array]:
    """Samples that are good at the first aim, and some that are good at both: different valleys to begin in."""
    samples = random_configurations(model, _SAMPLES, seed=0)
    X = fk(model, samples, frame, threads=1)
    p = np.linalg.norm(X[:, :3, 3] - position, axis=1) / size
    r = np.linalg.norm(X[:, :3, :3] @ own - wanted, axis=(1, 2))
    first, second = (p, r) if prefer == "position" else (r, p)
    chosen: list[int] = []
    for share in (0.0, 0.03, 0.3):
        chosen += np.argsort(first + share * second, kind="stable")[:_KEPT].tolist()
    return [samples[i] for i in dict.fromkeys(chosen)]


def _descend(x: Array, low: Array, high: Array, residual: Any, slope: Any, rest: tuple[Any, ...]) -> Array:
    """Levenberg-Marquardt between bounds; joints that a bound holds back leave the system."""
    r, damping = residual(x, *rest), 1e-3
    for _ in range(_STEPS):
        J = slope(x, *rest)
        g = J.T @ r
        free = ~(((x <= low) & (g > 0)) | ((x >= high) & (g < 0)))
        if not free.any() or np.abs(g[free]).max() < 1e-15:
            break
        A = J[:, free]
        scale = np.sqrt(damping) * (np.linalg.norm(A, axis=0) + 1e-12)
        # by orthogonal factors, not normal equations: the two aims' weights differ by 1e5
        step = np.linalg.lstsq(np.vstack([A, np.diag(scale)]), np.concatenate([-r, np.zeros(len(scale))]), rcond=None)[
            0
        ]
        trial = x.copy()
        trial[free] = np.clip(x[free] + step, low[free], high[free])
        after = residual(trial, *rest)
        if after @ after < r @ r:
            small = np.abs(trial - x).max() < 1e-13
            x, r, damping = trial, after, max(damping * 0.2, 1e-12)
            if small:
                break
        else:
            damping *= 4.0
            if damping > 1e8:
                break
    return x


def nearest_answer(
    model: Model, frame: str, target: Target, axis_T: Array, prefer: str, offered: Sequence[Array] = ()
) -> NearestAnswer:
    """Search for it.

    Args:
        model: the robot.
        frame: which is to reach.
        target: a single pose or (point, direction).
        axis_T: (3) in the frame, the axis that is to point along the direction.
        prefer: "position" or "direction".
        offered: further configurations (nq) to start from; they are moved inside the limits.
    """
    check_preference(prefer)
    axes = chain_axes(model, frame)
    columns, size = axes.columns, axes.size()
    R = target.R_WT
    own = np.eye(3) if R is not None else np.asarray(axis_T)[:, None]  # (3, k) axes of the frame that are asked for
    wanted = R if R is not None else target.numbers[:3, None]
    first_weight = 100.0 if prefer == "position" else 0.01
    starts = [search(model, frame, target, axis_T, weight=size / first_weight), *offered]
    starts += _sampled_starts(model, frame, target.position, own, wanted, size, prefer)
    low, high = model.q_min[columns], model.q_max[columns]

    def errors(q: Array) -> tuple[float, float]:
        X = fk(model, q, frame)
        chord = X[:3, :3] @ own - wanted
        p = float(np.linalg.norm(X[:3, 3] - target.position))
        # three chords of a rotation by t have length sqrt(8) sin(t / 2) together, one has 2 sin(t / 2)
        half = float(np.linalg.norm(chord)) / (2.0 if own.shape[1] == 1 else 8.0**0.5)
        r = 2 * float(np.arcsin(min(1.0, half)))
        return p, r

    def residual(x: Array, q: Array, w_p: float, w_r: float) -> Array:
        q[columns] = x
        X = fk(model, q, frame)
        return np.concatenate([w_p * (X[:3, 3] - target.position), w_r * (X[:3, :3] @ own - wanted).T.ravel()])

    def slope(x: Array, q: Array, w_p: float, w_r: float) -> Array:
        q[columns] = x
        J = jacobian(model, q, frame)[:, columns]
        turned = fk(model, q, frame)[:3, :3] @ own
        spin = [np.cross(J[3:].T, turned[:, k]).T for k in range(own.shape[1])]
        return np.concatenate([w_p * J[:3], *(w_r * s for s in spin)])

    found = []
    for start in starts:
        q = np.array(start, float)
        x = np.clip(q[columns], low, high)
        for ratio in _STAGES:
            w_p, w_r = (ratio / size, 1.0) if prefer == "position" else (1.0 / size, ratio)
            x = _descend(x, low, high, residual, slope, (q, w_p, w_r))
        q[columns] = x
        found.append((*errors(q), q))
    pick = 0 if prefer == "position" else 1
    least = min(entry[pick] for entry in found)
    p, r, q = min((e for e in found if e[pick] <= least + _EQUAL), key=lambda e: e[1 - pick])
    return NearestAnswer(q, p, r, prefer)
