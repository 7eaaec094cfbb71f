"""Driver files: parts of a robot, and the map from the channels of a handshape to its joints and tendons."""

from __future__ import annotations

import functools
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from carpal.errors import InputError, unknown_name
from carpal.labs.sign.files import tables
from carpal.labs.sign.files.alphabet import FINGERS
from carpal.spatial import Array, pose_from_xyz_rpy

FORMAT = "carpal-sign-robot-1"
KEYS = ("name", "about", "hand", "hands", "arm", "palm", "station", "link_radius", "hand_radius", "mount", "payload", "wrist",
        "bend", "spread", "opposition", "cup", "tendons", "tips", "fold", "overlaps")  # fmt: skip


@dataclass(frozen=True)
class Drive:
    """A joint and its angles [rad] for the channel's 0 and 1, and for -1 where that differs from the mirrored 1."""

    joint: str
    at: tuple[float, float]
    below: tuple[float, float] | None = None

    def angle(self, value: float) -> float:
        """[rad] for a channel's value, -1 to 1."""
        low, high = self.at if value >= 0 or self.below is None else self.below
        return low + value * (high - low)


@dataclass(frozen=True, eq=False)
class Driver:
    """A robot that signs.

    Args:
        name, about: for people.
        hand, arm: catalogue names or robot files; no arm: "none". hands: how many it has.
        palm: the hand's frame with x out of the palm and z along the fingers, y to the thumb of a right hand.
        X_BP: (4, 4) of that frame in the hand's own frame `palm_of`, where the hand has none like it.
        tips: finger to its tip, (the hand's frame, place (3) [m] in it), where the hand names none.
        station: (3) [m] of the palm's frame in the arm's base.
        link_radius, hand_radius: [m] of links whose models have no shapes.
        X_TM: (4, 4) of the hand's mount in the arm's tool.
        payload_mass, payload_lever: [kg] and [m] that the arm carries.
        wrist: three joints, flexion, deviation and turn; empty where the arm does it all.
        wrist_share: of a palm direction's turn that the wrist takes.
        bend: finger to its tendon's three joints, or to the drives of its (base, outer) joints.
        overlaps: pairs of bodies whose shapes overlap in the hand's own file; their distance is not checked.
        fold: finger of the robot to the fingers of a person whose straightest it shows; itself by default.
        others: (channel, finger) to its drive, for spread, opposition and cup.
        tendons: finger to starts (3), closed, pulleys (3), friction.
    """

    name: str
    about: str
    hand: str
    hands: int
    arm: str
    palm: str
    palm_of: str
    X_BP: Array
    tips: Mapping[str, tuple[str, Array]]
    station: Array
    link_radius: float
    hand_radius: float
    X_TM: Array
    payload_mass: float
    payload_lever: float
    wrist: tuple[str, ...]
    wrist_share: float
    bend: Mapping[str, tuple[str, str, str] | tuple[tuple[Drive, ...], tuple[Drive, ...]]]
    fold: Mapping[str, tuple[str, ...]]
    overlaps: tuple[tuple[str, str], ...]
    others: Mapping[tuple[str, str], Drive]
    tendons: Mapping[str, dict[str, Any]]


def _drive(data: object, what: str) -> Drive:
    table = tables.only(data, ("joint", "at", "below"), what, ("joint", "at"))
    at = np.radians(tables.several(table["at"], 2, f"{what}.at", -360, 360))
    below = np.radians(tables.several(table["below"], 2, f"{what}.below", -360, 360)) if "below" in table else None
    pair = None if below is None else (float(below[0]), float(below[1]))
    return Drive(tables.text(table["joint"], f"{what}.joint"), (float(at[0]), float(at[1])), pair)


def _bend(data: object, what: str) -> Any:
    if isinstance(data, dict) and "tendon" in data:
        joints = tables.texts(tables.only(data, ("tendon",), what)["tendon"], f"{what}.tendon")
        if len(joints) != 3:
            raise InputError(f"{what}.tendon must name three joints, base to tip; got {len(joints)}.")
        return joints
    table = tables.only(data, ("base", "outer"), what, ("base", "outer"))
    return _drives(table["base"], f"{what}.base"), _drives(table["outer"], f"{what}.outer")


def _drives(data: object, what: str) -> tuple[Drive, ...]:
    return tuple(_drive(one, what) for one in (data if isinstance(data, list) else [data]))


def _tip(data: object, what: str) -> tuple[str, Array]:
    table = tables.only(data, ("frame", "place"), what, ("frame",))
    return tables.text(table["frame"], f"{what}.frame"), tables.several(
        table.get("place", [0, 0, 0]), 3, f"{what}.place", -1, 1
    )


def _fold(data: object, what: str) -> tuple[str, ...]:
    return tuple(tables.text(one, what, FINGERS) for one in tables.texts(data, what))


def _palm(data: object, what: str) -> tuple[str, str, Array]:
    """The palm's frame, the frame of the hand that it hangs on, and its pose in that."""
    if not isinstance(data, dict):
        name = tables.text(data, what)
        return name, name, np.eye(4)
    table = tables.only(data, ("frame", "place", "turn"), what, ("frame",))
    place, turn = (
        tables.several(table.get(key, [0, 0, 0]), 3, f"{what}.{key}", -360, 360) for key in ("place", "turn")
    )
    return "sign_palm", tables.text(table["frame"], f"{what}.frame"), pose_from_xyz_rpy(place, np.radians(turn))


