"""Glove files and rows: written and read back exactly, columns in any order, mistakes named by line and column."""

import numpy as np
import pytest

from carpal.errors import CarpalError
from carpal.perception import (
    SENSORS,
    GloveMap,
    glove_line,
    parse_glove_row,
    read_glove_file,
    synthetic_glove,
    write_glove_file,
)

GLOVE = GloveMap.read()


def test_there_and_back(tmp_path):
    time, sensors = synthetic_glove(0.5, seed=3)
    rows = read_glove_file(write_glove_file(tmp_path / "g.csv", time, sensors), GLOVE)
    wanted = GLOVE.targets(dict(zip(SENSORS, sensors.T, strict=True)))
    assert np.array_equal(rows.time, time)
    assert np.abs(rows.targets - wanted).max() < 1e-15
    assert np.array_equal(rows.at(-1.0), rows.targets[0])
    assert np.array_equal(rows.at(0.0149), rows.targets[1])  # held from row to row
    assert np.array_equal(rows.at(9.0), rows.targets[-1])


def test_a_row_of_a_link_is_a_row_of_a_file():
    time, sensors = synthetic_glove(0.2, seed=1)
    stamp, targets = parse_glove_row(glove_line(time[5], sensors[5]), GLOVE)
    assert stamp == time[5]
    assert np.abs(targets - GLOVE.targets(dict(zip(SENSORS, sensors[5], strict=True)))).max() < 1e-15


def file_of(tmp_path, head, *lines):
    path = tmp_path / "g.csv"
    path.write_text("\n".join([",".join(head), *lines]) + "\n")
    return path


def test_columns_in_any_order_and_others_ignored(tmp_path):
    head = ["note", *reversed(GLOVE.sensors), "time"]
    row = ["hello", *[str(k) for k in range(len(GLOVE.sensors))], "7.0"]
    rows = read_glove_file(file_of(tmp_path, head, ",".join(row)), GLOVE)
    assert rows.time.tolist() == [0.0]
    wanted = GLOVE.targets({name: float(k) for k, name in enumerate(reversed(GLOVE.sensors))})
    assert np.abs(rows.targets[0] - wanted).max() < 1e-12


HEAD = ["time", *SENSORS]


@pytest.mark.parametrize(
    ("head", "lines", "word"),
    [
        (HEAD[:-5], ["0" + ",1" * 17], "pinkie_ring_abduction"),
        (HEAD, ["0" + ",1" * 22, "0.1,nan" + ",1" * 21], None),  # thumb_TMJ is not used
        (HEAD, ["0" + ",1" * 22, "0.1,1,nan" + ",1" * 20], "line 3"),
        (HEAD, ["0" + ",1" * 22, "0.1,1,x" + ",1" * 20], "thumb_MPJ"),
        (HEAD, ["0" + ",1" * 22, "0.1,1"], "nothing"),
        (HEAD, ["0.2" + ",1" * 22, "0.1" + ",1" * 22], "not later"),
        (HEAD, [], "no rows"),
        ([""], [], "no column"),
    ],
)
def test_mistakes_are_named(tmp_path, head, lines, word):
    path = file_of(tmp_path, head, *lines)
    if word is None:
        assert len(read_glove_file(path, GLOVE).time) == 2
        return
    with pytest.raises(CarpalError) as caught:
        read_glove_file(path, GLOVE)
    assert word in str(caught.value)
    assert "\n" not in str(caught.value)


def test_no_file_and_wrong_widths(tmp_path):
    with pytest.raises(CarpalError, match="cannot be read"):
        read_glove_file(tmp_path / "none.csv", GLOVE)
    with pytest.raises(CarpalError, match="22"):
        write_glove_file(tmp_path / "g.csv", np.zeros(2), np.zeros((2, 3)))
    for text in ("1,2,3", "0" + ",1" * 3 + ",nan" + ",1" * 18):
        with pytest.raises(CarpalError):
            parse_glove_row(text, GLOVE)
