"""Control tables of serial-bus servos: where goal, position, speed, load, voltage and temperature stand, and their units.

Addresses and units: Feetech's memory tables of the STS and SCS series; Robotis e-Manual, X series, control table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

TAGS = 8
"""Lengths that a block may be read in: the length of an answer tells to which question it belongs."""


@dataclass(frozen=True)
class Register:
    """A number of a servo's table.

    Args:
        address, size: [bytes].
        unit: of one count, in the unit of the quantity.
        sign: bit that holds the sign of a magnitude; -1: two's complement.
    """

    address: int
    size: int
    unit: float = 1.0
    sign: int = -1

    def read(self, data: Sequence[int], start: int, order: str) -> int:
        """Its counts in a block that begins at the address `start`."""
        at = self.address - start
        raw = int.from_bytes(bytes(data[at : at + self.size]), "big" if order == "big" else "little")
        if self.sign >= 0:
            return -(raw & ~(1 << self.sign)) if raw >> self.sign & 1 else raw
        return raw - (1 << 8 * self.size) if self.size > 1 and raw >> 8 * self.size - 1 else raw

    def bytes_of(self, value: int, order: str) -> bytes:
        """Counts as they stand in the table."""
        if self.sign >= 0:
            value = abs(value) | (value < 0) << self.sign
        return int(value).to_bytes(self.size, "big" if order == "big" else "little", signed=self.sign < 0 and value < 0)


@dataclass(frozen=True)
class ServoTable:
    """A series of servos.

    Args:
        series: its name.
        counts: positions in `span` [rad]; the middle one is 0 rad.
        fastest: [rad/s] that no motor of the series exceeds.
        order: "little" or "big", of the bytes of a number.
        sync_read: whether one question may ask many servos.
        framing: bytes of a packet around its parameters.
        model, torque: addresses of the model's number and of the torque switch.
        goal, goal_speed, position, speed, load, voltage, temperature: registers [rad, rad/s, share, V, degrees Celsius].
        written: (first address, bytes) of what a set-point writes.
        errors: bit of an answer's error byte to its meaning.
        summed: whether the checksum is a sum of bytes; then no byte of a set-point may be 255: a packet that lost that byte
            would be taken with all later ones moved up, since the next packet's first byte, 255, is the sum that fits.
        lock: address of a byte before the position that is 0 or 1; 0 where there is none.
    """

    series: str
    counts: int
    span: float
    fastest: float
    order: str
    sync_read: bool
    framing: int
    model: int
    torque: int
    goal: Register
    goal_speed: Register
    position: Register
    speed: Register
    load: Register
    voltage: Register
    temperature: Register
    written: tuple[int, int]
    errors: dict[int, str]
    summed: bool
    lock: int = 0

    def plausible(self, data: Sequence[int], start: int) -> bool:
        """Whether the byte before a position has a value that it can have: otherwise the two have changed places."""
        return not self.lock or data[self.lock - start] in (0, 1)

    def sendable(self, counts: int) -> int:
        """Counts, one less where their low byte is 255 and the checksum is a sum."""
        return counts - (self.summed and counts & 0xFF == 0xFF)

    @property
    def block(self) -> int:
        """Bytes from the goal to the last sensor value."""
        last = max((self.position, self.voltage, self.temperature), key=lambda register: register.address)
        return last.address + last.size - self.goal.address

    @property
    def unit(self) -> float:
        """[rad] of one count."""
        return self.span / self.counts

    @property
    def low(self) -> float:
        """[rad] of the least position."""
        return -(self.counts // 2) * self.unit

    @property
    def high(self) -> float:
        """[rad] of the largest position."""
        return (self.counts - 1 - self.counts // 2) * self.unit

    def cycle_bytes(self, motors: int) -> int:
        """Bytes on the line for one sync write and one read of so many motors, with the longest block."""
        block = self.block + TAGS - 1
        asked = self.framing + 4 + motors if self.sync_read else motors * (self.framing + 2)
        return asked + motors * (self.framing + block) + self.framing + 4 + motors * (1 + self.written[1])


_STEP = 2 * np.pi / 4096
_FEETECH = {1: "a wrong voltage", 2: "a failed angle sensor", 4: "too high a temperature", 8: "too much current",
            32: "an overload"}  # fmt: skip


def _feetech(
    series: str, counts: int, span: float, fastest: float, order: str, sync_read: bool, lock: int
) -> ServoTable:
    step = span / counts
    return ServoTable(
        series, counts, span, fastest, order, sync_read, framing=6, model=3, torque=40,
        goal=Register(42, 2, step, 15), goal_speed=Register(46, 2, step, 15), position=Register(56, 2, step, 15),
        speed=Register(58, 2, step, 15), load=Register(60, 2, 1e-3, 10), voltage=Register(62, 1, 0.1),
        temperature=Register(63, 1), written=(42, 6), errors=_FEETECH, summed=True, lock=lock,
    )  # fmt: skip


STS = _feetech("sts", 4096, 2 * np.pi, 12.0, "little", True, 55)
SCS = _feetech("scs", 1024, np.radians(300.0), 12.0, "big", False, 0)
RPM = 2 * np.pi / 60
X = ServoTable(
    "x", 4096, 2 * np.pi, 12.0, "little", True, framing=11, model=0, torque=64,
    goal=Register(116, 4, _STEP), goal_speed=Register(112, 4, 0.229 * RPM), position=Register(132, 4, _STEP),
    speed=Register(128, 4, 0.229 * RPM), load=Register(126, 2, 1e-3), voltage=Register(144, 2, 0.1),
    temperature=Register(146, 1), written=(112, 8), errors={128: "a hardware error", 127: "a refused instruction"},
    summed=False,
)  # fmt: skip
