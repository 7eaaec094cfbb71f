"""A recording as a 3-D replay: one HTML file with a time slider that opens from disk, without a network."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from carpal.errors import CarpalError, InputError
from carpal.kinematics import fk
from carpal.model import Model, model_from_dict
from carpal.report.curves import Rows
from carpal.report.palette import INK, TYPE
from carpal.report.scene_marks import SceneMarks, largest_force, legend_html
from carpal.report.scene_view import SceneView, View, body_poses
from carpal.report.viser_server import closed_server
from carpal.spatial import Array
from carpal.tasks import Mark, MovingMark

FRAMES_PER_SECOND = 30.0
MAX_FRAMES = 1200
MOST_FACES = 60_000
"""Triangles of mesh files, so that a replay stays below 3 MB."""
"""A longer recording gets fewer frames per second, so that the file stays near 1.5 MB."""
QUIET_NOTES = "<style>.mantine-Notification-root { display: none !important }</style>"
"""viser's note about software drawing would cover a third of a narrow replay, and its legend; a replay has no other notes."""


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
    recording: Any,
    model: Model | None = None,
    *,
    speed: float = 1.0,
    dark: bool = False,
    view: View | None = None,
    marks: Sequence[Mark] | None = None,
    follow: str | None = None,
) -> str:
    """A recording as one HTML page.

    Args:
        recording: with `time` (n) [s] and `q` (n, nq).
        model: what moved; the one that the recording names by default.
        speed: seconds of motion per second of watching.
        dark: light letters on a dark ground.
        view: eye and target (3 each) [m]; by default the camera sees all of the motion.
        marks: targets and paths, alone; by default those of the recording's task, its forces and words.
        follow: a body that stays where it is in the picture.
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
        shown = SceneView(server, model, q, aspect=1.6, view=view, faces=MOST_FACES)
        contacts = list(getattr(recording, "contacts", ()))
        over = SceneMarks(server, shown, largest_force(contacts))
        still, moving = _task_marks(recording)
        over.show_marks(still if marks is None else marks)
        over.show_moving(moving if marks is None else ())
        shown.follow(follow)
        serializer = server.get_scene_serializer()
        for i, (row, stay) in enumerate(zip(rows, stays, strict=True)):
            shown.show_poses({name: X[i] for name, X in poses.items()}, X_WT[i])
            if contacts:
                over.show_contacts(contacts[row])
            over.move_to(float(recording.time[row]))
            serializer.insert_sleep(float(stay))
        page, key = str(serializer.as_html(dark_mode=dark)), _legend(over)
    page = page.replace("<title>Viser</title>", f"<title>{escape(model.name)}</title>", 1)
    return page.replace("</body>", f"{QUIET_NOTES}{key}</body>", 1)


def _task_marks(recording: Any) -> tuple[Sequence[Mark], Sequence[MovingMark]]:
    """What the recording's task marks, at rest and moving; nothing where it is of no task."""
    from carpal.report import recorded_task

    try:
        task = recorded_task(recording)
        return ((), ()) if task is None else (task.marks(recording), task.moving_marks(recording))
    except CarpalError:  # a recording of other options than its task still moves
        return (), ()


def _legend(over: SceneMarks) -> str:
    rows = over.legend()
    style = (
        "position:fixed;right:10px;top:10px;padding:4px 10px;border-radius:8px;background:rgba(255,255,255,.85);"
        f"font:13px {TYPE};color:{INK};pointer-events:none"
    )
    return f"<div style='{style}'>{legend_html(rows)}</div>" if rows else ""


def write_replay(
    recording: Any,
    file: str | Path,
    model: Model | None = None,
    *,
    speed: float = 1.0,
    follow: str | None = None,
) -> Path:
    """Write `replay_html` to a file; returns its path."""
    path = Path(file)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(replay_html(recording, model, speed=speed, follow=follow), encoding="utf-8")
    return path
