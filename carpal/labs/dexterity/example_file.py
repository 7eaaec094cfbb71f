"""An example as a small TOML file: object, surfaces, how each finger begins, how targets move, and what must be observed.

    title = "Five fingers hold, two leave"
    duration = 0.5                              # s
    gravity = 9.8                               # m/s^2, downwards
    [object]
    shape = {kind = "box", size = [0.06, 0.06, 0.06]}
    mass = 0.1
    position = [0.045, 0.0, 0.17]               # rpy_deg = [0, 0, 0]
    [surface]
    friction = 0.6
    restitution = "exponential"                 # Chan's law, or a number
    [fingers.thumb]
    touch = [0.03, 0.0, -0.02]                  # a point of the object's surface, in its frame
    press = 1.5                                 # N; or gap = 0.002 (m) for a tip that waits before that point
    [fingers.index]
    start = [0, -20, 10]                        # deg; target = [...] where the servo goes from the start
    [[move]]
    fingers = ["middle"]
    time = 0.2
    over = 0.1
    by = [0, -25, -10]                          # deg; or to = [...]
    [[observe]]
    name = "middle_leaves_s"
    measure = "leaves"
    finger = "middle"
    between = [0.14, 0.26]
    published = "0.2 s"
    mutation = {"surface.friction" = 0.1}       # turns it false

A finger without an entry leans back, out of the way. What is not here is refused by name.
"""

from __future__ import annotations

import copy
import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from carpal.errors import InputError, unknown_name
from carpal.labs.dexterity.robot import FINGERS
from carpal.model import Shape, shape_from_dict, toml_data
from carpal.spatial import Array

