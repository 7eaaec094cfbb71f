"""A limit of composed inverse kinematics: the joints can hold what the robot weighs."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from carpal.dynamics.derivatives import inverse_dynamics_derivatives
from carpal.dynamics.inverse import gravity_forces
from carpal.errors import InputError
from carpal.kinematics import RowLimit
from carpal.model import Model, need_model
from carpal.spatial import Array

GAIN = 0.85  # share of the free torque that one step may take


class TorqueLimit(RowLimit):
    """Joint forces that hold the robot still against gravity stay below their limits.

    A payload belongs to the model (`Model.with_payload`). What motion adds is left to `share`.

    Args:
        model: the robot, with masses.
        tau_max: (nv) [N m, N]; by default the model's. Joints whose limit is infinite do not count.
        share: of those limits.
    """

    def __init__(self, model: Model, *, tau_max: ArrayLike | None = None, share: float = 1.0) -> None:
        need_model(model, "TorqueLimit")
        model.require_inertia()
        most = np.array(model.tau_max if tau_max is None else tau_max, float)
        if most.shape != (model.nv,) or not (most > 0.0).all():
            raise InputError(f"tau_max of TorqueLimit needs {model.nv} numbers above zero; got {most.tolist()}.")
        if not 0.0 < share < np.inf:
            raise InputError(f"share of TorqueLimit must be a number above zero; got {share!r}.")
        self.model = model
        self.counted = np.flatnonzero(np.isfinite(most))
        if not len(self.counted):
            raise InputError(f"no joint of model '{model.name}' has a finite tau_max; give tau_max= (nv) [N m, N].")
        self.tau_max = share * most[self.counted]

    def rows(self, q: Array) -> tuple[Array, Array]:
        """As of `RowLimit`: both sides of every joint that counts."""
        still = np.zeros(self.model.nv)
        slope = inverse_dynamics_derivatives(self.model, q, still, still).dtau_dq[..., self.counted, :]
        tau = gravity_forces(self.model, q)[..., self.counted]
        h = GAIN * np.concatenate([self.tau_max - tau, self.tau_max + tau], axis=-1)
        return np.concatenate([slope, -slope], axis=-2), h

    def slack(self, q: Array) -> Array:
        """(*batch) the least torque that is left [N m, N]."""
        return np.asarray((self.tau_max - np.abs(gravity_forces(self.model, q)[..., self.counted])).min(axis=-1))

    def describe(self) -> str:
        """For sentences."""
        return "the torque to hold the robot"
