"""The step study: how far a run is from the truth against dt, its observed order, and the step to take.

The truth is a run with steps four times shorter than the shortest of the study. The thesis takes 2e-5 s (section 4.2)
and does not say why.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from carpal._core.result import Result
from carpal.engines.penalty.engine import PenaltyEngine
from carpal.engines.penalty.gaps import actuator_values, body_poses
from carpal.engines.penalty.sampling import Tick, command_of, remade
from carpal.errors import DivergedError, InputError
from carpal.model import State
from carpal.spatial import Array

TOLERANCE = 1e-5
"""Distance [m] of any body from the truth that is good enough. Assumed; hundredths of a millimetre."""
SAFE, LOOKS, FINER = 0.9, 8, 4  # of the stable step; moments compared; how much finer the reference is


@dataclass(frozen=True, eq=False)
class StudyResult(Result):
    """Error against dt.

    Args:
        ok, status: whether a step of the study is good enough, and one sentence.
        dt: (n) steps [s], the longest first.
        error: (n) largest distance [m] of any body's origin from the truth at any compared moment; inf where it diverged.
        order: observed exponent of the error against dt, over the shorter half of the steps; nan where it cannot be estimated.
        recommended: the longest step [s] whose error, and that of all shorter ones, is within the tolerance; where there is none,
            the one that the order promises.
        stable_step: [s].
        tolerance: [m].
    """

    ok: bool
    status: str
    dt: Array
    error: Array
    order: float
    recommended: float
    stable_step: float
    tolerance: float

    def to_dict(self) -> dict[str, Any]:
        """Plain data; None for what is not finite."""
        return {
            "ok": self.ok, "status": self.status, "dt_s": self.dt.tolist(),
            "error_m": [float(x) if np.isfinite(x) else None for x in self.error],
            "order": None if np.isnan(self.order) else self.order, "recommended_dt_s": self.recommended,
            "stable_step_s": self.stable_step, "tolerance_m": self.tolerance,
        }  # fmt: skip


def step_study(
    engine: PenaltyEngine,
    duration: float = 0.1,
    *,
    tolerance: float = TOLERANCE,
    levels: int = 5,
    tick: Tick | None = None,
) -> StudyResult:
    """Run the engine's mechanism with one step after the other, each half as long as the one before.

    Args:
        engine: whose mechanism and contacts; actuators with a command hold the start pose. The longest step is 0.9 of the
            stable one, whatever the engine's own.
        duration: [s] of each run.
        tolerance: [m] that is good enough.
        levels: how many steps.
        tick: called with the share that is done.
    """
    if not 0 < duration < np.inf or not 0 < tolerance < np.inf:
        raise InputError(f"duration and tolerance must be above zero; got {duration!r:.30} s and {tolerance!r:.30} m.")
    if isinstance(levels, bool) or not isinstance(levels, int) or not 2 <= levels <= 12:
        raise InputError(f"levels must be a whole number from 2 to 12; got {levels!r:.30}.")
    longest = min(SAFE * engine.stable_step, duration / LOOKS)
    base = LOOKS * int(np.ceil(duration / longest / LOOKS))
    counts = [base * 2**level for level in range(levels)]
    total = float(sum(counts) + FINER * counts[-1])
    done = 0
    origins = []
    for steps in [*counts, FINER * counts[-1]]:
        origins.append(_path(engine, duration / steps, steps))
        done += steps
        if tick is not None:
            tick(done / total)
    if origins[-1] is None:
        raise DivergedError(
            f"even steps of {duration / counts[-1] / FINER:.3g} s diverge for '{engine.mechanism.name}'; use softer contacts."
        )
    dts = duration / np.array(counts)
    error = np.array(
        [np.inf if p is None else float(np.linalg.norm(p - origins[-1], axis=-1).max()) for p in origins[:-1]]
    )
    order = _order(dts, error)
    good = np.flatnonzero(np.cumsum(error[::-1] > tolerance)[::-1] == 0)
    ok = bool(len(good))
    said = "" if np.isnan(order) else f", order {order:.2f}"
    if ok:
        recommended = float(dts[good[0]])
        status = f"take dt = {recommended:.3g} s: its error in {duration:g} s is {error[good[0]]:.2g} m{said}; "
    else:
        climb = order if order > 0.5 else 1.0
        recommended = float(dts[-1] * (tolerance / error[-1]) ** (1 / climb))
        status = (
            f"no step of the study is within {tolerance:g} m, the shortest is off by {error[-1]:.2g} m{said}; "
            f"the order promises it at dt = {recommended:.2g} s; "
        )
    status += f"stable up to {engine.stable_step:.3g} s."
    return StudyResult(ok, status, dts, error, order, recommended, engine.stable_step, tolerance)


def _order(dts: Array, error: Array) -> float:
    """Exponent over the shorter half of the steps: long ones may not yet show it, and rounding hides it at the bottom."""
    usable = np.flatnonzero(np.isfinite(error) & (error > 1e-13))
    if len(usable) < 2:
        return float("nan")
    last = usable[-(len(usable) // 2 + 1) :]
    return float(np.polyfit(np.log(dts[last]), np.log(error[last]), 1)[0])


def _path(engine: PenaltyEngine, dt: float, steps: int) -> Array | None:
    """Origins (LOOKS, bodies, 3) [m] along a run; None where it diverged."""
    made = remade(engine, engine.mechanism, dt)
    state: State = made.start()
    command = command_of(made.mechanism, actuator_values(made.mechanism, state.q))
    kept = []
    try:
        for _ in range(LOOKS):
            state = made.run(state, steps=steps // LOOKS, command=command).state
            kept.append(body_poses(made.mechanism, state.q)[1][:-1])
    except DivergedError:
        return None
    return np.array(kept)
