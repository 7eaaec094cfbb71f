"""What a recording of a catch keeps beside its bodies: torques, wanted and measured joints, errors, and what was watched."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from carpal.labs.catch.plan import Plan
from carpal.spatial import Array

if TYPE_CHECKING:
    from carpal.engines import Recording

DIGITS = 7
"""Significant digits of the series; the score uses none of them."""
PARTS = {"torque": 6, "wanted": 6, "measured": 6, "errors": 3}
"""Name and width, in the order of the kernels' rows."""


def keep_series(recording: Recording, engine: Any, plan: Plan) -> None:
    """Put the rows that an engine has kept, and what it watched, into a recording's metadata under "catch"."""
    rows = np.array(engine.rows)
    series: dict[str, Any] = {}
    if len(rows):
        at = rows.shape[1] - sum(PARTS.values())
        for name, width in PARTS.items():
            series[name] = [[float(f"{x:.{DIGITS}g}") for x in row] for row in rows[:, at : at + width]]
            at += width
    watch = [] if engine.last is None else [float(x) for x in engine.last.watch]
    recording.metadata["catch"] = {"watch": watch, "series": series, **plan.to_dict()}


def series_of(recording: Recording, name: str) -> Array:
    """(rows, width) of a kept series: "torque" [N m], "wanted" and "measured" [rad], "errors" [m, rad, rad]."""
    return np.array(recording.metadata["catch"]["series"][name], float)
