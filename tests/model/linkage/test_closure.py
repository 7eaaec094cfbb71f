"""The closure equations' Jacobian against finite differences, at poses that are not closed."""

import numpy as np
import pytest
from linkage_inputs import linkage

from carpal.model import Bar, Drive, Linkage, Pin, Slide
from carpal.model.linkage.closure import closure_of


def scotch_yoke():
    """A guide on a moving bar: the yoke slides on ground, the block on the crank's pin slides in the yoke."""
    bars = (
        Bar("ground", {"A": (0, 0), "S": (-0.2, 0), "E": (0.2, 0)}),
        Bar("crank", {"A": (0, 0), "B": (0.05, 0)}, angle=0.4, mass=0.01),
        Bar("block", {"B": (0, 0)}, mass=0.01),
        Bar("yoke", {"O": (0, -0.1), "E": (0, 0.1), "M": (0, 0)}, mass=0.01),
    )
    pins = (Pin("a", "ground.A", "crank.A"), Pin("b", "crank.B", "block.B"))
    slides = (
        Slide("across", "block.B", ("yoke.O", "yoke.E"), angle=-np.pi / 2, travel=0.12),
        Slide("along", "yoke.M", ("ground.S", "ground.E"), travel=0.25),
    )
    return Linkage("yoke", bars, pins, Drive("turn", "a", 0.4, 2.0), slides)


@pytest.mark.parametrize("which", ["crank_slider", "six_bar_finger", "yoke", "slide_driven"])
def test_jacobian_is_the_derivative(which):
    if which == "yoke":
        made = scotch_yoke()
    elif which == "slide_driven":
        made = scotch_yoke()
        made = Linkage("yoke", made.bars, made.pins, Drive("slide", "across", 0.1, 0.12), made.slides)
    else:
        made = linkage(which)
    closure = closure_of(made)
    rng = np.random.default_rng(0)
    poses = rng.normal(size=(5, len(made.bars), 3))
    poses[:, 0] = 0.0
    J = closure.jacobian(poses)
    assert J.shape == (5, closure.rows, 3 * len(made.moving)) and closure.rows == 3 * len(made.moving)
    for k in range(J.shape[-1]):
        h = 1e-6
        step = np.zeros_like(poses)
        step[:, 1 + k // 3, k % 3] = h
        wanted = (closure.residual(poses + step, np.zeros(5)) - closure.residual(poses - step, np.zeros(5))) / (2 * h)
        assert np.abs(J[:, :, k] - wanted).max() < 1e-8


def test_scotch_yoke_moves_as_the_cosine(figure):
    """Its blocks form a pin-slide-slide group, which goes to Newton's method; the motion is r cos(t) exactly."""
    curve = scotch_yoke().curve()
    t = np.linspace(0.4, 2.0, 60)
    figure("scotch yoke against r cos(t) [m]", np.abs(curve.travel("along", t) - 0.2 - 0.05 * np.cos(t)).max(), 1e-13)
    assert not curve.closed_form and curve.gap(t).max() < 1e-13
