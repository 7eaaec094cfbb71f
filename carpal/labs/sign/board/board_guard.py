"""Checks of what a motor board senses after every set-point: the first that fails stops the hand with a sentence.

A healthy position loop follows within a period's travel of its set-point; what lags more is stuck, slips or is sensed wrongly.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from carpal.errors import DeviceError
from carpal.labs.sign.board.frames import Sensed
from carpal.labs.sign.board.motor_board import MotorBoard
from carpal.labs.sign.board.simulated_board import PERIOD
from carpal.spatial import Array

PERIODS, SHARE = 1.0, 0.005
"""A motor may be behind its set-point by so many periods of the set-points' travel and this share of its range."""
FASTER = 1.5
"""Times a motor's largest speed that a sensed position may move at: more is a fault of the sensor."""
OUTSIDE = 0.02
"""Share of a motor's range by which it may be sensed outside."""


class BoardGuard:
    """Watches one board.

    Args:
        board: identified.
        names: of its motors, for the sentences.
    """

    def __init__(self, board: MotorBoard, names: Sequence[str]) -> None:
        self._board, self._names = board, tuple(names)
        self._span = board.high - board.low
        self._last: Array | None = None
        self._goal: Array | None = None
        self._travel = np.zeros(len(self._span))
        lag = board.line.lag
        self._periods = PERIODS + lag / PERIOD
        self._fading = max(0.5, float(np.exp(-PERIOD / lag)) if lag > 0 else 0.0)

    def begin(self, sensed: Sensed) -> None:
        """Motors stand where they are sensed; their other sensors must be well."""
        self._last, self._goal, self._travel = sensed.position, sensed.position, np.zeros(len(self._span))
        self._conditions(sensed)

    def check(self, goal: Array, sensed: Sensed) -> None:
        """Raise `DeviceError` if what was sensed one period after the set-points (n) is not that of motors that follow."""
        assert self._last is not None and self._goal is not None  # begun
        self._conditions(sensed)
        if sensed.holding:
            raise DeviceError("the board's watchdog holds the motors: set-points came too late.")
        if sensed.measured:
            here, span = sensed.position, self._span
            outside = np.maximum(self._board.low - here, here - self._board.high)
            self._first(outside > OUTSIDE * span, lambda k: f"is sensed at {here[k]:.4g}, outside its range")
            jump = np.abs(here - self._last)
            most = FASTER * self._board.speed * PERIOD + OUTSIDE * span
            self._first(jump > most, lambda k: f"is sensed to jump by {jump[k]:.3g} within a period")
            # travel of the last periods, forgotten at the rate at which a motor catches up
            self._travel = np.maximum(np.abs(goal - self._goal), self._fading * self._travel)
            behind = np.abs(goal - here)
            allowed = self._periods * self._travel + SHARE * span
            self._first(behind > allowed, lambda k: f"is {behind[k]:.3g} from its set-point, {allowed[k]:.3g} allowed")
        elif not self._board.open_loop:
            raise DeviceError("the board has stopped measuring positions.")
        self._last, self._goal = sensed.position, goal

    def _conditions(self, sensed: Sensed) -> None:
        for what, values in (("position", sensed.position), ("load", sensed.load), ("temperature", sensed.temperature)):
            self._first(~np.isfinite(values), lambda k, v=values, w=what: f"has {w} {v[k]}")
        most = self._board.most_load, self._board.most_temperature
        self._first(
            np.abs(sensed.load) > most[0],
            lambda k: f"bears {sensed.load[k]:.3g} {self._board.line.load_unit}, {most[0][k]:.3g} allowed",
        )
        self._first(
            sensed.temperature > most[1], lambda k: f"has {sensed.temperature[k]:.0f} °C, {most[1][k]:.0f} allowed"
        )

    def _first(self, bad: np.ndarray, said: object) -> None:
        found = np.flatnonzero(bad)
        if len(found):
            assert callable(said)
            raise DeviceError(f"motor '{self._names[found[0]]}' {said(found[0])}.")
