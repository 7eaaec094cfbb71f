"""A trajectory is its polynomials: values, derivatives, rest outside, samples, slowing."""

import numpy as np
import pytest

from carpal.errors import InputError
from carpal.planning import Trajectory

NAMES = ("a", "b")


def random_trajectory(seed=0, pieces=4, degree=6):
    rng = np.random.default_rng(seed)
    times = np.concatenate([[0.0], np.cumsum(rng.uniform(0.2, 1.0, pieces))])
    return Trajectory(times, rng.normal(size=(pieces, degree + 1, 2)), NAMES)


def test_values_are_numpy_s_polynomials():
    motion = random_trajectory()
    for i in range(4):
        x = np.linspace(0, motion.times[i + 1] - motion.times[i], 7)[:-1]
        q, v, a = motion.at(motion.times[i] + x)
        for j in range(2):
            p = np.polynomial.Polynomial(motion.coefficients[i, :, j])
            assert np.allclose(q[:, j], p(x)) and np.allclose(v[:, j], p.deriv()(x))
            assert np.allclose(a[:, j], p.deriv(2)(x))


def test_at_rest_before_and_after():
    motion = random_trajectory()
    q, v, a = motion.at([-1.0, motion.duration + 1.0])
    assert np.array_equal(q[0], motion.q_start) and np.array_equal(q[1], motion.q_end)
    assert not v.any() and not a.any()


def test_samples_reach_the_end():
    motion = random_trajectory()
    q, v, vdot = motion.sample(0.033)
    assert q.shape == v.shape == vdot.shape == (int(np.ceil(motion.duration / 0.033)) + 1, 2)
    assert np.array_equal(q[0], motion.q_start) and np.array_equal(q[-1], motion.q_end)


def test_slower_is_the_same_path():
    motion = random_trajectory()
    slow = motion.slowed(2.5)
    t = np.linspace(0.01, motion.duration - 0.01, 50)
    (q, v, a), (q2, v2, a2) = motion.at(t), slow.at(2.5 * t)
    assert np.allclose(q, q2) and np.allclose(v, 2.5 * v2) and np.allclose(a, 2.5**2 * a2)


def test_one_sentence():
    assert str(random_trajectory()).startswith("motion of 2 joints") and "4 pieces" in random_trajectory().status


@pytest.mark.parametrize("dt", [0.0, -1.0, np.nan, np.inf, "fast", True, 1e-12])
def test_a_bad_dt_is_refused(dt):
    with pytest.raises(InputError, match="dt"):
        random_trajectory().sample(dt)


def test_what_is_no_trajectory_is_refused():
    c = np.zeros((1, 3, 2))
    for times, coefficients, says in (
        (np.array([0.0]), c, "coefficients"),
        (np.array([0.0, 1.0]), np.zeros((2, 3, 2)), "coefficients"),
        (np.array([0.5, 1.0]), c, "rise from 0"),
        (np.array([0.0, 0.0]), c, "rise from 0"),
        (np.array([0.0, np.nan]), c, "rise from 0"),
        (np.array([0.0, 1.0]), np.full((1, 3, 2), np.nan), "finite"),
    ):
        with pytest.raises(InputError, match=says):
            Trajectory(times, coefficients, NAMES)
    with pytest.raises(InputError, match="finite"):
        random_trajectory().at(np.nan)
    with pytest.raises(InputError, match="1 or more"):
        random_trajectory().slowed(0.5)
