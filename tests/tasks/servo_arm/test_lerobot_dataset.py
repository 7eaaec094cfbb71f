"""A LeRobot dataset, read back by pyarrow and pandas as LeRobot reads it."""

import json

import numpy as np
import pandas
import pyarrow.parquet as pq
import pytest

import carpal
from carpal.errors import InputError
from carpal.model import LEROBOT_JOINTS, q_from_lerobot
from carpal.tasks import ServoMove, write_lerobot

ARM = carpal.load("so101")


def moved(seed, rows=100):
    rng = np.random.default_rng(seed)
    q = ARM.q_home + 0.1 * np.cumsum(rng.normal(size=(rows, 6)), axis=0) / 10
    return ServoMove(True, "reached.", 0.01 * np.arange(rows), q, q + 0.01, q[-1])


def test_it_reads_back_to_the_same_numbers(tmp_path):
    moves = [("reach a point", moved(0)), ("go home", moved(1, 61)), ("reach a point", moved(2))]
    write_lerobot(tmp_path / "set", ARM, moves, fps=50)
    info = json.loads((tmp_path / "set/meta/info.json").read_text())
    assert (info["codebase_version"], info["fps"], info["total_episodes"], info["total_tasks"]) == ("v3.0", 50, 3, 2)
    data = pq.read_table(tmp_path / "set" / info["data_path"].format(chunk_index=0, file_index=0)).to_pandas()
    assert set(data.columns) == set(info["features"]) and len(data) == info["total_frames"]
    assert list(data["index"]) == list(range(len(data)))
    episodes = pq.read_table(tmp_path / "set/meta/episodes/chunk-000/file-000.parquet").to_pylist()
    tasks = pandas.read_parquet(tmp_path / "set/meta/tasks.parquet")
    assert tasks.index.name == "task" and tasks.loc["go home", "task_index"] == 1
    for k, (words, move) in enumerate(moves):
        one = episodes[k]
        rows = data.iloc[one["dataset_from_index"] : one["dataset_to_index"]]
        assert (rows["episode_index"] == k).all() and one["tasks"] == [words] and one["length"] == len(rows)
        assert (rows["task_index"] == tasks.loc[words, "task_index"]).all()
        state = q_from_lerobot(ARM, np.stack(rows["observation.state"]))
        assert np.abs(state - move.q[::2][: len(state)]).max() < 1e-5  # 32 bits
        assert np.abs(q_from_lerobot(ARM, np.stack(rows["action"])) - move.command[::2][: len(state)]).max() < 1e-5
        assert np.allclose(rows["timestamp"], np.arange(len(rows)) / 50)
        assert np.allclose(one["stats/action/min"], np.stack(rows["action"]).min(0))
    assert info["features"]["action"]["names"] == [f"{name}.pos" for name in LEROBOT_JOINTS]
    stats = json.loads((tmp_path / "set/meta/stats.json").read_text())
    assert np.allclose(stats["observation.state"]["mean"], np.stack(data["observation.state"]).mean(0), atol=1e-3)


def test_a_dataset_is_not_written_over_and_not_empty(tmp_path):
    write_lerobot(tmp_path, ARM, [("one", moved(0))])
    with pytest.raises(InputError, match="already holds a dataset"):
        write_lerobot(tmp_path, ARM, [("two", moved(0))])
    with pytest.raises(InputError, match="nothing to record"):
        write_lerobot(tmp_path / "other", ARM, [("none", ServoMove(False, "refused"))])
