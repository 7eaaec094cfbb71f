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
        "bend", "spread", "opposition", "cup", "tendons")  # fmt: skip


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
        hand, arm: catalogue names or robot files; hands: how many it has.
        palm: the hand's frame with x out of the palm and z along the fingers.
        station: (3) [m] of the palm's frame in the arm's base.
        link_radius, hand_radius: [m] of links whose models have no shapes.
        X_TM: (4, 4) of the hand's mount in the arm's tool.
        payload_mass, payload_lever: [kg] and [m] that the arm carries.
        wrist: three joints, flexion, deviation and turn; empty where the arm does it all.
        wrist_share: of a palm direction's turn that the wrist takes.
        bend: finger to its tendon's three joints, or to (base, outer) drives.
        others: (channel, finger) to its drive, for spread, opposition and cup.
        tendons: finger to starts (3), closed, pulleys (3), friction.
    """

    name: str
    about: str
    hand: str
    hands: int
    arm: str
    palm: str
    station: Array
    link_radius: float
    hand_radius: float
    X_TM: Array
    payload_mass: float
    payload_lever: float
    wrist: tuple[str, ...]
    wrist_share: float
    bend: Mapping[str, tuple[str, str, str] | tuple[Drive, Drive]]
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
    return _drive(table["base"], f"{what}.base"), _drive(table["outer"], f"{what}.outer")


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
    tables.only(data, KEYS, what, ("name", "hand", "arm", "palm", "station", "bend"))
    mount = tables.only(data.get("mount", {}), ("place", "turn"), f"mount of {what}")
    payload = tables.only(data.get("payload", {}), ("mass", "lever"), f"payload of {what}")
    wrist = tables.only(data.get("wrist", {}), ("joints", "share"), f"wrist of {what}")
    joints = tables.texts(wrist.get("joints", []), f"wrist.joints of {what}")
    if joints and len(joints) != 3:
        raise InputError(f"wrist.joints of {what} must be three: flexion, deviation, turn; got {len(joints)}.")
    bend = _finger_table(data, "bend", what, _bend)
    for finger in FINGERS:
        if finger not in bend:
            raise InputError(f"bend of {what} needs all of {', '.join(FINGERS)}; '{finger}' is missing.")
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
        hand=tables.text(data["hand"], "hand"), hands=int(hands), arm=tables.text(data["arm"], "arm"),
        palm=tables.text(data["palm"], "palm"),
        station=tables.several(data["station"], 3, f"station of {what}", -10, 10),
        link_radius=tables.number(data.get("link_radius", 0.045), f"link_radius of {what}", 1e-3, 1),
        hand_radius=tables.number(data.get("hand_radius", 0.008), f"hand_radius of {what}", 1e-3, 1),
        X_TM=pose_from_xyz_rpy(place, np.radians(turn)),
        payload_mass=tables.number(payload.get("mass", np.finfo(float).max), f"payload.mass of {what}", 0),
        payload_lever=tables.number(payload.get("lever", 0.0), f"payload.lever of {what}", 0, 5),
        wrist=joints, wrist_share=tables.number(wrist.get("share", 0.0), f"wrist.share of {what}", 0, 1),
        bend=bend, others=others, tendons=tendons,
    )  # fmt: skip


def read_driver(source: str | os.PathLike[str] = "parloma") -> Driver:
    """A driver by its name in the package, or from a .toml file."""
    given = os.fspath(source)
    return _read.__wrapped__(given) if given.endswith(".toml") else _read(given)
