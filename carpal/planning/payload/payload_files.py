"""A payload as data, as the table [payload] of a scene's TOML holds it.

[payload]
kind = "relay"          # the stand-in relay; or leave it out and give mass, arm, drop, inertia, contact_width, contact_reach
angle = 0.3             # at the start [rad]
mu_low = 0.2
[[payload.shapes]]
name = "body"
shape = {kind = "box", size = [0.1, 0.1, 0.05]}
position = [0.12, 0.0, 0.0]
rpy = [0.0, 0.0, 0.0]
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from carpal.errors import InputError, unknown_name
from carpal.model import PlacedShape, real_array, shape_from_dict
from carpal.planning.payload.payload import Payload
from carpal.planning.payload.stand_in_relay import relay_payload
from carpal.spatial import Array, pose, rotation_from_rpy

KINDS = ("relay",)
NUMBERS = {"angle": 0.0, "spread": 0.02}
SHAPE = ("name", "shape", "position", "rpy", "rgba")


def payload_from_dict(data: Any) -> tuple[Payload, float, float]:
    """(payload, its angle at the start, its uncertainty [rad]) of a table, or one clear sentence."""
    if not isinstance(data, dict):
        raise InputError(f"payload must be a table, as under [payload]; got {data!r:.60}.")
    fields = [f.name for f in dataclasses.fields(Payload)]
    for key in data:
        if key not in (*fields, *NUMBERS, "kind"):
            raise unknown_name("entry of [payload]", key, [*fields, *NUMBERS, "kind"])
    numbers = []
    for name, default in NUMBERS.items():
        value = real_array(data.get(name, default), f"{name} of [payload]")
        if value.shape != () or not np.isfinite(value):
            raise InputError(f"{name} of [payload] must be a finite number [rad]; got {data.get(name)!r:.60}.")
        numbers.append(float(value))
    given = {key: value for key, value in data.items() if key in fields}
    if "shapes" in given:
        given["shapes"] = tuple(_shape(entry) for entry in _tables(given["shapes"]))
    if "X_TG" in given:
        given["X_TG"] = real_array(given["X_TG"], "X_TG of [payload]").reshape(-1, 4)
    if "kind" in data:
        if data["kind"] not in KINDS:
            raise unknown_name("kind of [payload]", data["kind"], KINDS)
        return relay_payload(**given), numbers[0], numbers[1]
    needed = [f.name for f in dataclasses.fields(Payload) if f.default is dataclasses.MISSING]
    missing = [name for name in needed if name not in given]
    if missing:
        raise InputError(f'[payload] lacks {", ".join(missing)}; or say kind = "relay".')
    return Payload(**given), numbers[0], numbers[1]


def _tables(entries: Any) -> list[dict[str, Any]]:
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise InputError("shapes of [payload] must be tables, each under [[payload.shapes]].")
    return entries


def _shape(entry: dict[str, Any]) -> PlacedShape:
    for key in entry:
        if key not in SHAPE:
            raise unknown_name("entry of [[payload.shapes]]", key, SHAPE)
    for key in ("name", "shape"):
        if key not in entry:
            raise InputError(f"[[payload.shapes]] lacks {key}.")
    numbers: list[Array] = []
    for key in ("position", "rpy"):
        values = real_array(entry.get(key, [0.0, 0.0, 0.0]), key)
        if values.shape != (3,) or not np.isfinite(values).all():
            raise InputError(f"{key} of '{entry['name']}' must be 3 finite numbers; got {entry[key]!r:.60}.")
        numbers.append(values)
    more = {"rgba": entry["rgba"]} if "rgba" in entry else {}
    return PlacedShape(
        str(entry["name"]),
        None,
        shape_from_dict(entry["shape"]),
        pose(rotation_from_rpy(numbers[1]), numbers[0]),
        **more,
    )
