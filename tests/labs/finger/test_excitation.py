import numpy as np
import pytest

from carpal.errors import InputError
from carpal.labs.finger import tendon_sweep


def test_a_sweep_stays_between_zero_and_its_tension():
    time = np.linspace(0, 2, 4001)
    pull = tendon_sweep(time, 4.0, 1.0, 9.0).tension
    assert pull[0] == 0 and pull.min() >= 0 and 3.99 < pull.max() <= 4.0
    tops = int(((pull[1:-1] > pull[:-2]) & (pull[1:-1] >= pull[2:])).sum())
    assert tops == 10  # the mean of 1 and 9 Hz for 2 s


def test_bad_input():
    with pytest.raises(InputError, match="high_hz must not be below"):
        tendon_sweep([0, 1], 1.0, 5.0, 2.0)
    with pytest.raises(InputError, match="tension must be a number above zero"):
        tendon_sweep([0, 1], 0.0)
    with pytest.raises(InputError, match="time must rise"):
        tendon_sweep([1, 0], 1.0)
