"""The dynamics regressor: joint forces as a linear function of the bodies' inertial parameters."""

from __future__ import annotations

from numpy.typing import ArrayLike

from carpal._core.batch import configuration, run_batch, velocity
from carpal.dynamics.kernels.regressor import COLUMNS, PARAMETERS, regressor_batch
from carpal.model import Model, need_model
from carpal.spatial import Array


def dynamics_regressor(
    model: Model, q: ArrayLike, v: ArrayLike, vdot: ArrayLike, *, device: str = "cpu", threads: int | None = None
) -> Array:
    """Y (*batch, nv, 10 n) with tau = Y `inertial_parameters(model)` + rotor inertia times vdot, n the moving bodies.

    Args:
        model: the robot.
        q: configurations (*batch, nq).
        v: velocities (*batch, nv) [rad/s, m/s].
        vdot: accelerations (*batch, nv) [rad/s^2, m/s^2].
        device: "cpu" or "cuda".
        threads: CPU threads; all cores by default.
    """
    need_model(model, "dynamics_regressor")
    tables = model.tables
    inputs = [configuration(model, q), velocity(model, v), velocity(model, vdot, "vdot")]
    return run_batch(
        model, regressor_batch, (tables.joints, tables.bodies), inputs,
        [(model.nv, PARAMETERS * (len(tables.joints) - 1))], scratch=COLUMNS, device=device, threads=threads,
        world_seconds=2e-7 * len(tables.joints),
    )[0]  # fmt: skip


def inertial_parameters(model: Model) -> Array:
    """(10 n) of the moving bodies, what is fixed to each included: mass [kg], first moment (3) [kg m], inertia [kg m^2].

    First moment and inertia (xx, yy, zz, xy, xz, yz) are taken at the origin of the body's joint frame, in that frame's axes,
    whose z is the axis of a revolute or prismatic joint. Bodies come in the order of the joints that move them.
    """
    need_model(model, "inertial_parameters")
    model.require_inertia()
    table = model.tables.bodies[1:]
    return table[:, 12:22].copy().ravel()
