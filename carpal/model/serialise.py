"""A model as plain data (dict, list, str, float, None) and back, without losing a bit."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from carpal.errors import CarpalError, ModelError
from carpal.model.model import Model
from carpal.model.parts import JOINT_NUMBERS, Body, Frame, Joint
from carpal.model.plain_values import dict_in, list_out, number_in, number_out, numbers_in, pose_in, pose_out, text_in
from carpal.model.serialise_extensions import extensions_in, extensions_out
from carpal.model.shapes import PlacedShape, shape_from_dict, shape_to_dict
from carpal.spatial import Inertia

FORMAT = "carpal-model-1"


def inertia_out(inertia: Inertia | None) -> dict[str, Any] | None:
    """Mass properties as plain data; None stays None (unknown)."""
    if inertia is None:
        return None
    return {"mass": inertia.mass, "com": inertia.com.tolist(), "about_com": inertia.about_com.ravel().tolist()}


def inertia_in(data: object) -> Inertia | None:
    """Mass properties from plain data."""
    if data is None:
        return None
    fields = dict_in(data, "inertia")
    about_com = np.reshape(numbers_in(fields.get("about_com"), 9), (3, 3))
    return Inertia(number_in(fields.get("mass")), numbers_in(fields.get("com"), 3), about_com)


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
                "gravity_compensation": body.gravity_compensation,
            }
            for body in model.bodies
        ],
        "frames": [{"name": f.name, "body": f.body, "X_BF": pose_out(f.X_BF)} for f in model.extra_frames],
        "tool": model.tool,
        "tool_axis": list_out(model.tool_axis),
        "gravity": list_out(model.gravity),
        "q_home": list_out(model.q_home),
        "source": model.source,
        "notes": list(model.notes),
        "shapes": [placed_shape_out(shape) for shape in model.shapes],
        "exclusions": [list(pair) for pair in model.exclusions],
        "groups": {name: list(joints) for name, joints in model.groups.items()},
        "configurations": {name: list_out(q) for name, q in model.configurations.items()},
    } | extensions_out(model)


def model_from_dict(data: object) -> Model:
    """The model that `model_to_dict` described; anything else is refused with a ModelError."""
    fields = dict_in(data, "model")
    if fields.get("format") != FORMAT:
        raise ModelError(f"a model's data has format '{FORMAT}'; got {str(fields.get('format'))[:60]!r}.")
    try:
        return Model(
            name=text_in(fields["name"]),
            bodies=tuple(_body_in(dict_in(body, "body")) for body in fields["bodies"]),
            extra_frames=tuple(_frame_in(dict_in(frame, "frame")) for frame in fields["frames"]),
            tool=text_in(fields["tool"]),
            tool_axis=numbers_in(fields["tool_axis"], 3),
            gravity=numbers_in(fields["gravity"], 3),
            q_home=numbers_in(fields["q_home"], None),
            source=text_in(fields["source"]),
            notes=tuple(text_in(note) for note in fields["notes"]),
            shapes=tuple(placed_shape_in(dict_in(shape, "shape")) for shape in fields.get("shapes", [])),
            exclusions=tuple((text_in(a), text_in(b)) for a, b in fields.get("exclusions", [])),
            groups={
                text_in(k): tuple(text_in(j) for j in v) for k, v in dict_in(fields.get("groups", {}), "groups").items()
            },
            configurations={
                text_in(key): numbers_in(q, None)
                for key, q in dict_in(fields.get("configurations", {}), "configurations").items()
            },
            **extensions_in(fields),
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
    joint = dict_in(body["joint"], "joint")
    return Body(
        text_in(body["name"]),
        None if body["parent"] is None else text_in(body["parent"]),
        Joint(
            text_in(joint["name"]),
            text_in(joint["kind"]),
            X_PJ=pose_in(joint["X_PJ"]),
            axis=numbers_in(joint["axis"], 3),
            X_JB=pose_in(joint["X_JB"]),
            **{what: number_in(joint[what]) for what in JOINT_NUMBERS if what in joint},
        ),
        inertia_in(body["inertia"]),
        number_in(body.get("gravity_compensation", 0.0)),
    )


def _frame_in(frame: dict[str, Any]) -> Frame:
    return Frame(
        text_in(frame["name"]), None if frame["body"] is None else text_in(frame["body"]), pose_in(frame["X_BF"])
    )


def placed_shape_out(shape: PlacedShape) -> dict[str, Any]:
    """A placed shape as plain data."""
    about = {"name": shape.name, "body": shape.body, "X_BS": pose_out(shape.X_BS)}
    masks = {"contype": shape.contype, "conaffinity": shape.conaffinity}
    return about | {"shape": shape_to_dict(shape.shape), "rgba": list(shape.rgba), "collides": shape.collides} | masks


def placed_shape_in(shape: dict[str, Any]) -> PlacedShape:
    """A placed shape from plain data."""
    return PlacedShape(
        text_in(shape["name"]),
        None if shape["body"] is None else text_in(shape["body"]),
        shape_from_dict(shape["shape"]),
        X_BS=pose_in(shape["X_BS"]),
        rgba=tuple(numbers_in(shape["rgba"], 4)),
        collides=shape["collides"] is True,
        contype=shape.get("contype", 1),
        conaffinity=shape.get("conaffinity", 1),
    )
