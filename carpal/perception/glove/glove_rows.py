"""Recordings of a data glove: CSV files with a time and named sensors, and their rows one by one as they come over a link."""

from __future__ import annotations

import csv
import io
import math
import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from carpal.errors import InputError
from carpal.model import file_text
from carpal.perception.glove.glove_map import SENSORS, GloveMap
from carpal.spatial import Array

TIME = "time"
MAX_BYTES = 200_000_000


@dataclass(frozen=True, eq=False)
class GloveRows:
    """Rows of a glove: time (rows) [s], rising, and targets (rows, joints) [rad]."""

    time: Array
    targets: Array

    def at(self, time: float) -> Array:
        """Targets (joints) [rad] of the last row that is not later than a time [s]; of the first row before that."""
        return np.asarray(self.targets[max(0, int(np.searchsorted(self.time, time, side="right")) - 1)])


def read_glove_file(path: str | os.PathLike[str], glove: GloveMap) -> GloveRows:
    """Rows of a CSV file whose first line names its columns: `time` [s] and the glove's sensors, in any order.

    Columns that the map does not use are ignored, whatever they hold.

    Raises:
        InputError: naming missing columns, or the line and column of what is no finite number.
    """
    place = Path(path)
    text = file_text(place, f"the glove file '{place}'", MAX_BYTES)
    lines = csv.reader(io.StringIO(text))
    head = [name.strip() for name in next(lines, [])]
    missing = [name for name in (TIME, *glove.sensors) if name not in head]
    if missing:
        raise InputError(
            f"the glove file '{place}' has no column {', '.join(missing[:8])}; it has {', '.join(head[:8]) or 'none'}."
        )
    places = [head.index(name) for name in (TIME, *glove.sensors)]
    rows: list[list[float]] = []
    for line in lines:
        if not line or not any(cell.strip() for cell in line):
            continue
        rows.append(_numbers(line, places, head, f"line {lines.line_num} of the glove file '{place}'"))
        if len(rows) > 1 and not rows[-1][0] > rows[-2][0]:
            raise InputError(f"line {lines.line_num} of the glove file '{place}' is not later than the line before it.")
    if not rows:
        raise InputError(f"the glove file '{place}' has no rows.")
    values = np.array(rows)
    return GloveRows(values[:, 0] - values[0, 0], glove.combine(values[:, 1:]))


def parse_glove_row(text: str, glove: GloveMap) -> tuple[float, Array]:
    """Time [s] and targets (joints) [rad] of one row of a link: 23 numbers, the time and all sensors in their order."""
    cells = text.strip().split(",")
    head = [TIME, *SENSORS]
    if len(cells) != len(head):
        raise InputError(
            f"a row of the glove's link has {len(head)} numbers, the time and {len(SENSORS)} sensors; got {len(cells)}."
        )
    numbers = _numbers(cells, [head.index(name) for name in (TIME, *glove.sensors)], head, "a row of the glove's link")
    return numbers[0], glove.combine(np.array(numbers[1:]))


def glove_line(time: float, sensors: Array) -> str:
    """One row (time and 22 sensors) as a link or a file has it, every digit kept."""
    return ",".join(repr(float(x)) for x in (time, *sensors))


def write_glove_file(path: str | os.PathLike[str], time: Array, sensors: Array) -> Path:
    """Write rows (rows) [s] and (rows, 22) as a CSV file."""
    values = np.asarray(sensors, float)
    if values.ndim != 2 or values.shape != (len(time), len(SENSORS)):
        raise InputError(
            f"a glove's rows have {len(SENSORS)} sensors each; got shape {values.shape} for {len(time)} times."
        )
    lines = [",".join((TIME, *SENSORS)), *(glove_line(t, row) for t, row in zip(time, values, strict=True))]
    place = Path(path)
    place.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return place


def _numbers(cells: list[str], places: list[int], head: list[str], where: str) -> list[float]:
    out = []
    for k in places:
        try:
            value = float(cells[k])
        except (ValueError, IndexError):
            value = math.nan
        if not math.isfinite(value):
            shown = repr(cells[k]) if k < len(cells) else "nothing"
            raise InputError(f"{where} has no finite number in column '{head[k]}'; got {shown:.40}.")
        out.append(value)
    return out
