"""How far from singular a configuration is."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import unknown_name
from carpal.kinematics.constraints import velocity_map
from carpal.kinematics.jacobians import jacobian
from carpal.model import Model, need_model
from carpal.spatial import Array

PARTS = {"pose": slice(0, 6), "position": slice(0, 3), "rotation": slice(3, 6)}


def singular_values(
    model: Model,
    q: ArrayLike,
    frame: str | None = None,
    *,
    part: str = "pose",
    device: str = "cpu",
    threads: int | None = None,
) -> Array:
    """Singular values of the Jacobian, largest first; with couplings or loops of the one of the independent joints.

    Args:
        model: the robot.
        q: configurations (*batch, nq).
        frame: a name from `model.frames`; None is the tool.
        part: "pose" (all six rows; metres and radians stand side by side), "position" or "rotation".
        device: where the Jacobian is computed, "cpu" or "cuda".
        threads: CPU threads; all cores by default.

    Returns:
        (*batch, min(rows, nv)); with couplings or loops nv counts the independent joints' velocities.
    """
    need_model(model, "singular_values")
    if part not in PARTS:
        raise unknown_name("part", part, PARTS)
    J = jacobian(model, q, frame, device=device, threads=threads)[..., PARTS[part], :]
    if model.is_constrained:
        J = J @ velocity_map(model, q)
    return np.asarray(np.linalg.svd(J, compute_uv=False), np.float64)


def manipulability(
    model: Model,
    q: ArrayLike,
    frame: str | None = None,
    *,
    part: str = "pose",
    device: str = "cpu",
    threads: int | None = None,
) -> Array:
    """Yoshikawa's measure, the product of the singular values: sqrt(det(J J^T)), or |det J| when J is square.

    Zero when the arm has fewer joints than the part has rows. Args are those of `singular_values`.
    """
    need_model(model, "manipulability")
    values = singular_values(model, q, frame, part=part, device=device, threads=threads)
    rows = PARTS[part].stop - PARTS[part].start
    return np.prod(values, axis=-1) if values.shape[-1] == rows else np.zeros(values.shape[:-1])
