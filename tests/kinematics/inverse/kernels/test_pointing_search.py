"""The roll equation: a trigonometric polynomial of degree 8 that vanishes at every solution."""

import numpy as np
import pytest
from closed_form_robots import robot
from pointing_checks import targets

from carpal.kinematics import ik_all, random_configurations
from carpal.kinematics.inverse.arm_class import arm_class
from carpal.kinematics.inverse.kernels.pointing_search import DEGREE, roll_polynomial

SHAPE = "offset elbow, tool off its line"


@pytest.mark.parametrize("seed", range(4))
def test_it_is_a_polynomial_of_degree_eight(seed):
    """Completeness rests on this: above degree 8 there is nothing but rounding."""
    model = robot(SHAPE, seed)
    geo = arm_class(model).geo
    p, d = targets(model, random_configurations(model, 5, seed=1))
    for i in range(5):
        x = 2 * np.pi * np.arange(64) / 64
        values = [roll_polynomial(geo, tuple(d[i].tolist()), tuple(p[i].tolist()), float(t)) for t in x]
        spectrum = np.abs(np.fft.rfft(values))
        assert spectrum[DEGREE + 1 :].max() < 1e-9 * spectrum.max()


@pytest.mark.parametrize("seed", range(4))
def test_solutions_come_in_pairs(seed):
    """Real roots of a real equation appear two at a time; an odd number would mean that one was lost."""
    model = robot(SHAPE, seed)
    result = ik_all(model, targets(model, random_configurations(model, 50, seed=2)))
    assert (result.count % 2 == 0).mean() > 0.97  # but where two have merged
    assert (result.count >= 1).all()
