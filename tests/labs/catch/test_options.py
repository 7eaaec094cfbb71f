"""What cannot be asked of a catch, each in one sentence."""

from pathlib import Path

import pytest

from carpal.errors import CarpalError
from carpal.labs.catch.task import Catch
from carpal.tasks.campaigns.study import Study

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
    "lowest and highest x": {"window": (0.3, 0.1, 0.0, 0.3)},
    "4 numbers|four|window": {"window": (0.3, 0.1)},
    "throw is the thesis's controller's": {"controller": "best", "throw": True},
    "as_thesis is the thesis's controller's": {"controller": "best", "as_thesis": True},
    "no place along the flight": {"controller": "best", "speed_limit": 0.5},
    "drag": {"drag": -0.1},
    "drag not too large": {"drag": 0.47, "ball_mass": 1e-5},
    "controller": {"controller": "better"},
}


@pytest.mark.parametrize("words", WRONG)
def test_one_sentence(words):
    with pytest.raises(CarpalError, match=words) as told:
        Catch(**WRONG[words]).check()
    assert str(told.value).count(". ") <= 1


STUDIES = sorted((Path(__file__).parents[3] / "studies").glob("catch_*.toml"))


@pytest.mark.parametrize("file", STUDIES, ids=lambda file: file.stem)
def test_the_laboratorys_studies_can_be_asked(file):
    study = Study.from_toml(file)
    assert study.task == "catch"
    for i in (0, len(study) // 2, len(study) - 1):
        case = study.case(i)
        Catch(**case.options).options.check_together()


def test_there_are_studies():
    assert len(STUDIES) >= 5
