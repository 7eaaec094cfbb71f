"""The centroidal momentum matrix, its rate, and the joint velocities that leave a mount alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.batch import configuration, run_batch, velocity
from carpal.dynamics.centroidal import com
from carpal.dynamics.kernels.centroidal_matrix import COLUMNS, FREEDOM_COLUMNS, centroidal_matrix_batch
from carpal.errors import InputError, unknown_name
from carpal.model import Model, need_model
from carpal.spatial import Array

WRENCH = ("fx", "fy", "fz", "mx", "my", "mz")
"""Components of a mount's wrench."""


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


def reaction_null_space(
    model: Model,
    q: ArrayLike,
    components: Sequence[str] = WRENCH,
    *,
    tolerance: float = 1e-9,
    device: str = "cpu",
    threads: int | None = None,
) -> Array:
    """Projectors N(q) (*batch, nv, nv) on joint velocities that give the robot no momentum: its mount feels no reaction.

    `N @ v` is the nearest such velocity. A motion that keeps v = N v from rest to rest changes neither the chosen
    components of the momentum nor, where all of the force is chosen, the centre of mass (Nenchev, Umetani and Yoshida 1992).

    Args:
        model: the robot on a mount that is held, with inertias.
        q: configurations (*batch, nq).
        components: of the mount's wrench in world axes: "fx", "fy", "fz", and the moments "mx", "my", "mz" about the origin.
        tolerance: singular values of the momentum matrix below this share of the largest count as zero.
        device: "cpu" or "cuda".
        threads: CPU threads; all cores by default.

    Example:
        >>> N = carpal.dynamics.reaction_null_space(arm, q, ("fx", "fy"))
        >>> carpal.dynamics.centroidal_momentum_matrix(arm, q)[:2] @ N  # zero
    """
    need_model(model, "reaction_null_space")
    names = [components] if isinstance(components, str) else list(components)
    for name in names:
        if name not in WRENCH:
            raise unknown_name("component of the mount's wrench", name, WRENCH)
    if not names:
        raise InputError(f"components must name at least one of {', '.join(WRENCH)}.")
    A = centroidal_momentum_matrix(model, q, device=device, threads=threads).copy()
    center = com(model, q, device=device, threads=threads)
    A[..., 3:, :] += np.cross(center[..., None, :], np.swapaxes(A[..., :3, :], -1, -2)).swapaxes(-1, -2)
    A = A[..., [WRENCH.index(name) for name in names], :]
    _, size, V = np.linalg.svd(A, full_matrices=False)
    seen = size > tolerance * np.maximum(size[..., :1], 1e-300)
    rows = V * seen[..., None]
    return np.asarray(np.eye(model.nv) - np.swapaxes(rows, -1, -2) @ rows)


def _both(model: Model, q: ArrayLike, v: ArrayLike, device: str, threads: int | None) -> list[Array]:
    model.require_inertia()
    tables = model.tables
    return run_batch(
        model, centroidal_matrix_batch, (tables.joints, tables.bodies), [configuration(model, q), velocity(model, v)],
        [(6, model.nv), (6, model.nv)], scratch=[(len(tables.joints), COLUMNS), (model.nv, FREEDOM_COLUMNS)],
        device=device, threads=threads, world_seconds=1e-7 * len(tables.joints),
    )  # fmt: skip
