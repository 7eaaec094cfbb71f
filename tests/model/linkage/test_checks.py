"""A description that makes no sense is refused before any geometry."""

from dataclasses import replace

import pytest
from linkage_inputs import linkage

from carpal.errors import CarpalError
from carpal.model import Drive, LinkageSpring, Pin, Slide


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda x: {"bars": x.bars[1:]}, "needs a bar named 'ground'"),
        (lambda x: {"bars": (*x.bars, x.bars[1])}, "two bars named 'crank'"),
        (lambda x: {"pins": (*x.pins, x.pins[0])}, "two pins named 'a'"),
        (lambda x: {"pins": (*x.pins, Pin("e", "rod.B", "rod.C"))}, "pin 'e' joins bar 'rod' to itself"),
        (lambda x: {"pins": x.pins[:-1]}, "3 degrees of freedom by Grübler's count (3 x 3 moving bars - 2 x 3 pins"),
        (lambda x: {"pins": (*x.pins, Pin("e", "rod.B", "ground.A"))}, "-1 degrees of freedom"),
        (lambda x: {"slides": ()}, "3 degrees of freedom"),
        (lambda x: {"slides": (Slide("s", "block.C", ("ground.S", "ground.S")),)}, "two different points of one bar"),
        (lambda x: {"slides": (Slide("s", "block.C", ("ground.S", "rod.C")),)}, "two different points of one bar"),
        (lambda x: {"slides": (Slide("s", "ground.A", ("ground.S", "ground.far")),)}, "to itself"),
        (lambda x: {"slides": (Slide("s", "block.C", "ground.S"),)}, "along must be"),
        (lambda x: {"drive": Drive("twist", "a", 0, 1)}, "unknown kind of drive 'twist'"),
        (lambda x: {"drive": Drive("turn", "s", 0, 1)}, "unknown pin of the drive 's'"),
        (lambda x: {"drive": Drive("slide", "a", 0, 1)}, "unknown slide of the drive 'a'"),
        (lambda x: {"drive": Drive("push", "ground.A", 0, 1)}, "'bar.point, bar.point'"),
        (lambda x: {"drive": Drive("push", "ground.A, rod.C", 0, 1)}, "must stay above zero"),
        (lambda x: {"drive": Drive("turn", "a", 1, 1)}, "no stroke"),
        (lambda x: {"drive": Drive("turn", "a", 0, float("inf"))}, "must be finite"),
        (lambda x: {"drive": Drive("turn", "a", 0, 1, P=-1)}, "P of the drive must be zero or above"),
        (lambda x: {"springs": (LinkageSpring("k", "rod", "rod", 1.0),)}, "joins bar 'rod' to itself"),
        (lambda x: {"springs": (LinkageSpring("k", "rod", "rode", 1.0),)}, "did you mean 'rod'"),
        (lambda x: {"springs": (LinkageSpring("k", "rod", "crank", -1.0),)}, "stiffness of 'k' must be zero or above"),
        (
            lambda x: {"bars": [replace(b, points=dict.fromkeys(b.points, (0, 0))) for b in x.bars], "slides": ()},
            "no size",
        ),
        (lambda x: {"span": 0.0}, "span of linkage"),
    ],
)
def test_no_sense_is_one_sentence(change, sentence):
    made = linkage("crank_slider")
    with pytest.raises(CarpalError) as caught:
        replace(made, **change(made))
    assert sentence in str(caught.value)
