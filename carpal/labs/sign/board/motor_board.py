"""Driver of a motor board: identifies it, starts where its motors stand, sends bounded set-points, reads its sensors."""

from __future__ import annotations

import time

import numpy as np

from carpal.errors import DeviceError
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
    frame_bytes,
    pack_values,
    unpack_values,
)  # fmt: skip
from carpal.labs.sign.board.ports import Port
from carpal.labs.sign.board.simulated_board import EDGE, PERIOD
from carpal.spatial import Array

TRIES, ANSWER = 4, 0.25
"""How often a frame is sent before the board counts as disconnected, and [s] that it has to answer."""


class MotorBoard:
    """A motor board that is identified once, then started, then given set-points no faster than its motors.

    Args:
        port: to it.
        motors: how many it must have; any number by default.
        open_loop: whether a board that does not measure positions may be driven.

    `low`, `high`, `speed`, `most_load` and `most_temperature` (n) are the board's own limits.
    """

    def __init__(self, port: Port, motors: int | None = None, *, open_loop: bool = False) -> None:
        self._port, self._reader, self._number = port, FrameReader(), 0
        self.open_loop = open_loop
        self._last: Array | None = None
        rows = unpack_values(self._ask(ASK, b"", ABOUT).payload, ABOUT_ROWS)
        if rows is None or (motors is not None and len(rows[0]) != motors):
            found = "something else" if rows is None else f"{len(rows[0])}"
            raise DeviceError(f"the board has {found} motors where this robot needs {motors}.")
        self.low, self.high, self.speed, self.most_load, self.most_temperature = (np.array(row) for row in rows)
        span = self.high - self.low
        if not (np.isfinite(span) & (span > 0) & np.isfinite(self.speed) & (self.speed > 0)).all():
            raise DeviceError("the board reports ranges or speeds that no motor has.")
        if np.isnan([self.most_load, self.most_temperature]).any():
            raise DeviceError("the board reports limits of load or temperature that are not numbers.")

    def start(self) -> Sensed:
        """Stop all motors and read where they stand; set-points begin there. Refused without measured positions."""
        sensed = self.stop()
        if not sensed.measured and not self.open_loop:
            raise DeviceError("the board does not measure where its motors stand; --open-loop drives it nevertheless.")
        bad = np.flatnonzero(~np.isfinite(sensed.position))
        if len(bad):
            raise DeviceError(f"the position of motor {bad[0] + 1} is {sensed.position[bad[0]]}.")
        edge = EDGE * (self.high - self.low)
        off = np.flatnonzero((sensed.position < self.low - edge) | (sensed.position > self.high + edge))
        if len(off):
            k = off[0]
            raise DeviceError(
                f"motor {k + 1} stands at {sensed.position[k]:.4g}, outside its range {self.low[k]:.4g} to {self.high[k]:.4g}."
            )
        self._last = np.clip(sensed.position, self.low, self.high)
        return sensed

    def set(self, values: Array) -> Sensed:
        """Send set-points (n), within the ranges and one period's travel of the last ones; returns the sensor values."""
        if self._last is None:
            self.start()
        assert self._last is not None  # started
        values = np.asarray(values, float)
        if values.shape != self.low.shape or not np.isfinite(values).all():
            raise DeviceError(f"set-points must be {len(self.low)} finite numbers; nothing was sent.")
        edge = EDGE * (self.high - self.low)
        off = np.flatnonzero((values < self.low - edge) | (values > self.high + edge))
        if len(off):
            raise DeviceError(
                f"the set-point {values[off[0]]:.4g} is outside the range of motor {off[0] + 1}; nothing was sent."
            )
        fast = np.flatnonzero(np.abs(values - self._last) > self.speed * PERIOD * (1.0 + 1e-6) + 2.0 * edge)
        if len(fast):
            k = fast[0]
            rate = abs(values[k] - self._last[k]) / PERIOD
            raise DeviceError(
                f"the set-point of motor {k + 1} moves at {rate:.3g} a second, its motor at most at {self.speed[k]:.3g}; "
                "nothing was sent."
            )
        self._last = values
        return self._sensed(self._ask(SET, pack_values(values), SENSED))

    def stop(self) -> Sensed:
        """Stop all motors where they are."""
        self._last = None
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
