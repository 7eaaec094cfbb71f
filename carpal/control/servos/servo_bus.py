"""Bus of serial servos: reads and writes many motors at once and takes no reading that the line may have spoilt.

- Every question asks for a block of another length, so an answer that comes late is known as one to an older question.
- A position counts once two readings in a row agree within what a motor can travel between them: a sum of bytes, Feetech's
  checksum, does not notice bytes that have changed places.
- The block holds the goal as well: a set-point that was lost on the line is noticed with the next reading, and sent again.
- Torque comes on with the goal where the motor stands.
"""

from __future__ import annotations

import abc
import contextlib
import math
import os
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from carpal.control.servos.servo_table import TAGS, ServoTable
from carpal.errors import DeviceError, InputError
from carpal.spatial import Array

TRIES = 20
"""Questions in a row that a motor may leave without an answer that counts."""
RECENT, SLACK = 0.025, 4
"""[s] for which a reading says where a motor may be next, and [counts] of noise.

In that time the fastest motor travels less than a position changes by when its two bytes have changed places (255 counts)."""
STEPS = {"load": 250, "voltage": 10, "temperature": 2}
"""Counts by which a value may change from one reading to the next; a larger step counts once it is read twice."""
LATENCY = 0.034
"""[s] that adapter and servos take at most to answer, as in the makers' packages: two latency timers of an FTDI adapter."""
BLOCK = 0.004
"""[s] that a read of the port blocks at most: a program that spins would starve the others."""

_LOST: tuple[type[Exception], ...] = (
    OSError,
    TypeError,
    AttributeError,
)  # all raised by pyserial from a port that is gone
with contextlib.suppress(ImportError):
    import termios

    _LOST = (*_LOST, termios.error)


@dataclass(frozen=True, eq=False)
class ServoReading:
    """Sensor values of n servos.

    Args:
        ids: of the servos.
        position: (n) [rad] from the middle of their range.
        speed: (n) [rad/s].
        load: (n) share of the largest, -1 to 1.
        voltage: (n) [V].
        temperature: (n) [degrees Celsius].
        goal: (n) [rad], the set-point that the servo holds.
        errors: (n) what a servo reports, "" where it is well.
    """

    ids: tuple[int, ...]
    position: Array
    speed: Array
    load: Array
    voltage: Array
    temperature: Array
    goal: Array
    errors: tuple[str, ...]


@dataclass(frozen=True)
class _Answer:
    data: tuple[int, ...]
    start: int
    error: int
    time: float


