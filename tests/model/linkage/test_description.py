"""What a linkage accepts, and what it says about itself."""

import pytest
from linkage_inputs import linkage

from carpal.errors import CarpalError
from carpal.model import Bar, Linkage


def test_ground_comes_first_and_the_count_is_one():
    made = linkage("six_bar_finger")
    shuffled = Linkage(made.name, made.bars[::-1], made.pins, made.drive)
    assert shuffled.bars[0].name == "ground" and shuffled.freedoms == 1
    assert made.phalanges == ("proximal", "middle", "distal")
    assert made.point("middle.D") == (made.index["middle"], (0.028, 0.0))
    assert (made.unit, linkage("crank_slider").unit) == ("m", "rad")
    assert made.push_points() == ("ground.M", "proximal.L")


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: Bar("a.b", {"A": (0, 0)}), "a name without dots"),
        (lambda: Bar("a", {}), "must be a table of names"),
        (lambda: Bar("a", {"A": (0, 0, 0)}), "point 'A' of bar 'a' must be shape (2)"),
        (lambda: Bar("a", {"A": (0, float("nan"))}), "must be finite"),
        (lambda: Bar("a", {"A": (0, 0)}, mass=0.0), "mass of bar 'a' must be above zero"),
        (lambda: Bar("a", {"A": (0, 0)}, radius=-1.0), "radius of bar 'a' must be above zero"),
        (lambda: linkage("crank_slider").point("crank"), "written 'bar.point'"),
        (lambda: linkage("crank_slider").point("cranc.A"), "did you mean 'crank'"),
    ],
)
def test_bad_input_is_one_sentence(make, sentence):
    with pytest.raises(CarpalError) as caught:
        make()
    assert sentence in str(caught.value)
