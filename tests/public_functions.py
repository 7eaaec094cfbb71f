"""Every public function that takes batches, in one list: tests of batches and of bad input go through it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from carpal import dynamics, kinematics
from carpal.model import Model


def stacked(function: Callable[..., object]) -> Callable[..., np.ndarray]:
    """The same function with the matrices of its answer side by side."""

    def call(*args: object, **named: object) -> np.ndarray:
        parts = list(vars(function(*args, **named)).values())
        return np.concatenate([part for part in parts if part.ndim == parts[-1].ndim], axis=-1)

    return call


# name -> (function, the batched arguments that it takes after the model)
FUNCTIONS: dict[str, tuple[Callable[..., np.ndarray], tuple[str, ...]]] = {
    "fk": (kinematics.fk, ("q",)),
    "jacobian": (kinematics.jacobian, ("q",)),
    "jacobian in the frame": (partial(kinematics.jacobian, axes="frame"), ("q",)),
    "jacobian_rate_times_v": (kinematics.jacobian_rate_times_v, ("q", "v")),
    "jacobian_rate_times_v in the frame": (partial(kinematics.jacobian_rate_times_v, axes="frame"), ("q", "v")),
    "frame_velocity": (kinematics.frame_velocity, ("q", "v")),
    "frame_acceleration": (kinematics.frame_acceleration, ("q", "v", "vdot")),
    "integrate": (kinematics.integrate, ("q", "v", "dt")),
    "inverse_dynamics": (dynamics.inverse_dynamics, ("q", "v", "vdot")),
    "gravity_forces": (dynamics.gravity_forces, ("q",)),
    "coriolis_forces": (dynamics.coriolis_forces, ("q", "v")),
    "forward_dynamics": (dynamics.forward_dynamics, ("q", "v", "tau")),
    "mass_matrix": (dynamics.mass_matrix, ("q",)),
    "com": (dynamics.com, ("q",)),
    "com_velocity": (dynamics.com_velocity, ("q", "v")),
    "com_acceleration": (dynamics.com_acceleration, ("q", "v", "vdot")),
    "angular_momentum": (dynamics.angular_momentum, ("q", "v")),
    "kinetic_energy": (dynamics.kinetic_energy, ("q", "v")),
    "potential_energy": (dynamics.potential_energy, ("q",)),
    "mount_wrench": (dynamics.mount_wrench, ("q", "v", "vdot")),
    "mount_force": (dynamics.mount_force, ("q", "v", "vdot")),
    "mount_force as printed": (partial(dynamics.mount_force, law="printed"), ("q", "v", "vdot")),
    "jacobian_rate": (kinematics.jacobian_rate, ("q", "v")),
    "centroidal_momentum_matrix": (dynamics.centroidal_momentum_matrix, ("q",)),
    "centroidal_momentum_matrix_rate": (dynamics.centroidal_momentum_matrix_rate, ("q", "v")),
    "reaction_null_space": (dynamics.reaction_null_space, ("q",)),
    "dynamics_regressor": (dynamics.dynamics_regressor, ("q", "v", "vdot")),
    "inverse_dynamics_derivatives": (stacked(dynamics.inverse_dynamics_derivatives), ("q", "v", "vdot")),
    "forward_dynamics_derivatives": (stacked(dynamics.forward_dynamics_derivatives), ("q", "v", "tau")),
    "singular_values": (kinematics.singular_values, ("q",)),
    "manipulability": (kinematics.manipulability, ("q",)),
}
OF_SOME_ARMS = ("arm_angle", "satisfy_constraints", "constraint_residual", "constraint_jacobian")
"""These take a configuration of a certain kind of robot alone; their own tests hold batches and bad input."""


def arguments(model: Model, names: tuple[str, ...], seed: int, shape: tuple[int, ...] = ()) -> list[np.ndarray]:
    """Random arguments with leading axes `shape`; numbers are multiples of 1/64, so float32 holds them exactly."""
    rng = np.random.default_rng(seed)
    widths = {"q": (model.nq,), "v": (model.nv,), "vdot": (model.nv,), "tau": (model.nv,), "dt": ()}
    return [np.round(rng.uniform(-2, 2, (*shape, *widths[name])) * 64) / 64 for name in names]
