"""`carpal export`: recordings and trajectories from the command line."""

import json

import numpy as np
import polars
from export_inputs import moved, recorded

from carpal.cli.command_line import main
from carpal.model import load


def test_a_recording_and_a_trajectory_are_exported(tmp_path, capsys):
    recorded().save(tmp_path / "run.parquet")
    assert main(["export", str(tmp_path / "run.parquet"), str(tmp_path / "run.csv"), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["ok"] and answer["rows"] == 40 and "contacts" in answer["left_out"]
    assert answer["bytes"] == (tmp_path / "run.csv").stat().st_size
    names = load("sawyer").joint_names
    way = type(moved())(moved().times, moved().coefficients, names[:3])
    way.save(tmp_path / "way.npz")
    words = ["export", str(tmp_path / "way.npz"), str(tmp_path / "way.csv"), "--robot", "sawyer", "--dt", "0.05"]
    assert main(words) == 0
    table = polars.read_csv(tmp_path / "way.csv", infer_schema_length=None)
    assert np.array_equal(table[f"q:{names[1]}"], way.sample(0.05)[0][:, 1]) and f"q:{names[6]}" in table.columns


def test_bad_input_is_one_sentence(tmp_path, capsys):
    recorded().save(tmp_path / "run.parquet")
    for words, said in (
        ([tmp_path / "run.parquet", tmp_path / "run.xyz"], "the endings are .csv"),
        ([tmp_path / "none.parquet", tmp_path / "run.csv"], "there is no file or folder"),
        ([tmp_path / "run.parquet", tmp_path / "run.csv", "--robot", "sawyer"], "--robot is for trajectories"),
    ):
        assert main(["export", *map(str, words)]) == 2
        assert said in capsys.readouterr().err
