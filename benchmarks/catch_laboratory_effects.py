"""What the assumed numbers of the catch laboratory do: each at -20 and +20 %, with `controller best` and camera noise.

python benchmarks/catch_laboratory_effects.py [THROWS] [CATCHES] [cpu|cuda]    # prints rows for docs/assumptions.md

`THROWS` (200) are planned, the first `CATCHES` (4) of them are also run at the thesis's step.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import Any
from unittest import mock

import numpy as np

from carpal.labs.catch import ball_filter, best_plan, interception
from carpal.labs.catch.air_flight import flown_in_air, path_of
from carpal.labs.catch.cases import draw_throws, score_cases
from carpal.labs.catch.controller import plan_throws
from carpal.labs.catch.flight import hand_at
from carpal.labs.catch.plan import start_coordinates
from carpal.labs.catch.task import Catch

OPTIONS = {"controller": "best", "gains": "thesis", "drag": 0.47, "vary": 1.0, "window": (-0.05, 0.45, -0.2, 0.3)}
CHOSEN = ("drag", "noise", "speed_limit", "torque_limit", "close_early")
"""Options of the task."""
PLACES = {
    "RATE": (best_plan,), "UPDATE": (best_plan,), "LAST": (best_plan,), "FIRST": (best_plan,), "AHEAD": (best_plan,),
    "UNSURE": (ball_filter,), "PRIOR_SPEED": (ball_filter,), "SHARES": (interception,), "STOP": (interception,),
    "LEAST_DET": (interception,), "LEAST_DET_CARRY": (interception,), "TORQUE_SHARE": (interception,),
    "PLANES": (interception, best_plan),
}  # fmt: skip
"""Constants, and the modules that use them."""
BELIEF = "drag, the true one alone"


@contextlib.contextmanager
def changed(name: str, factor: float) -> Iterator[Catch]:
    """The task with one number times a factor."""
    options: dict[str, Any] = dict(OPTIONS)
    with contextlib.ExitStack() as stack:
        if name in CHOSEN:
            options[name] = factor * getattr(Catch(**OPTIONS).options, name)
        elif name == BELIEF:
            stack.enter_context(mock.patch.object(best_plan, "path_of", _other_air(factor)))
        elif name in PLACES:
            for module in PLACES[name]:
                value = getattr(module, name)
                middle = np.mean(value) if name == "PLANES" else 0.0  # their spread, about the same middle
                new = (
                    tuple(float(middle + factor * (x - middle)) for x in value)
                    if isinstance(value, tuple) else factor * value
                )  # fmt: skip
                stack.enter_context(mock.patch.object(module, name, new))
        yield Catch(**options)


def _other_air(factor: float) -> Any:
    """The sightings' flight in other air than the filter and the predictor believe in."""

    def path(p: Any, v: Any, k: Any, h: float, count: int) -> Any:
        return path_of(p, v, factor * k, h, count)

    return path


def planned(task: Catch, count: int, true_air: float) -> list[float]:
    """Share that can be planned [%], hand's place at the touch off the ball's [mm, median], share matched, joint speed."""
    throws = draw_throws([(task, seed) for seed in range(count)])
    plans = plan_throws([task] * count, throws)
    off, shares, speeds = [], [], []
    for throw, plan in zip(throws, plans, strict=True):
        if isinstance(plan, str):
            continue
        k = true_air * task.numbers(throw.mass, throw.friction).air_rate
        p, v = flown_in_air(throw.position, throw.velocity, k, plan.catch_time)
        wanted = hand_at(p, v, start_coordinates()[:3], task.options.ball_radius)
        knot = plan.knots[np.argmin(np.abs(plan.knots[:, 0] - plan.catch_time))]
        off.append(float(np.linalg.norm(knot[4:7] - wanted[3:])))
        shares.append(plan.matched)
        speeds.append(plan.joint_speed)
    return [100 * len(off) / count, 1e3 * float(np.median(off)), float(np.mean(shares)), float(np.median(speeds))]


def ran(task: Catch, count: int, device: str) -> str:
    """Largest force on the ball (mean) [N], and how many were caught and binned."""
    scores = score_cases([(task, seed) for seed in range(count)], device)
    forces = [s.numbers["peak_contact_force_N"] for s in scores if "peak_contact_force_N" in s.numbers]
    return f"{np.mean(forces):.0f} N, {sum(s.ok for s in scores)} of {count}"


def main() -> None:
    """One row for each number."""
    given = sys.argv[1:]
    throws, catches = (int(given[i]) if len(given) > i else default for i, default in enumerate((200, 4)))
    device = given[2] if len(given) > 2 else "cpu"
    print(
        f"| number | planned [%] | off at the touch [mm] | share | joint speed [rad/s] | force, binned of {catches} |"
    )
    for name in ("as assumed", *CHOSEN, BELIEF, *PLACES):
        cells = []
        for factor in (0.8, 1.2) if name != "as assumed" else (1.0,):
            with changed(name, factor) as task:
                row = planned(task, throws, factor if name == BELIEF else 1.0)
                # the engine's air is the predictor's, so the belief alone is not run
                run = ran(task, catches, device) if catches and name != BELIEF else "-"
            cells.append([f"{row[0]:.1f}", f"{row[1]:.2f}", f"{row[2]:.3f}", f"{row[3]:.2f}", run])
        print(f"| {name} |", " | ".join(" / ".join(pair) for pair in zip(*cells, strict=True)), "|", flush=True)


if __name__ == "__main__":
    main()
