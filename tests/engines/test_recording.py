"""A recording keeps every bit, survives what ends a run, and is read by others."""

import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from random_models import random_tree
from recorded_run import fill

from carpal.engines import LEDGER, Contact, Event, Recorder, Recording
from carpal.engines import recording_files as files
from carpal.errors import InputError, RecordingError, UnknownNameError
from carpal.model import load

TESTS = Path(__file__).parents[1]
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join([str(TESTS), str(TESTS.parent)])}
MODEL = random_tree(5)
META = {"seed": 5, "engine": "none", "dt": 1e-3, "options": {"gain": np.array([1.0, np.inf])}}


def made(out=None, rows=50, **options):
    return fill(Recorder(MODEL, META, out, **options), rows).finish()


def same(a, b):
    assert a.metadata == b.metadata
    for name in ("time", "q", "v", "u"):
        assert np.array_equal(getattr(a, name), getattr(b, name)), name
    assert all(np.array_equal(a.energy[name], b.energy[name]) for name in LEDGER)
    assert a.contacts == b.contacts
    assert a.events == b.events
    assert (a.ok, a.status, a.interrupted) == (b.ok, b.status, b.interrupted)


def test_rows_come_back_as_they_were():
    recording = made(rows=45, part_rows=20)
    assert recording.ok and recording.status == "ran to 0.044 s, 45 rows recorded."
    assert recording.q.shape == (45, MODEL.nq) and recording.v.shape == recording.u.shape == (45, MODEL.nv)
    assert np.array_equal(recording.time, 1e-3 * np.arange(45))
    assert np.array_equal(recording.energy["kinetic"], 1.0 + np.arange(45))
    assert np.abs(recording.energy["residual"]).max() == 0.0
    assert [len(row) for row in recording.contacts[:6]] == [0, 1, 2, 0, 1, 2]
    assert recording.contacts[1][0].mode == "sliding" and recording.contacts[1][0].force == (1.0, 2.0, 3.0)
    assert recording.events[1] == Event(0.007, "touch", "row 7", 7.0)


def test_metadata_says_how_to_run_it_again():
    meta = made().metadata
    assert meta["seed"] == 5 and meta["options"] == {"gain": [1.0, "inf"]}
    assert meta["numpy"] == np.__version__ and {"carpal", "python", "numba"} <= set(meta)
    assert "mujoco" not in meta and "mujoco" in Recorder(MODEL, {"engine": "mujoco"}).metadata
    assert made().model.joint_names == MODEL.joint_names


@pytest.mark.parametrize("rows", [0, 1, 19, 20, 21, 60])
def test_file_and_parts_bring_every_bit_back(tmp_path, rows):
    recording = made(tmp_path / "parts", rows, part_rows=20)
    recording.save(tmp_path / "one.parquet")
    same(recording, Recording.load(tmp_path / "parts"))
    same(recording, Recording.load(tmp_path / "one.parquet"))


def test_the_same_run_gives_the_same_bytes(tmp_path):
    for name in ("a", "b"):
        made(tmp_path / name, part_rows=20).save(tmp_path / f"{name}.parquet")
    Recording.load(tmp_path / "a").save(tmp_path / "c.parquet")
    names = sorted(path.name for path in (tmp_path / "a").iterdir())
    assert names == ["end.json", "part-000000.parquet", "part-000001.parquet", "part-000002.parquet"]
    for name in names:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    assert len({(tmp_path / f"{name}.parquet").read_bytes() for name in "abc"}) == 1


