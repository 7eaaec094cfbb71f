"""A motion as a rerun recording (.rrd): bodies with their surfaces, joints and energies as curves, contact forces, notes."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np

from carpal.engines import coordinate_names
from carpal.model import NQ, NV
from carpal.report.drawn_parts import drawn_parts, surface
from carpal.report.exports.foxglove import arrow_scale
from carpal.report.exports.motion import Motion
from carpal.spatial import Array

TIMELINE = "time"


def write_rerun(motion: Motion, path: Path) -> None:
    """Write a .rrd file; its recording id is a hash of the metadata and the motion."""
    import rerun as rr

    metadata = json.dumps(motion.metadata, sort_keys=True)
    mark = hashlib.sha256(metadata.encode() + motion.time.tobytes() + motion.q.tobytes()).hexdigest()[:32]
    stream = rr.RecordingStream("carpal", recording_id=mark, send_properties=False)
    stream.save(str(path))
    with stream:
        stream.log("world", rr.ViewCoordinates.RIGHT_HAND_Z_UP, static=True)
        stream.log("carpal", rr.TextDocument(metadata), static=True)
        if motion.model is not None:
            _bodies(rr, stream, motion)
        _curves(rr, stream, motion)
        _contacts(rr, stream, motion)
        if motion.events:
            times = [event.time for event in motion.events]
            texts = [f"{event.name}: {event.text} ({event.value!r})" for event in motion.events]
            stream.send_columns("events", [_at(rr, times)], rr.TextLog.columns(text=texts))
    stream.flush()
    stream.disconnect()


def _at(rr: Any, times: Any) -> Any:
    return rr.TimeColumn(TIMELINE, duration=np.asarray(times, float))


def _bodies(rr: Any, stream: Any, motion: Motion) -> None:
    for name, X in motion.poses.items():
        xyzw = np.roll(motion.turns[name], -1, axis=1)
        columns = rr.Transform3D.columns(translation=X[:, :3, 3], quaternion=xyzw)
        stream.send_columns(rr.new_entity_path(["world", name]), [_at(rr, motion.time)], columns)
    for part in drawn_parts(motion.model):  # type: ignore[arg-type]
        points, faces = surface(part)
        if not len(points):
            continue
        path = rr.new_entity_path(["world", *([part.body] if part.body else []), part.name])
        stream.log(path, rr.Transform3D(translation=part.X_BS[:3, 3], mat3x3=part.X_BS[:3, :3]), static=True)
        colour = [round(255 * float(x)) for x in (*part.rgba, 1.0)[:4]]
        mesh = rr.Mesh3D(vertex_positions=points, triangle_indices=faces, albedo_factor=colour)
        stream.log(path, mesh, static=True)


def _curves(rr: Any, stream: Any, motion: Motion) -> None:
    for letter, widths, values in (
        ("q", NQ, motion.q),
        ("v", NV, motion.v),
        ("u", NV, motion.u),
        ("a", NV, motion.vdot),
    ):
        if values is None:
            continue
        names = motion.joint_names if motion.model is None else coordinate_names(motion.model, widths)
        for k, name in enumerate(names):
            _curve(rr, stream, motion, [letter, name], values[:, k])
    for name, column in motion.series.items():
        _curve(rr, stream, motion, name.split(":", 1), column)


def _curve(rr: Any, stream: Any, motion: Motion, path: list[str], values: Array) -> None:
    columns = rr.Scalars.columns(scalars=np.ascontiguousarray(values))
    stream.send_columns(rr.new_entity_path(path), [_at(rr, motion.time)], columns)


def _contacts(rr: Any, stream: Any, motion: Motion) -> None:
    scale, shown = arrow_scale(motion), False
    for time, row in zip(motion.time, motion.contacts, strict=False):
        if not row and not shown:
            continue
        stream.set_time(TIMELINE, duration=float(time))
        labels = [f"{contact.a or 'world'} - {contact.b or 'world'} {contact.mode}".strip() for contact in row]
        vectors = scale * np.array([contact.force for contact in row]).reshape(-1, 3)
        points = np.array([contact.point for contact in row]).reshape(-1, 3)
        stream.log("world/contacts", rr.Arrows3D(vectors=vectors, origins=points, labels=labels, show_labels=False))
        shown = bool(row)
    stream.reset_time()
