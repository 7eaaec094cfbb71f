import pytest

from carpal.errors import CarpalError
from carpal.tasks.campaigns.case_scores import score_cases

TASK = "tasks.campaigns.small_tasks:Coin"


def test_rows_of_cases():
    rows = score_cases(TASK, [(5, {"x": 9.0}, 1), (2, {"x": -9.0}, 1)])
    assert [(row["number"], row["ok"], row["state"]) for row in rows] == [(5, True, "done"), (2, False, "done")]
    assert rows[0]["numbers"]["value"] - rows[1]["numbers"]["value"] == pytest.approx(18) and rows[0]["seconds"] > 0


def test_a_case_that_cannot_be_made_is_its_own_row():
    rows = score_cases(TASK, [(0, {"y": -1.0}, 0), (1, {"bad": "raise"}, 3), (2, {}, 0)])
    assert [row["state"] for row in rows] == ["done", "crashed", "done"]
    assert "y must be 0 or above" in rows[0]["status"] and "RuntimeError" in rows[1]["status"]


def test_a_task_without_a_gpu_loop_says_so():
    with pytest.raises(CarpalError, match="runs on cpu only"):
        score_cases(TASK, [(0, {}, 0)], "cuda")
