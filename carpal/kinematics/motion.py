"""Velocity and acceleration of a frame."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.batch import configuration, run_batch, velocity
from carpal.kinematics.kernels.motion import motion_batch
from carpal.model import Model, need_model
from carpal.spatial import Array


def frame_motion(
    model: Model,
    q: ArrayLike,
    v: ArrayLike,
    vdot: ArrayLike,
    frame: str | None = None,
    *,
    device: str = "cpu",
    threads: int | None = None,
) -> tuple[Array, Array]:
    """(velocity, acceleration) of a frame, each (*batch, 6), linear first, at its origin, in world axes."""
    tables = model.tables
    row = model.frame_index(frame)
    inputs = [configuration(model, q), velocity(model, v), velocity(model, vdot, "vdot")]
    V, A = run_batch(
        model, motion_batch, (tables.joints, tables.bodies, tables.frames, row, tables.chains[row]), inputs,
        [(6,), (6,)], device=device, threads=threads, world_seconds=5e-8 * len(tables.joints),
    )  # fmt: skip
    return V, A


def frame_velocity(
    model: Model,
    q: ArrayLike,
    v: ArrayLike,
    frame: str | None = None,
    *,
    device: str = "cpu",
    threads: int | None = None,
) -> Array:
    """Twist V_WF (*batch, 6), linear first, of a frame's origin in world axes [m/s, rad/s]."""
    need_model(model, "frame_velocity")
    return frame_motion(model, q, v, np.zeros(model.nv), frame, device=device, threads=threads)[0]


def frame_acceleration(
    model: Model,
    q: ArrayLike,
    v: ArrayLike,
    vdot: ArrayLike,
    frame: str | None = None,
    *,
    device: str = "cpu",
    threads: int | None = None,
) -> Array:
    """Classical acceleration (*batch, 6), linear first, of a frame's origin in world axes [m/s^2, rad/s^2]."""
    need_model(model, "frame_acceleration")
    return frame_motion(model, q, v, vdot, frame, device=device, threads=threads)[1]
