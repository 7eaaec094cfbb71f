"""Options come back as their types, and every mistake is one sentence."""

import dataclasses

import numpy as np
import pytest
from stand_in_tasks import Dice

from carpal.errors import CarpalError, InputError
from carpal.tasks import option, options_as_dict
from carpal.tasks.options import read_options


def read(**given):
    return read_options(Dice.Options, given, "dice")


def test_defaults():
    assert read() == Dice.Options()
    assert options_as_dict(read()) == {
        "sides": 6, "pause": 0.0, "trouble": "none", "weights": [1.0, 2.0], "loaded": False, "point": [0.0, 0.0, 0.0],
    }  # fmt: skip


def test_text_and_values_read_the_same():
    words = read(sides="8", pause="1e-3", weights="1, 2 3", loaded="yes", point="0.1,-2,3e-1")
    values = read(sides=np.int64(8), pause=1e-3, weights=np.array([1, 2, 3]), loaded=True, point=[0.1, -2, 0.3])
    assert words == values
    assert type(values.sides) is int and type(values.point) is tuple


def test_options_travel_as_plain_data():
    given = read(sides=8, point=(1, 2, 3))
    assert read(**options_as_dict(given)) == given


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"side": 6}, "unknown option of dice 'side'; did you mean 'sides'?"),
        ({"sides": 6.5}, "sides must be a whole number; got 6.5"),
        ({"sides": 1}, "sides must be above 1; got 1"),
        ({"sides": "six"}, "sides must be a finite number; got 'six'"),
        ({"sides": None}, "sides must be a finite number; got None"),
        ({"sides": True}, "sides must be a finite number; got True"),
        ({"sides": 10**400}, "sides must be a finite number"),
        ({"pause": -0.1}, "pause must be 0 or above [s]; got -0.1"),
        ({"pause": "nan"}, "pause must be a finite number [s]; got 'nan'"),
        ({"pause": np.inf}, "pause must be a finite number [s]; got inf"),
        ({"pause": [1, 2]}, "pause must be a finite number [s]; got [1, 2]"),
        ({"trouble": "kiled"}, "unknown trouble 'kiled'; did you mean 'killed'?"),
        ({"trouble": 3}, "trouble must be a text; got 3"),
        ({"loaded": "perhaps"}, "loaded must be true or false; got 'perhaps'"),
        ({"point": (1, 2)}, "point needs 3 numbers; got 2: 1, 2"),
        ({"point": "1 2 3 4"}, "point needs 3 numbers; got 4"),
        ({"point": "1 nan 3"}, "point must be a finite number [m]; got 'nan'"),
        ({"point": 5}, "point needs 3 numbers; got 1: 5"),
    ],
)
def test_mistakes_are_one_sentence(given, sentence):
    with pytest.raises(CarpalError) as caught:
        Dice(**given)
    assert str(caught.value).startswith(sentence)


def test_a_choice_is_a_field_of_a_dataclass():
    @dataclasses.dataclass(frozen=True)
    class Options:
        size: float = option(1.0, "How large.", unit="m", above=0.0)

    assert dataclasses.fields(Options)[0].metadata["unit"] == "m"
    with pytest.raises(InputError, match="above 0"):
        read_options(Options, {"size": 0})


def test_a_slider_is_for_people_and_forbids_nothing():
    @dataclasses.dataclass(frozen=True)
    class Slid:
        x: float = option(0.2, "a number", slider=(0.0, 0.4))

    assert dataclasses.fields(Slid)[0].metadata["slider"] == (0.0, 0.4)
    assert read_options(Slid, {"x": 7.0}).x == 7.0
