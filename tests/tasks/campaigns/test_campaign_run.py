import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from carpal.errors import CarpalError
from carpal.tasks.campaigns import dask_backend
from carpal.tasks.campaigns.campaign_run import campaign, open_campaign
from carpal.tasks.campaigns.factors import Factor
from carpal.tasks.campaigns.study import Study

TASK = "tasks.campaigns.small_tasks:Coin"
X = (Factor.from_data("x", {"grid": [0.0, 1.0, 5]}),)
TESTS = Path(__file__).parents[2]


def _study(**more):
    return Study(TASK, more.pop("options", {}), more.pop("factors", X), more.pop("seeds", tuple(range(8))), **more)


def test_the_table_does_not_depend_on_the_backend(tmp_path):
    one, two = (campaign(_study(), processes=n, out=tmp_path / str(n)) for n in (1, 2))
    assert one.ok and one.table().equals(two.table()) and len(one.rows) == 40
    assert one.table().column_names[:4] == ["case", "x", "seed", "state"]
    value = np.random.default_rng([3, 1]).normal() + 0.25
    row = one.rows[8 + 3]
    assert row["numbers"]["value"] == value and row["ok"] == (value > 0)
    assert (tmp_path / "1" / "cases.parquet").read_bytes() == (tmp_path / "2" / "cases.parquet").read_bytes()
    again = open_campaign(tmp_path / "2")  # from the table
    assert again.table().equals(one.table()) and again.study == one.study and str(again) == str(one)
    assert list(again.rows) == list(two.rows)
    (tmp_path / "2" / "cases.parquet").write_bytes(b"torn")
    assert list(open_campaign(tmp_path / "2").rows) == list(two.rows)  # from the journal


def test_a_task_is_asked_by_its_name(tmp_path):
    asked = {"factors": {"x": {"grid": [0.0, 1.0, 5]}}, "seeds": 8, "processes": 1}
    result = campaign(TASK, out=tmp_path, **asked)
    assert result.study == _study() and len(result.rows) == 40
    assert campaign(TASK, out=tmp_path, **asked).table().equals(result.table())


def test_dask_gives_the_same_table(tmp_path):
    ours = campaign(_study(), processes=1)
    theirs = campaign(_study(), cluster="local:2", out=tmp_path)
    assert theirs.table().equals(ours.table())


@pytest.mark.parametrize("bad", ["raise", "kill", "hang"])
def test_one_bad_case_stops_no_other(bad, tmp_path):
    result = campaign(_study(options={"bad": bad}, factors=(), timeout=1.0), processes=2, out=tmp_path)
    states = [row["state"] for row in result.rows]
    assert len(states) == 8 and states[3] == ("hung" if bad == "hang" else "crashed") and states.count("done") == 7
    said = {"raise": "RuntimeError: a defect", "kill": "status -9", "hang": "longer than 1 s"}[bad]
    assert said in result.rows[3]["status"] and not result.ok and "1 crashed or hung" in result.status


def test_resuming_runs_only_what_is_left(tmp_path):
    study = _study()
    first = campaign(study, processes=1, out=tmp_path)
    times = [row["seconds"] for row in first.rows]
    again = campaign(study, processes=1, out=tmp_path)
    assert [row["seconds"] for row in again.rows] == times  # nothing was run again


def test_a_metric_that_does_not_exist_is_reported_before_the_rest_runs(tmp_path):
    with pytest.raises(CarpalError, match="value") as caught:
        campaign(_study(metrics=("valeu",)), processes=1, out=tmp_path)
    assert "metric" in str(caught.value) and len(open_campaign(tmp_path).rows) == 1
    assert campaign(_study(metrics=("value",)), processes=1).metrics == ("value",)


PROGRAM = f"""
import sys
sys.path.insert(0, {str(TESTS)!r})
from carpal.tasks.campaigns.campaign_run import campaign
from carpal.tasks.campaigns.factors import Factor
from carpal.tasks.campaigns.study import Study
study = Study({TASK!r}, {{"slow": 0.01}}, (Factor.from_data("x", {{"grid": [0.0, 1.0, 5]}}),), tuple(range(40)))
campaign(study, processes=2, out=sys.argv[1])
"""


def _killed_at(folder, seconds, whom):
    process = subprocess.Popen([sys.executable, "-c", PROGRAM, str(folder)], start_new_session=True)
    time.sleep(seconds)
    if whom == "coordinator":
        process.kill()
        process.wait()
        return
    children = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True, check=False).stdout
    for child in children.split()[:1]:
        os.kill(int(child), signal.SIGKILL)
    assert process.wait(60) == 0


def _rows_held(folder):
    """Rows by number; none where the kill came before the journal had its tables."""
    try:
        return {row["number"]: row for row in open_campaign(folder).rows}
    except CarpalError as problem:
        if "no campaign" in str(problem) or "no such table" in str(problem):
            return {}
        raise


def _killed_and_resumed(tmp_path, whom, times, seed):
    same = 0
    rng = np.random.default_rng(seed)
    study = Study(TASK, {"slow": 0.01}, X, tuple(range(40)))
    whole = campaign(Study(TASK, {"slow": 0.01}, X, tuple(range(40))), processes=2, out=tmp_path / "whole")
    for i in range(times):
        folder = tmp_path / str(i)
        _killed_at(folder, rng.uniform(0.5, 3.0), whom)
        held = _rows_held(folder)
        again = campaign(study, processes=2, out=folder)
        same += again.table().equals(whole.table())
        assert all(again.rows[number]["seconds"] == row["seconds"] for number, row in held.items())
    return same


@pytest.mark.parametrize("whom", ["coordinator", "worker"])
def test_a_kill_loses_nothing(tmp_path, whom):
    assert _killed_and_resumed(tmp_path, whom, 2, seed=1) == 2


@pytest.mark.full
@pytest.mark.parametrize("whom", ["coordinator", "worker"])
def test_twenty_kills_lose_nothing(tmp_path, whom, figure):
    same = _killed_and_resumed(tmp_path, whom, 20, seed=2)
    figure(
        f"campaign: {whom} killed by kill -9 at 20 random moments: tables that equal an uninterrupted run's",
        same,
        20,
        at_least=True,
    )


def test_what_cannot_be_asked(monkeypatch):
    monkeypatch.setattr(dask_backend, "CONNECT_SECONDS", 0.5)
    with pytest.raises(CarpalError, match="cpu, cuda"):
        campaign(_study(), device="gpu")
    with pytest.raises(CarpalError, match="choose one"):
        campaign(_study(), device="cuda", processes=2)
    with pytest.raises(CarpalError, match="no compiled run loop"):
        campaign(_study(), device="cuda")
    with pytest.raises(CarpalError, match="local:N"):
        campaign(_study(), cluster="local:x")
    with pytest.raises(CarpalError, match="no Dask scheduler"):
        campaign(_study(), cluster="tcp://127.0.0.1:1")
