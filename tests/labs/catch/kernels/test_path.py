"""Cubics between knots, attitudes of their angles, the digits' straight lines."""

import numpy as np
import pytest

from carpal.labs.catch.kernels.path import TARGET_COLUMNS, angles_of, attitude, closed_share, path_at, turning
from carpal.labs.catch.plan import closing, knot
from carpal.spatial import rotation_vector, zxz_from_rotation

RNG = np.random.default_rng(5)


def target(knots, t):
    out = np.zeros((1, TARGET_COLUMNS))
    path_at(np.array(knots).ravel()[None], 0, t, out, 0)
    return out[0]


def test_between_knots_at_rest_it_is_the_thesis_cubic():
    a, b = RNG.normal(size=(2, 6))
    for s in (0.0, 0.2, 0.5, 0.9, 1.0, 1.5):
        got = target([knot(1.0, a), knot(3.0, b)], 1.0 + 2.0 * s)
        u = min(s, 1.0)
        np.testing.assert_allclose(got[:6], a + (3 * u**2 - 2 * u**3) * (b - a), atol=1e-14)
        np.testing.assert_allclose(got[6:], (6 * u - 6 * u**2) * (b - a) / 2, atol=1e-14)


def test_rates_are_the_derivatives_and_knots_are_met():
    knots = [
        knot(0.0, *RNG.normal(size=(2, 6))),
        knot(0.7, *RNG.normal(size=(2, 6))),
        knot(1.5, *RNG.normal(size=(2, 6))),
    ]
    np.testing.assert_allclose(target(knots, 0.7)[:6], knots[1][1:7], atol=1e-14)
    np.testing.assert_allclose(target(knots, 0.7 - 1e-12)[6:], knots[1][7:], atol=1e-9)
    for t in (0.1, 0.5, 0.8, 1.3):
        slope = (target(knots, t + 1e-6)[:6] - target(knots, t - 1e-6)[:6]) / 2e-6
        np.testing.assert_allclose(target(knots, t)[6:], slope, atol=1e-7)


def test_angles_and_angular_velocity():
    for _ in range(20):
        angles, rates = RNG.uniform([0.1, -3, -3], [3, 3, 3]), RNG.normal(size=3)
        R = np.reshape(attitude(*angles), (3, 3))
        np.testing.assert_allclose(angles_of(tuple(R.ravel())), zxz_from_rotation(R), atol=1e-12)
        later, sooner = (np.reshape(attitude(*(angles + h * rates)), (3, 3)) for h in (1e-6, -1e-6))
        w = rotation_vector(later @ sooner.T) / 2e-6
        np.testing.assert_allclose(turning(tuple(R.ravel()), angles[2], tuple(rates)), w, atol=1e-8)


def test_a_straight_up_attitude_has_angles_too():
    assert angles_of((1.0, 0, 0, 0, 1.0, 0, 0, 0, 1.0)) == (0.0, 0.0, 0.0)  # erratum E3: the true singular attitude


@pytest.mark.parametrize(("how", "rate"), [("ramp", 50.0), ("kick", 5e4), ("step", 0.0)])
def test_the_digits_close_as_they_are_told(how, rate):
    knots = closing(0.73, 1.95, how, 2e-5).ravel()[None]
    assert closed_share(knots, 0, 0.7) == (0.0, 0.0)
    share, speed = closed_share(knots, 0, 0.73 + 1e-9)
    assert share == pytest.approx(1.0 if how == "step" else 0.0, abs=1e-4)
    assert speed == pytest.approx(rate)
    assert closed_share(knots, 0, 1.0) == (1.0, 0.0)
    assert closed_share(knots, 0, 2.5) == (0.0, 0.0)
