"""What a catch with another arm and hand is made of: from the command line's names or a TOML file."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from carpal.errors import InputError, unknown_name
from carpal.model import Shape, Sphere, shape_from_dict, shape_to_dict, toml_data
from carpal.spatial import Array, pose, rotation_about

LARGEST_FILE = 1 << 20
SECTIONS: dict[str, tuple[str, ...]] = {
    "object": ("shape", "mass", "drag"),
    "throw": ("position", "velocity", "spin"),
    "window": ("goal", "goal_size", "distance", "azimuth_deg", "height", "flight", "spin"),
    "surface": ("mu", "restitution"),
    "opened": (),
    "closed": (),
}
TOP = ("arm", "hand", "frame", "mount", "base", "ground", "speed_limit", "meeting_speed", "dt")


@dataclass(frozen=True)
class Window:
    """Where throws are drawn from, evenly: each number has a lowest and a highest.

    Args:
        goal: the middle (3) [m] of a box that the object flies through; empty: chosen from the arm's reach.
        goal_size: full edges (3) [m] of that box.
        distance: of the start from the goal's middle on the ground [m].
        azimuth_deg: of the start about the vertical, seen from the goal; 0 is straight ahead of the arm (its x).
        height: of the start over the goal's middle [m].
        flight: time from the start to the box [s].
        spin: largest component of the spin [rad/s].
    """

    goal: tuple[float, ...] = ()
    goal_size: tuple[float, ...] = (0.24, 0.24, 0.24)
    distance: tuple[float, ...] = (1.6, 2.2)
    azimuth_deg: tuple[float, ...] = (-30.0, 30.0)
    height: tuple[float, ...] = (0.0, 0.5)
    flight: tuple[float, ...] = (0.75, 0.95)
    spin: float = 0.0


@dataclass(frozen=True)
class PairSetup:
    """An arm, a hand, an object, and how it is thrown.

    Args:
        arm, hand: names or files; an empty hand: the arm has its own.
        frame: of the arm where the hand is put; empty is its tool.
        mount: x, y, z [m] and roll, pitch, yaw [deg] of the hand there; empty: just clear of the last link.
        base: body of the hand that does not move against the last link; empty: found.
        ground: height [m] of the floor; None: there is none.
        speed_limit: largest joint speed [rad/s], also where the robot's file has none.
        meeting_speed: at which the palm is searched [m/s].
        dt: step [s].
        shape: of the object, as `shape_to_dict` has it.
        mass: [kg].
        drag: coefficient; negative: a smooth sphere's own.
        throw: position, velocity, spin (9) [m, m/s, rad/s]; empty: drawn from the window.
        window: where throws are drawn from.
        mu, restitution: of everything that touches.
        opened, closed: positions of drives by joint.
    """

    arm: str
    hand: str = ""
    frame: str = ""
    mount: tuple[float, ...] = ()
    base: str = ""
    ground: float | None = 0.0
    speed_limit: float = 3.14
    meeting_speed: float = 1.5
    dt: float = 1e-3
    shape: Any = field(default_factory=lambda: {"kind": "sphere", "radius": 0.03})
    mass: float = 0.05
    drag: float = -1.0
    throw: tuple[float, ...] = ()
    window: Window = field(default_factory=Window)
    mu: float = 0.8
    restitution: float = 0.2
    opened: Any = field(default_factory=dict)
    closed: Any = field(default_factory=dict)

    @property
    def key(self) -> str:
        """A text that two equal setups share."""
        return json.dumps(dataclasses.asdict(self), sort_keys=True)

    @property
    def form(self) -> Shape:
        """The object's shape."""
        return shape_from_dict(self.shape)

    @property
    def X_FH(self) -> Array | None:
        """Pose (4, 4) of the hand in the arm's frame; None: to be found."""
        if not self.mount:
            return None
        roll, pitch, yaw = np.radians(self.mount[3:])
        x, y, z = np.eye(3)
        return pose(rotation_about(z, yaw) @ rotation_about(y, pitch) @ rotation_about(x, roll), self.mount[:3])


