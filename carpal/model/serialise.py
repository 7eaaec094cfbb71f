"""A model as plain data (dict, list, str, float, None) and back, without losing a bit.

JSON has no infinity: infinite numbers are written as the strings "inf" and "-inf".
"""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import CarpalError, ModelError
from carpal.model.model import Model
from carpal.model.parts import Body, Frame, Joint
from carpal.model.shapes import PlacedShape, shape_from_dict, shape_to_dict
from carpal.spatial import Array, Inertia

FORMAT = "carpal-model-1"
JOINT_NUMBERS = ("q_min", "q_max", "v_max", "vdot_max", "tau_max", "armature", "damping", "friction")


def number_out(value: float) -> float | str:
    """A float as JSON can hold it."""
    value = float(value)
    return value if math.isfinite(value) else repr(value)


def number_in(value: object) -> float:
    """The float that `number_out` wrote."""
    if isinstance(value, bool) or not (isinstance(value, int | float) or value in ("inf", "-inf")):
        raise ModelError(f"a number was expected; got {str(value)[:60]!r}.")
    try:
        return float(value)
    except OverflowError:
        raise ModelError("a number was expected; got an integer too large for one.") from None


def pose_out(X: Array) -> list[float]:
    """The first three rows of a pose, 12 numbers."""
    return [float(x) for x in np.asarray(X)[:3].ravel()]


def pose_in(numbers: object) -> Array:
    """The pose (4, 4) of 12 numbers."""
    return np.vstack([np.reshape(_numbers(numbers, 12), (3, 4)), [0.0, 0.0, 0.0, 1.0]])


def inertia_out(inertia: Inertia | None) -> dict[str, Any] | None:
    """Mass properties as plain data; None stays None (unknown)."""
    if inertia is None:
        return None
    return {"mass": inertia.mass, "com": inertia.com.tolist(), "about_com": inertia.about_com.ravel().tolist()}


def inertia_in(data: object) -> Inertia | None:
    """Mass properties from plain data."""
    if data is None:
        return None
    fields = _dict(data, "inertia")
    about_com = np.reshape(_numbers(fields.get("about_com"), 9), (3, 3))
    return Inertia(number_in(fields.get("mass")), _numbers(fields.get("com"), 3), about_com)


def model_to_dict(model: Model) -> dict[str, Any]:
    """The model as data that `json.dumps` takes as it is."""
    return {
        "format": FORMAT,
        "name": model.name,
        "bodies": [
            {
                "name": body.name,
                "parent": body.parent,
                "joint": _joint_out(body.joint),
                "inertia": inertia_out(body.inertia),
            }
            for body in model.bodies
        ],
        "frames": [{"name": f.name, "body": f.body, "X_BF": pose_out(f.X_BF)} for f in model.extra_frames],
        "tool": model.tool,
        "tool_axis": _list(model.tool_axis),
        "gravity": _list(model.gravity),
        "q_home": _list(model.q_home),
        "source": model.source,
        "notes": list(model.notes),
        "shapes": [placed_shape_out(shape) for shape in model.shapes],
    }


def model_from_dict(data: object) -> Model:
    """The model that `model_to_dict` described; anything else is refused with a ModelError."""
    fields = _dict(data, "model")
    if fields.get("format") != FORMAT:
        raise ModelError(f"a model's data has format '{FORMAT}'; got {str(fields.get('format'))[:60]!r}.")
    try:
        return Model(
            name=_text(fields["name"]),
            bodies=tuple(_body_in(_dict(body, "body")) for body in fields["bodies"]),
            extra_frames=tuple(_frame_in(_dict(frame, "frame")) for frame in fields["frames"]),
            tool=_text(fields["tool"]),
            tool_axis=_numbers(fields["tool_axis"], 3),
            gravity=_numbers(fields["gravity"], 3),
            q_home=_numbers(fields["q_home"], None),
            source=_text(fields["source"]),
            notes=tuple(_text(note) for note in fields["notes"]),
            shapes=tuple(placed_shape_in(_dict(shape, "shape")) for shape in fields.get("shapes", [])),
        )
    except CarpalError:
        raise
    except (KeyError, TypeError, ValueError) as error:
        raise ModelError(f"a model's data is incomplete or of the wrong type: {error!r}.") from None


def model_to_json(model: Model) -> str:
    """The model as JSON text; the same model gives the same text."""
    return json.dumps(model_to_dict(model), allow_nan=False)


def model_from_json(text: str | bytes) -> Model:
    """The model of a JSON text."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ModelError(f"a model's data is not JSON: {str(error)[:100]}.") from None
    return model_from_dict(data)


def _joint_out(joint: Joint) -> dict[str, Any]:
    numbers = {what: number_out(getattr(joint, what)) for what in JOINT_NUMBERS}
    poses = {"X_PJ": pose_out(joint.X_PJ), "axis": joint.axis.tolist(), "X_JB": pose_out(joint.X_JB)}
    return {"name": joint.name, "kind": joint.kind} | poses | numbers


def _body_in(body: dict[str, Any]) -> Body:
    joint = _dict(body["joint"], "joint")
    return Body(
        _text(body["name"]),
        None if body["parent"] is None else _text(body["parent"]),
        Joint(
            _text(joint["name"]),
            _text(joint["kind"]),
            X_PJ=pose_in(joint["X_PJ"]),
            axis=_numbers(joint["axis"], 3),
            X_JB=pose_in(joint["X_JB"]),
            **{what: number_in(joint[what]) for what in JOINT_NUMBERS},
        ),
        inertia_in(body["inertia"]),
    )


def _frame_in(frame: dict[str, Any]) -> Frame:
    return Frame(_text(frame["name"]), None if frame["body"] is None else _text(frame["body"]), pose_in(frame["X_BF"]))


def placed_shape_out(shape: PlacedShape) -> dict[str, Any]:
    """A placed shape as plain data."""
    about = {"name": shape.name, "body": shape.body, "X_BS": pose_out(shape.X_BS)}
    return about | {"shape": shape_to_dict(shape.shape), "rgba": list(shape.rgba), "collides": shape.collides}


def placed_shape_in(shape: dict[str, Any]) -> PlacedShape:
    """A placed shape from plain data."""
    return PlacedShape(
        _text(shape["name"]),
        None if shape["body"] is None else _text(shape["body"]),
        shape_from_dict(shape["shape"]),
        X_BS=pose_in(shape["X_BS"]),
        rgba=tuple(_numbers(shape["rgba"], 4)),
        collides=shape["collides"] is True,
    )


def _list(values: ArrayLike | None) -> list[float]:
    return [float(x) for x in np.asarray(values, float)]


def _numbers(values: object, count: int | None) -> Array:
    if not isinstance(values, list) or (count is not None and len(values) != count):
        raise ModelError(f"{'a list of' if count is None else count} numbers were expected; got {str(values)[:60]!r}.")
    return np.array([number_in(value) for value in values], float)


def _dict(value: object, what: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ModelError(f"the data of a {what} must be a dict; got {type(value).__name__}.")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ModelError(f"a text was expected; got {str(value)[:60]!r}.")
    return value
