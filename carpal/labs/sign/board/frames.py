"""Serial protocol of a motor board: frames with set-points out and sensor values back, each with a checksum.

A frame is a two-byte start mark, version, kind, sequence number, length, payload, and a CRC-16 (CCITT) of all but the mark. After
noise or lost bytes a reader resynchronises at the next start mark whose checksum fits. Integers are little-endian, values are
32-bit floats in the units of the hand's commands ([rad] of joints, [m] of tendons).
"""

from __future__ import annotations

import binascii
import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from carpal.spatial import Array

BEGIN, VERSION = b"\xa5\x5a", 2
ASK, ABOUT, SET, SENSED, STOP, FAULT = range(1, 7)
"""Kinds: identify, (low, high, speeds, largest loads, largest temperatures), set-points, sensor values, stop, fault."""
ABOUT_ROWS = 5
NAMES = {ASK: "ask", ABOUT: "about", SET: "set", SENSED: "sensed", STOP: "stop", FAULT: "fault"}
OUT_OF_RANGE, NOT_FINITE, WRONG_COUNT, UNKNOWN_KIND = range(1, 5)
FAULTS = {
    OUT_OF_RANGE: "a set-point is outside the motors' range",
    NOT_FINITE: "a set-point is not a finite number",
    WRONG_COUNT: "the number of set-points differs from that of the motors",
    UNKNOWN_KIND: "this kind of frame is unknown",
}
MOST_MOTORS, MOST_PAYLOAD = 64, 1024
_HEAD = struct.Struct("<BBHH")


@dataclass(frozen=True)
class Frame:
    """One frame: kind, number (an answer has that of its question), payload."""

    kind: int
    number: int
    payload: bytes = b""


def frame_bytes(frame: Frame) -> bytes:
    """The bytes of a frame."""
    body = _HEAD.pack(VERSION, frame.kind, frame.number & 0xFFFF, len(frame.payload)) + frame.payload
    return BEGIN + body + struct.pack("<H", binascii.crc_hqx(body, 0xFFFF))


def pack_values(*rows: Iterable[float]) -> bytes:
    """Values one row after the other."""
    flat = [float(value) for row in rows for value in row]
    return struct.pack(f"<{len(flat)}f", *flat)


def unpack_values(payload: bytes, rows: int) -> list[tuple[float, ...]] | None:
    """That many rows of equal length; None if the payload does not fit."""
    if len(payload) % (4 * rows):
        return None
    count = len(payload) // (4 * rows)
    flat = struct.unpack(f"<{rows * count}f", payload)
    return [flat[i * count : (i + 1) * count] for i in range(rows)]


@dataclass(frozen=True, eq=False)
class Sensed:
    """Sensor values of a board.

    Args:
        position: (n) of the motors [rad, m].
        load: (n) [N, N m].
        holding: whether its watchdog holds the motors.
        temperature: (n) [degrees Celsius].
        measured: whether positions are measured, and not only the last set-points.
    """

    position: Array
    load: Array
    holding: bool
    temperature: Array
    measured: bool = True

    def payload(self) -> bytes:
        """As the payload of a frame SENSED."""
        return pack_values(self.position, self.load, self.temperature) + bytes([self.holding | self.measured << 1])

    @staticmethod
    def from_payload(payload: bytes, motors: int) -> Sensed | None:
        """Of a frame SENSED; None if it is not of that many motors."""
        rows = unpack_values(payload[:-1], 3) if payload else None
        if rows is None or len(rows[0]) != motors or payload[-1] > 3:
            return None
        position, load, temperature = (np.array(row) for row in rows)
        return Sensed(position, load, bool(payload[-1] & 1), temperature, bool(payload[-1] & 2))


def cycle_time(motors: int, baud: int) -> float:
    """[s] that set-points and the sensor values that answer them take on a serial line of 10 bits a byte."""
    framing = len(BEGIN) + _HEAD.size + 2
    return 10.0 * (2 * framing + 4 * motors + 3 * 4 * motors + 1) / baud


class FrameReader:
    """Finds frames in a byte stream that may be split anywhere and contain noise.

    `bad` counts start marks with a wrong checksum.
    """

    def __init__(self) -> None:
        self._data = bytearray()
        self.bad = 0

    def feed(self, data: bytes) -> Iterator[Frame]:
        """The frames that are complete now."""
        self._data += data
        while True:
            at = self._data.find(BEGIN)
            if at < 0:
                # the last byte may be the first half of a start mark
                del self._data[: max(0, len(self._data) - 1)]
                return
            del self._data[:at]
            if len(self._data) < len(BEGIN) + _HEAD.size:
                return
            version, kind, number, length = _HEAD.unpack_from(self._data, len(BEGIN))
            end = len(BEGIN) + _HEAD.size + length + 2
            if version != VERSION or length > MOST_PAYLOAD:
                self._skip()
                continue
            if len(self._data) < end:
                return
            body = bytes(self._data[len(BEGIN) : end - 2])
            if struct.unpack_from("<H", self._data, end - 2)[0] != binascii.crc_hqx(body, 0xFFFF):
                self._skip()
                continue
            del self._data[:end]
            yield Frame(kind, number, body[_HEAD.size :])

    def _skip(self) -> None:
        self.bad += 1
        del self._data[: len(BEGIN)]
