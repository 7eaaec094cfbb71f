"""The task: options checked, run without a planner, recorded, scored again, summarised; the whole with a planner in full."""

import json

import numpy as np
import pytest
from retrieve_inputs import RELAY_AT

from carpal.cli.task_commands import run_task
from carpal.errors import InputError, UnreachableError
from carpal.labs.retrieve.score import NAMES
from carpal.tasks import make_task, tasks


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"relay": (-0.4, 0, 0)}, "under the rover"),
        ({"relay": (0.02, 0, 0)}, "inside the hollow"),
        ({"relay": (1.2, 0, 0)}, "out of reach"),
        ({"terrain": "none.obj"}, "there is no terrain file 'none.obj'"),
        ({"points": "none.json"}, "cannot be read"),
        ({"images": "none"}, "is no image"),
    ],
)
def test_what_cannot_work_is_refused_before_anything_moves(options, said):
    with pytest.raises((InputError, UnreachableError), match=said):
        make_task("retrieve", **options).check()


@pytest.mark.parametrize(
    "options", [{"relay": (0.1, 0.2)}, {"relay": (0.1, float("nan"), 0)}, {"planner": "prm"}, {"where": 1}]
)
def test_bad_options_are_refused(options):
    with pytest.raises(ValueError, match=r"needs 3 numbers|finite|unknown"):
        make_task("retrieve", **options)


def test_a_run_without_a_planner_is_recorded_and_scored_again(tmp_path):
    assert "retrieve" in tasks()
    task = make_task("retrieve", planner="none")
    task.check()
    result = task.run(seed=0, out=tmp_path)
    assert result.ok and result.recording.model.nq == 13
    assert [e.name for e in result.recording.events][:3] == ["localise", "plan", "approach"]
    assert task.score(result.recording).numbers.keys() == result.score.numbers.keys()
    summary = task.summary(result.score)
    assert (
        set(NAMES) <= set(summary)
        and summary["delivered"] is True
        and summary["collisions"] == 0
        and summary["plan_carry_ms"] > 0
    )
    # the same again, byte for byte
    kept = (tmp_path / "result.json").read_bytes()
    make_task("retrieve", planner="none").run(seed=0, out=tmp_path)
    assert (tmp_path / "result.json").read_bytes() == kept
    again = make_task("retrieve")
    state = again.reset(np.random.default_rng(0))
    assert np.allclose(state.q[:3], [1.6, 0.2, 0.0]) and again.command(3).endswith("--seed 3")


def test_the_command_prints_one_object_with_the_asked_keys(capsys):
    assert run_task("retrieve", {"planner": "none", "place": "2 2"}, as_json=True) == 1
    summary = json.loads(capsys.readouterr().out)
    assert {"ok", "status", *NAMES} <= set(summary)
    assert (
        summary["ok"] is False
        and summary["reachable"] is True
        and "not within reach; choose another" in summary["status"]
    )


def test_the_studio_may_step_through_it():
    task = make_task("retrieve", planner="none", place=(2.0, 2.0))
    engine, state, policy = task.begin(0)
    assert policy is None and engine.model.nq == 13 and task.duration > 0
    assert np.allclose(engine.step(state, np.zeros(12)).q, state.q), "nothing moved"


@pytest.mark.full
def test_the_whole_with_a_planner(tmp_path, capsys):
    assert run_task("retrieve", {}, as_json=True, out=tmp_path) == 0
    summary = json.loads(capsys.readouterr().out)
    assert summary["delivered"] and summary["collisions"] == 0 and 0 < summary["final_angle_set_deg"] < 81
    text = (tmp_path / "report.html").read_text()
    for section in (
        "Images and pose",
        "Error budget",
        "Plans",
        "Motions against limits",
        "angle",
        "Gripper",
        "Replay",
    ):
        assert section in text
    assert make_task("retrieve").options.relay == RELAY_AT