def test_a_killed_run_is_kept_up_to_its_last_complete_part(tmp_path, figure):
    program = TESTS / "recorded_run.py"
    child = subprocess.Popen([sys.executable, program, tmp_path], env=ENVIRONMENT)
    limit = time.monotonic() + 60
    while len(list(tmp_path.glob("part-*"))) < 3 and time.monotonic() < limit:
        time.sleep(0.005)
    child.send_signal(signal.SIGKILL)
    assert child.wait() == -signal.SIGKILL
    parts = len(list(tmp_path.glob("part-*")))
    recording = Recording.load(tmp_path)
    whole = fill(Recorder(MODEL, {"seed": 5}), len(recording)).finish()
    assert np.array_equal(recording.q, whole.q) and recording.contacts == whole.contacts
    assert not recording.ok and "cut off" in recording.status
    figure("rows lost of the complete parts after kill -9", 20 * parts - len(recording), 0)
    figure("complete parts after kill -9", parts, 3, at_least=True)


def test_pandas_polars_and_duckdb_read_it(tmp_path):
    import duckdb
    import pandas
    import polars

    path = str(made(tmp_path / "parts", part_rows=20).save(tmp_path / "one.parquet"))
    recording = Recording.load(path)
    joint = next(name for name in MODEL.joint_names if f"q:{name}" in recording.table().column_names)
    expected = recording.q[:, MODEL.q_index(joint)]
    frame = pandas.read_parquet(path)
    assert np.array_equal(frame[f"q:{joint}"], expected) and frame["contacts"][2][0]["mode"] == "sliding"
    assert np.array_equal(polars.read_parquet(path)[f"q:{joint}"].to_numpy(), expected)
    parts = polars.scan_parquet(str(tmp_path / "parts" / "part-*.parquet")).select(f"q:{joint}").collect()
    assert np.array_equal(parts[f"q:{joint}"].to_numpy(), expected)
    rows = duckdb.sql(f"select \"q:{joint}\" from '{tmp_path}/parts/part-*.parquet' order by time").fetchnumpy()
    assert np.array_equal(rows[f"q:{joint}"], expected)
    touched = duckdb.sql(f"select count(*) from (select unnest(contacts) as c from '{path}') where c.mode = 'sliding'")
    assert touched.fetchall() == [(sum(len(row) for row in recording.contacts),)]


def test_columns_name_the_joints():
    names = made().table().column_names
    assert names[0] == "time" and names[-2:] == ["contacts", "events"]
    for joint, (kind, _) in zip(MODEL.joint_names, MODEL.joint_slices(), strict=True):
        assert (f"q:{joint}:3" if kind in ("ball", "free") else f"q:{joint}") in names


def limited(bytes_, work):
    """Do something in a child that may not write files longer than this; its last words."""
    code = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({bytes_}, {bytes_}))\n{work}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=ENVIRONMENT)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_full_disk_is_one_sentence_and_the_parts_are_kept(tmp_path):
    size = max(path.stat().st_size for path in [made(tmp_path / "a", 20, part_rows=20).save(tmp_path / "a.parquet")])
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[1] == resource.RLIM_INFINITY
    work = f"""
from recorded_run import fill
from random_models import random_tree
from carpal.engines import Recorder
from carpal.errors import RecordingError
import numpy as np
recorder = fill(Recorder(random_tree(5), {{"seed": 5}}, {str(tmp_path / "b")!r}, part_rows=20), 45)
try:  # long names do not fit any more
    for i in range(100):
        zero = np.zeros(recorder.model.nv)
        event = {{"name": "x", "text": str(np.random.default_rng(i).bytes(9999))}}
        recorder.add(i, recorder.model.q_home, zero, zero, {{}}, [], [event])
except RecordingError as error:
    print(error)
    print(len(error.recording), len(recorder.finish()))
"""
    sentence, rows = limited(size + 20000, work).strip().splitlines()
    assert "full" in sentence and "2 complete parts with 40 rows are kept" in sentence
    assert rows == "60 60"
    assert len(Recording.load(tmp_path / "b")) == 40
    assert sorted(path.name for path in (tmp_path / "b").iterdir()) == ["part-000000.parquet", "part-000001.parquet"]


