"""The fall test (Yesmunt 2014, chapter 4): let go of everything and watch how far the joints open.

A mechanism that is put together wrongly, or whose joints are too soft, shows itself before any actuator hides it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from carpal._core.result import Result
from carpal.engines.penalty.engine import PenaltyEngine
from carpal.engines.penalty.gaps import body_poses, joint_gaps
from carpal.engines.penalty.sampling import Tick, remade, sampled_run, without_drives
from carpal.errors import InputError
from carpal.spatial import Array

ALLOWED_GAP = 1e-4
"""Largest gap [m] of a joint that passes. Assumed; a tenth of a millimetre."""


@dataclass(frozen=True, eq=False)
class FallResult(Result):
    """Joint gaps of a free fall.

    Args:
        ok, status: whether every gap stayed within the allowed one, and one sentence.
        joints: names of the point and slot joints.
        time: (rows) [s].
        gaps: (rows, joints) [m].
        fallen: (bodies) farthest [m] that each body's origin came from its start.
        bodies: their names.
    """

    ok: bool
    status: str
    joints: tuple[str, ...]
    time: Array
    gaps: Array
    fallen: Array
    bodies: tuple[str, ...]

    @property
    def largest(self) -> Array:
        """Largest gap (joints) [m]."""
        return np.asarray(self.gaps.max(0))

    @property
    def mean(self) -> Array:
        """Mean gap (joints) [m]."""
        return np.asarray(self.gaps.mean(0))

    def to_dict(self) -> dict[str, Any]:
        """Plain data, without the curves."""
        return {
            "ok": self.ok, "status": self.status, "joints": list(self.joints), "largest_gap_m": self.largest.tolist(),
            "mean_gap_m": self.mean.tolist(), "bodies": list(self.bodies), "fallen_m": self.fallen.tolist(),
        }  # fmt: skip


def fall_test(
    engine: PenaltyEngine,
    duration: float = 0.5,
    *,
    allowed_gap: float = ALLOWED_GAP,
    samples: int = 200,
    tick: Tick | None = None,
) -> FallResult:
    """Drop the engine's mechanism from its start pose without its actuators.

    Args:
        engine: whose mechanism, step and contacts.
        duration: [s].
        allowed_gap: [m] that passes.
        samples: moments to record.
        tick: called with the share that is done.
    """
    if not 0 < allowed_gap < np.inf:
        raise InputError(f"allowed_gap must be above zero [m]; got {allowed_gap!r:.40}.")
    mechanism = without_drives(engine.mechanism)
    if not mechanism.joints:
        raise InputError(f"mechanism '{mechanism.name}' has no joints, so a fall test has no gaps to show.")
    free = remade(engine, mechanism)
    run = sampled_run(free, free.start(), duration, samples=samples, tick=tick)
    gaps = joint_gaps(mechanism, run.q)
    origins = body_poses(mechanism, run.q)[1][:, :-1]
    fallen = np.linalg.norm(origins - origins[0], axis=-1).max(0)
    names = tuple(joint.name for joint in mechanism.joints)
    worst = int(np.argmax(gaps.max(0)))
    largest = float(gaps[:, worst].max())
    ok = largest <= allowed_gap
    status = (
        f"'{mechanism.name}' fell for {run.time[-1] - run.time[0]:.4g} s: the largest joint gap was {largest:.3g} m at "
        f"'{names[worst]}', {'within' if ok else 'more than'} the allowed {allowed_gap:.3g} m."
    )
    return FallResult(ok, status, names, run.time, gaps, fallen, tuple(body.name for body in mechanism.bodies))
