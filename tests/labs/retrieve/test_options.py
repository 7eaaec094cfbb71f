"""Options that make no sense are refused in one sentence."""

import pytest

from carpal.errors import CarpalError
from carpal.labs.retrieve.options import RetrieveOptions
from carpal.labs.retrieve.planning.pick_setting import PLACE, PLANNERS
from carpal.tasks import make_task

WRONG = [
    ({"relay": (0.4, 0.1)}, "3 numbers"),
    ({"relay": (0.4, float("nan"), 0.0)}, "finite"),
    ({"planner": "prm"}, "sbl, est, rrt, none"),
    ({"place": (0.4,)}, "2 numbers"),
    ({"terain": "x.obj"}, "terrain"),
]


@pytest.mark.parametrize(("options", "reason"), WRONG, ids=str)
def test_one_clear_sentence(options, reason):
    with pytest.raises(CarpalError, match=reason):
        make_task("retrieve", **options)


def test_defaults_are_those_of_the_planner():
    assert RetrieveOptions().planner in PLANNERS and RetrieveOptions().place == PLACE
