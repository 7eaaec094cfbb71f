"""Actuators and tendons: what they refuse."""

from __future__ import annotations

import math

import pytest

from carpal.errors import CarpalError
from carpal.model import Actuator, ModelTendon, PathStep


def test_a_tendon_is_fixed_or_spatial() -> None:
    fixed = ModelTendon("t", {"a": 0.5, "b": 0.5}, limits=(0, 1))
    assert fixed.limits == (0.0, 1.0) and fixed.path == ()
    assert ModelTendon("t", {}, (PathStep("site", "x"), PathStep("site", "y"))).joints == {}


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: ModelTendon("t", {}), "either joints"),
        (lambda: ModelTendon("t", {"a": 1.0}, (PathStep("site", "x"),)), "either joints"),
        (lambda: ModelTendon("t", {"a": math.nan}), "coefficient of 'a'"),
        (lambda: ModelTendon("t", {"a": 1.0}, stiffness=-1.0), "stiffness"),
        (lambda: ModelTendon("t", {"a": 1.0}, limits=(1, 0)), "two rising lengths"),
        (lambda: PathStep("rope"), "pulley"),
        (lambda: Actuator("m"), "either a joint or a tendon"),
        (lambda: Actuator("m", joint="a", tendon="t"), "either a joint or a tendon"),
        (lambda: Actuator("m", "muscle", joint="a"), "position"),
        (lambda: Actuator("m", joint="a", gear=math.inf), "must be finite"),
        (lambda: Actuator("m", joint="a", force_range=(1, -1)), "two rising numbers"),
    ],
)
def test_what_makes_no_sense_is_one_sentence(make, said: str) -> None:
    with pytest.raises(CarpalError, match=said):
        make()
