"""Simulated boards with a fault: motors that stall or slip, sensors that lie, lines that lose bytes."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np

from carpal.errors import DeviceError, unknown_name
from carpal.labs.sign.board.frames import FAULT, OUT_OF_RANGE, SENSED, SET, Frame, Sensed
from carpal.labs.sign.board.ports import MemoryPort
from carpal.labs.sign.board.simulated_board import PERIOD, SimulatedBoard
from carpal.spatial import Array

Change = Callable[["FaultyBoard", Sensed], Sensed]


def _one(values: Array, motor: int, value: float) -> Array:
    out = values.copy()
    out[motor] = value
    return out


def _position(value: Callable[[FaultyBoard], float]) -> Change:
    return lambda b, s: dataclasses.replace(s, position=_one(s.position, b.motor, value(b)))


SENSOR_FAULTS: dict[str, Change] = {
    "position is not a number": _position(lambda b: np.nan),
    "position is infinite": _position(lambda b: np.inf),
    "position jumps": _position(lambda b: b.position[b.motor] + 0.4 * (b.high - b.low)[b.motor]),
    "position is outside the range": _position(lambda b: b.high[b.motor] + 0.5 * (b.high - b.low)[b.motor]),
    "position is frozen": _position(lambda b: b.frozen[b.motor]),
    "position has the other sign": _position(lambda b: 2 * b.frozen[b.motor] - b.position[b.motor]),
    "load is not a number": lambda b, s: dataclasses.replace(s, load=_one(s.load, b.motor, np.nan)),
    "load is 500 N": lambda b, s: dataclasses.replace(s, load=_one(s.load, b.motor, 500.0)),
    "load is -500 N": lambda b, s: dataclasses.replace(s, load=_one(s.load, b.motor, -500.0)),
    "temperature is 95 degrees": lambda b, s: dataclasses.replace(s, temperature=_one(s.temperature, b.motor, 95.0)),
    "temperature is not a number": lambda b, s: dataclasses.replace(
        s, temperature=_one(s.temperature, b.motor, np.nan)
    ),
    "watchdog holds": lambda b, s: dataclasses.replace(s, holding=True),
    "positions are no longer measured": lambda b, s: dataclasses.replace(s, measured=False),
    "one motor is missing in the answer": lambda b, s: Sensed(
        s.position[:-1], s.load[:-1], s.holding, s.temperature[:-1]
    ),
}
MOTOR_FAULTS = ("motor is stuck", "all motors are stuck", "motor slips", "motor runs away", "motor turns the other way")
LINE_FAULTS = (
    "set-points are refused",
    "answers stop",
    "answers are cut short",
    "answers have an old number",
    "port vanishes",
)
KINDS_OF_FAULT = (*SENSOR_FAULTS, *MOTOR_FAULTS, *LINE_FAULTS)


class FaultyBoard(SimulatedBoard):
    """A simulated board that fails from a set-point on; arguments as of `SimulatedBoard` through `of`.

    `kind` of fault, one of KINDS_OF_FAULT; `after` so many set-points; `motor` that has it. `accepted` counts the set-points
    that came after the fault.
    """

    kind: str = ""
    after: int = 0
    motor: int = 0
    accepted: int = 0
    frozen: Array

    @classmethod
    def of(cls, board: SimulatedBoard, kind: str, after: int, motor: int) -> FaultyBoard:
        """A board like another one, with a fault."""
        if kind not in KINDS_OF_FAULT:
            raise unknown_name("fault of a board", kind, KINDS_OF_FAULT)
        out = cls(board.low, board.high, board.speed, board.position, board._load)
        out.kind, out.after, out.motor = kind, after, motor
        out.frozen = out.position.copy()
        return out

    @property
    def failing(self) -> bool:
        """Whether the fault has begun."""
        return len(self.log) > self.after

    def sensed(self) -> Sensed:
        """What the sensors say, wrongly."""
        right = super().sensed()
        if not self.failing:
            self.frozen = self.position.copy()
            return right
        change = SENSOR_FAULTS.get(self.kind)
        return right if change is None else change(self, right)

    def _move(self, dt: float) -> None:
        before = self.position
        super()._move(dt)
        if not self.failing:
            return
        self.accepted += 1
        k, step = self.motor, self.position - before
        if self.kind == "motor is stuck":
            self.position = _one(self.position, k, before[k])
        elif self.kind == "all motors are stuck":
            self.position = before
        elif self.kind == "motor slips":
            self.position = _one(self.position, k, before[k] + 0.3 * step[k])
        elif self.kind == "motor runs away":
            self.position = _one(self.position, k, min(before[k] + self.speed[k] * dt, self.high[k]))
        elif self.kind == "motor turns the other way":
            self.position = _one(self.position, k, before[k] - step[k])

    def _answer(self, frame: Frame, dt: float) -> Frame:
        if frame.kind == SET and self.failing and self.kind == "set-points are refused":
            return Frame(FAULT, frame.number, bytes([OUT_OF_RANGE]))
        answer = super()._answer(frame, dt)
        if self.failing and answer.kind == SENSED:
            if self.kind == "answers are cut short":
                return Frame(SENSED, frame.number, answer.payload[:-5])
            if self.kind == "answers have an old number":
                return Frame(SENSED, frame.number - 1 & 0xFFFF, answer.payload)
        return answer

    def feed(self, data: bytes, dt: float = PERIOD) -> bytes:
        """Take bytes and answer, or fail to."""
        if self.failing and self.kind == "port vanishes":
            raise DeviceError("the serial device was lost: Input/output error.")
        out = super().feed(data, dt)
        return b"" if self.failing and self.kind == "answers stop" else out


class LossyPort(MemoryPort):
    """A line that loses, changes and delays bytes at random.

    Args:
        board: at its end.
        rng: of the losses.
        share: of the pieces that are spoiled.
    """

    def __init__(self, board: SimulatedBoard, rng: np.random.Generator, share: float = 0.1) -> None:
        super().__init__(board)
        self._rng, self._share, self._late = rng, share, {"out": b"", "back": b""}

    def _spoilt(self, data: bytes, way: str) -> bytes:
        if not data or self._rng.random() > self._share:
            return data
        at, kind = int(self._rng.integers(len(data))), int(self._rng.integers(3))
        if kind == 0:
            return data[:at] + data[at + 1 :]
        if kind == 1:
            return data[:at] + bytes([data[at] ^ 1 << int(self._rng.integers(8))]) + data[at + 1 :]
        self._late[way], late = data, self._late[way]  # comes later, out of its order
        return late

    def write(self, data: bytes) -> None:
        """Send, perhaps spoilt."""
        super().write(self._spoilt(data, "out"))

    def read(self, timeout: float) -> bytes:
        """Received bytes, perhaps spoilt."""
        return self._spoilt(super().read(timeout), "back")
