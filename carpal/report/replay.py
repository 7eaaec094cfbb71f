"""A recording as a 3-D replay: one HTML file with a time slider that opens from disk, without a network."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from carpal.errors import InputError
from carpal.kinematics import fk
from carpal.model import Model, model_from_dict
from carpal.report.curves import Rows
from carpal.report.scene_view import SceneView, View, body_poses
from carpal.report.viser_server import closed_server
from carpal.spatial import Array

FRAMES_PER_SECOND = 30.0
MAX_FRAMES = 1200
"""A longer recording gets fewer frames per second, so that the file stays near 1.5 MB."""


def recorded_model(recording: Any) -> Model:
    """The model that a recording was made with."""
    data = recording.metadata.get("model")
    if data is None:
        raise InputError("this recording does not say which model moved: its metadata has no 'model'.")
    return data if isinstance(data, Model) else model_from_dict(data)


def replay_rows(time: Array, speed: float = 1.0) -> tuple[Rows, Array]:
    """Rows of a recording to show, and how long each one stays [s]: evenly in time, never more than there are."""
    time = np.asarray(time, float)
    if len(time) < 2:
        return np.arange(len(time), dtype=np.intp), np.full(len(time), 1.0 / FRAMES_PER_SECOND)
    span = float(time[-1] - time[0])
    count = int(np.clip(span / speed * FRAMES_PER_SECOND, 1, min(len(time) - 1, MAX_FRAMES)))
    wanted = np.linspace(time[0], time[-1], count + 1)
    rows = np.unique(np.clip(np.searchsorted(time, wanted - 1e-12), 0, len(time) - 1)).astype(np.intp)
    stays = np.append(np.diff(time[rows]), span / count) / speed
    return rows, stays


def replay_html(
    recording: Any, model: Model | None = None, *, speed: float = 1.0, dark: bool = False, view: View | None = None
) -> str:
    """A recording as one HTML page.

    Args:
        recording: with `time` (n) [s] and `q` (n, nq).
        model: what moved; the one that the recording names by default.
        speed: seconds of motion per second of watching.
        dark: light letters on a dark ground.
        view: eye and target (3 each) [m]; by default the camera sees all of the motion.
    """
    model = recorded_model(recording) if model is None else model
    if len(recording.time) == 0:
        raise InputError("this recording is empty: there is nothing to replay.")
    if not speed > 0:
        raise InputError(f"speed must be above zero; got {speed}.")
    rows, stays = replay_rows(recording.time, speed)
    q = np.asarray(recording.q, float)[rows]
    poses, X_WT = body_poses(model, q), fk(model, q)
    with closed_server() as server:
        shown = SceneView(server, model, q, aspect=1.6, view=view)
        serializer = server.get_scene_serializer()
        for i, stay in enumerate(stays):
            shown.show_poses({name: X[i] for name, X in poses.items()}, X_WT[i])
            serializer.insert_sleep(float(stay))
        return str(serializer.as_html(dark_mode=dark)).replace(
            "<title>Viser</title>", f"<title>{escape(model.name)}</title>", 1
        )


def write_replay(recording: Any, file: str | Path, model: Model | None = None, *, speed: float = 1.0) -> Path:
    """Write `replay_html` to a file; returns its path."""
    path = Path(file)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(replay_html(recording, model, speed=speed), encoding="utf-8")
    return path
