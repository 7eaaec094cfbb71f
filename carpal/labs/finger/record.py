"""Recorded joint angles of a finger and the loads that moved it, as CSV.

A header names the columns: `time` [s], `q1 q2 q3` [rad] (or `q1_deg ...`), and any of `tension` [N], `torque1 torque2 torque3`
[N m], `tip_x tip_y tip_across` [N], `tip_moment` [N m]; loads that are not there are zero. Lines that begin with # are comments.
"""

from __future__ import annotations

import csv
import io
import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import InputError, RecordingError, unknown_name
from carpal.labs.finger.load import FingerLoad
from carpal.labs.finger.motion import FingerMotion, checked_times, load_table
from carpal.model import file_text, real_array
from carpal.spatial import Array

ANGLES = ("q1", "q2", "q3")
LOAD_NAMES = ("torque1", "torque2", "torque3", "tension", "tip_x", "tip_y", "tip_across", "tip_moment")
NAMES = ("time", *ANGLES, *(f"{name}_deg" for name in ANGLES), *LOAD_NAMES)
MAX_BYTES = 200_000_000


@dataclass(frozen=True, eq=False)
class FingerRecord:
    """Angles measured at some moments, and the known loads.

    Args:
        time: (n) [s], rising.
        q: (n, 3) joint angles as measured [rad].
        load: (n, 8) as `FingerLoad.rows`, linear between moments.
    """

    time: Array
    q: Array
    load: Array

    @staticmethod
    def of(time: ArrayLike, q: ArrayLike, load: FingerLoad | None = None) -> FingerRecord:
        """A record of arrays, checked."""
        moments, angles = checked_times(time), real_array(q, "q")
        if angles.shape != (len(moments), 3):
            raise InputError(
                f"q of a record must be ({len(moments)}, 3), one row for each moment; got shape {angles.shape}."
            )
        if not np.isfinite(angles).all():
            i, j = np.argwhere(~np.isfinite(angles))[0]
            raise InputError(
                f"q{j + 1} of the record at {moments[i]:g} s is {angles[i, j]}; all angles must be finite."
            )
        return FingerRecord(moments, angles, load_table(load, len(moments)))

    @staticmethod
    def of_motion(motion: FingerMotion, noise: float = 0.0, seed: int = 0) -> FingerRecord:
        """What an encoder would have read: a motion's angles with normal noise of a standard deviation [rad]."""
        if motion.q.ndim != 2:
            raise InputError(f"a record holds one motion; got a batch of shape {motion.q.shape[:-2]}.")
        if not np.isfinite(noise) or noise < 0:
            raise InputError(f"noise must be zero or above [rad]; got {noise!r}.")
        blur = np.random.default_rng(seed).normal(0.0, 1.0, motion.q.shape)
        return FingerRecord(motion.time, motion.q + noise * blur, motion.load)

    @property
    def loads(self) -> FingerLoad:
        """The loads by name."""
        return FingerLoad.from_rows(self.load)

    def to_csv(self) -> str:
        """The text of a file that `read_record` reads back to the last digit; loads that are zero throughout are left out."""
        used = [i for i in range(len(LOAD_NAMES)) if self.load[:, i].any()]
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["time", *ANGLES, *(LOAD_NAMES[i] for i in used)])
        for t, q, load in zip(self.time, self.q, self.load, strict=True):
            writer.writerow([repr(float(x)) for x in (t, *q, *load[used])])
        return out.getvalue()


def read_record(file: str | os.PathLike[str]) -> FingerRecord:
    """The record of a CSV file; anything wrong is one sentence that says where."""
    path = Path(file)
    what = f"'{path}'"
    text = file_text(path, what, MAX_BYTES, RecordingError)
    lines = [
        (i, line) for i, line in enumerate(text.splitlines(), start=1) if line.strip() and not line.startswith("#")
    ]
    if len(lines) < 3:
        raise RecordingError(f"{what} needs a header and at least two rows.")
    head = [name.strip() for name in next(csv.reader([lines[0][1]]))]
    for name in head:
        if name not in NAMES:
            raise unknown_name(f"column of {what}", name, NAMES)
        if head.count(name) > 1:
            raise RecordingError(f"{what} has the column {name} twice.")
    values = np.array([_numbers(line, number, len(head), what) for number, line in lines[1:]])
    columns = dict(zip(head, values.T, strict=True))
    return _record(columns, what)


def _numbers(line: str, number: int, width: int, what: str) -> list[float]:
    parts = next(csv.reader([line]))
    if len(parts) != width:
        raise RecordingError(f"line {number} of {what} has {len(parts)} values; its header names {width}.")
    out = []
    for part in parts:
        try:
            out.append(float(part))
        except ValueError:
            raise RecordingError(f"line {number} of {what} holds '{part.strip()[:40]}', which is no number.") from None
    return out


def _record(columns: dict[str, Array], what: str) -> FingerRecord:
    angles = []
    for name in ANGLES:
        given = [key for key in (name, f"{name}_deg") if key in columns]
        if len(given) != 1:
            raise RecordingError(
                f"{what} needs one column {name} [rad] or {name}_deg; it has {' and '.join(given) or 'none'}."
            )
        angles.append(np.radians(columns[given[0]]) if given[0].endswith("_deg") else columns[given[0]])
    if "time" not in columns:
        raise RecordingError(f"{what} needs a column time [s].")
    load = np.stack([columns.get(name, np.zeros(len(angles[0]))) for name in LOAD_NAMES], -1)
    try:
        return FingerRecord.of(columns["time"], np.stack(angles, -1), FingerLoad.from_rows(load))
    except InputError as error:
        raise RecordingError(f"{what}: {error}") from None
