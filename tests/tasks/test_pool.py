"""Workers that fail: nothing that is finished is lost, and no process stays behind."""

import subprocess
import sys

import pytest

from carpal.errors import CarpalError
from carpal.tasks import pool, run_seeds
from carpal.tasks.journal import Journal
from carpal.tasks.pool import run_pool
from carpal.tasks.progress import Bar

DICE = "stand_in_tasks:Dice"


def test_a_worker_that_is_killed_is_one_sentence_and_nothing_is_lost(tmp_path):
    with pytest.raises(CarpalError, match=r"ended with status -9 while it ran seeds \[3, 4, 5\]; 3 finished"):
        run_seeds(DICE, {"trouble": "killed"}, 9, out=tmp_path, processes=1)
    assert (tmp_path / "journal.jsonl").read_bytes().count(b"\n") == 4


def test_a_defect_of_the_task_is_told_whole():
    with pytest.raises(RuntimeError, match="ZeroDivisionError: a defect of the task"):
        run_seeds(DICE, {"trouble": "defect"}, 9)


def test_nothing_to_do_starts_no_process(monkeypatch):
    monkeypatch.setattr(subprocess, "Popen", lambda *_, **__: pytest.fail("a process was started"))
    with Journal(None, {}) as journal:
        run_pool(DICE, {}, [], 3, 2, journal, Bar(0, "x", shown=False))
        assert not journal.rows


@pytest.mark.parametrize("trouble", ["none", "defect"])
def test_no_process_stays_behind(monkeypatch, trouble):
    started = []

    class Watched(pool._Worker):
        def __init__(self, *given):
            super().__init__(*given)
            started.append(self.process)

    monkeypatch.setattr(pool, "_Worker", Watched)
    if trouble == "none":
        run_seeds(DICE, {}, 9, processes=2)
    else:
        with pytest.raises(RuntimeError):
            run_seeds(DICE, {"trouble": trouble}, 9, processes=2)
    assert len(started) == 2 and all(process.poll() is not None for process in started)
    assert sys.executable in started[0].args
