"""Families of motions: what their numbers mean, and that refining changes nothing."""

import numpy as np
import pytest

from carpal.planning.reaction.move_families import free_family, free_numbers, posture_family, refined, timing_family
from carpal.planning.reaction.rest_to_rest import JointSpline, quintic_spline, quintic_weights

A, B = np.array([0.1, -0.4, 0.3]), np.array([1.0, 0.5, -0.7])


@pytest.mark.parametrize("spans", [2, 6, 12])
def test_the_quintic_is_in_every_family(spans):
    expected = quintic_spline(A, B, 1.0, spans).control
    free = free_family(A, spans)
    assert np.allclose(free.control(free_numbers(JointSpline(expected, 1.0))), expected, atol=1e-15)
    assert np.allclose(timing_family(A, B, spans).control(quintic_weights(spans)[3:-3]), expected, atol=1e-14)
    assert np.allclose(posture_family(A).control(B), quintic_spline(A, B, 1.0).control, atol=1e-15)


def test_the_lead_moves_the_end_by_what_it_is_given():
    rng = np.random.default_rng(0)
    for family, size in ((free_family(A, 6), 18), (posture_family(A), 3)):
        x, step = rng.normal(size=size), rng.normal(size=3)
        before, after = family.control(x), family.control(x + family.lead @ step)
        assert np.allclose(after[-1] - before[-1], step, atol=1e-14)
        assert np.array_equal(after[:3], before[:3])


def test_any_member_is_at_rest_at_both_ends():
    rng = np.random.default_rng(1)
    for family, size in ((free_family(A, 6), 18), (timing_family(A, B, 6), 5), (posture_family(A), 3)):
        control = family.control(rng.normal(size=size))
        assert np.array_equal(control[:3], np.stack([A] * 3))
        assert np.array_equal(control[-1], control[-2]) and np.array_equal(control[-1], control[-3])


def test_timing_stays_on_the_straight_path():
    q, _, _ = JointSpline(timing_family(A, B, 8).control(np.random.default_rng(2).uniform(0, 1, 7)), 1.0).sample(0.01)
    along = (q - A) @ (B - A) / ((B - A) @ (B - A))
    assert np.allclose(q, A + along[:, None] * (B - A), atol=1e-14)


@pytest.mark.parametrize("spans", [12, 24])
def test_refining_keeps_the_motion(spans):
    rng = np.random.default_rng(3)
    family = free_family(A, 6)
    motion = JointSpline(family.control(rng.normal(size=18)), 1.3)
    for old, new in zip(motion.sample(0.01), refined(motion, spans).sample(0.01), strict=True):
        assert np.allclose(old, new, rtol=1e-9, atol=1e-9 * np.abs(old).max())
