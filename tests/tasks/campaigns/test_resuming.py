"""A campaign over many seeds: resumed after a kill or Ctrl-C, extended by more seeds."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from carpal.errors import CarpalError, InputError
from carpal.tasks import campaign, open_campaign, spread
from carpal.tasks.campaigns.store import CaseStore

TESTS = Path(__file__).parents[2]
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join([str(TESTS), str(TESTS.parent)])}
DICE = "stand_in_tasks:Dice"


def test_rows_and_their_spread():
    result = campaign(DICE, seeds=[2, 4, 9], processes=1)
    assert [row["seed"] for row in result.records] == result.table().column("seed").to_pylist() == [2, 4, 9]
    assert result.records[1]["numbers"]["rolls"] == np.random.default_rng(4).integers(1, 7, 3).tolist()
    first = [row["numbers"]["first"] for row in result.rows]
    assert spread(result)["first"] == {
        "least": min(first), "median": np.median(first), "mean": np.mean(first), "greatest": max(first),
    }  # fmt: skip
    assert "never" not in spread(result)


def kept(out):
    """Rows of a folder's journal, also while it is written; none where there is none yet."""
    try:
        with CaseStore(out, None, reading=True) as store:
            return list(store.rows())
    except CarpalError:
        return []


def journal_rows(out):
    return len(kept(out))


def started(out, *, pause=0.02, seeds=240):
    code = f"""
from carpal.tasks import campaign
if __name__ != "__main__":
    raise SystemExit("the user's program was imported by a worker")
print(campaign({DICE!r}, {{"pause": {pause}}}, seeds={seeds}, out={str(out)!r}, processes=2, recordings="none"))
"""
    program = out.parent / "study.py"
    program.write_text(code)
    return subprocess.Popen(
        [sys.executable, program], env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True,
    )  # fmt: skip


def wait_for_rows(out, rows, child):
    limit = time.monotonic() + 120
    while time.monotonic() < limit and child.poll() is None:
        if journal_rows(out) >= rows:
            return
        time.sleep(0.01)


def test_killed_and_resumed_gives_the_same_table(tmp_path, figure):
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    assert started(whole).wait() == 0
    kills, done = 0, []
    for rows in (6, 70, 140):
        child = started(cut)
        wait_for_rows(cut, rows, child)
        child.send_signal(signal.SIGKILL)
        kills += child.wait() == -signal.SIGKILL
        done.append(journal_rows(cut))
    assert 6 <= done[0] < done[1] < done[2] < 240
    assert not (cut / "cases.parquet").exists()
    last = started(cut)
    assert last.wait() == 0
    assert (cut / "cases.parquet").read_bytes() == (whole / "cases.parquet").read_bytes()
    assert journal_rows(cut) == 240
    figure("kill -9 of a study of seeds, resumed to the same bytes", kills, 3, at_least=True)


def test_ctrl_c_keeps_what_is_finished(tmp_path):
    out = tmp_path / "out"
    child = started(out, pause=0.05)
    wait_for_rows(out, 6, child)
    os.killpg(child.pid, signal.SIGINT)  # as a terminal does: to everything that it started
    said, err = child.communicate(timeout=30)
    assert (child.returncode, err) == (0, ""), err
    assert said.startswith("interrupted with ") and "the same command resumes" in said
    finished = int(said.split()[2])
    assert 6 <= finished < 240
    held = sorted(row["number"] for row in kept(out))
    assert len(held) == open_campaign(out).finished == finished


def test_more_seeds_later(tmp_path):
    asked = {"out": tmp_path, "processes": 1, "recordings": "none"}
    campaign(DICE, seeds=5, **asked)
    before = {row["number"]: row["seconds"] for row in kept(tmp_path)}
    result = campaign(DICE, seeds=9, **asked)
    assert len(result.rows) == 9 and pq.read_table(tmp_path / "cases.parquet").num_rows == 9
    after = {row["number"]: row["seconds"] for row in kept(tmp_path)}
    assert all(after[seed] == seconds for seed, seconds in before.items())  # none was run again
    fewer = campaign(DICE, seeds=3, **asked)
    assert fewer.finished == len(fewer.rows) == 3 and len(open_campaign(tmp_path).rows) == 9
    with pytest.raises(CarpalError, match="choose another folder"):
        campaign(DICE, seeds=[1, 2], **asked)


def test_other_options_in_the_same_folder_are_refused(tmp_path):
    campaign(DICE, seeds=3, out=tmp_path, processes=1, recordings="none")
    with pytest.raises(CarpalError, match="choose another folder"):
        campaign(DICE, {"sides": 8}, seeds=3, out=tmp_path)


def test_bad_options_are_refused_before_any_work(tmp_path):
    with pytest.raises(InputError, match="nobody makes such a die"):
        campaign(DICE, {"sides": 13}, seeds=3, out=tmp_path / "out")
    assert not (tmp_path / "out").exists()
    for seeds, sentence in (
        (0, "1 or above"),
        (-3, "1 or above"),
        (2.5, "whole number"),
        ([], "how many"),
        ([1, -1], "0 or above"),
    ):
        with pytest.raises(InputError, match=sentence):
            campaign(DICE, seeds=seeds)
    with pytest.raises(InputError, match="processes"):
        campaign(DICE, seeds=3, processes=0)


def test_output_of_a_task_disturbs_nothing():
    assert len(campaign(DICE, {"trouble": "prints"}, seeds=5, processes=1).rows) == 5


def test_nothing_to_do_starts_no_process(tmp_path, monkeypatch):
    asked = {"seeds": 3, "out": tmp_path, "recordings": "none"}
    first = list(campaign(DICE, **asked).rows)
    monkeypatch.setattr(subprocess, "Popen", lambda *_, **__: pytest.fail("a process was started"))
    assert list(campaign(DICE, **asked).rows) == first
