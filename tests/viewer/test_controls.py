import dataclasses
from dataclasses import dataclass

import pytest

from carpal.errors import InputError
from carpal.report.viser_server import closed_server
from carpal.tasks import make_task, option, task_class, tasks
from carpal.viewer.controls import OptionFields, option_fields, slider_step, step_of


@dataclass(frozen=True)
class Every:
    word: str = option("plain", "a word")
    choice: str = option("b", "a choice", choices=("a", "b"))
    robot: str = option("k10", "a robot")
    flag: bool = option(True, "a flag")
    count: int = option(3, "a count", at_least=1)
    length: float = option(0.25, "a length", unit="m", above=0.0)
    point: tuple[float, float, float] = option((0.0, 1.0, 2.0), "a point")
    many: tuple[float, ...] = option((1.0, 2.0), "numbers")
    slid: float = option(0.2, "by a slider", slider=(0.0, 0.4))


@pytest.fixture(scope="module")
def gui():
    with closed_server() as server:
        yield server.gui


def test_fields_show_the_defaults_and_give_them_back(gui):
    values = OptionFields(gui, Every).values()
    assert values == {
        "word": "plain", "choice": "b", "robot": "k10", "flag": True, "count": 3, "length": 0.25, "point": (0.0, 1.0, 2.0),
        "many": "1.0, 2.0", "slid": 0.2,
    }  # fmt: skip


def test_every_task_can_be_shown_and_made_again(gui):
    from carpal.tasks import options_as_dict

    for name in tasks():
        fields = OptionFields(gui, task_class(name).Options)
        assert options_as_dict(make_task(name, **fields.values()).options) == options_as_dict(make_task(name).options)
        fields.remove()


def test_values_can_be_filled_in(gui):
    fields = OptionFields(gui, Every)
    new = {
        "word": "other",
        "choice": "a",
        "robot": "sawyer",
        "flag": False,
        "count": 9,
        "length": 1e-7,
        "point": [3, 4, 5],
        "slid": 7.0,
    }
    fields.fill(new)
    assert fields.values() == new | {"many": "1.0, 2.0", "point": (3.0, 4.0, 5.0)}


@pytest.mark.parametrize(
    "bad",
    [
        {"word": "../x"}, {"word": 3}, {"choice": "c"}, {"robot": "/etc/x.urdf"}, {"robot": "x.urdf"}, {"flag": "yes"},
        {"count": "many"}, {"length": float("nan")}, {"point": [1, 2]}, {"point": "abc"}, {"many": ["x"]}, {"none": 1},
    ],
)  # fmt: skip
def test_values_that_make_no_sense_are_one_sentence(gui, bad):
    with pytest.raises(InputError):
        OptionFields(gui, Every).fill(bad)


def test_a_page_cannot_name_a_file_of_the_server(gui):
    fields = OptionFields(gui, Every)
    fields._handles["word"].value = "../secret.urdf"
    with pytest.raises(InputError, match="plain name"):
        fields.values()


def test_numbers_are_typed_finely():
    assert step_of(0.0) == 0.001 and step_of(900.0) == 0.1 and step_of(1e-3) == pytest.approx(1e-6)


def test_a_slider_offers_the_usual_and_makes_room_for_more(gui):
    fields = OptionFields(gui, Every)
    handle = fields._handles["slid"]
    assert (handle.min, handle.max) == (0.0, 0.4) and handle.step == slider_step(0.0, 0.4)
    fields.fill({"slid": -3})
    assert handle.min == -3.0 and fields.values()["slid"] == -3.0


@pytest.mark.parametrize(("low", "high"), [(0.0, 0.4), (35.0, 55.0), (-1e-3, 1e-3), (0.0, 7e5)])
def test_a_slider_has_a_few_hundred_places(low, high):
    assert 40 <= (high - low) / slider_step(low, high) <= 400


def test_what_is_left_to_the_task_is_shown_as_its_value_and_given_back_as_left(gui):
    fields = option_fields(gui, "dexterity")
    shown, plain = fields._handles["mass"].value, fields.values()["mass"]
    assert shown > 0 and plain < 0, "the example's mass, and not -1"
    fields._handles["example"].value = 4
    fields.show_resolved()
    assert fields.values()["friction"] < 0 < fields._handles["friction"].value
    fields._handles["mass"].value = 2 * shown
    assert fields.values()["mass"] == 2 * shown
    fields.show_resolved()
    assert fields._handles["mass"].value == 2 * shown, "what was typed stays"
    made = make_task("dexterity", **fields.values())
    assert made.options.changed_example().mass == 2 * shown
    fields.remove()


def test_every_field_of_a_task_is_there_whatever_its_groups(gui):
    for name in tasks():
        fields = option_fields(gui, name)
        kind = task_class(name)
        names = [field.name for field in dataclasses.fields(kind.Options)]
        assert sorted(fields._handles) == sorted(names)
        assert {name for group in kind.option_groups.values() for name in group} <= set(names)
        assert make_task(name, **fields.values()).options == make_task(name).options, "shown defaults are the defaults"
        fields.remove()


def test_a_robot_file_of_the_page_is_offered_and_others_are_not(gui):
    fields = option_fields(gui, "reach")
    fields.offer_robot("mine.urdf", "/run/mine.urdf")
    assert fields.values()["robot"] == "/run/mine.urdf"
    fields._handles["robot"].value = "/etc/passwd"
    with pytest.raises(InputError, match="robot must be"):
        fields.values()
    fields.remove()
    with pytest.raises(InputError, match="no robot to choose"):
        option_fields(gui, "dexterity").offer_robot("mine.urdf", "/run/mine.urdf")
