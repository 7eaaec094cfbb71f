"""Damaged and foreign files are refused with one clear sentence."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from random_models import random_tree
from recorded_run import fill

from carpal.engines import Recorder, Recording, remove_recording
from carpal.engines.recording_files import number_columns, parquet_bytes, write_whole
from carpal.errors import RecordingError
from carpal.model import Body, Joint, Model

MODEL = random_tree(5)


@pytest.fixture
def parts(tmp_path):
    fill(Recorder(MODEL, {"seed": 5}, tmp_path / "parts", part_rows=20), 60).finish()
    return tmp_path / "parts"


def refused(path, sentence):
    with pytest.raises(RecordingError) as caught:
        Recording.load(path)
    message = str(caught.value)
    assert sentence in message, message
    assert "\n" not in message and message.endswith(".")


def test_not_there(tmp_path):
    refused(tmp_path / "none.parquet", "there is no file or folder")
    refused(tmp_path, "holds no complete part")


@pytest.mark.parametrize("cut", [0, 3, 4, 100, 0.5, 0.99])
def test_cut_short(parts, cut):
    path = parts / "part-000000.parquet"
    whole = path.read_bytes()
    path.write_bytes(whole[: int(cut * len(whole)) if isinstance(cut, float) else cut])
    refused(path, "cannot be read as a recording")


def content(recording):
    """Everything that a recording says."""
    numbers = [recording.time, recording.q, recording.v, recording.u, *recording.energy.values()]
    told = (recording.metadata, recording.contacts, recording.events)
    return [array.tobytes() for array in numbers], json.dumps(told, default=str, sort_keys=True)


def test_a_flipped_bit_is_refused_or_changes_nothing(parts):
    """One bit anywhere in a file: what loads is what was written."""
    path = parts / "part-000000.parquet"
    whole = path.read_bytes()
    before = content(Recording.load(path))
    rng, refusals = np.random.default_rng(0), 0
    for at, bit in zip(rng.integers(0, len(whole), 200), rng.integers(0, 8, 200), strict=True):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ (1 << bit)]) + whole[at + 1 :])
        try:
            assert content(Recording.load(path)) == before, f"bit {bit} of byte {at}"
        except RecordingError:
            refusals += 1
    assert refusals > 100


def test_rows_changed_by_another_program(parts):
    path = parts / "part-000000.parquet"
    table = pq.read_table(path)
    pq.write_table(table.set_column(0, "time", pa.array(np.arange(table.num_rows) * 1.0)), path)
    refused(path, "the digest in it does not fit its content")


def test_text_is_no_parquet(tmp_path):
    (tmp_path / "x.parquet").write_text("hello")
    refused(tmp_path / "x.parquet", "damaged or no Parquet")


def test_foreign_parquet(tmp_path):
    pq.write_table(pa.table({"a": [1, 2]}), tmp_path / "x.parquet")
    refused(tmp_path / "x.parquet", "no Carpal recording")


def rewrite(path, change):
    table = pq.read_table(path)
    changed = change(table)
    if not changed.schema.metadata:
        changed = changed.replace_schema_metadata(table.schema.metadata)
    path.write_bytes(parquet_bytes(changed))


def with_meta(**changes):
    def change(table):
        meta = json.loads(table.schema.metadata[b"carpal"]) | changes
        return table.replace_schema_metadata({b"carpal": json.dumps(meta).encode()})

    return change


def renamed_time(table):
    return table.rename_columns(["tim" if name == "time" else name for name in table.column_names])


def text_time(table):
    return table.set_column(0, "time", pa.array(["x"] * table.num_rows))


def empty_cell(table):
    return table.set_column(0, "time", pa.array([None] * table.num_rows, pa.float64()))


def holes(column, *cells):
    """Cells that Arrow takes and a recording never has."""

    def change(table):
        kind = table.schema.field(column).type
        rows = [list(cells)] * table.num_rows
        return table.set_column(table.schema.get_field_index(column), column, pa.array(rows, type=kind))

    return change


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (holes("contacts", None), "damaged cell in its column 'contacts'"),
        (holes("contacts", {"a": "x", "b": "y"}), "damaged cell in its column 'contacts'"),
        (holes("events", {"name": "x"}), "damaged cell in its column 'events'"),
        (with_meta(format="carpal-recording-9"), "no recording of format 'carpal-recording-1'"),
        (with_meta(model={"format": "no"}), "the model that"),
        (lambda t: t.replace_schema_metadata({b"carpal": b"{"}), "cannot be read"),
        (lambda t: t.replace_schema_metadata({b"carpal": b"[1]"}), "no recording of format"),
        (renamed_time, "its column 'time' is not there"),
        (text_time, "its column 'time' has type string"),
        (empty_cell, "empty cells in its column 'time'"),
    ],
)
def test_a_recording_that_is_not_whole(parts, change, sentence):
    path = parts / "part-000000.parquet"
    rewrite(path, change)
    refused(path, sentence)


def test_a_missing_part_between(parts):
    (parts / "part-000001.parquet").unlink()
    refused(parts, "lacks part-000001.parquet")


def test_a_damaged_part_names_what_can_still_be_loaded(parts):
    (parts / "part-000002.parquet").write_bytes(b"PAR1")
    refused(parts, "The 2 parts before it can be loaded")
    (parts / "part-000002.parquet").unlink()
    assert len(Recording.load(parts)) == 40


def test_parts_of_two_runs(parts):
    rewrite(parts / "part-000001.parquet", with_meta(seed=6))
    refused(parts, "belongs to another run")


def test_a_damaged_end_loses_nothing(parts):
    (parts / "end.json").write_text("{")
    assert len(Recording.load(parts)) == 60


def test_remove_takes_only_the_recording(parts):
    (parts / "notes.txt").write_text("mine")
    (parts / ".part-000003.parquet.1.tmp").write_text("half")
    remove_recording(parts)
    assert [path.name for path in parts.iterdir()] == ["notes.txt"]
    remove_recording(parts / "nowhere")


def test_write_whole_leaves_nothing_behind_when_it_fails(tmp_path):
    (tmp_path / "x").mkdir()
    with pytest.raises(OSError, match="directory"):
        write_whole(tmp_path / "x", b"1")
    assert [path.name for path in tmp_path.iterdir()] == ["x"]


def test_two_joints_that_would_share_a_column():
    bodies = (Body("a", None, Joint("j", "ball")), Body("b", None, Joint("j:0", "revolute")))
    with pytest.raises(RecordingError, match="two columns"):
        number_columns(Model("twins", bodies))
