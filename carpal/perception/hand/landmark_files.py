"""Landmark files and streams: JSON lines or CSV, one frame per line, checked line by line.

JSON line: {"time": 0.033, "points": [[x, y, z], ... 21], "sign": 0}; `sign` numbers the sign that a frame belongs to
and may be omitted in all lines, as in CSV, whose header names the columns: time, sign, wrist_x, wrist_y, wrist_z,
thumb_cmc_x, ...
"""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from carpal.errors import InputError, unknown_name
from carpal.model import file_text
from carpal.perception.hand.landmarks import LANDMARKS, POINTS, checked_frames, from_camera, mirrored
from carpal.spatial import Array

AXES = ("receiver", "camera")
HANDS = ("right", "left")
ENDINGS = (".jsonl", ".csv")
MAX_BYTES, MAX_LINE = 200_000_000, 20_000
COLUMNS = tuple(f"{name}_{axis}" for name in LANDMARKS for axis in "xyz")


@dataclass(frozen=True, eq=False)
class LandmarkRows:
    """Frames of a hand.

    Args:
        time: (n) [s], rising.
        points: (n, 21, 3) of a right hand in the receiver's frame.
        sign: (n) number of the sign each frame belongs to; None where the file does not say.
    """

    time: Array
    points: Array
    sign: np.ndarray | None

    def signs(self) -> list[Array]:
        """Frames (n, 21, 3) of every sign in turn; the whole file where it does not say."""
        if self.sign is None:
            return [self.points]
        edges = np.flatnonzero(np.diff(self.sign)) + 1
        return np.split(self.points, edges)


def as_right_hand(points: Array, axes: str = "receiver", hand: str = "right") -> Array:
    """Landmarks of either hand in either frame as those of a right hand in the receiver's."""
    if axes not in AXES:
        raise unknown_name("frame of landmarks", axes, AXES)
    if hand not in HANDS:
        raise unknown_name("hand", hand, HANDS)
    p = from_camera(points) if axes == "camera" else np.asarray(points, float)
    return mirrored(p) if hand == "left" else p


def parse_landmark_line(text: str, where: str = "a line of landmarks") -> tuple[float, Array, int | None]:
    """Time [s], points (21, 3) and sign of one JSON line, for a stream or a file."""
    if len(text) > MAX_LINE:
        raise InputError(f"{where} has {len(text)} characters; {MAX_LINE} are the most.")
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise InputError(f"{where} is no JSON object: {text.strip()!r:.60}.") from None
    if not isinstance(data, dict):
        raise InputError(f"{where} is no JSON object: {text.strip()!r:.60}.")
    for key in data:
        if key not in ("time", "points", "sign"):
            raise unknown_name(f"key of {where}", key, ("time", "points", "sign"))
    points = data.get("points")
    if not isinstance(points, list) or len(points) != POINTS:
        found = len(points) if isinstance(points, list) else repr(points)[:40]
        raise InputError(f"{where} needs {POINTS} points of 3 coordinates; got {found}.")
    return _number(data.get("time"), "time", where), checked_frames(points, where)[0], _sign(data.get("sign"), where)


def _number(value: object, what: str, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not np.isfinite(value):
        raise InputError(f"{what} of {where} must be a finite number; got {value!r:.40}.")
    return float(value)


def _sign(value: object, where: str) -> int | None:
    if value is None or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    raise InputError(f"sign of {where} must be a whole number; got {value!r:.40}.")


def read_landmark_file(path: str | os.PathLike[str], *, axes: str = "receiver", hand: str = "right") -> LandmarkRows:
    """Frames of a .jsonl or .csv file.

    Args:
        path: the file.
        axes: "receiver", or "camera" for landmarks in a camera's axes (x right, y down, z away), the camera facing the signer.
        hand: that is seen; a left one is mirrored.
    """
    place = Path(path)
    if place.suffix.lower() not in ENDINGS:
        raise unknown_name("ending of a landmark file", place.suffix, ENDINGS)
    what = f"the landmark file '{place}'"
    text = file_text(place, what, MAX_BYTES)
    rows = list(_json_rows(text, what) if place.suffix.lower() == ".jsonl" else _csv_rows(text, what))
    if not rows:
        raise InputError(f"{what} has no frames.")
    time = np.array([row[0] for row in rows])
    late = np.flatnonzero(np.diff(time) <= 0)
    if len(late):
        raise InputError(f"frame {late[0] + 2} of {what} is not later than the one before it.")
    signs = [row[2] for row in rows]
    if any(sign is None for sign in signs) and any(sign is not None for sign in signs):
        raise InputError(f"{what} numbers the signs of some frames and not of others.")
    numbered = None if signs[0] is None else np.array(signs)
    return LandmarkRows(time, as_right_hand(np.array([row[1] for row in rows]), axes, hand), numbered)


def _json_rows(text: str, what: str) -> Iterator[tuple[float, Array, int | None]]:
    for k, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            yield parse_landmark_line(line, f"line {k} of {what}")


def _csv_rows(text: str, what: str) -> Iterator[tuple[float, Array, int | None]]:
    lines = csv.reader(io.StringIO(text))
    head = [name.strip() for name in next(lines, [])]
    missing = [name for name in ("time", *COLUMNS) if name not in head]
    if missing:
        raise InputError(
            f"{what} has no column {', '.join(missing[:6])}; it needs time and {len(COLUMNS)} coordinates."
        )
    places = [head.index(name) for name in ("time", *COLUMNS)]
    sign = head.index("sign") if "sign" in head else None
    for cells in lines:
        where = f"line {lines.line_num} of {what}"
        if not any(cell.strip() for cell in cells):
            continue
        try:
            values = [float(cells[k]) for k in places]
            number = None if sign is None else int(cells[sign])
        except (ValueError, IndexError):
            raise InputError(f"{where} does not hold a number in each of its columns.") from None
        yield _number(values[0], "time", where), checked_frames(np.reshape(values[1:], (POINTS, 3)), where)[0], number


def landmark_line(time: float, points: Array, sign: int | None = None) -> str:
    """One frame as a JSON line, every digit kept."""
    data: dict[str, Any] = {"time": float(time), "points": np.asarray(points, float).tolist()}
    return json.dumps(data if sign is None else {**data, "sign": int(sign)})


def write_landmark_file(path: str | os.PathLike[str], signs: Iterable[Array], rate: float = 30.0) -> Path:
    """Write signs (n, 21, 3), one after the other, as .jsonl or .csv at a frame rate [1/s]."""
    place = Path(path)
    if place.suffix.lower() not in ENDINGS:
        raise unknown_name("ending of a landmark file", place.suffix, ENDINGS)
    rows = [(k, frame) for k, sign in enumerate(signs) for frame in checked_frames(sign)]
    if place.suffix.lower() == ".jsonl":
        lines = [landmark_line(i / rate, frame, k) for i, (k, frame) in enumerate(rows)]
    else:
        lines = [",".join(("time", "sign", *COLUMNS))]
        lines += [",".join([repr(i / rate), str(k), *map(repr, f.ravel().tolist())]) for i, (k, f) in enumerate(rows)]
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return place
