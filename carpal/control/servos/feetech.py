"""Feetech's STS, SMS and SCS servos through their own package (feetech-servo-sdk)."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, ClassVar

from carpal.control.servos.servo_bus import ServoBus
from carpal.control.servos.servo_table import SCS, STS, ServoTable
from carpal.errors import InputError, unknown_name


class FeetechBus(ServoBus):
    """Feetech servos on a serial line.

    Args:
        port: device, such as /dev/ttyACM0.
        baud: bits a second.
        series: "sts" (also SMS; 4096 counts a turn) or "scs" (1024 counts in 300 degrees).

    Example:
        >>> bus = FeetechBus("/dev/ttyACM0")  # doctest: +SKIP
        >>> bus.read([1, 2, 3]).position  # doctest: +SKIP
    """

    series: ClassVar[dict[str, ServoTable]] = {"sts": STS, "scs": SCS}
    package = "feetech-servo-sdk"

    def __init__(self, port: str | os.PathLike[str], baud: int = 1_000_000, *, series: str = "sts") -> None:
        if series not in self.series:
            raise unknown_name("series of Feetech servos", series, self.series)
        super().__init__(port, baud, series=series)

    def _open(self) -> Any:
        try:
            import scservo_sdk
        except ImportError:
            raise InputError(
                "Feetech servos need the package feetech-servo-sdk: pip install 'carpal[servos]'."
            ) from None
        self._handler = scservo_sdk.protocol_packet_handler()
        return self._opened(scservo_sdk)

    def _packet(self) -> tuple[int, int, Sequence[int]] | None:
        self._port.is_using = True
        packet, result = self._handler.rxPacket(self._port)
        # the package does not hold the length against the question
        return (packet[2], packet[4], packet[5:-1]) if result == 0 and len(packet) == packet[3] + 4 >= 6 else None

    def _sync_ask(self, ids: Sequence[int], start: int, length: int) -> None:
        self._handler.syncReadTx(self._port, start, length, list(ids), len(ids))
