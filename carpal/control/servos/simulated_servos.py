"""Simulated servos at the level of their protocol, served on a pseudo-terminal: Feetech STS and SCS, Dynamixel X.

They parse packets, check checksums, keep a control table, and move to their goals at their goal speeds. A `Disorder` spoils the
line: bytes are lost, changed or swapped, whole answers come late.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Mapping
from types import TracebackType

import numpy as np

from carpal.control.servos.servo_table import SCS, STS, ServoTable, X
from carpal.errors import InputError, unknown_name

TABLES = {"sts": STS, "scs": SCS, "x": X}
MODELS = {"sts": 777, "scs": 1284, "x": 1060}
PING, READ, WRITE, SYNC_READ, SYNC_WRITE = 1, 2, 3, 0x82, 0x83
BROADCAST = 254
GAP = 0.005
"""[s] without a byte after which a servo forgets the beginning of a packet."""
STALLED = 0.5
"""Share of the largest load of a simulated motor at its stop."""
LAG = 0.01
"""[s] time constant of a simulated motor's position loop."""


def crc16(data: bytes) -> int:
    """CRC-16 of Dynamixel's protocol 2.0: polynomial 0x8005, begun at 0."""
    crc = 0
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ 0x8005 if crc & 0x8000 else crc << 1) & 0xFFFF
    return crc


class Disorder:
    """What a bad line does to pieces of bytes.

    Args:
        seed: of the losses.
        share: of the pieces that are spoilt.
        kinds: among "lost" (a byte is missing), "changed" (one bit), "swapped" (two neighbours), "late" (the piece
            comes with the next one).
    """

    KINDS = ("lost", "changed", "swapped", "late")

    def __init__(self, seed: int, share: float, kinds: tuple[str, ...] = KINDS) -> None:
        for kind in kinds:
            if kind not in self.KINDS:
                raise unknown_name("disorder of a line", kind, self.KINDS)
        self._rng, self._share, self._kinds, self._late = np.random.default_rng(seed), share, kinds, b""

    def spoil(self, data: bytes) -> bytes:
        """The piece as it arrives."""
        data, self._late = self._late + data, b""
        if len(data) < 2 or not self._kinds or self._rng.random() >= self._share:
            return data
        at, kind = int(self._rng.integers(len(data) - 1)), self._kinds[int(self._rng.integers(len(self._kinds)))]
        if kind == "late":
            self._late = data
            return b""
        if kind == "lost":
            return data[:at] + data[at + 1 :]
        if kind == "changed":
            return data[:at] + bytes([data[at] ^ 1 << int(self._rng.integers(8))]) + data[at + 1 :]
        return data[:at] + data[at + 1 : at + 2] + data[at : at + 1] + data[at + 2 :]


