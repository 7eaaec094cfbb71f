import json

import mujoco
import numpy as np
import pytest
from linkage_inputs import FOLDER, linkage

from carpal.cli.command_line import main

FINGER = str(FOLDER / "six_bar_finger.toml")


def run(capsys, *words):
    status = main(["linkage", *words])
    out, err = capsys.readouterr()
    return status, out, err


def test_the_table_and_the_json_say_the_same(capsys):
    status, out, err = run(capsys, FINGER, "--points", "5", "--force", "-20")
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].startswith("linkage 'six_bar_finger' closes from 0.027 m to 0.01 m (closed form, toggle at")
    answer = json.loads(run(capsys, FINGER, "--points", "5", "--force", "-20", "--json")[1])
    assert answer["ok"] and len(answer["drive"]) == 5
    curve = linkage("six_bar_finger").curve()
    assert answer["angle_rad"]["distal"] == curve.angle("distal", answer["drive"]).tolist()
    last = lines[-1].split()
    assert float(last[1]) == pytest.approx(np.degrees(answer["angle_rad"]["proximal"][-1]), abs=1e-4)
    assert float(last[-1]) == pytest.approx(answer["torque"]["distal"][-1], rel=1e-4)
    assert answer["margins"] == pytest.approx(curve.margins)


def test_a_crank_that_turns_freely_has_no_margins(capsys):
    status, out, _ = run(capsys, str(FOLDER / "crank_slider.toml"), "--points", "3")
    assert status == 0 and "none before the start, none beyond the stop" in out and "dead points [deg]: rod 90" in out
    answer = json.loads(run(capsys, str(FOLDER / "crank_slider.toml"), "--json")[1])
    assert answer["margins"] == [None, None] and len(answer["travel_m"]["s"]) == 9


def test_files_are_written(capsys, tmp_path):
    answer = json.loads(run(capsys, FINGER, "--json", "--out", str(tmp_path))[1])
    assert set(answer["files"]) == {"picture", "curve", "table", "mjcf"}
    assert mujoco.MjModel.from_xml_path(answer["files"]["mjcf"]).neq == 2
    assert json.loads((tmp_path / "six_bar_finger.json").read_text())["ok"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["none.toml"], "'none.toml' cannot be read"),
        ([FINGER, "--points", "1"], "--points must be from 2 to 100000; got 1"),
        ([FINGER, "--force", "nan"], "--force must be a finite number"),
    ],
)
def test_bad_input_is_one_clear_line_and_status_2(capsys, words, sentence):
    status, out, err = run(capsys, *words)
    assert (status, out) == (2, "")
    assert sentence in err and err.count("\n") == 1


def test_an_impossible_linkage_is_one_clear_line(capsys, tmp_path):
    text = (FOLDER / "six_bar_finger.toml").read_text()
    for old, new, sentence in (
        ("stop = 0.010", "stop = 0.005", "reaches a toggle at drive 0.00802554 m, inside its stroke"),
        ("Q = [0.0395, 0]", "Q = [0.0695, 0]", "bars 'rod' and 'middle' miss by"),
    ):
        assert old in text
        file = tmp_path / "broken.toml"
        file.write_text(text.replace(old, new))
        status, out, err = run(capsys, str(file))
        assert (status, out) == (2, "") and sentence in err and err.count("\n") == 1
