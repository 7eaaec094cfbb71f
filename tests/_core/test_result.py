import dataclasses
import importlib

import numpy as np
import pytest

import carpal
from carpal._core.result import Result, status_of_batch


class Answer(Result):
    def __init__(self, ok, status="as asked."):
        self.ok, self.status = ok, status


@pytest.mark.parametrize(
    ("ok", "true"), [(True, True), (False, False), (np.array([True, False]), False), (np.ones((2, 3), bool), True)]
)
def test_truthy_when_all_are_ok_and_printed_as_its_status(ok, true):
    assert bool(Answer(ok)) is true
    assert str(Answer(ok)) == "as asked."


def test_the_status_of_a_batch_counts_and_explains_the_first_failure():
    def status(ok):
        return status_of_batch(np.array(ok), "doors open", "the first closed", lambda index: f"locked at {index}.")

    assert status([[True, True], [False, False]]) == "2 of 4 doors open; the first closed, (1, 0): locked at (1, 0)."
    assert status([True, True]) == "2 of 2 doors open."
    assert status(False) == "locked at ()."


@dataclasses.dataclass(frozen=True, eq=False)
class Solution(Result):
    ok: np.ndarray
    q: np.ndarray

    @property
    def status(self):
        return "solved:\n" + 300 * "long "


def test_the_repr_is_one_line_without_arrays():
    assert repr(Answer(True)) == "Answer(ok=True, status='as asked.')"
    text = repr(Solution(np.array([True, False, True]), np.arange(9.0)))
    assert text.startswith("Solution(ok=2 of 3, status='solved: long") and text.endswith("...')")
    assert len(text) < 200 and "\n" not in text


def test_results_of_the_library_have_a_short_repr():
    model = carpal.load("sawyer")
    X_WT = carpal.fk(model, model.q_home)
    many = carpal.ik(model, np.stack([X_WT, X_WT]))
    assert repr(many).startswith("IKResult(ok=2 of 2, status='")
    for result in (carpal.ik(model, X_WT), many, carpal.ik_all(model, X_WT), carpal.arm_angle_intervals(model, X_WT)):
        assert type(result).__name__ in repr(result) and "array(" not in repr(result) and "\n" not in repr(result)


@pytest.mark.parametrize(
    "place",
    [
        "carpal.tasks:Score", "carpal.tasks:TaskResult", "carpal.tasks:CampaignResult", "carpal.engines:Recording",
        "carpal.planning:PlanResult", "carpal.kinematics:IKResult",
    ],
)  # fmt: skip
def test_dataclasses_keep_the_short_repr(place):
    module, name = place.split(":")
    assert getattr(importlib.import_module(module), name).__repr__ is Result.__repr__
