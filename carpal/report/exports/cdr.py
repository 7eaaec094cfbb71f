"""ROS 2 messages as bytes, without ROS: plain CDR (XCDR 1), little-endian.

A message is a dict of its fields, nested messages are dicts, arrays are lists or arrays. A field that is left out is zero or
empty, as in ROS. Arrays of messages that hold nothing but float64 may be one array (n, fields).
"""

from __future__ import annotations

import functools
import struct
from collections.abc import Mapping
from typing import Any

import numpy as np

from carpal.errors import InputError, unknown_name
from carpal.report.exports.ros_definitions import DEFINITIONS, fields

ENCAPSULATION = b"\x00\x01\x00\x00"
"""The first bytes of every message: plain CDR, little-endian. Alignment counts from behind them."""
NUMBERS = {"float64": "d", "int32": "i", "uint32": "I", "uint8": "B", "bool": "?"}


def stamp(time: float) -> dict[str, int]:
    """A time or duration [s] to the nanosecond, as messages have it."""
    sec, nanosec = divmod(nanoseconds(time), 1_000_000_000)
    if not -(2**31) <= sec < 2**31:
        raise InputError(f"a ROS message holds times below 2^31 s; got {time:g} s.")
    return {"sec": sec, "nanosec": nanosec}


def nanoseconds(time: float) -> int:
    """A time [s] as whole nanoseconds."""
    return round(float(time) * 1e9)


def encode(name: str, message: Mapping[str, Any]) -> bytes:
    """A message as CDR.

    Args:
        name: its type, such as "sensor_msgs/JointState".
        message: values by field.
    """
    out = bytearray()
    _message(out, name, message)
    return ENCAPSULATION + bytes(out)


@functools.cache
def default(kind: str) -> Any:
    """What a field of this type holds where it is left out."""
    return () if kind.endswith("[]") else "" if kind == "string" else 0 if kind in NUMBERS else {}


@functools.cache
def _only_floats(kind: str) -> bool:
    return kind in DEFINITIONS and all(inner == "float64" for inner, _ in fields(kind))


def _message(out: bytearray, name: str, message: Mapping[str, Any]) -> None:
    known = [field for _, field in fields(name)]
    for field in message:
        if field not in known:
            raise unknown_name(f"field of {name}", field, known)
    for kind, field in fields(name):
        value = message.get(field, default(kind))
        if kind.endswith("[]"):
            _sequence(out, kind[:-2], value)
        else:
            _one(out, kind, value)


def _sequence(out: bytearray, kind: str, values: Any) -> None:
    _number(out, "I", len(values))
    if not len(values):  # an empty sequence is not padded
        return
    if kind in NUMBERS or (_only_floats(kind) and isinstance(values, np.ndarray)):
        array = np.asarray(values, f"<{NUMBERS.get(kind, 'd')}")
        _align(out, array.itemsize)
        out += array.tobytes()
        return
    for value in values:
        _one(out, kind, value)


def _one(out: bytearray, kind: str, value: Any) -> None:
    if kind == "string":
        text = str(value).encode()
        _number(out, "I", len(text) + 1)
        out += text + b"\x00"
    elif kind in NUMBERS:
        _number(out, NUMBERS[kind], value)
    else:
        _message(out, kind, value)


def _number(out: bytearray, code: str, value: Any) -> None:
    _align(out, struct.calcsize(f"<{code}"))
    out += struct.pack(f"<{code}", value)


def _align(out: bytearray, size: int) -> None:
    out += bytes(-len(out) % size)
