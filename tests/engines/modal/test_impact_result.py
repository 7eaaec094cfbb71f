"""The result of a collision says one true sentence for every story."""

import numpy as np
import pytest
from impact_reference import reference_gain

from carpal.engines import single_impact
from carpal.errors import CarpalError

K = reference_gain()
ROD = np.array([[3.1, 0, 1.4], [0, 4.0, 0], [1.4, 0, 1.9]])


@pytest.mark.parametrize(
    ("K", "u", "mu", "e", "says"),
    [
        (K, [0.2, -0.1, -0.5], 0.6, 0.95, "part at 0.469 m/s: the slip of 0.224 m/s stops, then they stick; 0.0295 N s"),
        (K, [1, 0, -0.3], 0.6, 0.95, "they slide all the way, turning by 8 degrees; 0.0178 N s, 0.0069 J lost"),
        (K, [0, 0, -1], 0.9, 0.5, "they stick from the start"),
        (K, [0, 0, 0.1], 0.6, 0.5, "no collision: the bodies do not approach"),
        (ROD, [-0.1, 0, -1], 0.1, 0.5, "stops and starts again at 180 degrees to where it went"),
        (ROD, [0, 0, -1], 0.1, 0.5, "a slip starts at once"),
        (ROD, [1, 0, -1], 1.5, 0.0, "pressed them together at first"),
    ],
)  # fmt: skip
def test_the_sentence(K, u, mu, e, says):
    hit = single_impact(K, u, mu, e)
    assert says in str(hit) and bool(hit) and hit.status.endswith(".")


def test_a_batch_counts_its_modes():
    hit = single_impact(K, [[0.2, -0.1, -0.5], [1, 0, -0.3], [0, 0, 1]], 0.6, 0.95)
    assert str(hit) == "3 of 3 collisions followed to their end: 1 slide, 1 stick, 1 free; 0.007757 J lost."
    assert hit.mode.tolist() == ["stick", "slide", "free"] and not hit.clamped.any() and not hit.recompressed.any()


def test_energy_is_the_sum_of_both_works():
    hit = single_impact(K, [1, 0, -0.3], 0.6, 0.5)
    assert hit.energy == hit.normal_work + hit.friction_work < 0
    assert hit.energy == pytest.approx(0.5 * (hit.before + hit.velocity) @ hit.impulse)


def test_a_path_that_was_not_kept_is_asked_for():
    with pytest.raises(CarpalError, match="path=True"):
        single_impact(K, [1, 0, -0.3], 0.6, 0.5).slip_path()
