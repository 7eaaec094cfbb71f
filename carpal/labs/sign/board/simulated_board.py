"""Simulated motor board: motors with limits and lag, sensor values, watchdog; it speaks the serial protocol."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from carpal.errors import InputError
from carpal.labs.sign.board.frames import (
    ABOUT,
    ASK,
    FAULT,
    MOST_MOTORS,
    NOT_FINITE,
    OUT_OF_RANGE,
    SENSED,
    SET,
    STOP,
    UNKNOWN_KIND,
    WRONG_COUNT,
    Frame,
    FrameReader,
    Sensed,
    frame_bytes,
    pack_values,
    unpack_values,
)  # fmt: skip
from carpal.spatial import Array

PERIOD = 0.02
"""[s] from one set-point to the next."""
LAG = 0.01
"""[s] time constant of a motor's position loop."""
WATCHDOG = 0.25
"""[s] without a set-point after which the motors stop."""
MOST_LOAD, MOST_TEMPERATURE, ROOM = 200.0, 70.0, 25.0
"""[N, N m] and [degrees Celsius] that a simulated motor bears, and its temperature."""
EDGE = 1e-5
"""Share of a motor's range that a set-point may be outside: the line carries 32-bit floats."""


class SimulatedBoard:
    """Motors with limits, a lag, and a watchdog.

    Args:
        low, high: (n) of the motors' positions.
        speed: (n) their largest speeds.
        start: (n) where they stand; set-points are measured from there.
        load: positions (n) to loads (n) that are sensed; none by default.
        most_load, most_temperature: (n) [N, N m] and [degrees Celsius] that the motors bear; by default 200 and 70.
        measured: whether it senses positions; otherwise it reports its last set-points.

    `log` holds a row (time [s], set-points (n), positions (n)) of every set-point that was accepted.
    """

    def __init__(
        self, low: Sequence[float] | Array, high: Sequence[float] | Array, speed: Sequence[float] | Array,
        start: Sequence[float] | Array, load: Callable[[Array], Array] | None = None, *,
        most_load: float = MOST_LOAD, most_temperature: float = MOST_TEMPERATURE, measured: bool = True,
    ) -> None:  # fmt: skip
        rows = [np.asarray(row, float) for row in (low, high, speed, start)]
        if any(row.shape != rows[0].shape or row.ndim != 1 for row in rows) or not 1 <= len(rows[0]) <= MOST_MOTORS:
            raise InputError(f"a board has 1 to {MOST_MOTORS} motors, each with low, high, speed and start.")
        self.low, self.high, self.speed, self.position = rows
        self.position = self.position.copy()
        self.moved = 0
        self.time, self.log = 0.0, list[tuple[float, Array, Array]]()
        self.most = np.full((2, len(self.low)), [[most_load], [most_temperature]])
        self.measured = measured
        self._load = load
        self._goal = self.position.copy()
        self._idle = 0.0
        self._reader = FrameReader()
        self._last: tuple[int, bytes] | None = None

    @property
    def bad_frames(self) -> int:
        """Start marks with a wrong checksum."""
        return self._reader.bad

    @property
    def holding(self) -> bool:
        """Whether the watchdog has stopped the motors."""
        return self._idle >= WATCHDOG

    def feed(self, data: bytes, dt: float = PERIOD) -> bytes:
        """Take received bytes and answer; each new set-point advances time by dt [s]."""
        out = b""
        for frame in self._reader.feed(data):
            if self._last is not None and frame.kind == SET and frame.number == self._last[0]:
                out += self._last[1]  # a repeated request whose answer was lost: already done
                continue
            if frame.kind == ASK:
                self._last = None  # a driver begins
            elif frame.kind == SET and self._last is not None and (frame.number - self._last[0]) & 0xFFFF >= 0x8000:
                continue  # it was under way longer than the one after it: an old set-point moves nothing
            answer = frame_bytes(self._answer(frame, dt))
            if frame.kind == SET:
                self._last = frame.number, answer
            out += answer
        return out

    def idle(self, dt: float) -> None:
        """Advance time by dt [s] without a set-point."""
        before = self._idle
        self._idle += dt
        self.time += dt
        if before < WATCHDOG:
            self._move(min(dt, WATCHDOG - before))
        if self.holding:
            self._goal = self.position.copy()

    def _answer(self, frame: Frame, dt: float) -> Frame:
        if frame.kind == ASK:
            return Frame(ABOUT, frame.number, pack_values(self.low, self.high, self.speed, *self.most))
        if frame.kind == STOP:
            self._goal = self.position.copy()
            return self._sensed(frame.number)
        if frame.kind != SET:
            return Frame(FAULT, frame.number, bytes([UNKNOWN_KIND]))
        rows = unpack_values(frame.payload, 1)
        if rows is None or len(rows[0]) != len(self.low):
            return Frame(FAULT, frame.number, bytes([WRONG_COUNT]))
        goal, span = np.array(rows[0]), np.maximum(self.high - self.low, 1e-9)
        if not np.isfinite(goal).all():
            return Frame(FAULT, frame.number, bytes([NOT_FINITE]))
        if (goal < self.low - EDGE * span).any() or (goal > self.high + EDGE * span).any():
            return Frame(FAULT, frame.number, bytes([OUT_OF_RANGE]))
        self._goal = np.clip(goal, self.low, self.high)
        self._idle = 0.0
        self._move(dt)
        self.time += dt
        self.log.append((self.time, self._goal.copy(), self.position.copy()))
        return self._sensed(frame.number)

    def _move(self, dt: float) -> None:
        travel = (self._goal - self.position) * -np.expm1(-dt / LAG)
        step = np.clip(travel, -self.speed * dt, self.speed * dt)
        self.position = self.position + step
        self.moved += bool(np.abs(step).max() > 0)

    def _sensed(self, number: int) -> Frame:
        return Frame(SENSED, number, self.sensed().payload())

    def sensed(self) -> Sensed:
        """What the sensors say now."""
        loads = np.zeros(len(self.low)) if self._load is None else self._load(self.position)
        position = self.position if self.measured else self._goal
        return Sensed(position, loads, self.holding, np.full(len(self.low), ROOM), self.measured)
