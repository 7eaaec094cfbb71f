"""The program's side of a motor board: asks, sets, reads what is sensed, over a serial port or straight to a simulated board."""

from __future__ import annotations

import os
import select
import time
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from carpal.errors import DeviceError, InputError
from carpal.labs.sign.board.frames import (
    ABOUT,
    ASK,
    FAULT,
    FAULTS,
    NAMES,
    SENSED,
    SET,
    STOP,
    Frame,
    FrameReader,
    frame_bytes,
    pack_values,
    unpack_values,
)  # fmt: skip
from carpal.labs.sign.board.simulated_board import SimulatedBoard
from carpal.spatial import Array

TRIES, ANSWER = 4, 0.25
"""How often a frame is sent before the board counts as gone, and [s] that it has to answer."""


class Port(Protocol):
    """Bytes to and from a board."""

    def write(self, data: bytes) -> None:
        """Send."""

    def read(self, timeout: float) -> bytes:
        """What has come, after at most so long [s]; nothing where nothing came."""

    def close(self) -> None:
        """Let go."""


class MemoryPort:
    """A simulated board without a line between."""

    def __init__(self, board: SimulatedBoard) -> None:
        self.board, self._back = board, b""

    def write(self, data: bytes) -> None:
        """Send; the board answers at once."""
        self._back += self.board.feed(data)

    def read(self, timeout: float) -> bytes:
        """What has come."""
        data, self._back = self._back, b""
        return data

    def close(self) -> None:
        """Nothing to do."""


class SerialPort:
    """A serial device, raw bytes at 115,200 baud (POSIX).

    Args:
        path: of the device, such as /dev/ttyACM0.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        try:
            import termios
            import tty
        except ImportError:
            raise InputError("serial boards are driven on Linux and macOS only.") from None
        try:
            self._handle = os.open(path, os.O_RDWR | os.O_NOCTTY)
        except OSError as problem:
            raise DeviceError(f"the serial device '{os.fspath(path)}' cannot be opened: {problem.strerror}.") from None
        try:
            tty.setraw(self._handle)
            settings: list[Any] = termios.tcgetattr(self._handle)
            settings[4] = settings[5] = termios.B115200
            termios.tcsetattr(self._handle, termios.TCSANOW, settings)
        except termios.error:
            os.close(self._handle)
            raise DeviceError(f"'{os.fspath(path)}' is no serial device.") from None

    def write(self, data: bytes) -> None:
        """Send all of it."""
        try:
            while data:
                data = data[os.write(self._handle, data) :]
        except OSError as problem:
            raise DeviceError(f"the serial device is gone: {problem.strerror}.") from None

    def read(self, timeout: float) -> bytes:
        """What has come, after at most so long [s]."""
        ready, _, _ = select.select([self._handle], [], [], timeout)
        try:
            return os.read(self._handle, 4096) if ready else b""
        except OSError as problem:
            raise DeviceError(f"the serial device is gone: {problem.strerror}.") from None

    def close(self) -> None:
        """Let go of the device."""
        os.close(self._handle)


@dataclass(frozen=True, eq=False)
class Sensed:
    """What a board senses: positions (n), loads (n) [N, N m], and whether its watchdog holds the motors."""

    position: Array
    load: Array
    holding: bool


class MotorBoard:
    """A board, asked once who it is, then given set-points.

    Args:
        port: to it.
        motors: how many it must have; any number by default.
    """

    def __init__(self, port: Port, motors: int | None = None) -> None:
        self._port, self._reader, self._number = port, FrameReader(), 0
        rows = unpack_values(self._ask(ASK, b"", ABOUT).payload, 3)
        if rows is None or (motors is not None and len(rows[0]) != motors):
            found = "something else" if rows is None else f"{len(rows[0])}"
            raise DeviceError(f"the board has {found} motors where this robot needs {motors}.")
        self.low, self.high, self.speed = (np.array(row) for row in rows)

    def set(self, values: Array) -> Sensed:
        """Give set-points (n); what the board senses one period later."""
        return self._sensed(self._ask(SET, pack_values(values), SENSED))

    def stop(self) -> Sensed:
        """Let all motors stand where they are."""
        return self._sensed(self._ask(STOP, b"", SENSED))

    def close(self) -> None:
        """Let go of the port."""
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
        rows = unpack_values(frame.payload[:-1], 2)
        if rows is None or len(rows[0]) != len(self.low):
            raise DeviceError("the board's sensor values are not as many as its motors.")
        return Sensed(np.array(rows[0]), np.array(rows[1]), bool(frame.payload[-1]))
