"""Ports to a motor board: a serial device, or a simulated board in the same process."""

from __future__ import annotations

import os
import select
from typing import Any, Protocol

from carpal.errors import DeviceError, InputError
from carpal.labs.sign.board.simulated_board import SimulatedBoard

BAUD = 1_000_000
"""Of a serial line to a board, unless another is given."""


class Port(Protocol):
    """Bytes to and from a board."""

    def write(self, data: bytes) -> None:
        """Send."""

    def read(self, timeout: float) -> bytes:
        """Received bytes after at most `timeout` [s]; empty if there are none."""

    def close(self) -> None:
        """Release the port."""


class MemoryPort:
    """Direct connection to a simulated board."""

    def __init__(self, board: SimulatedBoard) -> None:
        self.board, self._back = board, b""

    def write(self, data: bytes) -> None:
        """Send; the board answers at once."""
        self._back += self.board.feed(data)

    def read(self, timeout: float) -> bytes:
        """Received bytes."""
        data, self._back = self._back, b""
        return data

    def close(self) -> None:
        """Nothing to do."""


class SerialPort:
    """A serial device, raw bytes (POSIX).

    Args:
        path: of the device, such as /dev/ttyACM0.
        baud: bits a second, one that this system knows.
    """

    def __init__(self, path: str | os.PathLike[str], baud: int = BAUD) -> None:
        try:
            import termios
            import tty
        except ImportError:
            raise InputError("serial boards are driven on Linux and macOS only.") from None
        rates = {
            int(name[1:]): value for name, value in vars(termios).items() if name[:1] == "B" and name[1:].isdigit()
        }
        if baud not in rates or baud < 9600:
            known = ", ".join(str(rate) for rate in sorted(rates) if rate >= 9600)
            raise InputError(f"this system knows no {baud} baud; it knows {known}.")
        self.baud = baud
        try:
            self._handle = os.open(path, os.O_RDWR | os.O_NOCTTY)
        except OSError as problem:
            raise DeviceError(f"the serial device '{os.fspath(path)}' cannot be opened: {problem.strerror}.") from None
        try:
            tty.setraw(self._handle)
            settings: list[Any] = termios.tcgetattr(self._handle)
            settings[4] = settings[5] = rates[baud]
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
            raise DeviceError(f"the serial device was lost: {problem.strerror}.") from None

    def read(self, timeout: float) -> bytes:
        """Received bytes after at most `timeout` [s]."""
        ready, _, _ = select.select([self._handle], [], [], timeout)
        try:
            return os.read(self._handle, 4096) if ready else b""
        except OSError as problem:
            raise DeviceError(f"the serial device was lost: {problem.strerror}.") from None

    def close(self) -> None:
        """Release the device."""
        os.close(self._handle)
