"""Line to the servos of a bus: a motor board without a board, from a calibration file."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np

from carpal.control import ServoBus, ServoReading
from carpal.errors import DeviceError, InputError
from carpal.labs.sign.board.board_line import BoardLine
from carpal.labs.sign.board.frames import Sensed
from carpal.labs.sign.board.simulated_board import PERIOD
from carpal.labs.sign.files.calibration import Calibration
from carpal.spatial import Array

SPARE = 0.003
"""[s] of a period that are left to the computer."""
SETTLING = 25
"""Periods in which motors that are stopped come to rest, at most."""
HASTE = 1.25
"""Times a motor's largest speed that its servo may turn at: set-points bound the speed, this bounds what a wrong one does."""


class BusLine(BoardLine):
    """Calibrated servos as a motor board: torque comes on where they stand, every set-point is read back.

    Args:
        calibration: of the servos.
        motors: names in the robot's order.
        bus: open; the calibration's by default.

    Where the program ends, servos stop at their last set-point, one period ahead at most.
    """

    load_unit = "of its largest load"

    def __init__(self, calibration: Calibration, motors: Sequence[str], bus: ServoBus | None = None) -> None:
        self.servos = calibration.of(motors)
        self.lag = calibration.lag
        self.bus = calibration.open() if bus is None else bus
        self._ids = tuple(servo.id for servo in self.servos)
        self._zero, self._scale, self._low, self._high, self._speed = (
            np.array([getattr(servo, key) for servo in self.servos])
            for key in ("zero", "scale", "low", "high", "speed")
        )
        self._on = False
        table = self.bus.table
        for servo, end in ((s, e) for s in self.servos for e in (s.low, s.high)):
            at = servo.zero + end / servo.scale
            if not table.low - table.unit <= at <= table.high + table.unit:
                raise InputError(
                    f"motor '{servo.name}' would need its servo at {at:.3g} rad, outside {table.low:.3g} to {table.high:.3g}: "
                    "mount its horn at another angle and calibrate again."
                )

    def about(self) -> Array:
        """The calibration's limits (5, n); every servo must answer."""
        self.bus.ping(self._ids)
        load, temperature = ([getattr(servo, key) for servo in self.servos] for key in ("load", "temperature"))
        return np.array([self._low, self._high, self._speed, load, temperature], float)

    def set(self, values: Array) -> Sensed:
        """Set goals, and read what is sensed at the end of the period."""
        begun = time.monotonic()
        table = self.bus.table
        at = np.clip(self._zero + values / self._scale, table.low, table.high)
        self.bus.write(self._ids, at, HASTE * self._speed / np.abs(self._scale))
        wait = PERIOD - SPARE - self.bus.cycle_time(len(self._ids)) - (time.monotonic() - begun)
        time.sleep(max(0.0, wait))
        return self._sensed(self.bus.read(self._ids))

    def stop(self) -> Sensed:
        """Hold all motors where they come to rest; the first time their torque is switched on there."""
        if not self._on:
            self.bus.torque(self._ids, True)
            self._on = True
        self.bus.hold(self._ids)
        before = self.bus.read(self._ids)
        for _ in range(SETTLING):
            time.sleep(PERIOD)
            now = self.bus.read(self._ids)
            if np.abs(now.position - before.position).max() <= 2 * self.bus.table.unit:
                break
            before = now
            self.bus.hold(self._ids)
        return self._sensed(now)

    def check_rate(self, motors: int, period: float) -> None:
        """Refuse a baud rate at which a cycle takes longer than a period [s]."""
        self.bus.check_rate(motors, period - SPARE)

    def close(self) -> None:
        """Switch the torque off and release the port."""
        try:
            if self._on:
                self.bus.torque(self._ids, False)
        finally:
            self._on = False
            self.bus.close()

    def _sensed(self, reading: ServoReading) -> Sensed:
        for servo, error in zip(self.servos, reading.errors, strict=True):
            if error:
                raise DeviceError(f"the servo of motor '{servo.name}' (id {servo.id}) reports {error}.")
        x = (reading.position - self._zero) * self._scale
        # a position is a whole number of counts: at a stop it may be one beyond
        step = self.bus.table.unit * np.abs(self._scale)
        x = np.where((x < self._low) & (x >= self._low - step), self._low, x)
        x = np.where((x > self._high) & (x <= self._high + step), self._high, x)
        return Sensed(x, reading.load, False, reading.temperature)
