"""A journal keeps complete lines, whatever happened, and is never mixed with another study."""

import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from carpal.errors import RecordingError
from carpal.tasks.journal import Journal

ABOUT = {"task": "dice", "options": {"sides": 6, "point": [0.1, 0.2]}, "versions": {"carpal": "1"}}


def row(seed):
    return {"seed": seed, "ok": True, "status": "done.", "numbers": {"x": 0.1 * seed, "y": float("nan")}}


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "study" / "journal.jsonl"
    with Journal(path, ABOUT) as journal:
        for seed in range(3):
            journal.add(row(seed))
    return path


def test_rows_come_back(path):
    with Journal(path, ABOUT) as journal:
        assert sorted(journal.rows) == [0, 1, 2]
        assert journal.rows[2]["numbers"]["x"] == 0.2


@pytest.mark.parametrize("cut", range(1, 60, 7))
def test_a_torn_last_line_is_cut_away(path, cut):
    whole = path.read_bytes()
    path.write_bytes(whole[:-cut])
    with Journal(path, ABOUT) as journal:
        assert sorted(journal.rows) == [0, 1]
        journal.add(row(2))
    assert path.read_bytes() == whole


def test_torn_in_its_first_line(path):
    whole = path.read_bytes()
    path.write_bytes(whole[:10])
    with Journal(path, ABOUT) as journal:
        assert not journal.rows
    assert path.read_bytes() == whole.splitlines(keepends=True)[0]


def test_another_study_is_refused_and_kept(path):
    whole = path.read_bytes()
    with pytest.raises(RecordingError, match=r'was begun with options .*"sides": 6.*and now it is .*"sides": 8'):
        Journal(path, {**ABOUT, "options": {"sides": 8}})
    with pytest.raises(RecordingError, match="versions"):
        Journal(path, {**ABOUT, "versions": {"carpal": "2"}})
    assert path.read_bytes() == whole


def test_a_damaged_line_is_named(path):
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([lines[0], b"{nonsense\n", *lines[2:]]))
    with pytest.raises(RecordingError, match=r"line 2 of .* is damaged"):
        Journal(path, ABOUT)
    path.write_bytes(b"".join([lines[0], b"{}\n"]))
    with pytest.raises(RecordingError, match="names no seed"):
        Journal(path, ABOUT)


def test_a_foreign_file_is_refused_and_kept(path):
    path.write_text('{"format": "other"}\n')
    with pytest.raises(RecordingError, match="is no journal"):
        Journal(path, ABOUT)
    assert path.read_text() == '{"format": "other"}\n'


def test_two_programs_do_not_share_a_journal(path):
    with Journal(path, ABOUT), pytest.raises(RecordingError, match="another program"):
        Journal(path, ABOUT)
    Journal(path, ABOUT).close()


def test_a_place_that_cannot_be_used(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(RecordingError, match="cannot be used"):
        Journal(tmp_path / "file" / "journal.jsonl", ABOUT)


def test_memory_only():
    with Journal(None, ABOUT) as journal:
        journal.add(row(7))
        assert journal.rows[7]["numbers"]["x"] == row(7)["numbers"]["x"]


def test_a_full_disk_leaves_complete_lines(path):
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[1] == resource.RLIM_INFINITY
    code = f"""
import json, resource
from pathlib import Path
from carpal.errors import RecordingError
from carpal.tasks.journal import Journal
path = Path({str(path)!r})
limit = path.stat().st_size + 100
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
journal = Journal(path, json.loads({json.dumps(ABOUT)!r}))
try:
    for seed in range(3, 99):
        journal.add({{"seed": seed, "ok": True, "status": "done.", "numbers": {{}}}})
except RecordingError as error:
    print(error)
"""
    root = str(Path(__file__).parents[2])
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": root}
    )
    assert path.read_bytes().endswith(b"\n")  # no torn line is left behind
    assert "File too large" in done.stdout and "kept: 4 seeds" in done.stdout, done.stdout + done.stderr
    with Journal(path, ABOUT) as journal:
        assert sorted(journal.rows) == [0, 1, 2, 3]