class ServoBus(abc.ABC):
    """Servos of one series on one serial line.

    Args:
        port: device, such as /dev/ttyUSB0.
        baud: bits a second.

    `retries` counts questions that were asked again, `repaired` set-points that were sent again.
    """

    series: ClassVar[dict[str, ServoTable]]
    package: ClassVar[str]

    def __init__(self, port: str | os.PathLike[str], baud: int, *, series: str) -> None:
        self.table = self.series[series]
        self.port_name, self.baud = os.fspath(port), baud
        self.retries = self.repaired = 0
        self._tag = 0
        self._seen: dict[int, _Answer] = {}
        self._goals: dict[int, tuple[int, int]] = {}
        self._port = self._open()

    def ping(self, ids: Sequence[int]) -> dict[int, int]:
        """Model numbers of servos; an error names those that are silent."""
        found = {one: self._model(one, TRIES) for one in _ids(ids)}
        silent = [str(one) for one, model in found.items() if model is None]
        if silent:
            raise DeviceError(f"no answer on '{self.port_name}' from servo {', '.join(silent)} at {self.baud} baud.")
        return {one: model for one, model in found.items() if model is not None}

    def scan(self, ids: Iterable[int] = range(30)) -> dict[int, int]:
        """Model numbers of the servos that answer."""
        found = {one: self._model(one, 2) for one in _ids(tuple(ids))}
        return {one: model for one, model in found.items() if model is not None}

    def read(self, ids: Sequence[int]) -> ServoReading:
        """Sensor values of servos, each position confirmed; lost set-points are sent again."""
        ids = _ids(ids)
        found = self._confirmed(ids)
        lost = [one for one in ids if one in self._goals and self._counts("goal", found[one]) != self._goals[one][0]]
        if lost:
            self.repaired += len(lost)
            self._send(lost)
            found |= self._confirmed(lost)
            still = [one for one in lost if self._counts("goal", found[one]) != self._goals[one][0]]
            if still:
                self._send(still)
        rows = {
            name: np.array([self._counts(name, found[one]) for one in ids]) * getattr(self.table, name).unit
            for name in ("position", "speed", "load", "voltage", "temperature", "goal")
        }
        middle = self.table.counts // 2 * self.table.unit
        rows["position"], rows["goal"] = rows["position"] - middle, rows["goal"] - middle
        return ServoReading(ids, errors=tuple(self._meaning(found[one].error) for one in ids), **rows)

    def write(self, ids: Sequence[int], position: ArrayLike, speed: ArrayLike) -> None:
        """Set goals of servos at once.

        Args:
            ids: n servos.
            position: (n) [rad] from the middle of their range.
            speed: (n) or one number [rad/s], with which they go there at most; above zero.
        """
        ids, table = _ids(ids), self.table
        try:
            goal = np.broadcast_to(np.asarray(position, float), (len(ids),))
            rate = np.broadcast_to(np.asarray(speed, float), (len(ids),))
        except (TypeError, ValueError):
            raise InputError(f"{len(ids)} servos need {len(ids)} positions, and speeds or one speed.") from None
        edge = 0.5 * table.unit
        for one, at, fast in zip(ids, goal, rate, strict=True):
            if not table.low - edge <= at <= table.high + edge:
                raise InputError(
                    f"servo {one} cannot go to {at:.4g} rad; its range is {table.low:.4g} to {table.high:.4g}."
                )
            if not 0 < fast < math.inf:
                raise InputError(f"the speed of servo {one} must be finite and above zero; got {fast}.")
        for one, at, fast in zip(ids, goal, rate, strict=True):
            steps = math.ceil(min(fast, table.fastest) / table.goal_speed.unit - 1e-9)
            counts = round(at / table.unit) + table.counts // 2
            self._goals[one] = table.sendable(counts), table.sendable(max(1, steps))
        self._send(ids)

    def torque(self, ids: Sequence[int], on: bool) -> None:
        """Switch motors on where they stand, or off; confirmed by reading the switches back."""
        ids = _ids(ids)
        if on:
            self.hold(ids)
            self.read(ids)  # the goals have arrived, or were sent again
        else:
            self._goals = {one: goal for one, goal in self._goals.items() if one not in ids}
        left = list(ids)
        for _ in range(TRIES):
            self._sync_write(self.table.torque, 1, {one: bytes([on]) for one in left})
            found = self._asked(left, self.table.torque, 1)
            left = [one for one in left if one not in found or found[one].data[0] != on]
            if not left:
                return
        raise DeviceError(f"servo {left[0]} on '{self.port_name}' does not switch its torque {'on' if on else 'off'}.")

    def hold(self, ids: Sequence[int]) -> None:
        """Set goals where the motors stand: they stop."""
        ids = _ids(ids)
        self._goals = {one: goal for one, goal in self._goals.items() if one not in ids}
        at = self.read(ids).position
        self.write(ids, np.clip(at, self.table.low, self.table.high), self.table.fastest)

    def cycle_time(self, motors: int) -> float:
        """[s] on the line of one write and one reading of so many motors, 10 bits a byte."""
        return 10.0 * self.table.cycle_bytes(motors) / self.baud

    def check_rate(self, motors: int, period: float) -> None:
        """Refuse a period [s] that is shorter than a cycle on the line."""
        needed = self.cycle_time(motors)
        if not needed <= period:
            least = math.ceil(self.baud * needed / period / 100) * 100
            raise InputError(
                f"{motors} servos at {self.baud} baud need {1e3 * needed:.1f} ms a cycle, and {1e3 * period:g} ms are there; "
                f"at least {least} baud."
            )

    def close(self) -> None:
        """Release the port; motors keep their torque."""
        self._port.closePort()

    def _confirmed(self, ids: Sequence[int]) -> dict[int, _Answer]:
        """Answers of servos whose positions agree with the reading before."""
        table, out, left = self.table, dict[int, _Answer](), list(ids)
        for attempt in range(TRIES):
            self.retries += attempt > 0
            self._tag = (self._tag + 1) % TAGS
            fresh = self._asked(left, table.goal.address - self._tag, table.block + self._tag)
            for one, answer in fresh.items():
                if not table.plausible(answer.data, answer.start):
                    continue
                before, self._seen[one] = self._seen.get(one), answer
                if before is None or answer.time - before.time > RECENT:
                    continue
                if self._agree(before, answer):
                    out[one] = answer
            left = [one for one in left if one not in out]
            if not left:
                return out
        raise DeviceError(f"no reading of servo {left[0]} on '{self.port_name}' that can be trusted ({TRIES} times).")

    def _agree(self, before: _Answer, now: _Answer) -> bool:
        """Whether a reading may follow another one: nothing has changed by more than it can."""
        travel = self.table.fastest / self.table.unit * (now.time - before.time) + SLACK
        return now.error in (0, before.error) and all(
            abs(self._counts(name, now) - self._counts(name, before)) <= most
            for name, most in (("position", travel), *STEPS.items())
        )

    def _asked(self, ids: Sequence[int], start: int, length: int) -> dict[int, _Answer]:
        """What servos answer to one question; those whose answer is lost or spoilt are missing."""
        try:
            self._port.is_using = False
            self._port.ser.reset_input_buffer()
            if self.table.sync_read:
                self._sync_ask(ids, start, length)
                return self._answers(ids, start, length)
            out: dict[int, _Answer] = {}
            for one in ids:
                self._port.is_using = False
                self._handler.readTx(self._port, one, start, length)
                out |= self._answers([one], start, length)
            return out
        except _LOST as problem:
            raise DeviceError(f"the serial port '{self.port_name}' was lost: {problem}.") from None

    def _answers(self, ids: Sequence[int], start: int, length: int) -> dict[int, _Answer]:
        out: dict[int, _Answer] = {}
        wire = 10.0 * (len(ids) + 1) * (self.table.framing + length) / self.baud
        end = time.monotonic() + wire + LATENCY
        while len(out) < len(ids):
            now = time.monotonic()
            if now >= end:
                break
            self._port.setPacketTimeoutMillis(1e3 * (end - now))
            packet = self._packet()
            if packet is None or packet[0] not in ids or len(packet[2]) != length:
                continue
            one, error, data = packet
            out[one] = _Answer(tuple(data), start, error, time.monotonic())
            if one == ids[-1]:
                break  # they answer in this order: who is missing now stays so
        return out

    def _counts(self, name: str, answer: _Answer) -> int:
        return getattr(self.table, name).read(answer.data, answer.start, self.table.order)

    def _send(self, ids: Sequence[int]) -> None:
        first, length = self.table.written
        goal, rate, order = self.table.goal, self.table.goal_speed, self.table.order
        rows = {}
        for one in ids:
            row = bytearray(length)
            counts, steps = self._goals[one]
            for register, value in ((goal, counts), (rate, steps)):
                at = register.address - first
                row[at : at + register.size] = register.bytes_of(value, order)
            rows[one] = bytes(row)
        self._sync_write(first, length, rows)

    def _sync_write(self, start: int, length: int, rows: dict[int, bytes]) -> None:
        flat = [byte for one, row in rows.items() for byte in (one, *row)]
        try:
            self._port.is_using = False
            result = self._handler.syncWriteTxOnly(self._port, start, length, flat, len(flat))
        except _LOST as problem:
            raise DeviceError(f"the serial port '{self.port_name}' was lost: {problem}.") from None
        if result != 0:
            raise DeviceError(
                f"set-points of {len(rows)} servos could not be sent: {self._handler.getTxRxResult(result)}"
            )

    def _meaning(self, error: int) -> str:
        return " and ".join(said for bits, said in self.table.errors.items() if error & bits)

    def _opened(self, sdk: Any) -> Any:
        """The SDK's port, opened; reads block shortly instead of spinning."""
        port = sdk.PortHandler(self.port_name)
        if port.getCFlagBaud(self.baud) <= 0:
            raise InputError(f"{self.package} knows no {self.baud} baud.")
        try:
            port.setBaudRate(self.baud)
            port.ser.timeout = BLOCK
        except (OSError, ValueError) as problem:
            raise DeviceError(f"the serial port '{self.port_name}' cannot be opened: {problem}.") from None
        return port

    _handler: Any

    @abc.abstractmethod
    def _open(self) -> Any:
        """Import the SDK, open its port, set `_handler`."""

    @abc.abstractmethod
    def _packet(self) -> tuple[int, int, Sequence[int]] | None:
        """The next answer (id, error, data) that the SDK finds with a right checksum, if one comes in time."""

    @abc.abstractmethod
    def _sync_ask(self, ids: Sequence[int], start: int, length: int) -> None:
        """Ask many servos for a block."""

    def _model(self, one: int, tries: int) -> int | None:
        """The model number of a servo; None if it is silent."""
        for _ in range(tries):
            found = self._asked([one], self.table.model, 2)
            if found:
                return int.from_bytes(bytes(found[one].data), "little")
        return None


def _ids(ids: Sequence[int]) -> tuple[int, ...]:
    out = tuple(ids)
    bad = [one for one in out if isinstance(one, bool) or not isinstance(one, int | np.integer) or not 0 <= one <= 252]
    if bad or not out or len(set(out)) < len(out):
        raise InputError(f"servos have different ids from 0 to 252; got {list(out)}.")
    return tuple(int(one) for one in out)
