"""Score of a pick-up: whether the relay was delivered, the cause of a failure, and figures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from carpal._core.result import Result
from carpal.labs.retrieve.scene import HOME, OPEN, OTHER_HOME
from carpal.labs.retrieve.vision.localisation import pose_error

if TYPE_CHECKING:
    from carpal.labs.retrieve.controller import RetrieveCycle

PLACE_TOLERANCE = 0.015
"""[m] within which the grip point must stand of the place that was asked for."""
NAMES = (
    "localisation_error_mm", "localisation_error_deg", "reachable", "plan_to_relay_ms", "plan_carry_ms", "path_rad",
    "duration_s", "collisions", "final_angle_set_deg", "grip_force_N", "delivered",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class RetrieveResult(Result):
    """Result of a pick-up: `ok`, `status` (a sentence), `cause` of a failure in a few words (else empty), `numbers`."""

    ok: bool
    status: str
    cause: str
    numbers: dict[str, float]


def cycle_result(cycle: RetrieveCycle) -> RetrieveResult:
    """Result of a pick-up so far; unknown numbers are NaN."""
    numbers = _numbers(cycle)
    status, cause = _sentence(cycle, numbers)
    return RetrieveResult(not cause and not cycle.aborted, status, cause, numbers)


def _numbers(cycle: RetrieveCycle) -> dict[str, float]:
    plan, located, closing = cycle.chosen, cycle.localisation, cycle.closing
    out = dict.fromkeys(NAMES, float("nan"))
    if located is not None and located.X_WO is not None:
        out["localisation_error_mm"], out["localisation_error_deg"] = pose_error(located.X_WO, cycle.seen)
    if plan is not None:
        out["reachable"] = float(plan.reach.ok)
        out["plan_to_relay_ms"], out["plan_carry_ms"] = (1e3 * s for s in plan.seconds)
        out["path_rad"] = plan.path_length if plan.ok else float("nan")
        if plan.final_set is not None:
            out["final_angle_set_deg"] = float(np.degrees(plan.final_set.width))
    out["duration_s"] = float(sum(h.duration for h in cycle.reports))
    out["collisions"] = float(sum(bool(h.met[0]) for h in cycle.reports))
    if closing is not None:
        out["grip_force_N"] = float(closing.drive.force)
    out["delivered"] = float(delivered(cycle))
    if cycle.budget is not None:
        out["error_aside_mm"], out["error_up_mm"] = 1e3 * cycle.budget.aside, 1e3 * cycle.budget.up
    if closing is not None:
        out["aside_mm"], out["above_mm"] = 1e3 * closing.aside, 1e3 * closing.above
    angles = [h.angles for h in cycle.reports if h.angles.size]
    out["swing_deg"] = float(np.degrees(np.ptp(np.concatenate(angles)))) if angles else 0.0
    out["angle_left_set"] = float(any(h.outside for h in cycle.reports))
    out["tries"] = float(cycle.tries + 1)
    return out


def delivered(cycle: RetrieveCycle) -> bool:
    """Whether the relay stands where it was asked for, the gripper is open and the arm home."""
    if cycle.held or not any(h.name == "lower" for h in cycle.reports):
        return False
    relay = cycle.setting.relay
    grip = (cycle.X_WO @ np.append(relay.grip_point, 1.0))[:2]
    near = np.linalg.norm(grip - np.array(cycle.setting.place)) <= PLACE_TOLERANCE
    level = cycle.X_WO[2, 2] > 0.999 and abs(cycle.X_WO[2, 3]) < 1e-6
    return bool(near and level and at_home(cycle))


def at_home(cycle: RetrieveCycle) -> bool:
    """Whether the gripper is open and the arm home, on either side."""
    there = min(float(np.abs(cycle.q - home).max()) for home in (HOME, OTHER_HOME))
    return there < 1e-6 and abs(cycle.opening - OPEN) < 1e-9


def _sentence(cycle: RetrieveCycle, numbers: dict[str, float]) -> tuple[str, str]:
    """(sentence, cause)."""
    if cycle.failure:
        return cycle.failure, cycle.cause
    if cycle.aborted:
        end = "the gripper is open and the arm home" if at_home(cycle) else "the arm is not home"
        return f"the pick-up was stopped; {end}.", ""
    if cycle.stage:
        return f"the pick-up is unfinished; next stage: '{cycle.stage}'.", "unfinished"
    if numbers["angle_left_set"]:
        return "the relay turned in the gripper to an angle outside its planned set.", "angle left its set"
    x, y = cycle.setting.place
    if not numbers["delivered"]:
        return f"the relay does not stand at ({x:.2f}, {y:.2f}) m as asked.", "misplaced"
    again = " at the second try" if cycle.tries else ""
    return (
        f"the relay was picked up{again} and put down at ({x:.2f}, {y:.2f}) m in {numbers['duration_s']:.0f} s, held with "
        f"{numbers['grip_force_N']:.0f} N; the arm is home."
    ), ""
