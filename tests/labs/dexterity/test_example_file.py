"""Examples as files: all ten are read, what is unknown or wrong is refused by name, changes are what they say."""

import numpy as np
import pytest

from carpal.errors import CarpalError
from carpal.labs.dexterity.example_file import DATA, changed, example_fields, read_example
from carpal.labs.dexterity.measures import MEASURES

SMALL = """
title = "small"
[object]
shape = {kind = "sphere", radius = 0.03}
mass = 0.1
position = [0.05, 0, 0.2]
[surface]
"""
MASSES = {1: 0.1, 2: 0.1, 3: 0.1, 4: 0.1, 5: 0.01, 6: 0.1, 7: 0.5, 8: 0.1, 9: 0.1, 10: 0.05}
SIZES = {
    1: (0.1, 0.18, 0.1), 2: (0.06,) * 3, 3: (0.08, 0.06, 0.03), 4: (0.16, 0.06, 0.06), 5: (0.06,) * 3, 6: (0.06,) * 3,
    7: (0.06,) * 3, 8: (0.06,) * 3, 9: (0.1, 0.08, 0.1), 10: (0.1, 0.1, 0.08),
}  # fmt: skip


@pytest.mark.parametrize("number", range(1, 11))
def test_the_ten_have_the_theses_objects_and_say_what_to_observe(number):
    example = read_example(number)
    assert example.mass == MASSES[number]
    assert tuple(example.shape.size) == SIZES[number]
    assert example.friction == 0.6
    assert example.restitution is None  # Chan's exponential law
    assert len(example.observations) >= 4
    for each in example.observations:
        assert each.mutation, f"{each.name} names no mutation"
        assert each.measure in MEASURES
        assert each.at_least > -np.inf or each.at_most < np.inf
        changed(example, each.mutation)


def test_defaults_and_changes():
    example = read_example(SMALL)
    assert (example.duration, example.gravity, example.friction) == (0.5, 9.8, 0.6)
    other = changed(example, {"surface.friction": 0.1, "fingers.index.start": [1, 2, 3], "object.mass": 2})
    assert other.friction == 0.1
    assert np.allclose(other.fingers["index"].start, np.radians([1, 2, 3]))
    assert (example.friction, example.mass, other.mass) == (0.6, 0.1, 2.0)
    second = changed(read_example(8), {"move.1.to": [20, 5, 10]})
    assert np.allclose(second.moves[1].to, np.radians([20, 5, 10]))
    assert "friction" in example_fields()


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("x = 1" + SMALL, "x"), (SMALL + "friction = -1", "friction"), (SMALL + "restitution = 2", "restitution"),
        (SMALL + "[fingers.nose]\nstart = [0,0,0]", "nose"), (SMALL + "[fingers.index]\nstart = [0,0]", "3 numbers"),
        (SMALL + "[fingers.index]\nstart = [0,0,0]\ntouch = [0,0,0]", "one of them"),
        (SMALL + "[fingers.index]\ntouch = [0,0,0]\npress = 1\ngap = 0.1", "press and a gap"),
        (SMALL + "[[move]]\nfingers = ['index']", "by and to"), (SMALL + "[[move]]\nfingers = []\nby = [0,0,0]", "finger"),
        (SMALL + "[[observe]]\nname = 'a'", "measure"), (SMALL + "[[observe]]\nmeasure = 'turned'", "name"),
        (SMALL.replace("0.1", "nan"), "mass"), ("title = 'a'", "[object]"), (SMALL.replace("shape", "form"), "form"),
        ("title = ", "not TOML"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(text, word):
    with pytest.raises(CarpalError) as caught:
        read_example(text)
    assert word in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("number", [0, 11, -1])
def test_there_are_ten(number):
    with pytest.raises(CarpalError, match="1 to 10"):
        read_example(number)
    assert len(list(DATA.glob("example_*.toml"))) == 10
