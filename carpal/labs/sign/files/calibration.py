"""Calibration files: which servo of a bus moves which motor of a robot, where its zero is, and what it bears."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from carpal.control import DynamixelBus, FeetechBus, ServoBus
from carpal.errors import InputError, unknown_name
from carpal.labs.sign.files import tables

FORMAT = "carpal-servos-1"
KINDS = ("sts", "scs", "x")
KEYS = ("name", "id", "zero", "scale", "low", "high", "speed", "load", "temperature")
LOAD, TEMPERATURE, LAG = 0.7, 60.0, 0.05
"""Share of a servo's largest load and [degrees Celsius] that a motor bears, and [s] that it may be behind, by default."""


@dataclass(frozen=True)
class CalibratedServo:
    """A servo and the motor that it is.

    Args:
        name: of the motor: a joint, or "<finger>_tendon".
        id: of the servo.
        zero: [rad] of the servo where the motor is at 0.
        scale: [rad or m] of the motor for a radian of the servo, negative where it turns the other way.
        low, high: [rad or m] between which the motor may be.
        speed: [rad/s or m/s] at most.
        load: share of the servo's largest load, at most.
        temperature: [degrees Celsius] at most.
    """

    name: str
    id: int
    zero: float
    scale: float
    low: float
    high: float
    speed: float
    load: float = LOAD
    temperature: float = TEMPERATURE


@dataclass(frozen=True)
class Calibration:
    """Servos of one bus.

    Args:
        series: "sts" or "scs" (Feetech), "x" (Dynamixel).
        port: device.
        baud: bits a second.
        servos: in any order.
        lag: [s] that a healthy motor may be behind its set-points.
    """

    series: str
    port: str
    baud: int
    servos: tuple[CalibratedServo, ...]
    lag: float = LAG

    def __post_init__(self) -> None:
        if self.series not in KINDS:
            raise unknown_name("series of servos", self.series, KINDS)
        for what in ("name", "id"):
            seen = [getattr(servo, what) for servo in self.servos]
            twice = [one for one in seen if seen.count(one) > 1]
            if twice:
                raise InputError(f"two servos of the calibration have the {what} '{twice[0]}'.")
        for servo in self.servos:
            if servo.scale == 0 or not servo.low < servo.high:
                raise InputError(
                    f"motor '{servo.name}' of the calibration needs a scale that is not 0, and low below high."
                )

    def of(self, motors: Sequence[str]) -> tuple[CalibratedServo, ...]:
        """The servos of motors, in their order."""
        known = {servo.name: servo for servo in self.servos}
        missing = [name for name in motors if name not in known]
        if missing:
            raise InputError(
                f"the calibration has no motor '{missing[0]}'; it has {', '.join(known)}, "
                f"and the robot needs {', '.join(motors)}."
            )
        return tuple(known[name] for name in motors)

    def open(self) -> ServoBus:
        """The bus, opened."""
        return open_bus(self.series, self.port, self.baud)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the file."""
        lines = [
            f'format = "{FORMAT}"', f'series = "{self.series}"', f'port = "{self.port}"', f"baud = {self.baud}",
            f"lag = {self.lag!r}",
        ]  # fmt: skip
        for servo in self.servos:
            lines += ["", "[[motors]]"]
            for key in KEYS:
                value = getattr(servo, key)
                lines.append(f'{key} = "{value}"' if isinstance(value, str) else f"{key} = {value!r}")
        out = Path(path)
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text("\n".join(lines) + "\n")
        return out


def open_bus(series: str, port: str, baud: int) -> ServoBus:
    """The bus of a series on a port."""
    if series not in KINDS:
        raise unknown_name("series of servos", series, KINDS)
    return DynamixelBus(port, baud) if series == "x" else FeetechBus(port, baud, series=series)


def _servo(row: Any, what: str) -> CalibratedServo:
    table = tables.only(row, KEYS, what, KEYS[:7])
    number = {
        key: tables.number(table[key], f"{key} of {what}", *bounds)
        for key, bounds in (
            ("zero", (-math.pi, math.pi)), ("scale", (-100, 100)), ("low", (-100, 100)), ("high", (-100, 100)),
            ("speed", (1e-6, 100)), ("load", (0.01, 1)), ("temperature", (20, 120)),
        )
        if key in table
    }  # fmt: skip
    one = tables.number(table["id"], f"id of {what}", 0, 252)
    if one != int(one):
        raise InputError(f"the id of {what} must be a whole number; got {one}.")
    return CalibratedServo(tables.text(table["name"], f"name of {what}"), int(one), **number)


def read_calibration(path: str | os.PathLike[str]) -> Calibration:
    """A calibration from the file that `carpal sign calibrate` wrote, checked key by key."""
    given = os.fspath(path)
    if not given.endswith(".toml"):
        raise InputError(f"a calibration is a file that ends in .toml; got '{given}'.")
    data, what = tables.read_file("boards", given, FORMAT)
    tables.only(data, ("series", "port", "baud", "lag", "motors"), what, ("series", "port", "baud", "motors"))
    rows = data["motors"]
    if not isinstance(rows, list) or not rows:
        raise InputError(f"{what} needs [[motors]], one for each motor.")
    servos = tuple(_servo(row, f"motor {k + 1} of {what}") for k, row in enumerate(rows))
    baud = tables.number(data["baud"], f"baud of {what}", 1200, 1e7)
    lag = tables.number(data.get("lag", LAG), f"lag of {what}", 0, 1)
    return Calibration(
        tables.text(data["series"], f"series of {what}"),
        tables.text(data["port"], f"port of {what}"),
        int(baud),
        servos,
        lag,
    )
