"""The arctangent against the library's, in every octant and at every edge."""

import math

import numpy as np

from carpal.spatial.kernels.arctangent import arcsine, arctan2


def test_within_two_units_in_the_last_place(figure):
    rng = np.random.default_rng(1)
    points = rng.normal(size=(20_000, 2)) * 10.0 ** rng.uniform(-12, 12, (20_000, 2))
    worst = 0.0
    for y, x in points.tolist():
        expected = math.atan2(y, x)
        worst = max(worst, abs(arctan2(y, x) - expected) / math.ulp(expected))
    figure("arctan2: worst error [units in the last place]", worst, 2.0)


def test_edges():
    for y in (0.0, 1.0, -1.0, 1e-300, 1e300):
        for x in (0.0, 1.0, -1.0, 1e-300, -1e300, 1e300):
            assert abs(arctan2(y, x) - math.atan2(y, x)) <= math.ulp(math.pi)
    assert math.isnan(arctan2(math.nan, 1.0)) and math.isnan(arctan2(1.0, math.nan))


def test_octant_borders():
    for k in range(64):
        angle = 2 * math.pi * k / 64 - math.pi + 1e-9
        assert abs(arctan2(math.sin(angle), math.cos(angle)) - angle) < 1e-15


def test_arcsine():
    for x in np.linspace(-1, 1, 2001).tolist():
        assert abs(arcsine(x) - math.asin(x)) < 1e-15
    assert arcsine(1.0 + 1e-16) == math.pi / 2
