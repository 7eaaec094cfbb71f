"""The filter's kernel: variance of a reading, steady gain."""

import numpy as np
import pytest

from carpal.labs.retrieve import GripperSettings
from carpal.labs.retrieve.gripper.kernels.position_filter import filtered, reading_variance

SETTINGS = GripperSettings()
NUMBERS = SETTINGS.filter_table()


def test_variance_doubles_at_the_noise_current():
    assert reading_variance(NUMBERS, 0.0) == pytest.approx(SETTINGS.reading_deviation**2)
    assert reading_variance(NUMBERS, -SETTINGS.noise_current) == pytest.approx(2 * SETTINGS.reading_deviation**2)


def test_the_steady_gain_solves_the_riccati_equation():
    x, variance = 0.0, 1.0
    for _ in range(500):
        x, variance = filtered(NUMBERS, 2250.0, x, variance, 0.02, 0.0, 0.0, 0.0, 0.0)
    q, r = (0.02 * SETTINGS.speed_deviation) ** 2, SETTINGS.reading_deviation**2
    ratio = q / r
    gain = (np.sqrt(ratio**2 + 4 * ratio) - ratio) / 2
    assert variance == pytest.approx(gain * r, rel=1e-9)


def test_a_limited_current_makes_it_trust_readings():
    free = filtered(NUMBERS, 2250.0, 0.0, 1e-10, 0.02, 1e-3, 0.0, 0.0, 0.0)[0]
    limited = filtered(NUMBERS, 2250.0, 0.0, 1e-10, 0.02, 1e-3, 0.0, 0.0, 1.0)[0]
    assert limited > 5 * free
