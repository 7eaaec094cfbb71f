"""Driver of a motor board: identifies it, sends set-points, reads its sensors."""

from __future__ import annotations

import time

import numpy as np

from carpal.errors import DeviceError
from carpal.labs.sign.board.frames import (
    ABOUT,
    ASK,
    FAULT,
    FAULTS,
    NAMES,
    SENSED,
    SET,
    STOP,
    Frame,
    FrameReader,
    Sensed,
    frame_bytes,
    pack_values,
    unpack_values,
)  # fmt: skip
from carpal.labs.sign.board.ports import Port
from carpal.spatial import Array

TRIES, ANSWER = 4, 0.25
"""How often a frame is sent before the board counts as disconnected, and [s] that it has to answer."""


class MotorBoard:
    """A motor board that is identified once and then given set-points.

    Args:
        port: to it.
        motors: how many it must have; any number by default.
    """

    def __init__(self, port: Port, motors: int | None = None) -> None:
        self._port, self._reader, self._number = port, FrameReader(), 0
        rows = unpack_values(self._ask(ASK, b"", ABOUT).payload, 3)
        if rows is None or (motors is not None and len(rows[0]) != motors):
            found = "something else" if rows is None else f"{len(rows[0])}"
            raise DeviceError(f"the board has {found} motors where this robot needs {motors}.")
        self.low, self.high, self.speed = (np.array(row) for row in rows)

    def set(self, values: Array) -> Sensed:
        """Send set-points (n); returns the sensor values one period later."""
        return self._sensed(self._ask(SET, pack_values(values), SENSED))

    def stop(self) -> Sensed:
        """Stop all motors where they are."""
        return self._sensed(self._ask(STOP, b"", SENSED))

    def close(self) -> None:
        """Release the port."""
        self._port.close()

    def _ask(self, kind: int, payload: bytes, wanted: int) -> Frame:
        self._number = (self._number + 1) & 0xFFFF
        data = frame_bytes(Frame(kind, self._number, payload))
        for _ in range(TRIES):
            self._port.write(data)
            answer = self._answer(self._number)
            if answer is None:
                continue
            if answer.kind == FAULT:
                why = FAULTS.get(answer.payload[0] if answer.payload else 0, "it does not say why")
                raise DeviceError(f"the board refuses '{NAMES[kind]}': {why}.")
            if answer.kind == wanted:
                return answer
        raise DeviceError(f"the board does not answer to '{NAMES[kind]}' ({TRIES} times, {ANSWER:g} s each).")

    def _answer(self, number: int) -> Frame | None:
        end = time.monotonic() + ANSWER
        while True:
            data = self._port.read(max(0.0, end - time.monotonic()))
            for frame in self._reader.feed(data):
                if frame.number == number:
                    return frame
            if not data:
                return None

    def _sensed(self, frame: Frame) -> Sensed:
        found = Sensed.from_payload(frame.payload, len(self.low))
        if found is None:
            raise DeviceError("the number of the board's sensor values differs from that of its motors.")
        return found