class SimulatedServos:
    """Servos that answer on a line.

    Args:
        series: "sts", "scs" or "x".
        start: id to position [rad] from the middle of the range.
        clock: [s], by which the motors move.

    `load`, `temperature`, `voltage` and `error` (id to number) may be set, and `stops` (id to low, high [rad]) that a motor
    runs against with a load of a half; `silent` servos do not answer, `stuck` ones do not move; `held` holds every position
    [counts] that a motor was asked about, `goals` every goal that it took.
    """

    def __init__(self, series: str, start: Mapping[int, float], clock: Callable[[], float] = time.monotonic) -> None:
        if series not in TABLES:
            raise unknown_name("series of servos", series, TABLES)
        self.table: ServoTable = TABLES[series]
        self._two = series == "x"
        middle = self.table.counts // 2
        self.position = {one: at / self.table.unit + middle for one, at in start.items()}
        if not all(0 <= at < self.table.counts for at in self.position.values()):
            raise InputError(f"servos stand between {self.table.low:.4g} and {self.table.high:.4g} rad.")
        self.memory = {one: bytearray(256) for one in start}
        self.load = dict.fromkeys(start, 0.0)
        self.temperature, self.voltage = dict.fromkeys(start, 30.0), dict.fromkeys(start, 12.0)
        self.error, self.silent, self.stuck = dict.fromkeys(start, 0), set[int](), set[int]()
        self.stops: dict[int, tuple[float, float]] = {}
        self.held: dict[int, list[int]] = {one: [] for one in start}
        self.goals: dict[int, list[int]] = {one: [] for one in start}
        self._clock, self._time, self._data = clock, clock(), b""
        for one, memory in self.memory.items():
            at = 0 if self._two else 3
            memory[at : at + 2] = MODELS[series].to_bytes(2, "little")
            self._put(one, "goal", round(self.position[one]))

    def feed(self, data: bytes) -> list[bytes]:
        """Take bytes from the line; the answers, one piece for each servo."""
        last = self._time
        self._move()
        self._data = data if self._time - last > GAP else self._data + data
        out: list[bytes] = []
        while (packet := self._next()) is not None:
            out += self._done(*packet)
        return out

    def _move(self) -> None:
        now = self._clock()
        dt, self._time = now - self._time, now
        for one in self.position:
            if not self.memory[one][self.table.torque]:
                continue
            rate = self._get(one, "goal_speed") * self.table.goal_speed.unit or self.table.fastest
            most = min(rate, self.table.fastest) / self.table.unit * dt
            travel = (self._get(one, "goal") - self.position[one]) * -np.expm1(-dt / LAG)
            if one not in self.stuck:
                self.position[one] += float(np.clip(travel, -most, most))
            if one in self.stops:
                low, high = (end / self.table.unit + self.table.counts // 2 for end in self.stops[one])
                there = self.position[one]
                self.position[one] = min(max(there, low), high)
                self.load[one] = (
                    STALLED * float(np.sign(there - self.position[one])) if abs(there - self.position[one]) > 0 else 0.0
                )

    def _next(self) -> tuple[int, int, bytes] | None:
        """(id, instruction, parameters) of the next packet with a right checksum."""
        head, least = (b"\xff\xff\xfd\x00", 10) if self._two else (b"\xff\xff", 6)
        while True:
            at = self._data.find(head)
            if at < 0:
                self._data = self._data[-len(head) + 1 :]
                return None
            self._data = self._data[at:]
            if len(self._data) < least:
                return None
            length = int.from_bytes(self._data[5:7], "little") if self._two else self._data[3]
            end = (7 if self._two else 4) + length
            if length < (3 if self._two else 2) or length > 250:
                self._data = self._data[1:]
                continue
            if len(self._data) < end:
                return None
            packet = self._data[:end]
            if not self._fits(packet):
                self._data = self._data[1:]
                continue
            self._data = self._data[end:]
            return (packet[4], packet[7], packet[8:-2]) if self._two else (packet[2], packet[4], packet[5:-1])

    def _fits(self, packet: bytes) -> bool:
        if self._two:
            return crc16(packet[:-2]) == int.from_bytes(packet[-2:], "little")
        return (~sum(packet[2:-1]) & 0xFF) == packet[-1]

    def _done(self, who: int, what: int, given: bytes) -> list[bytes]:
        wide = 2 if self._two else 1
        at = int.from_bytes(given[:wide], "little")
        if what in (SYNC_READ, SYNC_WRITE):
            length, rest = int.from_bytes(given[wide : 2 * wide], "little"), given[2 * wide :]
            if at + length > 256:
                return []
            if what == SYNC_READ:
                return [self._status(one, self._block(one, at, length)) for one in rest if self._here(one)]
            for k in range(0, len(rest) - length, length + 1):
                self._write(rest[k], at, rest[k + 1 : k + 1 + length])
            return []
        if not self._here(who):
            return []
        if what == PING:
            return [self._status(who, bytes(self.memory[who][0:2]) + b"\x2d" if self._two else b"")]
        if what == READ:
            length = int.from_bytes(given[wide : 2 * wide], "little")
            return [self._status(who, self._block(who, at, length))] if at + length <= 256 else []
        if what == WRITE:
            self._write(who, at, given[wide:])
            return [self._status(who, b"")]
        return []

    def _here(self, one: int) -> bool:
        return one in self.memory and one not in self.silent

    def _write(self, one: int, at: int, data: bytes) -> None:
        if not self._here(one):
            return
        self.memory[one][at : at + len(data)] = data
        goal = self.table.goal
        if at <= goal.address < at + len(data):
            self.goals[one].append(self._get(one, "goal"))

    def _block(self, one: int, at: int, length: int) -> bytes:
        table = self.table
        counts = round(self.position[one])
        self.held[one].append(counts)
        del self.held[one][:-1000]
        self._put(one, "position", counts)
        for name in ("load", "voltage", "temperature"):
            self._put(one, name, round(getattr(self, name)[one] / getattr(table, name).unit))
        return bytes(self.memory[one][at : at + length])

    def _put(self, one: int, name: str, value: int) -> None:
        register = getattr(self.table, name)
        self.memory[one][register.address : register.address + register.size] = register.bytes_of(
            value, self.table.order
        )

    def _get(self, one: int, name: str) -> int:
        return int(getattr(self.table, name).read(self.memory[one], 0, self.table.order))

    def _status(self, one: int, data: bytes) -> bytes:
        error = self.error[one]
        if not self._two:
            body = bytes([one, len(data) + 2, error]) + data
            return b"\xff\xff" + body + bytes([~sum(body) & 0xFF])
        stuffed = (b"\x55" + bytes([error]) + data).replace(b"\xff\xff\xfd", b"\xff\xff\xfd\xfd")
        packet = b"\xff\xff\xfd\x00" + bytes([one]) + (len(stuffed) + 2).to_bytes(2, "little") + stuffed
        return packet + crc16(packet).to_bytes(2, "little")


class ServoLine:
    """A pseudo-terminal at whose other end simulated servos answer; a context manager.

    Args:
        servos: at the end.
        there, back: what the line does to questions and to answers.

    `port` is the device's path.

    Example:
        >>> with ServoLine(SimulatedServos("sts", {1: 0.0})) as line:
        ...     print(FeetechBus(line.port).ping([1]))
        {1: 777}
    """

    def __init__(self, servos: SimulatedServos, there: Disorder | None = None, back: Disorder | None = None) -> None:
        import pty
        import tty

        self.servos = servos
        self._there, self._back = there or Disorder(0, 0.0), back or Disorder(0, 0.0)
        self._handle, self._slave = pty.openpty()
        tty.setraw(self._slave)
        self.port = os.ttyname(self._slave)
        self._open = True
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        import select

        while self._open:
            try:
                if not select.select([self._handle], [], [], 0.05)[0]:
                    continue
                data = self._there.spoil(os.read(self._handle, 4096))
                for piece in self.servos.feed(data):
                    os.write(self._handle, self._back.spoil(piece))
            except (OSError, ValueError):
                return

    def unplug(self) -> None:
        """Close the line, as if the cable were pulled."""
        if self._open:
            self._open = False
            self._thread.join()
            os.close(self._handle)
            os.close(self._slave)

    def __enter__(self) -> ServoLine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, what: BaseException | None, where: TracebackType | None
    ) -> None:
        self.unplug()
