"""The centre of mass, its first two derivatives, and the angular momentum about it."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.batch import configuration, run_batch, velocity
from carpal.dynamics.kernels.centroidal import ACCELERATION, ANGULAR, COLUMNS, COM, OUTPUTS, VELOCITY, centroidal_batch
from carpal.model import Model, need_model
from carpal.spatial import Array


def centroidal_numbers(
    model: Model,
    q: ArrayLike,
    v: ArrayLike,
    vdot: ArrayLike,
    *,
    device: str = "cpu",
    threads: int | None = None,
) -> Array:
    """The kernel's 14 numbers (*batch, 14)."""
    model.require_inertia()
    tables = model.tables
    inputs = [configuration(model, q), velocity(model, v), velocity(model, vdot, "vdot")]
    return run_batch(
        model, centroidal_batch, (tables.joints, tables.bodies), inputs, [(OUTPUTS,)],
        scratch=COLUMNS, device=device, threads=threads, world_seconds=8e-8 * len(tables.joints),
    )[0]  # fmt: skip


def com(model: Model, q: ArrayLike, *, device: str = "cpu", threads: int | None = None) -> Array:
    """Centre of mass p_WC (*batch, 3) [m] of the whole model, its fixed base included."""
    need_model(model, "com")
    still = np.zeros(model.nv)
    return centroidal_numbers(model, q, still, still, device=device, threads=threads)[..., COM : COM + 3]


def com_velocity(model: Model, q: ArrayLike, v: ArrayLike, *, device: str = "cpu", threads: int | None = None) -> Array:
    """First derivative (*batch, 3) [m/s] of the centre of mass, in the world."""
    need_model(model, "com_velocity")
    numbers = centroidal_numbers(model, q, v, np.zeros(model.nv), device=device, threads=threads)
    return numbers[..., VELOCITY : VELOCITY + 3]


def com_acceleration(
    model: Model, q: ArrayLike, v: ArrayLike, vdot: ArrayLike, *, device: str = "cpu", threads: int | None = None
) -> Array:
    """Second derivative (*batch, 3) [m/s^2] of the centre of mass, in the world."""
    need_model(model, "com_acceleration")
    numbers = centroidal_numbers(model, q, v, vdot, device=device, threads=threads)
    return numbers[..., ACCELERATION : ACCELERATION + 3]


def angular_momentum(
    model: Model, q: ArrayLike, v: ArrayLike, *, device: str = "cpu", threads: int | None = None
) -> Array:
    """Angular momentum (*batch, 3) [kg m^2/s] about the centre of mass, in world axes."""
    need_model(model, "angular_momentum")
    numbers = centroidal_numbers(model, q, v, np.zeros(model.nv), device=device, threads=threads)
    return numbers[..., ANGULAR : ANGULAR + 3]
