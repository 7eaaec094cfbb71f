"""The step test: each actuator's command jumps, the others hold; overshoot, rise and settling time.

All steps run at once, each in its own world, beside one world in which nothing jumps. A response is the difference from that
world, so the settling under gravity that both share drops out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from carpal._core.result import Result
from carpal.engines.penalty.engine import PenaltyEngine
from carpal.engines.penalty.gaps import actuator_values
from carpal.engines.penalty.sampling import Tick, command_of, driven_actuators, sampled_run
from carpal.errors import InputError
from carpal.model import LinearActuator
from carpal.spatial import Array

BAND = 0.02
"""Within this share of the end value a response counts as settled."""
ANGLE, LENGTH = 0.05, 1e-3
"""Default steps [rad, m]. Assumed."""


@dataclass(frozen=True, eq=False)
class StepResult(Result):
    """Responses to a step of each actuator.

    Args:
        ok, status: whether all settled, and one sentence.
        actuators: names.
        time: (rows) [s] since the jump.
        size: (actuators) of the jump [rad, m].
        response: (rows, actuators) of the jump: 0 at the start, 1 where it was asked to be.
        overshoot: (actuators) beyond the end value, of the end value.
        rise_time: (actuators) [s] from 10 to 90 % of the end value.
        settling_time: (actuators) [s] until it stays within 2 % of the end value; nan where it does not.
        end: (actuators) where it ends, of the jump.
    """

    ok: bool
    status: str
    actuators: tuple[str, ...]
    time: Array
    size: Array
    response: Array
    overshoot: Array
    rise_time: Array
    settling_time: Array
    end: Array

    def to_dict(self) -> dict[str, Any]:
        """Plain data, without the curves; None where something never happened."""
        out: dict[str, Any] = {"ok": self.ok, "status": self.status, "actuators": list(self.actuators)}
        for name in ("size", "overshoot", "rise_time", "settling_time", "end"):
            out[name] = [None if np.isnan(x) else float(x) for x in getattr(self, name)]
        return out


def step_test(
    engine: PenaltyEngine,
    duration: float = 1.0,
    *,
    size: float | None = None,
    samples: int = 1000,
    tick: Tick | None = None,
) -> StepResult:
    """Let each actuator's command jump from the start pose.

    Args:
        engine: whose mechanism, step and contacts; its actuators need gains (`tune`).
        duration: [s] to watch.
        size: of the jump [rad for rotary, m for linear actuators]; by default 0.05 rad and 1 mm.
        samples: moments to record; times are read between them.
        tick: called with the share that is done.
    """
    mechanism = engine.mechanism
    places = driven_actuators(mechanism, "it cannot follow a step")
    if size is not None and not (np.isfinite(size) and size != 0):
        raise InputError(f"size must be a finite number that is not zero [rad, m]; got {size!r:.40}.")
    linear = [isinstance(mechanism.actuators[k], LinearActuator) for k in places]
    sizes = np.array([(LENGTH if each else ANGLE) if size is None else float(size) for each in linear])
    start = engine.start((len(places) + 1,))
    wanted = np.broadcast_to(actuator_values(mechanism, engine.start().q), (len(places) + 1, len(mechanism.actuators)))
    wanted = wanted.copy()
    wanted[np.arange(len(places)), places] += sizes
    command = command_of(mechanism, wanted)
    run = sampled_run(engine, start, duration, samples=samples, command=command, tick=tick)
    values = actuator_values(mechanism, run.q)[..., places]
    moved = values[:, np.arange(len(places)), np.arange(len(places))] - values[:, -1]
    turning = ~np.array(linear)
    moved[:, turning] = (moved[:, turning] + np.pi) % (2 * np.pi) - np.pi
    response = moved / sizes
    numbers = np.array([step_numbers(run.time, curve) for curve in response.T])
    overshoot, rise, settling, end = numbers.T
    names = tuple(mechanism.actuators[k].name for k in places)
    late = [name for name, time in zip(names, settling, strict=True) if np.isnan(time)]
    worst = int(np.argmax(overshoot))
    status = f"{len(names)} steps of '{mechanism.name}': the largest overshoot is {100 * overshoot[worst]:.3g} % at "
    status += f"'{names[worst]}'; "
    status += (
        f"not settled within {run.time[-1]:.3g} s: {', '.join(late[:6])}."
        if late
        else f"all settled within {settling.max():.3g} s."
    )
    return StepResult(not late, status, names, run.time, sizes, response, overshoot, rise, settling, end)


def step_numbers(time: Array, curve: Array) -> tuple[float, float, float, float]:
    """Overshoot, rise time, settling time (nan: none) and end value of a response (rows)."""
    end = float(curve[-1])
    if not abs(end) > 1e-9:
        return 0.0, float("nan"), float("nan"), end
    share = curve / end
    outside = np.flatnonzero(np.abs(share - 1) > BAND)
    last = int(outside[-1]) if len(outside) else -1
    # the last tenth must lie within the band, or the end value is no end
    settled = last < 0.9 * len(time) - 1
    settling = _crossing(time, np.abs(share - 1), BAND, last) if settled and last >= 0 else 0.0 if settled else np.nan
    first, ninth = (int(np.argmax(share >= level)) for level in (0.1, 0.9))
    begun, risen = (
        _crossing(time, share, level, k - 1) if k > 0 else float(time[0]) for level, k in ((0.1, first), (0.9, ninth))
    )
    return max(0.0, float(share.max()) - 1.0), risen - begun, settling - float(time[0]) * bool(settling), end


def _crossing(time: Array, values: Array, level: float, k: int) -> float:
    """Time between rows k and k + 1 at which a curve passes a level, straight between them."""
    low, high = float(values[k]), float(values[k + 1])
    share = 0.0 if high == low else (level - low) / (high - low)
    return float(time[k] + share * (time[k + 1] - time[k]))
