"""The mass matrix: symmetric, positive, and column by column what inverse dynamics says."""

import numpy as np
import pytest
from random_models import random_state, random_tree, relative_error

from carpal.dynamics import inverse_dynamics, kinetic_energy, mass_matrix
from carpal.model import Body, Joint, Model
from carpal.spatial import Inertia, pose


def test_columns_are_the_forces_of_unit_accelerations(figure) -> None:
    worst = 0.0
    for seed in range(20):
        model = random_tree(seed, free="anywhere").replace(gravity=[0, 0, 0])
        q, _, _ = random_state(model, np.random.default_rng(seed))
        M = mass_matrix(model, q)
        worst = max(worst, relative_error(inverse_dynamics(model, q, np.zeros(model.nv), np.eye(model.nv)).T, M))
        assert np.array_equal(M, M.T)
        assert np.linalg.eigvalsh(M)[0] > 0
    figure("mass matrix against unit accelerations in inverse dynamics, 20 trees: largest error", worst, 1e-12)


def test_kinetic_energy_is_its_quadratic_form(figure) -> None:
    model = random_tree(3, free="anywhere")
    q, v, _ = random_state(model, np.random.default_rng(0), (50,))
    expected = 0.5 * np.einsum("bi,bij,bj->b", v, mass_matrix(model, q), v)
    figure("kinetic energy against 1/2 v M v, 50 states", relative_error(kinetic_energy(model, q, v), expected), 1e-13)


def test_joints_of_different_branches_do_not_meet() -> None:
    body = Inertia(1.0, np.array([0.1, 0.2, 0.3]), 0.1 * np.eye(3))
    left = Body("left", None, Joint("a", "revolute"), body)
    right = Body("right", None, Joint("b", "revolute", X_PJ=pose(p=[1, 0, 0]), armature=0.25), body)
    M = mass_matrix(Model(name="two", bodies=(left, right)), [0.3, 0.4])
    about_z = 0.1 + 0.1**2 + 0.2**2
    assert np.allclose(M, np.diag([about_z, about_z + 0.25]), rtol=0, atol=1e-15)


def test_a_free_body_s_matrix_holds_its_mass() -> None:
    model = Model(
        name="b", bodies=(Body("b", None, Joint("j", "free"), Inertia(2.0, np.zeros(3), np.diag([1, 2, 3]))),)
    )
    assert mass_matrix(model, model.q_home) == pytest.approx(np.diag([2, 2, 2, 1, 2, 3]))
