"""The finger's terms against its energies, from positions and differentiated numerically, and the sheet's closed forms."""

import numpy as np
import pytest
from finger_inputs import facts_finger, kinetic, potential, random_finger, random_load, slope

from carpal.dynamics import coriolis_forces, mass_matrix
from carpal.labs.finger.kernels import terms

RNG = np.random.default_rng(7)
CASES = [(random_finger(RNG), random_load(RNG), RNG.uniform(-1.5, 1.5, 3), RNG.normal(0, 8, 3)) for _ in range(8)]
TO_Q = np.diff(np.eye(3), axis=0, prepend=0.0)


def rows(finger):
    return finger.row[None]


def full(six):
    a, b, c, d, e, f = six
    return np.array([[a, b, c], [b, d, e], [c, e, f]])


@pytest.mark.parametrize(("finger", "load", "theta", "w"), CASES)
def test_energies(finger, load, theta, w):
    s, c = terms.sines(tuple(theta))
    q, v = TO_Q @ theta, TO_Q @ w
    K = terms.kinetic(terms.mass_entries(rows(finger), 0, s, c), tuple(w))
    assert pytest.approx(kinetic(finger, q, v), rel=1e-12) == K
    U = terms.gravity_energy(rows(finger), 0, s, c) + terms.spring_energy(rows(finger), 0, tuple(q))
    assert pytest.approx(potential(finger, q), rel=1e-12, abs=1e-15) == U


@pytest.mark.parametrize(("finger", "load", "theta", "w"), CASES)
def test_moments_are_slopes_of_the_energies(finger, load, theta, w):
    s, c = terms.sines(tuple(theta))
    given = tuple(load.rows())
    still = type(load)(load.torque, load.tension, load.tip_force, 0.0, load.tip_moment)
    expected = -slope(lambda x: potential(finger, TO_Q @ x, still), theta)
    n, L = float(load.tip_across), finger.length
    expected = expected + n * L * np.cos(theta[2] - theta)  # F-3: across the last phalanx
    assert np.allclose(terms.static_moments(rows(finger), 0, tuple(theta), s, c, given), expected, rtol=0, atol=1e-11)
    K = slope(lambda x: kinetic(finger, TO_Q @ x, TO_Q @ w), theta)
    assert np.allclose(terms.configuration_moments(rows(finger), 0, s, c, tuple(w)), K, rtol=0, atol=1e-9)


@pytest.mark.parametrize(("finger", "load", "theta", "w"), CASES)
def test_stiffness_is_the_slope_of_the_moments(finger, load, theta, w):
    s, c = terms.sines(tuple(theta))
    still = type(load)(load.torque, load.tension, load.tip_force, 0.0, load.tip_moment)
    given = tuple(still.rows())

    def moments(x):
        return np.array(terms.static_moments(rows(finger), 0, tuple(x), *terms.sines(tuple(x)), given))

    H = full(terms.stiffness_entries(rows(finger), 0, s, c, given))
    assert np.allclose(H, -slope(moments, theta), rtol=0, atol=1e-10)


@pytest.mark.parametrize(("finger", "load", "theta", "w"), CASES)
def test_the_inertial_moments_are_those_of_the_library(finger, load, theta, w):
    """In joint angles, M is CRBA's, and d/dt (M w) - dK/dtheta at constant rates is RNEA's Coriolis term."""
    s, c = terms.sines(tuple(theta))
    q, v = TO_Q @ theta, TO_Q @ w
    to_theta = np.linalg.inv(TO_Q)
    M = full(terms.mass_entries(rows(finger), 0, s, c))
    assert np.allclose(to_theta.T @ M @ to_theta, mass_matrix(finger.chain, q), rtol=1e-10)

    def momentum(x):
        return np.array(terms.times(terms.mass_entries(rows(finger), 0, *terms.sines(tuple(x))), tuple(w)))

    inertial = slope(momentum, theta) @ w - terms.configuration_moments(rows(finger), 0, s, c, tuple(w))
    assert np.allclose(to_theta.T @ inertial, coriolis_forces(finger.chain, q, v), rtol=0, atol=1e-8)


def test_small_solves():
    M = terms.mass_entries(rows(CASES[0][0]), 0, *terms.sines((0.3, -0.4, 0.9)))
    b = (0.3, -0.1, 0.7)
    assert np.allclose(full(M) @ terms.solved(M, b), b, rtol=1e-12)
    assert np.allclose(full(terms.inverse_entries(M)) @ full(M), np.eye(3), atol=1e-11)


def test_the_sheets_constants():
    """X and Y of the facts sheet, with I about the joint for the first phalanx and about the mass centre for the others."""
    L, m, g = np.array((0.045, 0.030, 0.025)), np.array((0.015, 0.010, 0.008)), 9.81
    row = facts_finger().row
    I1, I2, I3 = m[0] * L[0] ** 2 / 3, m[1] * L[1] ** 2 / 12, m[2] * L[2] ** 2 / 12
    X1 = (I1 + (m[1] + m[2]) * L[0] ** 2) / 2
    X2 = I2 / 2 + m[1] * L[1] ** 2 / 8 + m[2] * L[1] ** 2 / 2
    X3 = I3 / 2 + m[2] * L[2] ** 2 / 8
    assert np.allclose(row[:3], (2 * X1, 2 * X2, 2 * X3), rtol=1e-13)
    X4, X5, X6 = (m[1] / 2 + m[2]) * L[0] * L[1], m[2] * L[0] * L[2] / 2, m[2] * L[1] * L[2] / 2
    assert np.allclose(row[3:6], (X4, X5, X6), rtol=1e-13)
    Y = ((m[0] / 2 + m[1] + m[2]) * g * L[0], (m[1] / 2 + m[2]) * g * L[1], m[2] * g * L[2] / 2)
    assert np.allclose(-row[10] * row[6:9], Y, rtol=1e-13)
    H = full(terms.stiffness_entries(row[None], 0, *terms.sines((0.0, 0.0, 0.0)), (0.0,) * 8))
    k = (0.05, 0.03, 0.02)
    assert np.allclose(np.diag(H), (k[0] + k[1] - Y[0], k[1] + k[2] - Y[1], k[2] - Y[2]))
    assert np.allclose((H[0, 1], H[1, 2], H[0, 2]), (-k[1], -k[2], 0))


def test_loads_between():
    a, b = tuple(np.arange(8.0)), tuple(np.arange(8.0) * -2)
    assert terms.between(a, b, 0.0) == a and terms.between(a, b, 1.0) == b
    assert np.allclose(terms.between(a, b, 0.25), 0.75 * np.array(a) + 0.25 * np.array(b))
    assert terms.load_row(np.array([a, b]), 1) == b
    assert np.allclose(terms.relative(terms.absolute((0.1, 0.2, 0.3))), (0.1, 0.2, 0.3))
