"""Driver of a motor board: identifies it, starts where its motors stand, sends bounded set-points, reads its sensors."""

from __future__ import annotations

import numpy as np

from carpal.errors import DeviceError
from carpal.labs.sign.board.board_line import BoardLine
from carpal.labs.sign.board.frame_line import FrameLine
from carpal.labs.sign.board.frames import Sensed
from carpal.labs.sign.board.ports import Port
from carpal.labs.sign.board.simulated_board import EDGE, PERIOD
from carpal.spatial import Array


class MotorBoard:
    """A motor board that is identified once, then started, then given set-points no faster than its motors.

    Args:
        line: to it, or the port of a board that speaks frames.
        motors: how many it must have; any number by default.
        open_loop: whether a board that does not measure positions may be driven.

    `low`, `high`, `speed`, `most_load` and `most_temperature` (n) are the board's own limits.
    """

    def __init__(self, line: BoardLine | Port, motors: int | None = None, *, open_loop: bool = False) -> None:
        self.line = line if isinstance(line, BoardLine) else FrameLine(line)
        self.open_loop = open_loop
        self._last: Array | None = None
        rows = self.line.about()
        if motors is not None and rows.shape[1] != motors:
            raise DeviceError(f"the board has {rows.shape[1]} motors where this robot needs {motors}.")
        self.low, self.high, self.speed, self.most_load, self.most_temperature = rows
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
        return self.line.set(values)

    def stop(self) -> Sensed:
        """Stop all motors where they are."""
        self._last = None
        return self.line.stop()

    def close(self) -> None:
        """Release the line."""
        self.line.close()
