"""Analytic derivatives of inverse and forward dynamics."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.batch import configuration, run_batch, velocity
from carpal.dynamics.forward import forward_dynamics
from carpal.dynamics.kernels.forward_derivatives import forward_derivatives_batch
from carpal.dynamics.kernels.rnea_derivatives import COLUMNS, FREEDOM_COLUMNS, rnea_derivatives_batch
from carpal.model import Model, need_model
from carpal.spatial import Array


@dataclass(frozen=True, eq=False)
class InverseDynamicsDerivatives:
    """How the joint forces change: of tau = M(q) vdot + C(q, v) v + g(q).

    Args: dtau_dq, dtau_dv, dtau_dvdot: (*batch, nv, nv), row: the force, column: what changes; the last is the mass matrix.
    """

    dtau_dq: Array
    dtau_dv: Array
    dtau_dvdot: Array


@dataclass(frozen=True, eq=False)
class ForwardDynamicsDerivatives:
    """How the accelerations change: of vdot = M(q)^-1 (tau - C(q, v) v - g(q)).

    Args: vdot: (*batch, nv). dvdot_dq, dvdot_dv, dvdot_dtau: (*batch, nv, nv); the last is the inverse of the mass matrix.
    """

    vdot: Array
    dvdot_dq: Array
    dvdot_dv: Array
    dvdot_dtau: Array


def inverse_dynamics_derivatives(
    model: Model, q: ArrayLike, v: ArrayLike, vdot: ArrayLike, *, device: str = "cpu", threads: int | None = None
) -> InverseDynamicsDerivatives:
    """Derivatives of `inverse_dynamics` by configuration, velocity and acceleration.

    Configurations change along `integrate(model, q, dq)`: for ball and free joints dq has nv components, as v.

    Args:
        model: the robot; it must have inertias.
        q: configurations (*batch, nq).
        v: velocities (*batch, nv) [rad/s, m/s].
        vdot: accelerations (*batch, nv) [rad/s^2, m/s^2].
        device: "cpu" or "cuda".
        threads: CPU threads; all cores by default.
    """
    need_model(model, "inverse_dynamics_derivatives")
    model.require_inertia()
    tables, square = model.tables, (model.nv, model.nv)
    inputs = [configuration(model, q), velocity(model, v), velocity(model, vdot, "vdot")]
    out = run_batch(
        model, rnea_derivatives_batch, (tables.joints, tables.bodies), inputs, [square, square, square],
        scratch=[(len(tables.joints), COLUMNS), (model.nv, FREEDOM_COLUMNS)], device=device, threads=threads,
        world_seconds=3e-7 * len(tables.joints),
    )  # fmt: skip
    return InverseDynamicsDerivatives(*out)


def forward_dynamics_derivatives(
    model: Model, q: ArrayLike, v: ArrayLike, tau: ArrayLike, *, device: str = "cpu", threads: int | None = None
) -> ForwardDynamicsDerivatives:
    """Derivatives of `forward_dynamics` by configuration, velocity and joint forces.

    They are those of inverse dynamics at the same motion, multiplied by the inverse mass matrix: -M^-1 dtau/dq,
    -M^-1 dtau/dv, M^-1.

    Args:
        model: the robot; it must have inertias.
        q: configurations (*batch, nq).
        v: velocities (*batch, nv) [rad/s, m/s].
        tau: joint forces (*batch, nv) [N m, N].
        device: "cpu" or "cuda".
        threads: CPU threads; all cores by default.
    """
    need_model(model, "forward_dynamics_derivatives")
    vdot = forward_dynamics(model, q, v, tau, device=device, threads=threads)
    tables, square = model.tables, (model.nv, model.nv)
    inputs = [configuration(model, q), velocity(model, v), velocity(model, vdot, "vdot")]
    out = run_batch(
        model, forward_derivatives_batch, (tables.joints, tables.bodies), inputs, [square, square, square],
        scratch=[(len(tables.joints), COLUMNS), (model.nv, FREEDOM_COLUMNS)], device=device, threads=threads,
        world_seconds=4e-7 * len(tables.joints),
    )  # fmt: skip
    return ForwardDynamicsDerivatives(np.asarray(vdot), *out)
