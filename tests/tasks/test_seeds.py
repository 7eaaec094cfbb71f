"""Many seeds: the same table from any number of processes, killed or not."""

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
from carpal.tasks import SeedsResult, run_seeds
from carpal.tasks.campaigns.store import CaseStore

TESTS = Path(__file__).parents[1]
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join([str(TESTS), str(TESTS.parent)])}
DICE = "stand_in_tasks:Dice"


def test_the_table_does_not_depend_on_processes(tmp_path):
    one = run_seeds(DICE, {"sides": 8}, 20, out=tmp_path / "one", processes=1)
    two = run_seeds(DICE, {"sides": 8}, 20, out=tmp_path / "two", processes=2)
    assert [row["seed"] for row in one.rows] == list(range(20))
    assert (tmp_path / "one" / "seeds.parquet").read_bytes() == (tmp_path / "two" / "seeds.parquet").read_bytes()
    rng = np.random.default_rng(7)
    assert two.rows[7]["numbers"]["rolls"] == rng.integers(1, 9, 3).tolist()


def test_a_cluster_gives_the_same_table(tmp_path):
    run_seeds(DICE, {"sides": 8}, 20, out=tmp_path / "ours", processes=1)
    run_seeds(DICE, {"sides": 8}, 20, out=tmp_path / "theirs", cluster="local:2")
    assert (tmp_path / "ours" / "seeds.parquet").read_bytes() == (tmp_path / "theirs" / "seeds.parquet").read_bytes()
    with pytest.raises(InputError, match="choose one of processes, device cuda and cluster"):
        run_seeds(DICE, {}, 2, cluster="local:2", processes=2)
    with pytest.raises(InputError, match="no compiled run loop"):
        run_seeds(DICE, {}, 2, device="cuda")


def test_table_and_summary():
    result = run_seeds(DICE, {}, [4, 2, 9, 2])
    table = result.table()
    assert table.column("seed").to_pylist() == [2, 4, 9]
    assert table.column_names == ["seed", "ok", "status", "first", "mean", "never", "rolls"]
    first = [row["numbers"]["first"] for row in result.rows]
    assert result.summary()["first"] == {
        "least": min(first), "median": np.median(first), "mean": np.mean(first), "greatest": max(first),
    }  # fmt: skip
    assert "never" not in result.summary()


def test_sentences():
    good, bad = ({"seed": i, "ok": i == 0, "status": f"rolled {i}.", "numbers": {}} for i in (0, 1))
    assert str(SeedsResult("dice", {}, [good], 1)) == "dice succeeded on all 1 seeds."
    some = SeedsResult("dice", {}, [good, bad], 2)
    assert not some and str(some) == "dice succeeded on 1 of 2 seeds; the first other, seed 1: rolled 1."
    cut = SeedsResult("dice", {}, [good], 2, interrupted=True, kept="x/journal.sqlite")
    assert not cut and str(cut).startswith(
        "interrupted with 1 of 2 seeds finished; they are kept in 'x/journal.sqlite'"
    )


def kept(out):
    """Rows of a folder's journal, also while it is written; none where there is none yet."""
    try:
        with CaseStore(out, None, reading=True) as store:
            return list(store.rows())
    except CarpalError:
        return []


def journal_rows(out):
    return len(kept(out))


def study(out, *, pause=0.02, seeds=240):
    code = f"""
from carpal.tasks import run_seeds
if __name__ != "__main__":
    raise SystemExit("the user's program was imported by a worker")
print(run_seeds({DICE!r}, {{"pause": {pause}}}, {seeds}, out={str(out)!r}, processes=2))
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
    assert study(whole).wait() == 0
    kills, done = 0, []
    for rows in (6, 70, 140):
        child = study(cut)
        wait_for_rows(cut, rows, child)
        child.send_signal(signal.SIGKILL)
        kills += child.wait() == -signal.SIGKILL
        done.append(journal_rows(cut))
    assert 6 <= done[0] < done[1] < done[2] < 240
    assert not (cut / "seeds.parquet").exists()
    last = study(cut)
    assert last.wait() == 0
    assert (cut / "seeds.parquet").read_bytes() == (whole / "seeds.parquet").read_bytes()
    assert journal_rows(cut) == 240
    figure("kill -9 of a study of seeds, resumed to the same bytes", kills, 3, at_least=True)


def test_ctrl_c_keeps_what_is_finished(tmp_path):
    out = tmp_path / "out"
    child = study(out, pause=0.05)
    wait_for_rows(out, 6, child)
    os.killpg(child.pid, signal.SIGINT)  # as a terminal does: to everything that it started
    said, err = child.communicate(timeout=30)
    assert (child.returncode, err) == (0, ""), err
    assert said.startswith("interrupted with ") and "the same command goes on" in said
    finished = int(said.split()[2])
    assert 6 <= finished < 240
    result = run_seeds(DICE, {"pause": 0.05}, finished, out=out)
    assert len(result.rows) == finished


def test_more_seeds_later(tmp_path):
    run_seeds(DICE, {}, 5, out=tmp_path)
    before = {row["number"]: row["seconds"] for row in kept(tmp_path)}
    result = run_seeds(DICE, {}, 9, out=tmp_path)
    assert len(result.rows) == 9 and pq.read_table(tmp_path / "seeds.parquet").num_rows == 9
    after = {row["number"]: row["seconds"] for row in kept(tmp_path)}
    assert all(after[seed] == seconds for seed, seconds in before.items())  # none was run again


def test_other_options_in_the_same_folder_are_refused(tmp_path):
    run_seeds(DICE, {}, 3, out=tmp_path)
    with pytest.raises(CarpalError, match="choose another folder"):
        run_seeds(DICE, {"sides": 8}, 3, out=tmp_path)


def test_bad_options_are_told_before_any_work(tmp_path):
    with pytest.raises(InputError, match="nobody makes such a die"):
        run_seeds(DICE, {"sides": 13}, 3, out=tmp_path / "out")
    assert not (tmp_path / "out").exists()
    for seeds, sentence in (
        (0, "1 or above"),
        (-3, "1 or above"),
        ([], "at least one"),
        ([1, -1], "0 or above"),
        ([10**9], "at most"),
    ):
        with pytest.raises(InputError, match=sentence):
            run_seeds(DICE, {}, seeds)
    with pytest.raises(InputError, match="at most"):
        run_seeds(DICE, {}, [10**9])
    with pytest.raises(InputError, match="how many or which"):
        run_seeds(DICE, {}, 2.5)
    with pytest.raises(InputError, match="processes"):
        run_seeds(DICE, {}, 3, processes=0)


def test_a_task_that_fails_at_one_seed_has_its_cause_for_a_row():
    for trouble, why in (
        ("defect", "ZeroDivisionError: a defect of the task (stand_in_tasks.py"),
        ("killed", "status -9"),
    ):
        result = run_seeds(DICE, {"trouble": trouble}, 9, processes=2)
        assert len(result.rows) == 9 and not result.ok
        assert why in result.rows[5]["status"] and sum("rolled" in row["status"] for row in result.rows) == 8


def test_what_a_task_prints_disturbs_nothing():
    assert len(run_seeds(DICE, {"trouble": "prints"}, 5, processes=1).rows) == 5


def test_nothing_to_do_starts_no_process(tmp_path, monkeypatch):
    first = run_seeds(DICE, {}, 3, out=tmp_path)
    monkeypatch.setattr(subprocess, "Popen", lambda *_, **__: pytest.fail("a process was started"))
    assert run_seeds(DICE, {}, 3, out=tmp_path).rows == first.rows
