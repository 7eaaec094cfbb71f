"""Jacobians: how fast a frame moves for each joint's speed."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.batch import configuration, run_batch, velocity
from carpal.errors import unknown_name
from carpal.kinematics.forward import fk
from carpal.kinematics.kernels.jacobian import jacobian_batch
from carpal.kinematics.kernels.jacobian_rate import COLUMNS as RATE_COLUMNS
from carpal.kinematics.kernels.jacobian_rate import jacobian_rate_batch
from carpal.kinematics.kernels.placement import COLUMNS
from carpal.kinematics.motion import frame_motion
from carpal.model import Model, need_model
from carpal.spatial import Array

AXES = ("world", "frame")


def _check_axes(axes: str) -> None:
    if axes not in AXES:
        raise unknown_name("axes", axes, AXES)


def _constants(model: Model, frame: str | None, axes: str) -> tuple[Any, ...]:
    """Tables of a frame's chain, and whether the frame's own axes are asked for."""
    _check_axes(axes)
    tables = model.tables
    row = model.frame_index(frame)
    return tables.joints, tables.bodies, tables.frames, row, tables.chains[row], int(axes == "frame")


def jacobian(
    model: Model,
    q: ArrayLike,
    frame: str | None = None,
    *,
    axes: str = "world",
    device: str = "cpu",
    threads: int | None = None,
) -> Array:
    """Geometric Jacobian of a frame's origin.

    Args:
        model: the robot.
        q: configurations (*batch, nq).
        frame: a name from `model.frames`; None is the tool.
        axes: "world" expresses both halves in the world's axes, "frame" in the frame's own (the body Jacobian).
        device: "cpu" or "cuda".
        threads: CPU threads; all cores by default.

    Returns:
        J (*batch, 6, nv), linear rows first: (v, w) = J v.
    """
    need_model(model, "jacobian")
    return run_batch(
        model, jacobian_batch, _constants(model, frame, axes), [configuration(model, q)], [(6, model.nv)],
        scratch=COLUMNS, device=device, threads=threads, world_seconds=5e-8 * len(model.tables.joints),
    )[0]  # fmt: skip


def jacobian_rate(
    model: Model,
    q: ArrayLike,
    v: ArrayLike,
    frame: str | None = None,
    *,
    axes: str = "world",
    device: str = "cpu",
    threads: int | None = None,
) -> Array:
    """dJ/dt (*batch, 6, nv) of `jacobian` while the robot moves with v (*batch, nv) [rad/s, m/s]; the other args are the same."""
    need_model(model, "jacobian_rate")
    inputs = [configuration(model, q), velocity(model, v)]
    return run_batch(
        model, jacobian_rate_batch, _constants(model, frame, axes), inputs, [(6, model.nv)],
        scratch=RATE_COLUMNS, device=device, threads=threads, world_seconds=1e-7 * len(model.tables.joints),
    )[0]  # fmt: skip


def jacobian_rate_times_v(
    model: Model,
    q: ArrayLike,
    v: ArrayLike,
    frame: str | None = None,
    *,
    axes: str = "world",
    device: str = "cpu",
    threads: int | None = None,
) -> Array:
    """(dJ/dt) v (*batch, 6): the part of a frame's acceleration that comes from speed alone.

    Args are those of `jacobian`, with v (*batch, nv) [rad/s, m/s].
    """
    need_model(model, "jacobian_rate_times_v")
    _check_axes(axes)
    V, A = frame_motion(model, q, v, np.zeros(model.nv), frame, device=device, threads=threads)
    if axes == "world":
        return A
    # d(R^T J)/dt v = R^T (dJ/dt v - w x (J v))
    R_WF = fk(model, q, frame, device=device, threads=threads)[..., :3, :3]
    w = V[..., 3:]
    out = np.empty(A.shape)
    for half in (slice(0, 3), slice(3, 6)):
        turned = A[..., half] - np.cross(w, V[..., half])
        out[..., half] = (np.swapaxes(R_WF, -1, -2) @ turned[..., None])[..., 0]
    return out
