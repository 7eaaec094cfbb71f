"""Line to a board that speaks the serial protocol of frames: every frame is sent again until its answer comes."""

from __future__ import annotations

import time

import numpy as np

from carpal.errors import DeviceError, InputError
from carpal.labs.sign.board.board_line import BoardLine
from carpal.labs.sign.board.frames import (
    ABOUT,
    ABOUT_ROWS,
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
    cycle_time,
    frame_bytes,
    pack_values,
    unpack_values,
)  # fmt: skip
from carpal.labs.sign.board.ports import Port
from carpal.spatial import Array

TRIES, ANSWER = 4, 0.25
"""How often a frame is sent before the board counts as disconnected, and [s] that it has to answer."""


class FrameLine(BoardLine):
    """A board at the end of a port.

    Args:
        port: to it.
    """

    def __init__(self, port: Port) -> None:
        self.port, self._reader, self._number, self._motors = port, FrameReader(), 0, 0

    def about(self) -> Array:
        """Identify the board: its own limits (5, n)."""
        rows = unpack_values(self._ask(ASK, b"", ABOUT).payload, ABOUT_ROWS)
        if rows is None:
            raise DeviceError("the board has something else than motors with five numbers each.")
        self._motors = len(rows[0])
        return np.array(rows)

    def set(self, values: Array) -> Sensed:
        """Send set-points (n); what is sensed."""
        return self._sensed(self._ask(SET, pack_values(values), SENSED))

    def stop(self) -> Sensed:
        """Stop all motors; what is sensed."""
        return self._sensed(self._ask(STOP, b"", SENSED))

    def check_rate(self, motors: int, period: float) -> None:
        """Refuse a serial line on which set-points and sensor values take longer than a period [s]."""
        baud = getattr(self.port, "baud", None)
        if baud is not None and cycle_time(motors, baud) > period:
            least = int(np.ceil(baud * cycle_time(motors, baud) / period / 100)) * 100
            raise InputError(
                f"{motors} motors at {baud} baud need {1e3 * cycle_time(motors, baud):.1f} ms a cycle, and {1e3 * period:g} ms "
                f"are there; --baud must be {least} or more."
            )

    def close(self) -> None:
        """Release the port."""
        self.port.close()

    def _ask(self, kind: int, payload: bytes, wanted: int) -> Frame:
        self._number = (self._number + 1) & 0xFFFF
        data = frame_bytes(Frame(kind, self._number, payload))
        for _ in range(TRIES):
            self.port.write(data)
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
            data = self.port.read(max(0.0, end - time.monotonic()))
            for frame in self._reader.feed(data):
                if frame.number == number:
                    return frame
            if not data:
                return None

    def _sensed(self, frame: Frame) -> Sensed:
        found = Sensed.from_payload(frame.payload, self._motors)
        if found is None:
            raise DeviceError("the number of the board's sensor values differs from that of its motors.")
        return found
