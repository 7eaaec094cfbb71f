"""CheckResult: whether the certificates of a run keep their bounds."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from carpal._core.result import Result
from carpal.errors import InputError, RecordingError, unknown_name
from carpal.spatial import Array

BOUNDS = {"gap_force": 1e-9, "cone": 1e-9, "direction": 1e-9, "overlap": 1e-9, "drift": 1e-9, "energy": 1e-9}
"""Largest residual of a step: gap against force, cone, sliding direction (of the largest impulse); [m]; [m]; [J]."""
MEANING = {
    "gap_force": "gap and force together",
    "cone": "force outside its cone",
    "direction": "friction not against the slip",
    "overlap": "overlap [m]",
    "drift": "drift of a contact [m]",
    "energy": "energy gained by contacts [J]",
}


@dataclass(frozen=True)
class CheckResult(Result):
    """What the certificates of a run say.

    Args:
        ok: whether every residual keeps its bound.
        status: one sentence.
        worst: the largest residual of each kind.
        bounds: what each may be at most.
    """

    ok: bool
    status: str
    worst: dict[str, float]
    bounds: dict[str, float]


def check_certificates(
    time: Array, certificates: Mapping[str, Array], bounds: Mapping[str, float] | None = None
) -> CheckResult:
    """Compare the certificates (rows) of a run, at times (rows) [s], with their bounds."""
    if not certificates:
        raise RecordingError("this recording holds no certificates; runs of the modal engine do.")
    for name, value in (bounds or {}).items():
        if name not in certificates:
            raise unknown_name("residual", name, certificates)
        if not isinstance(value, int | float | np.number) or math.isnan(value):
            raise InputError(f"the bound of '{name}' must be a number; got {value!r:.60}.")
    limits = {name: float((bounds or {}).get(name, BOUNDS.get(name, math.inf))) for name in certificates}
    worst = {name: float(np.max(values)) if len(values) else 0.0 for name, values in certificates.items()}
    broken = [name for name in certificates if not worst[name] <= limits[name]]
    if not broken:
        text = ", ".join(f"{name} {worst[name]:.1e}" for name in certificates)
        return CheckResult(True, f"every step keeps its bounds: {text}.", worst, limits)
    name = broken[0]
    at = int(np.argmax(~(np.asarray(certificates[name]) <= limits[name])))
    status = (
        f"{MEANING.get(name, name)} is {worst[name]:.3g}, above its bound {limits[name]:g}, first before t = {time[at]:.6g} s"
        f"{f' (also {chr(44).join(broken[1:])})' if broken[1:] else ''}."
    )
    return CheckResult(False, status, worst, limits)
