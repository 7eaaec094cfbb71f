import pytest
from tasks.campaigns.small_tasks import Coin

from carpal.errors import CarpalError, DeviceError
from carpal.tasks.campaigns.case_rows import case_rows

TASK = "tasks.campaigns.small_tasks:Coin"


def test_rows_of_cases():
    rows = case_rows(TASK, [(5, {"x": 9.0}, 1), (2, {"x": -9.0}, 1)])
    assert [(row["number"], row["ok"], row["state"]) for row in rows] == [(5, True, "done"), (2, False, "done")]
    assert rows[0]["numbers"]["value"] - rows[1]["numbers"]["value"] == pytest.approx(18) and rows[0]["seconds"] > 0


def test_a_case_that_cannot_be_made_is_its_own_row():
    rows = case_rows(TASK, [(0, {"y": -1.0}, 0), (1, {"bad": "raise"}, 3), (2, {}, 0)])
    assert [row["state"] for row in rows] == ["done", "crashed", "done"]
    assert "y must be 0 or above" in rows[0]["status"] and "RuntimeError" in rows[1]["status"]


def test_a_task_without_a_gpu_loop_says_so():
    with pytest.raises(CarpalError, match="runs on cpu only"):
        case_rows(TASK, [(0, {}, 0)], "cuda")


def _fake(monkeypatch, score_compiled):
    """Coin, as if it had a compiled loop for a GPU; nothing of one is needed."""
    monkeypatch.setattr(Coin, "devices", ("cpu", "cuda"))
    monkeypatch.setattr(Coin, "score_compiled", score_compiled)


def test_cases_of_a_device_are_grouped_by_their_options(monkeypatch):
    asked = []

    def score_compiled(self, seeds, device):
        asked.append((self.options.x, list(seeds), device))
        return [self.score_stepwise(seed) for seed in seeds]

    _fake(monkeypatch, score_compiled)
    cases = [(i, {"x": float(i % 2), "y": -1.0 if i == 4 else 0.0}, i) for i in range(6)]
    rows = case_rows(TASK, cases, "cuda")
    assert asked == [(0.0, [0, 2], "cuda"), (1.0, [1, 3, 5], "cuda")]
    one_by_one = [case_rows(TASK, [case])[0] for case in cases]
    assert [row | {"seconds": 0} for row in rows] == [row | {"seconds": 0} for row in one_by_one]
    assert "y must be 0 or above" in rows[4]["status"]


def test_a_case_that_crashes_on_a_device_stands_alone(monkeypatch):
    _fake(monkeypatch, lambda self, seeds, device: [self.score_stepwise(seed) for seed in seeds])
    rows = case_rows(TASK, [(i, {"bad": "raise"}, i) for i in range(9)], "cuda")
    assert [row["number"] for row in rows if row["state"] == "crashed"] == [3]
    assert [row["number"] for row in rows] == list(range(9)) and "a defect" in rows[3]["status"]


def test_a_device_that_fails_stops_it(monkeypatch):
    from numba.core.errors import NumbaError

    calls = []

    def score_compiled(self, seeds, device):
        calls.append(seeds)
        raise NumbaError("no memory left")

    _fake(monkeypatch, score_compiled)
    with pytest.raises(DeviceError, match=r"the device cuda failed: NumbaError: .*no memory left.*is kept"):
        case_rows(TASK, [(i, {}, i) for i in range(4)], "cuda")
    assert len(calls) == 1


@pytest.mark.parametrize(
    ("task", "options", "what"),
    [
        ("catch", {"engine": "mujoco"}, "engine mujoco"),
        ("reach", {"engine": "mujoco"}, "engine mujoco"),
        ("mount", {"endurance": 1.0}, "endurance"),
    ],
)
def test_what_the_compiled_loop_does_not_serve_is_refused(task, options, what):
    with pytest.raises(CarpalError, match=f"'{task}' with {what} runs on cpu only"):
        case_rows(task, [(0, {}, 0), (1, options, 0)], "cuda")
