"""Filtering and differentiating recordings: a sine comes through with its rates, noise does not."""

from __future__ import annotations

import numpy as np
import pytest

from carpal.dynamics import smooth_motion
from carpal.errors import InputError


def test_a_slow_motion_passes_with_its_rates():
    t = 0.001 * np.arange(8000)
    q = np.column_stack([np.sin(2 * t), 0.5 * np.cos(3 * t)])
    found = smooth_motion(t, q, 10.0 * q, cutoff=10.0)
    x, inner = found.time, slice(5, -5)
    np.testing.assert_allclose(found.q[inner], np.column_stack([np.sin(2 * x), 0.5 * np.cos(3 * x)])[inner], atol=1e-6)
    np.testing.assert_allclose(
        found.v[inner], np.column_stack([2 * np.cos(2 * x), -1.5 * np.sin(3 * x)])[inner], atol=1e-5
    )
    np.testing.assert_allclose(
        found.vdot[inner], np.column_stack([-4 * np.sin(2 * x), -4.5 * np.cos(3 * x)])[inner], atol=1e-4
    )
    np.testing.assert_allclose(found.tau, 10.0 * found.q, atol=1e-9)


def test_kept_samples_of_white_noise_are_nearly_independent():
    rng = np.random.default_rng(0)
    t = 0.001 * np.arange(40_000)
    tau = rng.normal(size=(40_000, 3))
    noise = smooth_motion(t, np.zeros((40_000, 3)), tau, cutoff=10.0).tau
    for series in noise.T:
        assert abs(np.corrcoef(series[:-1], series[1:])[0, 1]) < 0.25
    assert noise.std() < 0.2


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"time": np.zeros(3)}, "need shapes"),
        ({"time": np.arange(4000.0) ** 2}, "rise in equal steps"),
        ({"cutoff": 900.0}, "cutoff must be above 0 and below 400 Hz"),
        ({"cutoff": 0.5}, "record longer"),
        ({"tau": np.full((4000, 2), np.nan)}, "must be finite|all numbers"),
    ],
)
def test_what_cannot_be_used_is_refused(change, said):
    given = {"time": 0.001 * np.arange(4000), "q": np.zeros((4000, 2)), "tau": np.zeros((4000, 2))} | change
    with pytest.raises(InputError, match=said):
        smooth_motion(**given)
