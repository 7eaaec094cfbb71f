"""Forward dynamics: the motion that joint forces cause."""

from __future__ import annotations

from numpy.typing import ArrayLike

from carpal._core.batch import configuration, run_batch, velocity
from carpal.dynamics.kernels.aba import COLUMNS, aba_batch
from carpal.model import Model, need_model
from carpal.spatial import Array


def forward_dynamics(
    model: Model, q: ArrayLike, v: ArrayLike, tau: ArrayLike, *, device: str = "cpu", threads: int | None = None
) -> Array:
    """Accelerations vdot = M(q)^-1 (tau - C(q, v) v - g(q)).

    Args:
        model: the robot; it must have inertias.
        q: configurations (*batch, nq).
        v: velocities (*batch, nv) [rad/s, m/s].
        tau: joint forces (*batch, nv) [N m, N].
        device: "cpu" or "cuda".
        threads: CPU threads; all cores by default.

    Returns:
        vdot (*batch, nv) [rad/s^2, m/s^2].
    """
    need_model(model, "forward_dynamics")
    model.require_inertia()
    tables = model.tables
    inputs = [configuration(model, q), velocity(model, v), velocity(model, tau, "tau")]
    return run_batch(
        model, aba_batch, (tables.joints, tables.bodies), inputs, [(model.nv,)],
        scratch=COLUMNS, device=device, threads=threads, world_seconds=1e-7 * len(tables.joints),
    )[0]  # fmt: skip
