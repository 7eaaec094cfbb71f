"""Moves of a servo arm as a LeRobot dataset (version 3.0 of its layout): Parquet and JSON, no LeRobot needed.

Data lie in `data/chunk-000/file-000.parquet`, one row a frame; `meta/` holds `info.json`, `stats.json`, `tasks.parquet` and a
table of the episodes. Values are LeRobot's: degrees, and 0 to 100 for the gripper.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from carpal.engines import whole_file
from carpal.errors import InputError
from carpal.model import LEROBOT_JOINTS, Model, lerobot_from_q
from carpal.spatial import Array
from carpal.tasks.servo_arm.servo_arm import ServoMove

VERSION = "v3.0"
CHUNK, DATA_MB, VIDEO_MB = 1000, 100, 200
DATA = "data/chunk-{chunk_index:03d}/file-{file_index:03d}.parquet"
INDEXES = ("timestamp", "frame_index", "episode_index", "index", "task_index")


def write_lerobot(
    folder: Path,
    model: Model,
    episodes: Sequence[tuple[str, ServoMove]],
    *,
    fps: int = 30,
    robot: str = "so101_follower",
) -> Path:
    """Write a dataset of moves.

    Args:
        folder: must not hold a dataset.
        model: with LeRobot's joints.
        episodes: (task in words, move); moves of less than two rows are left out.
        fps: frames a second; the moves are sampled to it.
        robot: LeRobot's name of the robot.
    """
    folder = Path(folder)
    if (folder / "meta").exists():
        raise InputError(f"'{folder}' already holds a dataset; choose another folder.")
    tables = [(words, _frames(model, move, fps)) for words, move in episodes if len(move.time) > 1]
    if not tables:
        raise InputError("no move has two rows or more: there is nothing to record.")
    tasks = list(dict.fromkeys(words for words, _ in tables))
    _write_data(folder, tables, tasks, fps)
    _write_episodes(folder, tables, fps)
    _write_tasks(folder, tasks)
    lengths = [len(frames["action"]) for _, frames in tables]
    everything = {
        name: np.concatenate([frames[name] for _, frames in tables]) for name in ("action", "observation.state")
    }
    _write_json(folder / "meta/stats.json", {name: _stats(values) for name, values in everything.items()})
    vector = {"dtype": "float32", "shape": [len(LEROBOT_JOINTS)], "names": [f"{name}.pos" for name in LEROBOT_JOINTS]}
    scalars = {
        name: {"dtype": "float32" if name == "timestamp" else "int64", "shape": [1], "names": None} for name in INDEXES
    }
    info = {
        "codebase_version": VERSION, "robot_type": robot, "total_episodes": len(tables), "total_frames": sum(lengths),
        "total_tasks": len(tasks), "chunks_size": CHUNK, "data_files_size_in_mb": DATA_MB,
        "video_files_size_in_mb": VIDEO_MB, "fps": fps, "splits": {"train": f"0:{len(tables)}"}, "data_path": DATA,
        "video_path": None, "features": {"action": vector, "observation.state": vector, **scalars},
    }  # fmt: skip
    _write_json(folder / "meta/info.json", info)  # last: a folder with it is complete
    return folder


def _frames(model: Model, move: ServoMove, fps: int) -> dict[str, Array]:
    """State and action at even times: each frame has the latest reading and set-point up to then."""
    count = max(2, int(np.floor((move.time[-1] - move.time[0]) * fps)) + 1)
    rows = np.clip(np.searchsorted(move.time, move.time[0] + np.arange(count) / fps + 1e-9) - 1, 0, len(move.time) - 1)
    state, action = (lerobot_from_q(model, values[rows]) for values in (move.q, move.command))
    return {"action": action, "observation.state": state}


def _write_data(folder: Path, tables: list[tuple[str, dict[str, Array]]], tasks: list[str], fps: int) -> None:
    import pyarrow as pa

    columns: dict[str, list[Any]] = {name: [] for name in ("action", "observation.state", *INDEXES)}
    for episode, (words, frames) in enumerate(tables):
        for k, (action, state) in enumerate(zip(frames["action"], frames["observation.state"], strict=True)):
            row = (action, state, k / fps, k, episode, len(columns["index"]), tasks.index(words))
            for name, value in zip(columns, row, strict=True):
                columns[name].append(value)
    vector = pa.list_(pa.float32(), len(LEROBOT_JOINTS))
    kinds = {"action": vector, "observation.state": vector, "timestamp": pa.float32()}
    _write_table(folder / DATA.format(chunk_index=0, file_index=0), pa.table(
        {name: pa.array(values, kinds.get(name, pa.int64())) for name, values in columns.items()}
    ))  # fmt: skip


def _write_episodes(folder: Path, tables: list[tuple[str, dict[str, Array]]], fps: int) -> None:
    import pyarrow as pa

    rows, first = [], 0
    for episode, (words, frames) in enumerate(tables):
        length = len(frames["action"])
        row: dict[str, Any] = {
            "episode_index": episode, "tasks": [words], "length": length, "data/chunk_index": 0, "data/file_index": 0,
            "dataset_from_index": first, "dataset_to_index": first + length, "meta/episodes/chunk_index": 0,
            "meta/episodes/file_index": 0,
        }  # fmt: skip
        for name, values in frames.items():
            row |= {f"stats/{name}/{key}": value for key, value in _stats(values).items()}
        rows.append(row)
        first += length
    _write_table(folder / "meta/episodes/chunk-000/file-000.parquet", pa.Table.from_pylist(rows))


def _write_tasks(folder: Path, tasks: list[str]) -> None:
    """A table whose rows pandas names by the task, as LeRobot looks tasks up."""
    import pyarrow as pa

    plain = {
        "field_name": "task_index",
        "name": "task_index",
        "pandas_type": "int64",
        "numpy_type": "int64",
        "metadata": None,
    }
    named = {"field_name": "task", "name": "task", "pandas_type": "unicode", "numpy_type": "object", "metadata": None}
    about = {"index_columns": ["task"], "column_indexes": [], "columns": [plain, named], "pandas_version": "2.2.0"}
    table = pa.table({"task_index": pa.array(range(len(tasks)), pa.int64()), "task": pa.array(tasks, pa.string())})
    _write_table(folder / "meta/tasks.parquet", table.replace_schema_metadata({b"pandas": json.dumps(about).encode()}))


def _stats(values: Array) -> dict[str, list[float]]:
    numbers = np.asarray(values, np.float64)
    found = {"min": numbers.min(0), "max": numbers.max(0), "mean": numbers.mean(0), "std": numbers.std(0)}
    return {name: value.tolist() for name, value in found.items()} | {"count": [len(numbers)]}


def _write_table(path: Path, table: Any) -> None:
    import pyarrow.parquet as pq

    with whole_file(path) as file:
        pq.write_table(table, file)


def _write_json(path: Path, data: Any) -> None:
    with whole_file(path) as file:
        file.write((json.dumps(data, indent=4) + "\n").encode())
