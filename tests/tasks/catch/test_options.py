"""What cannot be asked of a catch, each in one sentence."""

import pytest

from carpal.errors import CarpalError
from carpal.tasks.catch.task import Catch

WRONG = {
    "never reaches the catch plane": {"angle": -10.0},
    "never reaches": {"side": 75.0},
    "bigger than the hand": {"ball_radius": 0.05},
    "friction": {"friction": -0.1},
    "finite": {"x": float("nan")},
    "above 0": {"approach_fraction": 1.5},
    "largest stable step": {"dt": 1e-4},
    "must divide": {"dt": 1.3e-5, "gains": "thesis"},
    "out of reach": {"y": 2.0},
    "as_thesis": {"as_thesis": True, "engine": "mujoco"},
    "penalty engine": {"throw": True, "engine": "mujoco"},
    "gains": {"gains": "soft"},
}


@pytest.mark.parametrize("words", WRONG)
def test_one_sentence(words):
    with pytest.raises(CarpalError, match=words) as told:
        Catch(**WRONG[words]).check()
    assert str(told.value).count(". ") <= 1
