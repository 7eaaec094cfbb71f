"""Closing times: exact for straight and exponential closing."""

import numpy as np
import pytest

from carpal.errors import InputError
from carpal.labs.catch.closing import closing_times

TIME = np.arange(0.0, 1.0, 1e-3)


def test_a_straight_way_takes_nine_tenths_of_its_time(figure):
    signal = 0.2004  # between two rows
    ramp = 0.027 - 0.017 * np.clip((TIME - signal) / 0.05, 0, 1)
    still = np.full_like(TIME, -0.35)
    needed = closing_times(TIME, np.stack([ramp, 1 - ramp, still], 1), signal, 0.9)
    figure("closing time of a straight 50 ms way, error [s]", np.abs(needed[:2] - 0.045).max(), 1e-6)
    assert np.isinf(needed[2])


def test_an_exponential_way_takes_its_logarithm():
    way = 1 - np.exp(-np.maximum(TIME - 0.2, 0) / 0.02)
    needed = closing_times(TIME, way[:, None], 0.2, 0.9)
    assert needed[0] == pytest.approx(0.02 * np.log(10), abs=2e-6 / 0.02)


@pytest.mark.parametrize(("signal", "end"), [(0.5, 0.4), (-0.1, 0.5), (0.5, 2.0)])
def test_moments_out_of_order_are_refused(signal, end):
    with pytest.raises(InputError, match="signal and end must lie in order"):
        closing_times(TIME, TIME[:, None], signal, end)
