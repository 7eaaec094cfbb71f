"""A motion as CSV: one row a moment, one column a number, every bit kept."""

from __future__ import annotations

from typing import BinaryIO

import numpy as np

from carpal.engines import coordinate_names
from carpal.model import NQ, NV
from carpal.report.exports.motion import Motion
from carpal.spatial import Array


def columns(motion: Motion) -> dict[str, Array]:
    """Name to values (rows): those of docs/recording.md, and `a:<joint>` for accelerations that are known."""
    found = {"time": motion.time}
    model, known = motion.model, [("q", motion.q), ("v", motion.v), ("u", motion.u), ("a", motion.vdot)]
    for letter, values in known:
        if values is None:
            continue
        names = motion.joint_names if model is None else coordinate_names(model, NQ if letter == "q" else NV)
        found |= {f"{letter}:{name}": values[:, k] for k, name in enumerate(names)}
    return found | motion.series


def write_csv(motion: Motion, file: BinaryIO) -> None:
    """Write the columns; numbers are the shortest text that reads back as the same bits."""
    import pyarrow as pa
    import pyarrow.csv as pa_csv

    table = pa.table({name: np.ascontiguousarray(values) for name, values in columns(motion).items()})
    pa_csv.write_csv(table, file)
