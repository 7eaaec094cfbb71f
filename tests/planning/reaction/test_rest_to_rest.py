"""Rest-to-rest splines: the basis is scipy's, both ends are at rest, the quintic is one of them, derivatives are theirs."""

import numpy as np
import pytest
from scipy.interpolate import BSpline

from carpal.errors import InputError
from carpal.planning.reaction.rest_to_rest import JointSpline, quintic_spline, quintic_weights, spline_basis

S = np.linspace(0.0, 1.0, 113)


def random_spline(spans, nq=3, duration=1.7, seed=0):
    rng = np.random.default_rng(seed)
    control = rng.normal(size=(spans + 5, nq))
    control[:3], control[-3:] = control[0], control[-1]
    return JointSpline(control, duration)


@pytest.mark.parametrize("spans", [1, 2, 7, 24])
@pytest.mark.parametrize("derivative", [0, 1, 2, 3])
def test_the_basis_is_scipy_s(spans, derivative):
    knots = np.concatenate([np.zeros(5), np.linspace(0, 1, spans + 1), np.ones(5)])
    spline = BSpline(knots, np.eye(spans + 5), 5)
    expected = spline.derivative(derivative)(S) if derivative else spline(S)
    assert np.allclose(spline_basis(S, spans, derivative), expected, rtol=1e-10, atol=1e-12 * spans**derivative)


@pytest.mark.parametrize("spans", [1, 6, 12, 24])
def test_the_quintic_is_a_member_for_any_number_of_spans(spans):
    a, b = np.array([0.3, -1.0]), np.array([1.1, 0.4])
    q, v, vdot = quintic_spline(a, b, 2.0, spans).at(2.0 * S)
    way = (b - a)[None]
    assert np.allclose(q, a + (S**3 * (10 - 15 * S + 6 * S**2))[:, None] * way, atol=1e-13)
    assert np.allclose(v, (30 * S**2 * (1 - S) ** 2 / 2.0)[:, None] * way, atol=1e-12)
    assert np.allclose(vdot, (60 * S * (1 - S) * (1 - 2 * S) / 4.0)[:, None] * way, atol=1e-11)
    assert quintic_weights(spans)[2] == 0.0 and quintic_weights(spans)[-3] == 1.0


@pytest.mark.parametrize("spans", [2, 6, 24])
def test_both_ends_are_at_rest(spans):
    """Speed grows with the square of the distance to an end, acceleration with its first power: rest is in the limit too."""
    motion = random_spline(spans)
    for end in (0.0, motion.duration):
        inward = 1.0 if end == 0.0 else -1.0
        q, v, vdot = motion.at([end, end + inward * 1e-5, end + inward * 1e-6])
        assert np.array_equal(v[0], np.zeros(3)) and np.array_equal(vdot[0], np.zeros(3))
        assert np.array_equal(q[0], motion.control[0 if end == 0.0 else -1])
        assert np.allclose(v[2], 1e-2 * v[1], rtol=1e-2, atol=1e-13)
        assert np.allclose(vdot[2], 1e-1 * vdot[1], rtol=1e-2, atol=1e-10)


def test_speed_and_acceleration_are_the_derivatives(figure):
    motion = random_spline(6)
    h, times = 1e-4, np.linspace(0.05, 1.65, 40)
    before, here, after = (motion.at(times + k * h) for k in (-1, 0, 1))
    speed = np.abs((after[0] - before[0]) / (2 * h) - here[1]).max() / np.abs(here[1]).max()
    acceleration = np.abs((after[1] - before[1]) / (2 * h) - here[2]).max() / np.abs(here[2]).max()
    figure("rest-to-rest spline: speed against central differences, relative", speed, 1e-5)
    figure("rest-to-rest spline: acceleration against central differences, relative", acceleration, 1e-5)


def test_samples_cover_the_motion_and_the_rest_after_it():
    motion = random_spline(4, duration=1.0)
    q, v, vdot = motion.sample(0.25)
    assert q.shape == v.shape == vdot.shape == (5, 3)
    assert np.array_equal(q[-1], motion.control[-1])
    q, v, _ = motion.sample(0.3)  # 0.3 does not divide 1.0: the last sample, at 1.2 s, is the rest after the end
    assert len(q) == 5 and np.array_equal(q[-1], motion.control[-1]) and not v[-1].any()
    assert len(motion.sample(0.001)[0]) == 1001


@pytest.mark.parametrize("dt", [0.0, -1.0, np.nan, "fast"])
def test_a_step_that_is_none_is_refused(dt):
    with pytest.raises(InputError, match="dt must be a number above zero"):
        random_spline(2).sample(dt)
