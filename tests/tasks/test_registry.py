"""Tasks by name."""

import pytest
from stand_in_tasks import Dice

from carpal.errors import CarpalError, UnknownNameError
from carpal.tasks import Task, make_task, task_class, tasks


@pytest.mark.parametrize("name", tasks())
def test_every_task_is_told_whole(name):
    kind = task_class(name)
    assert issubclass(kind, Task) and kind.name == name
    assert kind.about.endswith(".") and kind.example.startswith(f"carpal {name}")


def test_a_task_of_ones_own():
    assert type(make_task("stand_in_tasks:Dice", sides=8)) is Dice


def test_did_you_mean():
    with pytest.raises(UnknownNameError, match="did you mean 'reach'"):
        make_task("reech")


@pytest.mark.parametrize("name", ["no_such_module:X", "stand_in_tasks:Cards", "stand_in_tasks:NotATask"])
def test_what_is_no_task(name):
    with pytest.raises(CarpalError, match=r"cannot be imported|is no task"):
        make_task(name)
