"""Dynamixel servos of the X series (protocol 2.0) through Robotis' own package (dynamixel-sdk)."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from carpal.control.servos.servo_bus import ServoBus, ServoReading
from carpal.control.servos.servo_table import ServoTable, X
from carpal.errors import DeviceError, InputError

LOAD_MODELS = (1060, 1070, 1080, 1090)
"""XL430, XC430-W150, XC430-W240, 2XL430: they estimate a load in thousandths; the other X models measure a current."""
CURRENT_LIMIT = 38


class DynamixelBus(ServoBus):
    """Dynamixel X servos on a serial line, in position mode.

    The load is the motor's own estimate, or its current as a share of its current limit.

    Args:
        port: device, such as /dev/ttyUSB0.
        baud: bits a second.

    Example:
        >>> bus = DynamixelBus("/dev/ttyUSB0", 1_000_000)  # doctest: +SKIP
        >>> bus.read([1, 2, 3]).position  # doctest: +SKIP
    """

    series: ClassVar[dict[str, ServoTable]] = {"x": X}
    package = "dynamixel-sdk"

    def __init__(self, port: str | os.PathLike[str], baud: int = 57_600) -> None:
        self._shares: dict[int, float] = {}
        super().__init__(port, baud, series="x")

    def read(self, ids: Sequence[int]) -> ServoReading:
        """Sensor values of servos, each position confirmed; lost set-points are sent again."""
        out = super().read(ids)
        return dataclasses.replace(out, load=out.load * np.array([self._share(one) for one in out.ids]))

    def _share(self, one: int) -> float:
        """What a thousandth of load counts as: 1, or for a current the share of the limit that stands in the servo."""
        if one not in self._shares:
            model = self.ping([one])[one]
            found = self._asked([one], CURRENT_LIMIT, 2)
            if one not in found:
                raise DeviceError(f"servo {one} on '{self.port_name}' does not say its current limit.")
            limit = int.from_bytes(bytes(found[one].data), "little")
            self._shares[one] = 1.0 if model in LOAD_MODELS else 1e3 / max(limit, 1)
        return self._shares[one]

    def _open(self) -> Any:
        try:
            import dynamixel_sdk
        except ImportError:
            raise InputError("Dynamixel servos need the package dynamixel-sdk: pip install 'carpal[servos]'.") from None
        self._handler = dynamixel_sdk.Protocol2PacketHandler()
        return self._opened(dynamixel_sdk)

    def _packet(self) -> tuple[int, int, Sequence[int]] | None:
        self._port.is_using = True
        packet, result = self._handler.rxPacket(self._port, False)
        if result != 0:
            return None
        # stuffing is taken out of the packet's front part: its length says where it ends
        end = 7 + (packet[5] | packet[6] << 8) - 2
        return packet[4], packet[8], packet[9:end]

    def _sync_ask(self, ids: Sequence[int], start: int, length: int) -> None:
        self._handler.syncReadTx(self._port, start, length, list(ids), len(ids), False)
