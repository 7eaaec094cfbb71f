"""Coordinates of bodies: there and back, derivatives, and only bodies that can exist."""

from __future__ import annotations

import numpy as np
from identification_inputs import ten_of

from carpal.dynamics.pseudo_inertia import body_jacobian, body_parameters, coordinates_of, parameters_of, pseudo_inertia
from carpal.spatial import Inertia


def random_body(rng):
    """A body of positive point masses, which is one that can exist."""
    masses, points = rng.uniform(0.1, 1.0, 12), rng.normal(size=(12, 3))
    return ten_of(sum((Inertia.point(m, p) for m, p in zip(masses, points, strict=True)), Inertia.nothing()))


def test_coordinates_lead_back_to_the_body_and_the_pseudo_inertia_is_that_of_its_points():
    rng = np.random.default_rng(0)
    for _ in range(20):
        masses, points = rng.uniform(0.1, 1.0, 12), rng.normal(size=(12, 3))
        ten = ten_of(sum((Inertia.point(m, p) for m, p in zip(masses, points, strict=True)), Inertia.nothing()))
        flat = np.column_stack([points, np.ones(12)])
        np.testing.assert_allclose(pseudo_inertia(ten), (flat.T * masses) @ flat, atol=1e-12)
        np.testing.assert_allclose(parameters_of(pseudo_inertia(ten)), ten, atol=1e-12)
        np.testing.assert_allclose(body_parameters(coordinates_of(ten)), ten, atol=1e-11)


def test_any_ten_numbers_are_a_body_that_can_exist():
    rng = np.random.default_rng(1)
    for _ in range(50):
        assert np.linalg.eigvalsh(pseudo_inertia(body_parameters(rng.normal(size=10)))).min() > 0.0


def test_the_derivative_equals_finite_differences():
    rng = np.random.default_rng(2)
    for _ in range(5):
        eta = coordinates_of(random_body(rng))
        J = body_jacobian(eta)
        for i in range(10):
            d = 1e-6 * np.eye(10)[i]
            np.testing.assert_allclose(J[:, i], (body_parameters(eta + d) - body_parameters(eta - d)) / 2e-6, atol=1e-7)


def test_bodies_that_cannot_exist_are_moved_inside():
    for ten in (
        np.zeros(10),
        np.array([1.0, 0, 0, 0, 1.0, 0.1, 0.1, 0, 0, 0]),
        np.array([-1.0, 0, 0, 0, 1, 1, 1, 0, 0, 0]),
    ):
        eta = coordinates_of(ten)
        assert np.isfinite(eta).all() and np.linalg.eigvalsh(pseudo_inertia(body_parameters(eta))).min() > 0.0
