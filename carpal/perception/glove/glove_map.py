"""A data glove's 22 sensors mapped to joint targets, by a replaceable table (Chan 1998, Tables 5.1 and 5.2)."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import InputError, unknown_name
from carpal.model import real_array, toml_data
from carpal.spatial import Array

SENSORS = (
    "thumb_TMJ", "thumb_MPJ", "thumb_IJ", "thumb_abduction",
    "index_MPJ", "index_PIJ", "index_DIJ",
    "middle_MPJ", "middle_PIJ", "middle_DIJ", "middle_index_abduction",
    "ring_MPJ", "ring_PIJ", "ring_DIJ", "ring_middle_abduction",
    "pinkie_MPJ", "pinkie_PIJ", "pinkie_DIJ", "pinkie_ring_abduction",
    "palm_arch", "wrist_pitch", "wrist_yaw",
)  # fmt: skip
"""The glove's sensors: Chan's 14 by name (S01 thumb_MPJ, S23 middle_index_abduction, ...), and eight more."""
TABLE = Path(__file__).parent / "data" / "glove_map.toml"
UNITS = {"deg": math.pi / 180, "rad": 1.0}
MAX_BYTES = 200_000


@dataclass(frozen=True, eq=False)
class GloveMap:
    """Joint targets as sums of sensors.

    Args:
        joints: names of the hand's joints, in order.
        sensors: names of the sensors that are used.
        factors: (joints, sensors) [rad for each unit of a sensor].

    Example:
        >>> glove = GloveMap.read()
        >>> glove.targets({name: 10.0 for name in SENSORS})
    """

    joints: tuple[str, ...]
    sensors: tuple[str, ...]
    factors: Array

    @classmethod
    def read(cls, source: str | os.PathLike[str] | None = None, joints: Sequence[str] | None = None) -> GloveMap:
        """The map of a TOML file or text; by default Chan's.

        Args:
            source: see `data/glove_map.toml` for the form.
            joints: all joints that must be mapped, in the order wanted; by default those of the file, in its order.
        """
        data, what = toml_data(TABLE if source is None else source, MAX_BYTES)
        for key in data:
            if key not in ("unit", "joints"):
                raise unknown_name(f"entry of {what}", key, ("unit", "joints"))
        unit, table = data.get("unit", "deg"), data.get("joints")
        if unit not in UNITS:
            raise unknown_name(f"unit in {what}", unit, UNITS)
        if not isinstance(table, dict) or not all(isinstance(row, dict) for row in table.values()):
            raise InputError(f"{what} needs a table [joints] with lines such as index_2 = {{index_MPJ = 1.0}}.")
        names = tuple(table) if joints is None else tuple(joints)
        for name in names:
            if name not in table:
                raise InputError(f"{what} does not map joint '{name}'.")
        for name in table:
            if name not in names:
                raise unknown_name(f"joint in {what}", name, names)
        used: list[str] = []
        for name in names:
            for sensor, factor in table[name].items():
                if sensor not in SENSORS:
                    raise unknown_name(f"sensor of joint '{name}' in {what}", sensor, SENSORS)
                if isinstance(factor, bool) or not isinstance(factor, int | float) or not math.isfinite(factor):
                    raise InputError(
                        f"factor of '{sensor}' for joint '{name}' in {what} must be finite; got {factor!r:.40}."
                    )
                used += [sensor] if sensor not in used else []
        factors = np.array([[float(table[name].get(sensor, 0.0)) for sensor in used] for name in names])
        return cls(names, tuple(used), UNITS[unit] * factors.reshape(len(names), len(used)))

    def targets(self, sensors: dict[str, ArrayLike]) -> Array:
        """Joint targets (*batch, joints) [rad] from sensors by name, each (*batch); those that are not used are ignored."""
        missing = [name for name in self.sensors if name not in sensors]
        if missing:
            raise InputError(f"the glove's sensors {', '.join(missing[:6])} are missing.")
        columns = [real_array(sensors[name], f"sensor '{name}'") for name in self.sensors]
        for name, column in zip(self.sensors, columns, strict=True):
            if not np.isfinite(column).all():
                raise InputError(f"sensor '{name}' of the glove is not finite.")
        return self.combine(np.stack(np.broadcast_arrays(*columns), axis=-1))

    def combine(self, values: Array) -> Array:
        """Joint targets (*batch, joints) [rad] from the used sensors (*batch, sensors) in their order, checked before.

        Summed one joint at a time: a matrix product rounds one row and many rows differently.
        """
        return np.stack([(values * row).sum(axis=-1) for row in self.factors], axis=-1)
