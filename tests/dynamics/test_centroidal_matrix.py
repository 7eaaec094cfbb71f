"""Centroidal momentum matrix: the momentum itself, its rate by finite differences, and Pinocchio's."""

import numpy as np
import pinocchio as pin
import pytest
from oracle.converters import Pinocchio
from random_models import random_chain, random_state, random_tree, relative_error

from carpal.dynamics import (
    angular_momentum,
    centroidal_momentum_matrix,
    centroidal_momentum_matrix_rate,
    com_acceleration,
    com_velocity,
    mount_wrench,
    reaction_null_space,
)
from carpal.errors import InputError, UnknownNameError
from carpal.kinematics import integrate
from carpal.model import Model


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


def test_motions_in_the_reaction_null_space_leave_the_mount_alone(figure):
    """A motion with v = N s(t), differenced and given to the recursion that calculates the mount's wrench."""
    arm = random_chain(3, 10, kinds=("revolute",)).replace(gravity=np.zeros(3))
    rng = np.random.default_rng(0)
    wish, q, dt = rng.normal(size=10), 0.3 * rng.normal(size=10), 1e-4

    def rate(q):
        return reaction_null_space(arm, q) @ wish

    for components in (("fx", "fy", "fz", "mx", "my", "mz"), ("fx", "fy"), ("mz",)):
        N = reaction_null_space(arm, np.stack([q, -q]), components)
        assert np.array_equal(N[0], reaction_null_space(arm, q, components))
        assert np.allclose(N @ N, N, atol=1e-12) and np.allclose(N, np.swapaxes(N, -1, -2), atol=1e-12)
        assert np.isclose(np.trace(N[0]), 10 - len(components))
    v = rate(q)
    vdot = (rate(q + dt * v) - rate(q - dt * v)) / (2 * dt)
    felt = np.abs(_at_the_origin(arm, q, v, vdot)).max()
    usual = np.abs(_at_the_origin(arm, q, wish, np.zeros(10))).max()
    figure("wrench of a motion in the reaction null space, share of another one's", felt / usual, 1e-6)
    assert np.abs(v).max() > 0.05
    for wrong, error in ((("fz", "up"), UnknownNameError), ((), InputError)):
        with pytest.raises(error):
            reaction_null_space(arm, q, wrong)


def _at_the_origin(arm: Model, q, v, vdot):
    """The mount's wrench about the world's origin."""
    wrench = mount_wrench(arm, q, v, vdot)
    joint = arm.bodies[0].joint
    at = (joint.X_PJ @ joint.X_JB if joint.kind == "fixed" else joint.X_PJ)[:3, 3]
    return np.r_[wrench[:3], wrench[3:] + np.cross(at, wrench[:3])]
