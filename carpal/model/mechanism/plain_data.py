"""A mechanism as plain data, and back: every field of every part under its own name, arrays as lists, every bit kept."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from carpal.errors import CarpalError, ModelError, unknown_name
from carpal.model.mechanism.mechanism import (
    JointFriction,
    LinearActuator,
    Mechanism,
    MechanismBody,
    PointJoint,
    PrescribedMotion,
    RotaryActuator,
    RotarySpring,
    SlotJoint,
)  # fmt: skip
from carpal.model.serialise import inertia_in, inertia_out, number_in, number_out, placed_shape_in, placed_shape_out

FORMAT = "carpal-mechanism-1"
KINDS: dict[str, dict[str, type]] = {
    "bodies": {"body": MechanismBody},
    "joints": {"point": PointJoint, "slot": SlotJoint},
    "springs": {"rotary": RotarySpring},
    "actuators": {"linear": LinearActuator, "rotary": RotaryActuator},
    "friction": {"rotary": JointFriction},
    "prescribed": {"body": PrescribedMotion},
}


def mechanism_to_dict(mechanism: Mechanism) -> dict[str, Any]:
    """The mechanism as data that `json.dumps` takes as it is."""
    out: dict[str, Any] = {"format": FORMAT, "name": mechanism.name, "gravity": mechanism.gravity.tolist()}
    for group, kinds in KINDS.items():
        names = {made: kind for kind, made in kinds.items()}
        out[group] = [{"kind": names[type(part)]} | _part_out(part) for part in getattr(mechanism, group)]
    out["fixed"] = [placed_shape_out(shape) for shape in mechanism.fixed]
    out["untouched"] = [list(pair) for pair in mechanism.untouched]
    out["untouched_shapes"] = [list(pair) for pair in mechanism.untouched_shapes]
    return out


def mechanism_from_dict(data: object) -> Mechanism:
    """The mechanism that `mechanism_to_dict` described; anything else is refused with a sentence."""
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        got = data.get("format") if isinstance(data, dict) else type(data).__name__
        raise ModelError(f"a mechanism's data is a dict of format '{FORMAT}'; got {got!r:.60}.")
    try:
        groups = {group: tuple(_part_in(group, part) for part in data[group]) for group in KINDS}
        return Mechanism(
            data["name"],
            gravity=data["gravity"],
            fixed=tuple(placed_shape_in(shape) for shape in data["fixed"]),
            untouched=tuple((a, b) for a, b in data["untouched"]),
            untouched_shapes=tuple((a, b) for a, b in data.get("untouched_shapes", [])),
            **groups,
        )
    except CarpalError:
        raise
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise ModelError(f"a mechanism's data is incomplete or of the wrong type: {error!r:.120}.") from None


def _part_out(part: Any) -> dict[str, Any]:
    return {item.name: _out(getattr(part, item.name)) for item in dataclasses.fields(part)}


def _out(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, float):
        return number_out(value)
    if isinstance(value, tuple):
        return [placed_shape_out(shape) for shape in value]
    return value if value is None or isinstance(value, str | int) else inertia_out(value)


def _part_in(group: str, data: dict[str, Any]) -> Any:
    kinds = KINDS[group]
    if not isinstance(data, dict) or data.get("kind") not in kinds:
        raise unknown_name(f"kind in '{group}' of a mechanism", data.get("kind") if data else data, kinds)
    made = kinds[data["kind"]]
    wanted = [item.name for item in dataclasses.fields(made)]
    given = {}
    for key, value in data.items():
        if key == "kind":
            continue
        if key not in wanted:
            raise unknown_name(f"entry of a part in '{group}' of a mechanism", key, wanted)
        given[key] = _in(key, value)
    return made(**given)


def _in(key: str, value: Any) -> Any:
    if key == "inertia":
        return inertia_in(value)
    if key == "shapes":
        return tuple(placed_shape_in(shape) for shape in value)
    if key == "triangles":
        return np.array(value, np.int64).reshape(-1, 3)
    if key in ("points", "vertices"):
        return np.array(value, float).reshape(-1, 3)
    if isinstance(value, str) and key == "limit":
        return number_in(value)
    return value
