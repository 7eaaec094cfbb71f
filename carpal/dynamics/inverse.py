"""Inverse dynamics: the joint forces that a motion takes."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.batch import configuration, run_batch, velocity
from carpal.dynamics.kernels.rnea import COLUMNS, rnea_batch
from carpal.model import Model, need_model
from carpal.spatial import Array


def inverse_dynamics(
    model: Model, q: ArrayLike, v: ArrayLike, vdot: ArrayLike, *, device: str = "cpu", threads: int | None = None
) -> Array:
    """Joint forces tau = M(q) vdot + C(q, v) v + g(q).

    Args:
        model: the robot; it must have inertias.
        q: configurations (*batch, nq).
        v: velocities (*batch, nv) [rad/s, m/s].
        vdot: accelerations (*batch, nv) [rad/s^2, m/s^2].
        device: "cpu" or "cuda".
        threads: CPU threads; all cores by default.

    Returns:
        tau (*batch, nv) [N m, N]. Joint damping and friction are not in it.
    """
    need_model(model, "inverse_dynamics")
    model.require_inertia()
    tables = model.tables
    inputs = [configuration(model, q), velocity(model, v), velocity(model, vdot, "vdot")]
    return run_batch(
        model, rnea_batch, (tables.joints, tables.bodies), inputs, [(model.nv,)],
        scratch=COLUMNS, device=device, threads=threads, world_seconds=6e-8 * len(tables.joints),
    )[0]  # fmt: skip


def gravity_forces(model: Model, q: ArrayLike, *, device: str = "cpu", threads: int | None = None) -> Array:
    """Joint forces g(q) (*batch, nv) that hold the robot still."""
    need_model(model, "gravity_forces")
    still = np.zeros(model.nv)
    return inverse_dynamics(model, q, still, still, device=device, threads=threads)


def coriolis_forces(
    model: Model, q: ArrayLike, v: ArrayLike, *, device: str = "cpu", threads: int | None = None
) -> Array:
    """Coriolis and centripetal joint forces C(q, v) v (*batch, nv)."""
    need_model(model, "coriolis_forces")
    weightless = model.tables.bodies.copy()
    weightless[0, 23:26] = 0.0
    model.require_inertia()
    inputs = [configuration(model, q), velocity(model, v), velocity(model, np.zeros(model.nv), "vdot")]
    return run_batch(
        model, rnea_batch, (model.tables.joints, weightless), inputs, [(model.nv,)],
        scratch=COLUMNS, device=device, threads=threads, world_seconds=6e-8 * len(weightless),
    )[0]  # fmt: skip