DATA = Path(__file__).parent / "data"
MAX_BYTES = 1_000_000
EXPONENTIAL = "exponential"
"""Chan's restitution law, the default; see `Restitution.exponential`."""
KEYS = {
    "": ("title", "published", "duration", "gravity", "dt", "object", "surface", "table", "bases", "fingers", "move", "observe"),
    "object": ("shape", "mass", "position", "rpy_deg", "twist"),
    "surface": ("friction", "restitution", "tip", "torsion"),
    "table": ("height", "friction"),
    "fingers": ("touch", "press", "gap", "start", "target"),
    "move": ("fingers", "time", "over", "by", "to"),
    "observe": (
        "name", "what", "measure", "finger", "at", "after", "between", "at_least", "at_most", "published", "beside", "mutation",
    ),
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class FingerStart:
    """How a finger begins.

    Args:
        touch: a point (3) [m] of the object's surface, in its frame, that the tip touches.
        press: [N] with which it presses there.
        gap: [m] at which it waits before that point instead.
        start: (3) [rad] instead of a touch.
        target: (3) [rad] where the servo goes, where that is not the start or the press.
    """

    touch: Array | None = None
    press: float = 0.0
    gap: float = 0.0
    start: Array | None = None
    target: Array | None = None


@dataclass(frozen=True, eq=False)
class Move:
    """Targets of some fingers go `by` or `to` (3) [rad] from a `time` on, `over` seconds."""

    fingers: tuple[str, ...]
    time: float
    over: float
    by: Array | None
    to: Array | None


@dataclass(frozen=True, eq=False)
class Observe:
    """What must be observed: a measure with bounds, the published value, and a change of the example that breaks it."""

    name: str
    measure: str
    what: str = ""
    finger: str = ""
    at: float = math.nan
    after: float = math.nan
    at_least: float = -math.inf
    at_most: float = math.inf
    published: str = ""
    beside: Mapping[str, Any] = field(default_factory=dict)
    mutation: Mapping[str, Any] = field(default_factory=dict)

    def holds(self, value: float) -> bool:
        """Whether a number keeps the bounds; NaN does not."""
        return self.at_least <= value <= self.at_most


@dataclass(frozen=True, eq=False)
class Example:
    """A scene with a hand and an object as plain data; `data` is what it was read from."""

    title: str
    duration: float
    gravity: float
    shape: Shape
    mass: float
    position: Array
    rpy: Array
    twist: Array
    friction: float
    restitution: float | None
    tip: str
    torsion: float
    table: tuple[float, float] | None
    bases: dict[str, Array]
    fingers: dict[str, FingerStart]
    moves: tuple[Move, ...]
    observations: tuple[Observe, ...]
    dt: float
    published: str = ""
    data: Mapping[str, Any] = field(default_factory=dict, repr=False)


def read_example(source: int | str | Path | Mapping[str, Any]) -> Example:
    """An example: its number 1 to 10, a TOML file or text, or plain data."""
    if isinstance(source, Mapping):
        return _example(dict(source), "the example")
    if isinstance(source, int):
        if not 1 <= source <= 10:
            raise InputError(f"example must be a whole number from 1 to 10; got {source}.")
        source = DATA / f"example_{source:02d}.toml"
    return _example(*toml_data(source, MAX_BYTES))


def changed(example: Example, changes: Mapping[str, Any]) -> Example:
    """The same example with some entries changed, named as in "surface.friction" or "fingers.thumb.press"."""
    data: dict[str, Any] = copy.deepcopy(dict(example.data))
    for path, value in changes.items():
        *folders, last = str(path).split(".")
        place: Any = data
        for name in folders:
            place = place[int(name)] if isinstance(place, list) else place.setdefault(name, {})
        if isinstance(place, list):
            place[int(last)] = value
        else:
            place[last] = value
    return _example(data, f"'{example.title}', changed,")


def _example(data: dict[str, Any], what: str) -> Example:
    _known(data, "", what)
    for part in ("object", "surface"):
        if not isinstance(data.get(part), dict):
            raise InputError(f"{what} needs a table [{part}].")
        _known(data[part], part, what)
    thing, surface = data["object"], data["surface"]
    restitution = surface.get("restitution", EXPONENTIAL)
    if restitution != EXPONENTIAL:
        restitution = _number(restitution, f"restitution of {what}", 0.0, 1.0)
    table = data.get("table")
    if table is not None:
        _known(table, "table", what)
        table = (
            _number(table.get("height"), f"the table's height in {what}"),
            _number(table.get("friction", 0.6), "its friction", 0.0),
        )
    bases = {
        name: _vector(value, 3, f"the base of '{name}'") for name, value in _by_finger(data, "bases", what).items()
    }
    fingers = {name: _finger(name, value, what) for name, value in _by_finger(data, "fingers", what).items()}
    if "shape" not in thing:
        raise InputError(f"the object of {what} needs a shape, such as {{kind = 'box', size = [0.06, 0.06, 0.06]}}.")
    return Example(
        str(data.get("title", "a scene")),
        _number(data.get("duration", 0.5), f"duration of {what}", 1e-6, 600.0),
        _number(data.get("gravity", 9.8), f"gravity of {what}", 0.0),
        shape_from_dict(thing["shape"]),
        _number(thing.get("mass"), f"the object's mass in {what}", 1e-9),
        _vector(thing.get("position"), 3, f"the object's position in {what}"),
        np.radians(_vector(thing.get("rpy_deg", [0, 0, 0]), 3, "rpy_deg")),
        _vector(thing.get("twist", [0.0] * 6), 6, "twist"),
        _number(surface.get("friction", 0.6), f"friction of {what}", 0.0),
        None if restitution == EXPONENTIAL else restitution,
        str(surface.get("tip", "hard")), _number(surface.get("torsion", 0.0), "torsion", 0.0),
        table, bases, fingers,
        tuple(_move(entry, what) for entry in data.get("move", [])),
        tuple(_observe(entry, what) for entry in data.get("observe", [])),
        _number(data.get("dt", 1e-3), f"dt of {what}", 1e-7, 0.1), str(data.get("published", "")), data,
    )  # fmt: skip


def _by_finger(data: dict[str, Any], part: str, what: str) -> dict[str, Any]:
    given = data.get(part, {})
    if not isinstance(given, dict):
        raise InputError(f"{part} of {what} must be a table of fingers.")
    for name in given:
        if name not in FINGERS:
            raise unknown_name(f"finger in {part} of {what}", name, FINGERS)
    return given


def _finger(name: str, given: Any, what: str) -> FingerStart:
    _known(given, "fingers", f"finger '{name}' of {what}")
    if "touch" in given and "start" in given:
        raise InputError(f"finger '{name}' of {what} has a touch and a start; give one of them.")
    parts = {
        key: _vector(given[key], 3, f"{key} of finger '{name}'") for key in ("touch", "start", "target") if key in given
    }
    for key in ("start", "target"):
        if key in parts:
            parts[key] = np.radians(parts[key])
    press, gap = (_number(given.get(key, 0.0), f"{key} of finger '{name}'", 0.0) for key in ("press", "gap"))
    if press and gap:
        raise InputError(f"finger '{name}' of {what} has a press and a gap; give one of them.")
    return FingerStart(press=press, gap=gap, **parts)


def _move(given: Any, what: str) -> Move:
    _known(given, "move", what)
    names = given.get("fingers", [])
    for name in names if isinstance(names, list) and names else [None]:
        if name not in FINGERS:
            raise unknown_name(f"finger of a move in {what}", name, FINGERS)
    if ("by" in given) == ("to" in given):
        raise InputError(f"a move in {what} needs one of by and to (3 angles in degrees).")
    by, to = (np.radians(_vector(given[key], 3, f"{key} of a move")) if key in given else None for key in ("by", "to"))
    time, over = (
        _number(given.get("time", 0.0), "time of a move", 0.0),
        _number(given.get("over", 0.0), "over of a move", 0.0),
    )
    return Move(tuple(names), time, over, by, to)


def _observe(given: Any, what: str) -> Observe:
    _known(given, "observe", what)
    for key in ("name", "measure"):
        if not isinstance(given.get(key), str):
            raise InputError(f"an observation of {what} needs a {key}.")
    finger = given.get("finger", "")
    if finger and finger not in FINGERS:
        raise unknown_name(f"finger of observation '{given['name']}'", finger, FINGERS)
    parts: dict[str, Any] = {"finger": finger}
    for key in ("at", "after", "at_least", "at_most"):
        if key in given:
            parts[key] = _number(given[key], f"{key} of '{given['name']}'")
    if "between" in given:
        parts["at_least"], parts["at_most"] = _vector(given["between"], 2, f"between of '{given['name']}'").tolist()
    parts |= {key: str(given[key]) for key in ("what", "published") if key in given}
    parts |= {key: dict(given[key]) for key in ("beside", "mutation") if key in given}
    return Observe(given["name"], given["measure"], **parts)


def _known(given: Any, part: str, what: str) -> None:
    if not isinstance(given, dict):
        raise InputError(f"[{part}] of {what} must be a table; got {given!r:.60}.")
    for key in given:
        if key not in KEYS[part]:
            raise unknown_name(f"entry of {f'[{part}] of ' if part else ''}{what}", key, KEYS[part])


def _number(value: Any, what: str, least: float = -math.inf, most: float = math.inf) -> float:
    good = (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and math.isfinite(value)
        and least <= value <= most
    )
    if not good:
        ends = f" from {least:g}" * (least > -math.inf) + f" to {most:g}" * (most < math.inf)
        raise InputError(f"{what} must be a finite number{ends}; got {value!r:.60}.")
    return float(value)


def _vector(value: Any, count: int, what: str) -> Array:
    good = isinstance(value, list | tuple | np.ndarray) and len(value) == count
    if not good:
        raise InputError(f"{what} must be {count} numbers; got {value!r:.60}.")
    return np.array([_number(x, what) for x in value])


def example_fields() -> tuple[str, ...]:
    """Names of an example's parts."""
    return tuple(f.name for f in dataclasses.fields(Example))