def test_save_to_a_full_disk_leaves_the_old_file(tmp_path):
    made(rows=3).save(tmp_path / "old.parquet")
    before = (tmp_path / "old.parquet").read_bytes()
    work = f"""
from recorded_run import fill
from random_models import random_tree
from carpal.engines import Recorder
from carpal.errors import RecordingError
try:
    fill(Recorder(random_tree(5), {{}}), 500).finish().save({str(tmp_path / "old.parquet")!r})
except RecordingError as error:
    print(error)
"""
    assert "was not written, the disk or the allowed file size is full" in limited(len(before), work)
    assert (tmp_path / "old.parquet").read_bytes() == before
    assert len(list(tmp_path.iterdir())) == 1


def test_a_folder_with_a_recording_is_not_written_over(tmp_path):
    made(tmp_path)
    with pytest.raises(RecordingError, match="already holds a recording"):
        Recorder(MODEL, META, tmp_path)


def test_a_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(RecordingError, match="cannot be made"):
        Recorder(MODEL, META, tmp_path / "file" / "x")


def test_a_wrong_shape_or_name_is_refused():
    recorder = Recorder(MODEL, META)
    zero = np.zeros(MODEL.nv)
    with pytest.raises(InputError, match=rf"u of a recording's row must be \({MODEL.nv},\)"):
        recorder.add(0.0, MODEL.q_home, zero, np.zeros(MODEL.nv + 1))
    with pytest.raises(UnknownNameError, match="did you mean 'force'"):
        recorder.add(0.0, MODEL.q_home, zero, zero, {}, [{"a": "x", "b": "y", "forse": (0, 0, 0)}])
    with pytest.raises(InputError, match="plain data"):
        Recorder(MODEL, {"options": {"policy": made}})
    with pytest.raises(InputError, match="filled in by the recorder"):
        Recorder(MODEL, {"model": 1})
    with pytest.raises(InputError, match="part_rows"):
        Recorder(MODEL, META, part_rows=0)


def test_an_interrupted_run_says_so(tmp_path):
    recorder = fill(Recorder(MODEL, META, tmp_path), 5)
    recording = recorder.finish(interrupted=True)
    assert not recording and recording.interrupted
    again = Recording.load(tmp_path)
    assert again.interrupted and "interrupted at 0.004 s" in str(again)


def test_so_far_is_a_copy():
    recorder = fill(Recorder(MODEL, META), 5)
    view = recorder.so_far()
    fill(recorder, 5)
    assert len(view) == 5 and not view.ok and len(recorder.so_far()) == 10


def test_a_row_that_was_cut_short_is_written_over(tmp_path):
    recorder = fill(Recorder(MODEL, META, tmp_path, part_rows=4), 4)
    zero = np.zeros(MODEL.nv)
    with pytest.raises(UnknownNameError):  # after the contacts, before the end of the row
        recorder.add(9.0, MODEL.q_home, zero, zero, {}, [Contact("a", "b")], [{"nam": "x"}])
    recorder.add(4.0, MODEL.q_home, zero, zero)
    same(recorder.finish(), Recording.load(tmp_path))
    assert len(Recording.load(tmp_path)) == 5 and Recording.load(tmp_path).contacts[4] == ()


def test_ctrl_c_while_a_part_is_written_loses_nothing(tmp_path, monkeypatch):
    """The part is written again with the rows that follow it, each part no longer than it may be."""
    recorder = Recorder(load("so101_old"), {}, tmp_path / "run", 3)
    write, cut = files.write_whole, [True]

    def interrupted(path, content):
        if cut.pop() if cut else False:
            raise KeyboardInterrupt
        write(path, content)

    monkeypatch.setattr(files, "write_whole", interrupted)
    q = np.zeros(5)
    recorder.add(0.0, q, q, q)
    recorder.add(0.1, q, q, q)
    with pytest.raises(KeyboardInterrupt):
        recorder.add(0.2, q, q, q)
    recorder.add(0.3, q, q, q)
    done = recorder.finish(interrupted=True)
    assert done.time.tolist() == [0.0, 0.1, 0.2, 0.3] == Recording.load(tmp_path / "run").time.tolist()
