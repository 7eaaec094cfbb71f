"""The centroidal momentum matrix and its rate."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.batch import configuration, run_batch, velocity
from carpal.dynamics.kernels.centroidal_matrix import COLUMNS, FREEDOM_COLUMNS, centroidal_matrix_batch
from carpal.model import Model, need_model
from carpal.spatial import Array


def centroidal_momentum_matrix(model: Model, q: ArrayLike, *, device: str = "cpu", threads: int | None = None) -> Array:
    """A(q) (*batch, 6, nv) with (linear momentum, angular momentum about the centre of mass) = A v, in world axes.

    Args:
        model: the robot; it must have inertias.
        q: configurations (*batch, nq).
        device: "cpu" or "cuda".
        threads: CPU threads; all cores by default.
    """
    need_model(model, "centroidal_momentum_matrix")
    return _both(model, q, np.zeros(model.nv), device, threads)[0]


def centroidal_momentum_matrix_rate(
    model: Model, q: ArrayLike, v: ArrayLike, *, device: str = "cpu", threads: int | None = None
) -> Array:
    """dA/dt (*batch, 6, nv) while the robot moves with v: the momentum's rate is A vdot + dA/dt v."""
    need_model(model, "centroidal_momentum_matrix_rate")
    return _both(model, q, v, device, threads)[1]


def _both(model: Model, q: ArrayLike, v: ArrayLike, device: str, threads: int | None) -> list[Array]:
    model.require_inertia()
    tables = model.tables
    return run_batch(
        model, centroidal_matrix_batch, (tables.joints, tables.bodies), [configuration(model, q), velocity(model, v)],
        [(6, model.nv), (6, model.nv)], scratch=[(len(tables.joints), COLUMNS), (model.nv, FREEDOM_COLUMNS)],
        device=device, threads=threads, world_seconds=1e-7 * len(tables.joints),
    )  # fmt: skip
