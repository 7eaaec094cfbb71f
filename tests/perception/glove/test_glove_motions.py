"""Synthetic gloves: smooth, bounded, seeded."""

import numpy as np
import pytest

from carpal.errors import CarpalError
from carpal.perception import SENSORS, synthetic_glove


def test_smooth_bounded_and_seeded():
    _time, sensors = synthetic_glove(2.0, rate=200, seed=5, bend=40, spread=8)
    assert sensors.shape == (401, 22)
    assert np.array_equal(sensors, synthetic_glove(2.0, rate=200, seed=5, bend=40, spread=8)[1])
    assert not np.array_equal(sensors, synthetic_glove(2.0, rate=200, seed=6, bend=40, spread=8)[1])
    spread = ["abduction" in name for name in SENSORS]
    assert sensors.min() >= 0
    assert sensors[:, spread].max() <= 8
    assert 20 < sensors.max() <= 40
    assert np.abs(np.diff(sensors, axis=0)).max() < 40 * np.pi / 0.6 / 200 * 1.01
    assert np.all(sensors[0] == 0)


@pytest.mark.parametrize("given", [{"duration": 0}, {"duration": 1, "rate": -1}, {"duration": np.inf}])
def test_bad_input(given):
    with pytest.raises(CarpalError):
        synthetic_glove(**given)
