"""AngleSet: intervals over the seam, what it holds, samples that cover it."""

import numpy as np
import pytest

from carpal.errors import InputError
from carpal.planning import AngleSet
from carpal.planning.payload.kernels.angle_set import CELLS, HALF


def made(*cells):
    states = np.zeros(CELLS, np.int8)
    states[list(cells)] = 1
    return AngleSet(states)


def test_intervals_are_closed_over_the_seam():
    middle = CELLS // 2
    seam = made(0, 1, CELLS - 1)
    (low, high) = seam.intervals[0]
    assert len(seam.intervals) == 1 and high - low == pytest.approx(6 * HALF) and seam.width == pytest.approx(6 * HALF)
    two = made(middle, 5)
    assert len(two.intervals) == 2 and 0.0 in two and 0.5 not in two
    assert AngleSet(np.ones(CELLS)).width == pytest.approx(2 * np.pi)
    assert AngleSet(np.ones(CELLS)).intervals == [(-np.pi, np.pi)]
    assert seam.holds([np.pi, -np.pi, 3 * np.pi, 1.0]).tolist() == [True, True, True, False]


def test_samples_cover_every_interval():
    step = np.radians(0.2)
    for angles in (made(3, 4, 5, 90), made(0, CELLS - 1), AngleSet(np.ones(CELLS))):
        samples = angles.samples(step)
        assert angles.holds(samples, tolerance=1e-9).all()
        inside = np.linspace(-np.pi, np.pi, 5000)
        inside = inside[angles.holds(inside)]
        apart = np.abs((inside[:, None] - samples + np.pi) % (2 * np.pi) - np.pi).min(axis=1)
        assert apart.max() <= 0.5 * step + 1e-9
    with pytest.raises(InputError, match="above zero"):
        made(1).samples(0.0)


def test_it_says_what_it_is():
    states = np.zeros(CELLS)
    states[90] = 2
    assert "may be moving" in str(AngleSet(states)) and not AngleSet(states).at_rest and made(90).at_rest
    assert str(made(90)) == "the payload's angle is -1 to 1 degrees."
