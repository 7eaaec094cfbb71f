"""Linkages as TOML, which people write and read.

    name = "crank and slider"
    [[bar]]
    name = "ground"
    points = {A = [0, 0], far = [0.2, 0]}
    [[bar]]
    name = "crank"
    points = {A = [0, 0], B = [0.03, 0]}
    angle_deg = 30
    mass = 0.02
    [[pin]]
    at = ["ground.A", "crank.A"]
    [[slide]]
    at = "block.C"
    along = ["ground.A", "ground.far"]
    [[spring]]
    between = ["ground", "crank"]
    stiffness = 0.1
    [drive]
    turn = "ground.A crank.A"
    start_deg = 30
    stop_deg = 150

A drive has one of `turn` (a pin's name), `slide` (a slide's name) and `push` (two points). Angles are radians, or degrees where
the name ends in `_deg`. Pins and slides without a name are called by their two places.
"""

from __future__ import annotations

import math
import os
from typing import Any

from carpal.errors import CarpalError, ModelError, unknown_name
from carpal.model.linkage.description import RADIUS, SPAN, Bar, Drive, Linkage, LinkageSpring, Pin, Slide
from carpal.model.parts import real_array
from carpal.model.readers.toml_files import toml_data

KEYS = {
    "bar": ("name", "points", "angle", "angle_deg", "mass", "radius", "phalanx"),
    "pin": ("name", "at"),
    "slide": ("name", "at", "along", "angle", "angle_deg", "travel"),
    "spring": ("name", "between", "stiffness", "rest", "rest_deg", "damping"),
    "drive": ("turn", "slide", "push", "start", "start_deg", "stop", "stop_deg", "P", "D"),
}
TOP = ("name", "span", *KEYS)
MAX_BYTES = 1_000_000


def read_linkage(source: str | os.PathLike[str]) -> Linkage:
    """The linkage of a TOML text or file; anything wrong is one sentence that says where."""
    return linkage_of_data(*toml_data(source, MAX_BYTES))


def linkage_of_data(data: dict[str, Any], what: str) -> Linkage:
    """The linkage of a file's data; `what` is what sentences call the file."""
    _known(data, TOP, what)
    made: dict[str, list[Any]] = {}
    for kind, make in (("bar", _bar), ("pin", _pin), ("slide", _slide), ("spring", _spring)):
        entries = data.get(kind, [])
        if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
            raise ModelError(f"{kind} in {what} must be tables, each under [[{kind}]].")
        made[kind] = [_made(make, kind, entry, f"[[{kind}]] {i} of {what}") for i, entry in enumerate(entries, start=1)]
    if not isinstance(data.get("drive"), dict):
        raise ModelError(f"{what} needs a table [drive] with turn, slide or push, and start and stop.")
    drive = _made(_drive, "drive", data["drive"], f"[drive] of {what}")
    name = data.get("name", "linkage")
    if not isinstance(name, str) or not name:
        raise ModelError(f"name in {what} must be a text; got {name!r:.60}.")
    return Linkage(
        name, tuple(made["bar"]), tuple(made["pin"]), drive, tuple(made["slide"]), tuple(made["spring"]),
        data.get("span", SPAN),
    )  # fmt: skip


def _known(entry: dict[str, Any], keys: tuple[str, ...], where: str) -> None:
    for key in entry:
        if key not in keys:
            raise unknown_name(f"entry of {where}", key, keys)


def _made(make: Any, kind: str, entry: dict[str, Any], where: str) -> Any:
    _known(entry, KEYS[kind], where)
    try:
        return make(entry)
    except KeyError as error:
        raise ModelError(f"{where} lacks {error.args[0]}.") from None
    except CarpalError as error:
        raise type(error)(f"{where}: {error}") from None


def _angle(entry: dict[str, Any], key: str, default: float | None) -> float:
    """An entry in radians, or in degrees under its name with _deg."""
    degrees = f"{key}_deg"
    if key in entry and degrees in entry:
        raise ModelError(f"give {key} or {degrees}, not both.")
    if degrees in entry:
        return math.radians(_number(entry[degrees], degrees))
    if default is None and key not in entry:
        raise KeyError(key)
    return _number(entry.get(key, default), key)


def _number(value: Any, what: str) -> float:
    number = real_array(value, what)
    if number.shape != () or not math.isfinite(number):
        raise ModelError(f"{what} must be a finite number; got {value!r:.60}.")
    return float(number)


def _texts(value: Any, count: int, what: str) -> tuple[str, ...]:
    if not isinstance(value, list) or len(value) != count or not all(isinstance(item, str) for item in value):
        raise ModelError(f"{what} must be {count} texts; got {value!r:.60}.")
    return tuple(value)


def _text(value: Any, what: str) -> str:
    if not isinstance(value, str):
        raise ModelError(f"{what} must be a text; got {value!r:.60}.")
    return value


def _bar(entry: dict[str, Any]) -> Bar:
    phalanx = entry.get("phalanx", False)
    if not isinstance(phalanx, bool):
        raise ModelError(f"phalanx must be true or false; got {phalanx!r:.60}.")
    return Bar(
        entry["name"], entry["points"], _angle(entry, "angle", 0.0), entry.get("mass"), entry.get("radius", RADIUS), phalanx
    )  # fmt: skip


def _pin(entry: dict[str, Any]) -> Pin:
    a, b = _texts(entry["at"], 2, "at")
    return Pin(_text(entry.get("name", f"{a} {b}"), "name"), a, b)


def _slide(entry: dict[str, Any]) -> Slide:
    at, (first, second) = _text(entry["at"], "at"), _texts(entry["along"], 2, "along")
    name = _text(entry.get("name", f"{at} {first}"), "name")
    return Slide(name, at, (first, second), _angle(entry, "angle", 0.0), _number(entry.get("travel", 0.0), "travel"))


def _spring(entry: dict[str, Any]) -> LinkageSpring:
    a, b = _texts(entry["between"], 2, "between")
    if ("." in a) != ("." in b):
        raise ModelError(f"a spring is between two bars or between two points; got '{a}' and '{b}'.")
    return LinkageSpring(
        _text(entry.get("name", f"{a} {b}"), "name"),
        a,
        b,
        _number(entry["stiffness"], "stiffness"),
        _angle(entry, "rest", 0.0),
        _number(entry.get("damping", 0.0), "damping"),
    )


def _drive(entry: dict[str, Any]) -> Drive:
    kinds = [kind for kind in ("turn", "slide", "push") if kind in entry]
    if len(kinds) != 1:
        raise ModelError(f"a drive has exactly one of turn, slide and push; got {' and '.join(kinds) or 'none'}.")
    kind = kinds[0]
    joint = ", ".join(_texts(entry[kind], 2, kind)) if kind == "push" else _text(entry[kind], kind)
    if kind != "turn" and {"start_deg", "stop_deg"} & set(entry):
        raise ModelError(f"a {kind} drive is a length [m]; start_deg and stop_deg are for turn.")
    start, stop = _angle(entry, "start", None), _angle(entry, "stop", None)
    return Drive(kind, joint, start, stop, _number(entry.get("P", 0.0), "P"), _number(entry.get("D", 0.0), "D"))
