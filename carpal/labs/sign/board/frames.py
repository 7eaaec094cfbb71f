"""Frames between a program and a motor board on a serial line: set-points out, sensor values back, each with a checksum.

A frame is two bytes that begin it, version, kind, number, length, payload, and a CRC-16 (CCITT) of all but the first two. A
reader that lost its place, or met noise, goes on at the next beginning whose checksum fits. Numbers are little-endian, values are
32-bit floats in the units of the hand's commands ([rad] of joints, [m] of tendons).
"""

from __future__ import annotations

import binascii
import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

BEGIN, VERSION = b"\xa5\x5a", 1
ASK, ABOUT, SET, SENSED, STOP, FAULT = range(1, 7)
"""Kinds: who are you, (motors, limits, speeds), set-points, (positions, loads, holding), stand still, something is wrong."""
NAMES = {ASK: "ask", ABOUT: "about", SET: "set", SENSED: "sensed", STOP: "stop", FAULT: "fault"}
FAULTS = {
    1: "a set-point is outside the motors' range",
    2: "a set-point is not a finite number",
    3: "the set-points are not as many as the motors",
    4: "it does not know this kind of frame",
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
    """As it goes over the line."""
    body = _HEAD.pack(VERSION, frame.kind, frame.number & 0xFFFF, len(frame.payload)) + frame.payload
    return BEGIN + body + struct.pack("<H", binascii.crc_hqx(body, 0xFFFF))


def pack_values(*rows: Iterable[float]) -> bytes:
    """Values one row after the other."""
    flat = [float(value) for row in rows for value in row]
    return struct.pack(f"<{len(flat)}f", *flat)


def unpack_values(payload: bytes, rows: int) -> list[tuple[float, ...]] | None:
    """That many rows of equal length; None where the payload is not that."""
    if len(payload) % (4 * rows):
        return None
    count = len(payload) // (4 * rows)
    flat = struct.unpack(f"<{rows * count}f", payload)
    return [flat[i * count : (i + 1) * count] for i in range(rows)]


class FrameReader:
    """Finds the frames in a stream of bytes that may come in any pieces, with noise between them.

    `bad` counts beginnings whose checksum did not fit.
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
                # the last byte may be the first half of a beginning
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
