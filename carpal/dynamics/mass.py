"""The mass matrix."""

from __future__ import annotations

from numpy.typing import ArrayLike

from carpal._core.batch import configuration, run_batch
from carpal.dynamics.kernels.crba import COLUMNS, crba_batch
from carpal.model import Model, need_model
from carpal.spatial import Array


def mass_matrix(model: Model, q: ArrayLike, *, device: str = "cpu", threads: int | None = None) -> Array:
    """M(q) (*batch, nv, nv), symmetric; rotor inertias are on its diagonal.

    Args:
        model: the robot; it must have inertias.
        q: configurations (*batch, nq).
        device: "cpu" or "cuda".
        threads: CPU threads; all cores by default.
    """
    need_model(model, "mass_matrix")
    model.require_inertia()
    tables = model.tables
    return run_batch(
        model, crba_batch, (tables.joints, tables.bodies), [configuration(model, q)], [(model.nv, model.nv)],
        scratch=COLUMNS, device=device, threads=threads, world_seconds=1e-7 * len(tables.joints),
    )[0]  # fmt: skip
