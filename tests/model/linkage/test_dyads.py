"""Taking a linkage apart: which groups are found, and that each closed form closes, both ways round."""

from dataclasses import replace

import numpy as np
import pytest
from linkage_inputs import cylinder, linkage, loop_driven

from carpal.model import Drive, Linkage, Pin, Slide
from carpal.model.linkage.closure import closure_of
from carpal.model.linkage.dyads import plan_of


def test_the_plans():
    kinds = lambda made: [step.kind for step in plan_of(closure_of(made))]  # noqa: E731 - one line, used often
    assert kinds(linkage("crank_slider")) == ["turn", "pin-pin-slide"]
    assert kinds(linkage("crossed_finger")) == ["push", "pin-pin-pin"]
    assert kinds(linkage("six_bar_finger")) == ["push", "pin-pin-pin", "pin-pin-pin"]
    assert kinds(loop_driven()) == ["loop"]
    assert kinds(cylinder()) == kinds(cylinder(True)) == ["turn", "pin-slide-pin"]


@pytest.mark.parametrize("guide_on_rod", [False, True])
def test_a_cylinder_is_as_long_as_its_pins_are_apart(guide_on_rod):
    curve = cylinder(guide_on_rod).curve()
    t = np.linspace(0.3, 1.3, 50)
    wanted = np.abs(0.1 * np.exp(1j * t) - (0.05 - 0.08j))
    assert np.abs(curve.travel("s", t) - wanted).max() < 1e-15
    assert curve.gap(t).max() < 1e-15
    assert np.abs(curve.angle("barrel", t) - np.angle(0.1 * np.exp(1j * t) - (0.05 - 0.08j))).max() < 1e-14


def test_a_slide_drive_pushes_the_crank():
    made = linkage("crank_slider")
    turned = made.curve()
    start, stop = (float(turned.travel("s", t)) for t in (0.6, 2.4))
    pushed = Linkage(made.name, made.bars, made.pins, Drive("slide", "s", start, stop), made.slides).curve()
    assert pushed.steps == ("slide: block", "pin-pin-pin: crank, rod")
    t = np.linspace(0.6, 2.4, 40)
    there = np.clip(turned.travel("s", t), min(start, stop), max(start, stop))
    assert np.abs(pushed.angle("crank", there) - t).max() < 1e-12
    assert np.abs(pushed.ratio("crank", there) * turned.rates(t)[:, made.index["block"], 0] - 1).max() < 1e-10


def test_a_turn_drive_may_count_from_the_moving_bar():
    made = linkage("crank_slider")
    pins = (Pin("a", "crank.A", "ground.A"), *made.pins[1:])
    other = Linkage(made.name, made.bars, pins, Drive("turn", "a", -0.5, -2.5), made.slides).curve()
    t = np.linspace(0.5, 2.5, 20)
    assert np.abs(other.poses(-t) - made.curve().poses(t)).max() < 1e-14


def test_the_guide_may_be_on_the_block():
    """The same crank-slider with a groove in the block that runs over a peg on ground."""
    made = linkage("crank_slider")
    block = replace(made.bars[3], points={"C": (0, 0), "D": (0.1, 0)})
    groove = Slide("s", "ground.S", ("block.C", "block.D"), travel=-0.08)
    other = Linkage(made.name, (*made.bars[:3], block), made.pins, made.drive, (groove,)).curve()
    t = np.linspace(0.5, 2.7, 30)
    assert other.steps == made.curve().steps
    assert np.abs(other.poses(t) - made.curve().poses(t)).max() < 1e-15
    assert np.abs(other.travel("s", t) + made.curve().travel("s", t)).max() < 1e-15
