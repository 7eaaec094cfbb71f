"""Following a path of targets: each search starts where the one before ended, so joints move continuously.

Yesmunt (2014) solves catch poses this way: one-shot searches from its start pose fail for a third of its grid (erratum E13).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.result import Result
from carpal.errors import InputError
from carpal.kinematics.inverse.numeric import ik
from carpal.model import Model, need_model
from carpal.spatial import Array


@dataclass(frozen=True, eq=False)
class FollowResult(Result):
    """A followed path; arrays are (*batch, time, ...).

    Args:
        ok: (*batch) whether every point of the path was reached.
        status: one sentence.
        q: (*batch, time, nq).
        position_error, angle_error: (*batch, time) [m], [rad].
        iterations: (*batch, time).
    """

    ok: np.ndarray
    status: str
    q: Array
    position_error: Array
    angle_error: Array
    iterations: np.ndarray


def follow(model: Model, targets: ArrayLike, q0: ArrayLike, **options: Any) -> FollowResult:
    """Follow poses (*batch, time, 4, 4) or points (*batch, time, 3) from q0 (*batch, nq).

    Args:
        model: the robot.
        targets: the path; neighbouring targets should be near each other.
        q0: the configuration to start from.
        options: of `ik`, for example `method="newton"`.
    """
    need_model(model, "follow")
    path = np.asarray(targets, float)
    width = 2 if path.ndim >= 2 and path.shape[-2:] == (4, 4) else 1
    if path.ndim < width + 1 or path.shape[-width - 1] == 0:
        raise InputError(
            f"a path needs poses (*batch, time, 4, 4) or points (*batch, time, 3); got shape {path.shape}."
        )
    path = np.moveaxis(path, path.ndim - width - 1, 0)
    q = np.broadcast_to(np.asarray(q0, float), (*path.shape[1 : path.ndim - width], model.nq))
    steps = []
    for target in path:
        result = ik(model, target, q, attempts=1, **options)
        steps.append(result)
        q = result.q
    ok = np.stack([step.ok for step in steps], -1)
    lost = [i for i, step in enumerate(steps) if not np.all(step.ok)]
    status = f"all {len(path)} points of {int(np.prod(ok.shape[:-1]))} path{'s' if ok.ndim > 1 else ''} reached."
    if lost:
        status = f"the path is lost at point {lost[0]} of {len(path)}: {steps[lost[0]].status}"
    return FollowResult(
        ok=np.asarray(ok.all(-1)),
        status=status,
        q=np.stack([step.q for step in steps], -2),
        position_error=np.stack([step.position_error for step in steps], -1),
        angle_error=np.stack([step.angle_error for step in steps], -1),
        iterations=np.stack([step.iterations for step in steps], -1),
    )
