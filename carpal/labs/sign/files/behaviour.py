"""Behaviour files: movements, work area and limits allowed near a person, and their JSON schema.

Prabhu 2018 prescribes a behaviour file (allowed movements and work area; what is not allowed is discarded). Here it is TOML; the
table `DEFINITION` generates both the checks and the published JSON schema.
"""

from __future__ import annotations

import functools
import os
from dataclasses import dataclass
from typing import Any

import numpy as np

from carpal.errors import InputError
from carpal.labs.sign.files import tables
from carpal.spatial import Array

FORMAT = "carpal-behaviour-1"
ALL = "*"
"""Stands for all palm directions, or all motions, of the alphabet."""
# table, key, kind, default, lowest, highest, what it means
DEFINITION: tuple[tuple[str, str, str, Any, float, float, str], ...] = (
    ("movements", "palms", "texts", [ALL], 0, 0, "palm directions that are allowed; *: all of the alphabet's"),
    ("movements", "motions", "texts", [ALL], 0, 0, "motions of letters that are allowed; *: all of the alphabet's"),
    ("movements", "letters", "texts", [], 0, 0, "letters that are allowed; empty: all"),
    ("movements", "two_hands", "truth", True, 0, 0, "whether signs with two hands are allowed"),
    (
        "area",
        "low",
        "three",
        [0.2, -0.35, 0.45],
        -10,
        10,
        "lowest x, y, z of palm and fingertips in the arm's base frame [m]",
    ),
    ("area", "high", "three", [0.66, 0.3, 1.05], -10, 10, "highest x, y, z of palm and fingertips [m]"),
    ("limits", "speed", "number", 0.4, 0.01, 1, "share of every joint's largest speed"),
    ("limits", "acceleration", "number", 8.0, 0.01, 1000, "of arm, wrist and base joints [rad/s^2]"),
    ("limits", "tip_speed", "number", 1.0, 0.001, 10, "of palm and fingertips [m/s]"),
    ("limits", "touch_force", "number", 2.0, 0, 100, "of the receiver's touch that must be borne [N]"),
    (
        "limits",
        "distance",
        "number",
        0.0005,
        0,
        0.1,
        "that parts of the robot keep from each other and the receiver [m]",
    ),
    ("limits", "payload_share", "number", 0.8, 0.01, 1, "of the arm's payload that hand and touch may use"),
    ("receiver", "distance", "number", 0.98, 0.1, 10, "of the receiver's axis from the arm's base along x [m]"),
    ("receiver", "elbow_clearance", "number", 0.3, 0, 10, "that the elbow keeps from the receiver's trunk [m]"),
    ("timing", "hold", "number", 0.5, 0, 60, "of a letter [s]"),
    ("timing", "pause", "number", 0.8, 0, 60, "between words [s]"),
)


@dataclass(frozen=True, eq=False)
class Behaviour:
    """What is allowed; the fields are those of `DEFINITION`."""

    name: str
    about: str
    palms: tuple[str, ...]
    motions: tuple[str, ...]
    letters: tuple[str, ...]
    two_hands: bool
    low: Array
    high: Array
    speed: float
    acceleration: float
    tip_speed: float
    touch_force: float
    distance: float
    payload_share: float
    receiver: float
    elbow_clearance: float
    hold: float
    pause: float

    def inside(self, points: Array) -> np.ndarray:
        """Whether points (*batch, 3) lie in the work area."""
        return np.asarray(((points >= self.low) & (points <= self.high)).all(-1))


_FIELD = {("receiver", "distance"): "receiver"}
_READERS = {
    "texts": lambda value, what, low, high: tables.texts(value, what),
    "truth": lambda value, what, low, high: tables.truth(value, what),
    "three": lambda value, what, low, high: tables.several(value, 3, what, low, high),
    "number": tables.number,
}


@functools.lru_cache(maxsize=16)
def _read(source: str) -> Behaviour:
    data, what = tables.read_file("behaviours", source, FORMAT)
    sections = tuple(dict.fromkeys(row[0] for row in DEFINITION))
    tables.only(data, ("name", "about", *sections), what, ("name",))
    found: dict[str, Any] = {}
    for table in sections:
        rows = [row for row in DEFINITION if row[0] == table]
        given = tables.only(data.get(table, {}), [row[1] for row in rows], f"{table} of {what}")
        for _, key, kind, default, low, high, _about in rows:
            value = _READERS[kind](given.get(key, default), f"{table}.{key} of {what}", low, high)
            found[_FIELD.get((table, key), key)] = value
    if not (found["low"] < found["high"]).all():
        raise InputError(
            f"area of {what} is empty: low {found['low'].tolist()} is not below high {found['high'].tolist()}."
        )
    return Behaviour(tables.text(data["name"], f"name of {what}"), tables.text(data.get("about", ""), "about"), **found)


def read_behaviour(source: str | os.PathLike[str] = "careful") -> Behaviour:
    """A behaviour by its name in the package, or from a .toml file; a typo is answered with the right name."""
    given = os.fspath(source)
    return _read.__wrapped__(given) if given.endswith(".toml") else _read(given)


def behaviour_schema() -> dict[str, Any]:
    """The JSON schema of behaviour files (docs/schemas/sign_behaviour.json)."""

    def one(kind: str, default: Any, low: float, high: float, about: str) -> dict[str, Any]:
        number = {"type": "number", "minimum": low, "maximum": high}
        shapes: dict[str, dict[str, Any]] = {
            "texts": {"type": "array", "items": {"type": "string"}},
            "truth": {"type": "boolean"},
            "three": {"type": "array", "items": number, "minItems": 3, "maxItems": 3},
            "number": number,
        }
        return shapes[kind] | {"default": default, "description": about}

    sections: dict[str, Any] = {}
    for table, key, kind, default, low, high, about in DEFINITION:
        part = sections.setdefault(table, {"type": "object", "additionalProperties": False, "properties": {}})
        part["properties"][key] = one(kind, default, low, high, about)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Carpal sign: behaviour file",
        "type": "object",
        "additionalProperties": False,
        "required": ["format", "name"],
        "properties": {
            "format": {"const": FORMAT},
            "name": {"type": "string"},
            "about": {"type": "string"},
            **sections,
        },
    }
