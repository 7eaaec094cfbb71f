"""A tendon pulls along its joints, never pushes, and its damper's share is booked apart."""

import numpy as np

from carpal.engines.rigid.kernels.tendons import tendon_forces, tension

# two joints; s = 2 q0 - q1; k = 10, d = 3, T0 = 4
TABLE = np.array([[2.0, -1.0, 2.0, -1.0, 10.0, 3.0, 4.0]])


def at(q: tuple[float, float], v: tuple[float, float]) -> tuple[np.ndarray, np.ndarray]:
    return np.array([[9.0, 9.0], q]), np.array([[9.0, 9.0], v])


def test_tension_is_elastic_and_damped_and_never_negative() -> None:
    assert tension(TABLE, 0, *at((0.1, 0.0), (0.0, 0.0)), 1) == (6.0, 6.0)
    assert tension(TABLE, 0, *at((0.1, 0.0), (1.0, 0.0)), 1) == (6.0, 12.0)
    assert tension(TABLE, 0, *at((0.1, 0.0), (-2.0, 0.0)), 1) == (6.0, 0.0)
    assert tension(TABLE, 0, *at((-0.3, 0.0), (5.0, 0.0)), 1) == (0.0, 0.0)


def test_forces_are_minus_the_coefficients_times_the_tension() -> None:
    passive, force = np.zeros((2, 2)), np.ones((2, 2))
    tendon_forces(TABLE, *at((0.1, 0.0), (1.0, 0.0)), passive, force, 1)
    assert np.allclose(passive, [[0, 0], [-12.0, 6.0]])
    assert np.allclose(force, [[1, 1], [1 - 24.0, 1 + 12.0]])
