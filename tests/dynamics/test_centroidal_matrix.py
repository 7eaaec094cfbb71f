"""Centroidal momentum matrix: the momentum itself, its rate by finite differences, and Pinocchio's."""

import numpy as np
import pinocchio as pin
from oracle.converters import Pinocchio
from random_models import random_chain, random_state, random_tree, relative_error

from carpal.dynamics import (
    angular_momentum,
    centroidal_momentum_matrix,
    centroidal_momentum_matrix_rate,
    com_acceleration,
    com_velocity,
)
from carpal.kinematics import integrate


def test_it_gives_the_momentum_and_its_rate(figure):
    worst = {"linear momentum": 0.0, "angular momentum": 0.0, "its rate": 0.0, "force": 0.0}
    for seed in range(10):
        model = random_tree(seed, free="anywhere")
        q, v, vdot = random_state(model, np.random.default_rng(seed))
        A, rate = centroidal_momentum_matrix(model, q), centroidal_momentum_matrix_rate(model, q, v)
        mass = sum(body.inertia.mass for body in model.bodies if body.inertia is not None)
        worst["linear momentum"] = max(
            worst["linear momentum"], relative_error(A[:3] @ v, mass * com_velocity(model, q, v))
        )
        worst["angular momentum"] = max(
            worst["angular momentum"], relative_error(A[3:] @ v, angular_momentum(model, q, v))
        )
        force = A[:3] @ vdot + rate[:3] @ v
        worst["force"] = max(worst["force"], relative_error(force, mass * com_acceleration(model, q, v, vdot)))
        h = 1e-6
        ahead, behind = (centroidal_momentum_matrix(model, integrate(model, q, v, s * h)) for s in (1, -1))
        worst["its rate"] = max(worst["its rate"], relative_error(rate, (ahead - behind) / (2 * h)))
    for what, error in worst.items():
        figure(f"centroidal momentum matrix, {what}, 10 trees: relative error", error, 1e-6 if "rate" in what else 1e-9)


def test_against_pinocchio(figure):
    worst = 0.0
    for seed in range(20):
        model = random_chain(seed, 3 + seed % 9, kinds=("revolute", "prismatic"))
        oracle = Pinocchio(model)
        if oracle.fixed_mass:
            continue
        q, v, _ = random_state(model, np.random.default_rng(seed))
        T = oracle.rates(q)
        pin.dccrba(oracle.model, oracle.data, oracle.q(q), T @ v)
        worst = max(worst, relative_error(centroidal_momentum_matrix(model, q), oracle.data.Ag @ T))
        worst = max(worst, relative_error(centroidal_momentum_matrix_rate(model, q, v), oracle.data.dAg @ T))
    figure("centroidal momentum matrix and its rate against Pinocchio: relative error", worst, 1e-9)
