"""Foxglove's messages of a motion, as dicts for `cdr.encode`: frames, the scene, contacts, joint states and notes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from carpal.report.drawn_parts import drawn_parts, surface
from carpal.report.exports.cdr import stamp
from carpal.report.exports.motion import Motion
from carpal.report.parts import Part
from carpal.spatial import Array, wxyz_from_rotation

SHAFT, HEAD = 0.02, 0.04
"""Diameters of a force's arrow, in lengths of the longest one."""
LONGEST_ARROW = 0.25
"""Length of the largest force's arrow [m]."""
RED = {"r": 0.85, "g": 0.2, "b": 0.1, "a": 1.0}
DELETE_ALL, INFO = 1, 2
"""Values of Foxglove's enumerations."""


def frame_transforms(motion: Motion, row: int) -> dict[str, Any]:
    """Where every body is in the world, at one row."""
    time = stamp(motion.time[row])
    transforms = [
        {
            "timestamp": time,
            "parent_frame_id": motion.world,
            "child_frame_id": name,
            "translation": xyz(X[row, :3, 3]),
            "rotation": quaternion(motion.turns[name][row]),
        }
        for name, X in motion.poses.items()
    ]
    return {"transforms": transforms}


def joint_states(motion: Motion, row: int) -> dict[str, Any]:
    """The joints with one coordinate, at one row; what is not known is NaN, as Foxglove has it."""
    known = (("velocity", motion.v), ("acceleration", motion.vdot), ("effort", motion.u))
    joints = [
        {"name": name, "position": motion.q[row, i]}
        | {field: math.nan if values is None else values[row, j] for field, values in known}
        for name, i, j in motion.joints
    ]
    return {"timestamp": stamp(motion.time[row]), "joints": joints}


def scene_update(motion: Motion) -> dict[str, Any]:
    """All that is drawn, each part fixed to its body's frame; planes have no end and are left out."""
    parts = drawn_parts(motion.model) if motion.model is not None else []
    entities = [
        {
            "timestamp": stamp(motion.time[0]),
            "frame_id": part.body or motion.world,
            "id": part.name,
            "frame_locked": True,
            **_drawn(part),
        }
        for part in parts
        if part.shape is None or part.shape.kind != "plane"
    ]
    return {"entities": entities}


def contact_update(motion: Motion, row: int, scale: float) -> dict[str, Any]:
    """The contacts of one row in place of those before: arrows of their forces, everything else as text beside them.

    Args:
        motion: with contacts.
        row: which.
        scale: metres of arrow per newton.
    """
    time, entities = stamp(motion.time[row]), []
    for k, contact in enumerate(motion.contacts[row]):
        force = np.asarray(contact.force, float)
        length = max(scale * float(np.linalg.norm(force)), 1e-6)
        along = force if force.any() else np.asarray(contact.normal, float)
        arrow = {
            "pose": {"position": xyz(contact.point), "orientation": quaternion(_x_along(along))},
            "shaft_length": 0.8 * length, "head_length": 0.2 * length, "shaft_diameter": SHAFT * LONGEST_ARROW,
            "head_diameter": HEAD * LONGEST_ARROW, "color": RED,
        }  # fmt: skip
        entities.append(
            {
                "timestamp": time,
                "frame_id": motion.world,
                "id": f"contact {k}",
                "metadata": [{"key": key, "value": _text(getattr(contact, key))} for key in contact._fields],
                "arrows": [arrow],
            }
        )
    return {"deletions": [{"timestamp": time, "type": DELETE_ALL}], "entities": entities}


def log_message(time: float, name: str, text: str) -> dict[str, Any]:
    """A note."""
    return {"timestamp": stamp(time), "level": INFO, "message": text, "name": name}


def arrow_scale(motion: Motion) -> float:
    """Metres of arrow per newton: the largest force gets `LONGEST_ARROW`."""
    largest = max((float(np.linalg.norm(c.force)) for row in motion.contacts for c in row), default=0.0)
    return LONGEST_ARROW / largest if largest > 0 else 1.0


def xyz(values: Any) -> dict[str, float]:
    """Three numbers as a vector or a point."""
    return {"x": values[0], "y": values[1], "z": values[2]}


def quaternion(wxyz: Array) -> dict[str, float]:
    """A quaternion with the scalar first, as a message."""
    return {"w": wxyz[0], "x": wxyz[1], "y": wxyz[2], "z": wxyz[3]}


def _drawn(part: Part) -> dict[str, Any]:
    """The primitive of a part, under its field of a scene's entity."""
    shape: Any = part.shape
    kind = "" if shape is None else shape.kind
    X = part.X_BS
    pose = {"position": xyz(X[:3, 3]), "orientation": quaternion(wxyz_from_rotation(X[:3, :3]))}
    placed = {"pose": pose, "color": dict(zip("rgba", (*part.rgba, 1.0), strict=False))}
    if kind == "box":
        return {"cubes": [{**placed, "size": xyz(shape.size)}]}
    if kind in ("sphere", "ellipsoid"):
        radii = np.broadcast_to(shape.radius if kind == "sphere" else shape.radii, 3)
        return {"spheres": [{**placed, "size": xyz(2 * radii)}]}
    if kind == "cylinder":
        size = xyz((2 * shape.radius, 2 * shape.radius, shape.length))
        return {"cylinders": [{**placed, "size": size, "bottom_scale": 1.0, "top_scale": 1.0}]}
    points, faces = surface(part)
    return {"triangles": [{**placed, "points": np.asarray(points, float), "indices": np.asarray(faces).reshape(-1)}]}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else " ".join(map(repr, np.atleast_1d(value).tolist()))


def _x_along(direction: Array) -> Array:
    """The quaternion wxyz of the smallest turn that takes x along a direction (3)."""
    unit = direction / np.linalg.norm(direction)
    if unit[0] < -1 + 1e-12:
        return np.array([0.0, 0.0, 0.0, 1.0])
    wxyz = np.array([1 + unit[0], 0.0, -unit[2], unit[1]])
    return wxyz / np.linalg.norm(wxyz)