def read_setup(file: str, arm: str = "", hand: str = "", frame: str = "", mount: tuple[float, ...] = ()) -> PairSetup:
    """The setup of a TOML file (empty: none), with what the command line says instead."""
    data, what = toml_data(file, LARGEST_FILE) if file else ({}, "the command line")
    if file and not file.endswith(".toml"):
        raise InputError(f"setup must be a path that ends in .toml; got '{file:.60}'.")
    for key in data:
        if key not in TOP and key not in SECTIONS:
            raise unknown_name(f"entry of {what}", key, (*TOP, *SECTIONS))
    values: dict[str, Any] = {}
    for key, kind in (("arm", str), ("hand", str), ("frame", str), ("base", str)):
        values[key] = _typed(data.get(key, ""), kind, key, what)
    for key, given in (("arm", arm), ("hand", hand), ("frame", frame)):
        values[key] = given or values[key]
    if not values["arm"]:
        raise InputError(f'{what} names no arm; give --arm NAME_OR_FILE, or arm = "..." in the setup file.')
    values["mount"] = tuple(mount) or _numbers(data.get("mount", ()), (0, 6), "mount", what)
    if "ground" in data:
        values["ground"] = None if data["ground"] is False else _number(data["ground"], "ground", what)
    for key in ("speed_limit", "meeting_speed", "dt"):
        if key in data:
            values[key] = _number(data[key], key, what, above=0.0)
    sections = {name: _section(data, name, what) for name in SECTIONS}
    for name, low in (("mass", 0.0), ("drag", -np.inf)):
        if name in sections["object"]:
            values[name] = _number(sections["object"][name], f"object.{name}", what, above=low)
    shape = sections["object"].get("shape", shape_to_dict(Sphere(0.03)))
    values["shape"] = shape_to_dict(shape_from_dict(shape))
    throw = sections["throw"]
    if throw:
        parts = [_numbers(throw.get(k, (0.0, 0.0, 0.0)), (3,), f"throw.{k}", what) for k in SECTIONS["throw"]]
        if "position" not in throw or "velocity" not in throw:
            raise InputError(f"throw of {what} needs position and velocity, three numbers each.")
        values["throw"] = tuple(x for part in parts for x in part)
    values["window"] = _window(sections["window"], what)
    for key in ("mu", "restitution"):
        if key in sections["surface"]:
            values[key] = _number(sections["surface"][key], f"surface.{key}", what, least=0.0)
    for key in ("opened", "closed"):
        values[key] = {joint: _number(x, f"{key}.{joint}", what) for joint, x in sections[key].items()}
    return PairSetup(**values)


def _window(given: dict[str, Any], what: str) -> Window:
    values: dict[str, Any] = {}
    for key, value in given.items():
        where = f"window.{key}"
        if key == "spin":
            values[key] = _number(value, where, what, least=0.0)
        else:
            values[key] = _numbers(value, (3,) if key.startswith("goal") else (2,), where, what)
            if not key.startswith("goal") and values[key][0] > values[key][1]:
                raise InputError(f"{where} of {what} must be lowest and highest; got {list(values[key])}.")
    window = Window(**values)
    if min(window.flight) <= 0 or min(window.distance) <= 0 or min(window.goal_size) < 0:
        raise InputError(f"flight and distance of the window of {what} must be above 0, goal_size not below.")
    return window


def _section(data: dict[str, Any], name: str, what: str) -> dict[str, Any]:
    given = data.get(name, {})
    if not isinstance(given, dict):
        raise InputError(f"{name} of {what} must be a table; got {given!r:.60}.")
    for key in given:
        if SECTIONS[name] and key not in SECTIONS[name]:
            raise unknown_name(f"entry of [{name}] of {what}", key, SECTIONS[name])
    return given


def _typed(value: Any, kind: type, name: str, what: str) -> Any:
    if not isinstance(value, kind):
        raise InputError(f"{name} of {what} must be a text; got {value!r:.60}.")
    return value


def _number(value: Any, name: str, what: str, *, above: float = -np.inf, least: float = -np.inf) -> float:
    good = isinstance(value, int | float) and not isinstance(value, bool) and np.isfinite(value)
    if not good or not value > above or value < least:
        bound = f" above {above:g}" if np.isfinite(above) else f", {least:g} or above" if np.isfinite(least) else ""
        raise InputError(f"{name} of {what} must be a finite number{bound}; got {value!r:.60}.")
    return float(value)


def _numbers(values: Any, counts: tuple[int, ...], name: str, what: str) -> tuple[float, ...]:
    if not isinstance(values, list | tuple) or len(values) not in counts:
        raise InputError(f"{name} of {what} must be {counts[-1]} numbers; got {values!r:.60}.")
    return tuple(_number(x, name, what) for x in values)
