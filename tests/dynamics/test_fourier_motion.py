"""Motions for identification: inside the limits, at rest at both ends, rates that are derivatives."""

from __future__ import annotations

import numpy as np
import pytest
from identification_inputs import three_joints

from carpal.dynamics import exciting_motion
from carpal.errors import InputError


def test_the_motion_is_inside_its_share_of_the_limits_and_at_rest_at_its_ends():
    model = three_joints()
    motion = exciting_motion(model, 10.0, 0.01, share=0.7, tries=3, seed=4)
    assert (motion.q >= model.q_min).all() and (motion.q <= model.q_max).all()
    assert (np.abs(motion.v) <= 0.7 * model.v_max + 1e-12).all()
    assert (np.ptp(motion.q, axis=0) <= 0.7 * (model.q_max - model.q_min) + 1e-12).all()
    np.testing.assert_allclose(motion.v[[0, -1]], 0.0, atol=1e-10)
    np.testing.assert_allclose(motion.vdot[[0, -1]], 0.0, atol=1e-9)
    np.testing.assert_allclose(motion.q[0], motion.q[-1], atol=1e-10)


def test_rates_are_the_derivatives_of_the_positions():
    motion = exciting_motion(three_joints(), 10.0, 0.001, tries=1)
    np.testing.assert_allclose(np.gradient(motion.q, 0.001, axis=0)[1:-1], motion.v[1:-1], atol=1e-5)
    np.testing.assert_allclose(np.gradient(motion.v, 0.001, axis=0)[1:-1], motion.vdot[1:-1], atol=1e-4)


def test_same_seed_same_motion_and_bad_options_are_refused():
    model = three_joints()
    first, again, other = (exciting_motion(model, 5.0, 0.05, tries=2, seed=seed) for seed in (1, 1, 2))
    assert np.array_equal(first.q, again.q) and not np.array_equal(first.q, other.q)
    with pytest.raises(InputError, match="needs 0 < dt < duration"):
        exciting_motion(model, 1.0, 2.0)
