"""Transmission angles: by the law of cosines, by the rod's slope, and zero exactly at a toggle."""

from dataclasses import replace

import numpy as np
import pytest
from linkage_inputs import cylinder, linkage, loop_driven


def test_a_rods_slope_against_its_guide():
    """A rod along its guide passes its whole force on (90 deg); its angle to the guide is what is lost."""
    curve = linkage("crank_slider").curve()
    t = np.linspace(0.5, 2.7, 40)
    assert np.abs(curve.transmission_angle(t) - (0.5 * np.pi - np.abs(curve.angle("rod", t)))).max() < 1e-12


def test_the_cylinders_own_angle():
    made = linkage("crossed_finger")
    d = np.linspace(0.0265, 0.0105, 40)
    curve = made.curve()
    KM, KL = np.hypot(0.0217, 0.0052), np.hypot(0.0071, 0.0124)
    push = np.arccos((KL**2 + d**2 - KM**2) / (2 * KL * d))
    push = np.minimum(push, np.pi - push)
    reach = np.linalg.norm(curve.place("proximal.P", d) - (-0.003, 0.0077), axis=-1)
    r, s = 0.0395, np.hypot(0.0062, 0.0033)
    rods = np.arccos((r**2 + s**2 - reach**2) / (2 * r * s))
    assert np.abs(curve.transmission_angle(d) - np.minimum(push, np.minimum(rods, np.pi - rods))).max() < 1e-11
    near = replace(made, drive=replace(made.drive, stop=0.00803)).curve()
    assert near.transmission_angle(0.00803) < 0.05  # the toggle is at 0.0080255


def test_loops_have_none():
    made = loop_driven()
    assert np.isnan(made.curve().transmission_angle(made.drive.start))


@pytest.mark.parametrize("guide_on_rod", [False, True])
def test_a_cylinder_on_its_own_line_is_square(guide_on_rod):
    curve = cylinder(guide_on_rod).curve()
    assert np.allclose(curve.transmission_angle(np.linspace(0.3, 1.3, 9)), 0.5 * np.pi)
