import sqlite3
import subprocess
import sys
import time

import numpy as np
import pytest

from carpal._core.progress import Bar
from carpal.errors import CarpalError
from carpal.tasks.campaigns.store import CaseStore

ABOUT = {"study": {"task": "coin"}}


def _row(number):
    return {"number": number, "state": "done", "ok": number % 2 == 0, "status": "s", "numbers": {"value": 0.1 * number}}


def test_rows_come_back(tmp_path):
    with CaseStore(tmp_path, ABOUT, 10) as store:
        for number in (7, 3, 5, 3):
            store.add(_row(number), "processes", 0.5)
        assert list(store.left) == [0, 1, 2, 4, 6, 8, 9]
    with CaseStore(tmp_path, ABOUT, 10) as store:
        assert store.finished.sum() == store.count() == 3
        rows = list(store.rows())
    assert [row["number"] for row in rows] == [3, 5, 7] and rows[2]["numbers"]["value"] == 0.1 * 7 and not rows[0]["ok"]


def test_each_run_is_kept_with_its_time(tmp_path):
    def rows(*numbers):
        for number in numbers:
            time.sleep(0.01)
            yield {**_row(number), "seconds": 0.01}

    def stopped():
        yield from rows(5)
        raise KeyboardInterrupt

    with CaseStore(tmp_path, ABOUT, 10) as store:
        assert not store.keep(rows(1, 2, 3), "processes", Bar(10, "coin", shown=False))
        assert store.keep(stopped(), "dask", Bar(10, "coin", shown=False))
        store.add(_row(9), "cpu", 0.1)  # outside of any run
    with CaseStore(tmp_path, None, reading=True) as store:
        answer = store.runs()
        assert [row[:2] for row in answer] == [("processes", 3), ("dask", 1)] and answer[0][2] > 0.03


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("update rows set numbers = '{\"value\": 0.31}' where number = 3", "the row of case 3 is not what was written"),
        ("update rows set ok = 1 where number = 3", "the row of case 3"),
        (
            "update about set value = '{\"task\": \"coim\"}' where name = 'study'",
            "what was run is not what was written",
        ),
        ("delete from about where name = 'digest'", "what was run"),
        ("drop table rows", "cannot be used|is damaged"),
    ],
)
def test_what_was_changed_behind_its_back_is_noticed(tmp_path, change, words):
    with CaseStore(tmp_path, ABOUT, 10) as store:
        store.add(_row(3), "processes", 0.5)
    with sqlite3.connect(tmp_path / "journal.sqlite") as base:
        base.execute(change)
    with pytest.raises(CarpalError, match=words), CaseStore(tmp_path, None, reading=True) as store:
        list(store.rows())


def test_another_study_or_another_program_is_refused(tmp_path):
    with CaseStore(tmp_path, ABOUT, 10), pytest.raises(CarpalError, match="being used by another program"):
        CaseStore(tmp_path, ABOUT, 10)
    with pytest.raises(CarpalError, match="was begun with study"):
        CaseStore(tmp_path, {"study": {"task": "other"}}, 10)
    with pytest.raises(CarpalError, match="holds no campaign"):
        CaseStore(tmp_path / "none", None, reading=True)


def test_a_broken_file_is_one_sentence(tmp_path):
    (tmp_path / "journal.sqlite").write_bytes(b"no database at all, only text that is long enough" * 100)
    with pytest.raises(CarpalError, match="cannot be used"):
        CaseStore(tmp_path, ABOUT, 10)


def test_a_full_disk_keeps_what_was_written(tmp_path):
    """A limit on file sizes, in a process of its own."""
    program = f"""
import resource, sys
from pathlib import Path
from carpal.errors import CarpalError
from carpal.tasks.campaigns.store import CaseStore
resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))
store = CaseStore(Path({str(tmp_path)!r}), {ABOUT!r}, 100_000)
try:
    for number in range(100_000):
        store.add({{"number": number, "state": "done", "ok": True, "status": "s" * 50, "numbers": {{}}}}, "b", 0.0)
        if number % 100 == 0:
            store.commit()
except CarpalError as problem:
    print(problem)
"""
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert "cannot be written" in answer and "is kept" in answer
    with CaseStore(tmp_path, ABOUT, 100_000) as store:
        done = np.flatnonzero(store.finished)
    assert len(done) > 500 and (done == np.arange(len(done))).all()


def test_what_one_side_does_not_say_is_a_difference(tmp_path):
    with CaseStore(tmp_path, {**ABOUT, "machine": "a"}, 10):
        pass
    with pytest.raises(CarpalError, match="was begun with machine"):
        CaseStore(tmp_path, ABOUT, 10)
    with CaseStore(tmp_path / "other", ABOUT, 10):
        pass
    with pytest.raises(CarpalError, match="was begun with machine"):
        CaseStore(tmp_path / "other", {**ABOUT, "machine": "a"}, 10)