def _tendon(data: object, what: str) -> dict[str, Any]:
    keys = ("starts", "closed", "pulleys", "friction", "stiffness")
    table = tables.only(data, keys, what, ("starts", "closed", "pulleys"))
    return {
        "starts": tables.several(table["starts"], 3, f"{what}.starts", 0, 1e4),
        "closed": tables.number(table["closed"], f"{what}.closed", 0, 1e4),
        "pulleys": tables.several(table["pulleys"], 3, f"{what}.pulleys", 1e-4, 0.1),
        "friction": tables.number(table.get("friction", 0.0), f"{what}.friction", 0, 2),
        "stiffness": tables.number(table.get("stiffness", 2e4), f"{what}.stiffness", 10, 1e7),
    }


def _finger_table(data: Mapping[str, Any], key: str, what: str, read: Any) -> dict[str, Any]:
    table = tables.table_of(data[key], f"{key} of {what}", read) if key in data else {}
    for finger in table:
        if finger not in FINGERS:
            raise unknown_name(f"finger in {key} of {what}", finger, FINGERS)
    return table


@functools.lru_cache(maxsize=16)
def _read(source: str) -> Driver:
    data, what = tables.read_file("robots", source, FORMAT)
    tables.only(data, KEYS, what, ("name", "hand", "palm", "station", "bend"))
    mount = tables.only(data.get("mount", {}), ("place", "turn"), f"mount of {what}")
    payload = tables.only(data.get("payload", {}), ("mass", "lever"), f"payload of {what}")
    wrist = tables.only(data.get("wrist", {}), ("joints", "share"), f"wrist of {what}")
    joints = tables.texts(wrist.get("joints", []), f"wrist.joints of {what}")
    if joints and len(joints) != 3:
        raise InputError(f"wrist.joints of {what} must be three: flexion, deviation, turn; got {len(joints)}.")
    bend = _finger_table(data, "bend", what, _bend)
    fold = _finger_table(data, "fold", what, _fold)
    shown = {finger for name in bend for finger in fold.get(name, (name,))}
    for finger in FINGERS:
        if finger not in shown:
            raise InputError(
                f"bend of {what} needs all of {', '.join(FINGERS)}; '{finger}' is missing, and no finger of [fold] shows it."
            )
    for finger in fold:
        if finger not in bend:
            raise InputError(f"fold of {what} names '{finger}', which has no bend.")
    overlaps = tuple(tables.texts(pair, f"overlaps of {what}") for pair in data.get("overlaps", []))
    if any(len(pair) != 2 for pair in overlaps):
        raise InputError(f"overlaps of {what} must be pairs of bodies; got {list(map(list, overlaps))!r:.80}.")
    palm, palm_of, X_BP = _palm(data["palm"], f"palm of {what}")
    tendons = _finger_table(data, "tendons", what, _tendon)
    for finger, how in bend.items():
        if isinstance(how[0], str) and finger not in tendons:
            raise InputError(f"finger '{finger}' of {what} hangs on a tendon, so tendons needs '{finger}'.")
    others = {
        (channel, finger): drive
        for channel in ("spread", "opposition", "cup")
        for finger, drive in _finger_table(data, channel, what, _drive).items()
    }
    place = tables.several(mount.get("place", [0, 0, 0]), 3, f"mount.place of {what}", -2, 2)
    turn = tables.several(mount.get("turn", [0, 0, 0]), 3, f"mount.turn of {what}", -360, 360)
    hands = tables.number(data.get("hands", 1), f"hands of {what}", 1, 2)
    return Driver(
        name=tables.text(data["name"], "name"), about=tables.text(data.get("about", ""), "about"),
        hand=tables.text(data["hand"], "hand"), hands=int(hands), arm=tables.text(data.get("arm", "none"), "arm"),
        palm=palm, palm_of=palm_of, X_BP=X_BP, tips=_finger_table(data, "tips", what, _tip),
        station=tables.several(data["station"], 3, f"station of {what}", -10, 10),
        link_radius=tables.number(data.get("link_radius", 0.045), f"link_radius of {what}", 1e-3, 1),
        hand_radius=tables.number(data.get("hand_radius", 0.008), f"hand_radius of {what}", 1e-3, 1),
        X_TM=pose_from_xyz_rpy(place, np.radians(turn)),
        payload_mass=tables.number(payload.get("mass", np.finfo(float).max), f"payload.mass of {what}", 0),
        payload_lever=tables.number(payload.get("lever", 0.0), f"payload.lever of {what}", 0, 5),
        wrist=joints, wrist_share=tables.number(wrist.get("share", 0.0), f"wrist.share of {what}", 0, 1),
        bend=bend, fold=fold, overlaps=tuple((a, b) for a, b in overlaps), others=others, tendons=tendons,
    )  # fmt: skip


def read_driver(source: str | os.PathLike[str] = "parloma") -> Driver:
    """A driver by its name in the package, or from a .toml file."""
    given = os.fspath(source)
    return _read.__wrapped__(given) if given.endswith(".toml") else _read(given)
