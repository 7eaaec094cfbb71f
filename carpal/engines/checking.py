"""CheckResult: whether the residuals of a run keep their bounds.

Residuals are the certificates that an engine gives for its steps, the ledger's energy residual and the depth of contacts.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from carpal._core.result import Result
from carpal.engines.bounds import ROUNDING, Limit, closure_limit, contact_limit, energy_limit
from carpal.engines.scheme_error import scheme_bound
from carpal.errors import InputError, RecordingError, unknown_name
from carpal.spatial import Array

if TYPE_CHECKING:
    from carpal.engines.recording import Recording

BOUNDS = {"gap_force": 1e-9, "cone": 1e-9, "direction": 1e-9, "overlap": 1e-9, "drift": 1e-9, "energy": 1e-9,
          "constraint_gap": 1e-10, "restitution": 1e-3, "limit": 0.0}  # fmt: skip
"""Largest residual of a step: gap against force, cone, sliding direction (of the largest impulse); [m]; [m]; [J]; [m, rad].

`limit` adds up the limits of work that a step has reached: 1 parts, 2 collisions, 4 events of the accurate scheme, 8 its error.
"""
MEANING = {
    "gap_force": "gap and force together",
    "cone": "force outside its cone",
    "direction": "friction not against the slip",
    "overlap": "overlap [m]",
    "drift": "drift of a contact [m]",
    "energy": "energy gained by contacts [J]",
    "joint_gap": "gap of a joint [m]",
    "residual": "the energy residual [J]",
    "closure": "the opening of a coupling or loop [rad, m]",
    "depth": "the depth of a contact [m]",
    "constraint_gap": "gap of a coupling or loop [rad, m]",
    "restitution": "what a collision gave back against its law",
    "limit": "a limit of a step's work (1 parts, 2 collisions, 4 events, 8 error)",
}


@dataclass(frozen=True)
class CheckResult(Result):
    """What the residuals of a run say.

    Args:
        ok: whether every residual keeps its bound.
        status: one sentence.
        worst: the largest residual of each kind.
        bounds: what each may be at most; infinite where a scheme promises nothing.
    """

    ok: bool
    status: str
    worst: dict[str, float]
    bounds: dict[str, float]


def check_recording(recording: Recording, bounds: Mapping[str, float] | None = None) -> CheckResult:
    """Compare everything that a recording can prove with its bounds.

    Args:
        recording: the run.
        bounds: other bounds, by the residual's name.
    """
    stated = recording.metadata.get("bounds", {})
    limits = {
        name: Limit(values, float(stated.get(name, BOUNDS.get(name, math.inf))), "")
        for name, values in recording.certificates.items()
    }
    for name, limit in (
        ("residual", residual_limit(recording)),
        ("closure", closure_limit(recording.model, recording.metadata, recording.q)),
        ("depth", contact_limit(recording.model, recording.contacts) if "overlap" not in limits else None),
    ):
        if limit is not None:
            limits[name] = limit
    if not limits:
        raise RecordingError(
            f"this recording holds nothing to check: no certificates and no contacts, and for the scheme "
            f"'{recording.metadata.get('integrator')}' of the engine '{recording.metadata.get('engine')}' no bound is stated."
        )
    return check_limits(recording.time, limits, bounds)


def residual_limit(recording: Recording) -> Limit | None:
    """The ledger's residual and its bound [J]: what the scheme's order explains, or a share of what moved, whichever is less."""
    limit, explained = energy_limit(recording.metadata, recording.energy), scheme_bound(recording)
    if limit is None or explained is None:
        return limit
    stored = sum(float(np.max(np.abs(recording.energy[name]))) for name in ("kinetic", "potential"))
    bound = explained + ROUNDING * stored
    return limit if bound >= limit.bound else Limit(limit.values, bound, "which the order of the scheme explains")


def check_certificates(
    time: Array, certificates: Mapping[str, Array], bounds: Mapping[str, float] | None = None
) -> CheckResult:
    """Compare the certificates (rows) of a run, at times (rows) [s], with their bounds."""
    if not certificates:
        raise RecordingError("this recording holds no certificates; runs of the modal engine do.")
    return check_limits(
        time, {name: Limit(rows, BOUNDS.get(name, math.inf), "") for name, rows in certificates.items()}, bounds
    )


def check_limits(time: Array, limits: Mapping[str, Limit], bounds: Mapping[str, float] | None = None) -> CheckResult:
    """Compare residuals (rows) of a run, at times (rows) [s], with their bounds or others by name."""
    for name, value in (bounds or {}).items():
        if name not in limits:
            raise unknown_name("residual", name, limits)
        if not isinstance(value, int | float | np.number) or math.isnan(value):
            raise InputError(f"the bound of '{name}' must be a number; got {value!r:.60}.")
    most = {name: float((bounds or {}).get(name, limit.bound)) for name, limit in limits.items()}
    worst = {name: float(np.max(limit.values)) if len(limit.values) else 0.0 for name, limit in limits.items()}
    broken = [name for name in limits if not worst[name] <= most[name]]
    if not broken:
        text = ", ".join(f"{name} {worst[name]:.1e}" for name in limits)
        return CheckResult(True, f"every step keeps its bounds: {text}.", worst, most)
    name = broken[0]
    at = int(np.argmax(~(np.asarray(limits[name].values) <= most[name])))
    basis = f" ({limits[name].basis})" if limits[name].basis and most[name] == limits[name].bound else ""
    status = (
        f"{MEANING.get(name, name)} is {worst[name]:.3g}, above its bound {most[name]:.3g}{basis}, first before "
        f"t = {time[at]:.6g} s{f' (also {chr(44).join(broken[1:])})' if broken[1:] else ''}."
    )
    return CheckResult(False, status, worst, most)


def judged(recording: Recording) -> tuple[bool, str]:
    """Whether a run that came to its end is ok, and its sentence: with the bound that it breaks, where it breaks one."""
    try:
        found: Any = check_recording(recording)
    except RecordingError:
        return recording.ok, recording.status
    if not recording.ok or found.ok:
        return recording.ok, recording.status
    return False, f"{recording.status.rstrip('.')}, but {found.status}"
