"""The hold test (Yesmunt 2014, section 6.1): actuators hold the start pose; how far does everything drift under gravity.

The thesis tunes its gains until the hand moves less than 5 mm.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from carpal._core.result import Result
from carpal.engines.penalty.engine import PenaltyEngine
from carpal.engines.penalty.gaps import actuator_values, body_poses
from carpal.engines.penalty.sampling import Tick, command_of, driven_actuators, sampled_run
from carpal.errors import InputError
from carpal.spatial import Array

ALLOWED_DRIFT = 5e-3
"""Drift [m] of a body that passes: the thesis's own measure for its hand."""


@dataclass(frozen=True, eq=False)
class HoldResult(Result):
    """How far a held mechanism drifted.

    Args:
        ok, status: whether every body stayed within the allowed drift, and one sentence.
        time: (rows) [s].
        actuators, bodies: names.
        away: (rows, actuators) value minus what was asked for [rad, m].
        drift: (rows, bodies) distance [m] of each body's origin from its start.
    """

    ok: bool
    status: str
    time: Array
    actuators: tuple[str, ...]
    away: Array
    bodies: tuple[str, ...]
    drift: Array

    @property
    def sag(self) -> Array:
        """Where each actuator stands at the end [rad, m]."""
        return np.asarray(self.away[-1])

    def to_dict(self) -> dict[str, Any]:
        """Plain data, without the curves."""
        return {
            "ok": self.ok, "status": self.status, "actuators": list(self.actuators), "sag": self.sag.tolist(),
            "largest_away": np.abs(self.away).max(0).tolist(), "bodies": list(self.bodies),
            "drift_m": self.drift[-1].tolist(), "largest_drift_m": self.drift.max(0).tolist(),
        }  # fmt: skip


def hold_test(
    engine: PenaltyEngine,
    duration: float = 1.0,
    *,
    allowed_drift: float = ALLOWED_DRIFT,
    samples: int = 200,
    tick: Tick | None = None,
) -> HoldResult:
    """Let the actuators hold the start pose.

    Args:
        engine: whose mechanism, step and contacts; its actuators need gains (`tune`).
        duration: [s].
        allowed_drift: [m] that passes, for every body that a joint holds.
        samples: moments to record.
        tick: called with the share that is done.
    """
    if not 0 < allowed_drift < np.inf:
        raise InputError(f"allowed_drift must be above zero [m]; got {allowed_drift!r:.40}.")
    mechanism = engine.mechanism
    places = driven_actuators(mechanism, "nothing can hold it")
    start = engine.start()
    wanted = actuator_values(mechanism, start.q)
    run = sampled_run(engine, start, duration, samples=samples, command=command_of(mechanism, wanted), tick=tick)
    away = actuator_values(mechanism, run.q) - wanted
    turning = [hasattr(part, "axis") for part in mechanism.actuators]
    away[:, turning] = (away[:, turning] + np.pi) % (2 * np.pi) - np.pi
    held = {side for joint in mechanism.joints for side in (joint.a, joint.b)}
    rows = [i for i, body in enumerate(mechanism.bodies) if body.name in held]
    origins = body_poses(mechanism, run.q)[1][:, rows]
    drift = np.linalg.norm(origins - origins[0], axis=-1)
    names = tuple(mechanism.bodies[i].name for i in rows)
    worst = int(np.argmax(drift.max(0)))
    most, last = float(drift[:, worst].max()), float(drift[-1, worst])
    ok = most <= allowed_drift
    status = (
        f"'{mechanism.name}' held for {run.time[-1]:.4g} s: '{names[worst]}' drifted by {1e3 * most:.3g} mm at most and "
        f"{1e3 * last:.3g} mm at the end, {'within' if ok else 'more than'} the allowed {1e3 * allowed_drift:g} mm."
    )
    labels = tuple(mechanism.actuators[k].name for k in places)
    return HoldResult(ok, status, run.time, labels, away[:, places], names, drift)
