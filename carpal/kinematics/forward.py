"""Forward kinematics: where a frame is."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.batch import configuration, run_batch
from carpal.kinematics.kernels.forward import fk_batch
from carpal.model import Model, wrong_model
from carpal.spatial import Array

_FLOAT64 = np.dtype(np.float64)


def fk(
    model: Model, q: ArrayLike, frame: str | None = None, *, device: str = "cpu", threads: int | None = None
) -> Array:
    """Pose of a frame in the world.

    Args:
        model: the robot.
        q: configurations (*batch, nq) [rad, m; quaternions of any length].
        frame: a name from `model.frames`; None is the tool.
        device: "cpu" or "cuda".
        threads: CPU threads; all cores by default.

    Returns:
        X_WF (*batch, 4, 4).

    Example:
        >>> X_WT = carpal.fk(carpal.load("sawyer"), [0.0] * 7)
    """
    if type(model) is not Model:  # inline: a call would be felt in a single fk
        raise wrong_model(model, "fk")
    tables = model.tables
    row = model.frame_index(frame)
    # one configuration is the commonest call: skip the general path's bookkeeping, but not its checks
    if threads is None and device == "cpu" and type(q) is np.ndarray and q.dtype is _FLOAT64 and q.shape == (model.nq,):
        X = np.empty((1, 4, 4))
        one = np.array(q, ndmin=2)
        if not fk_batch(tables.joints, tables.bodies, tables.frames, row, tables.frame_body[row], one, X, 0, 1, 1, 0):
            return X[0]
    constants = (tables.joints, tables.bodies, tables.frames, row, tables.frame_body[row])
    return run_batch(
        model, fk_batch, constants, [configuration(model, q)], [(4, 4)],
        device=device, threads=threads, world_seconds=3e-8 * len(tables.joints),
    )[0]  # fmt: skip
