"""What became of the ball, from what a run kept of itself: one true sentence, the thesis's numbers, and the cause of a miss."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from carpal.labs.catch.catcher_numbers import CatcherNumbers
from carpal.labs.catch.kernels import watch as w
from carpal.labs.catch.kernels.control import NOT_COMPUTED
from carpal.labs.catch.plan import Plan
from carpal.labs.catch.validity import PART_NAMES, broken_bound
from carpal.spatial import Array
from carpal.tasks import Score

CAUSES = (
    "none", "late", "off the palm", "bounced out", "slipped", "out of reach", "torque-limited", "missed the bin",
    "missed the disc", "diverged", "invalid", "struck the digits", "too fast", "joint range", "torque", "collision",
)  # fmt: skip
FAR_OFF = 0.02
"""[m] by which a hand is late at the catch."""
PALM_LENGTH, PALM_BREADTH = 0.04, 0.045
"""[m] along the fingers and to the side, from the hand frame: a ball that comes farther out has come off the palm."""
PUBLISHED = {
    "max_position_error_mm": 13.6, "max_position_error_before_mm": 8.4, "max_angle_error_deg": 4.3,
    "mean_position_error_mm": 3.3, "mean_angle_error_deg": 0.27,
}  # fmt: skip
"""Yesmunt 2014, section 6.3."""


@dataclass(frozen=True, eq=False)
class Outcome:
    """The end of a run: `watch` of the kernels, position and velocity (3) of the ball, and whether the energy ledger closes."""

    watch: Array
    position: Array
    velocity: Array
    energy_kept: bool = True

    @staticmethod
    def of_state(state: Any, world: int, energy_kept: bool = True) -> Outcome:
        """The end of one world of a `CatchState`."""
        return Outcome(state.watch[world], state.q[world, -7:-4], state.v[world, -6:-3], energy_kept)


def in_hand(p_HB: Array, radius: float) -> bool:
    """If a ball's centre (3) [m] in the hand frame is where the closed hand holds one."""
    x, y, z = p_HB
    return bool(abs(x) < 0.026 and abs(y) < 0.030 and radius - 0.010 < z < radius + 0.015)


def in_bin(numbers: CatcherNumbers, p: Array, v: Array) -> bool:
    """If a ball is between the bin's walls and has not the energy to come over the rim again."""
    away, (wide, long, deep) = p - np.array(numbers.bin_rim), numbers.bin_size
    between = abs(away[0]) < wide / 2 and abs(away[2]) < long / 2 and -deep < away[1] < 0
    return bool(between and away[1] + v @ v / (2 * 9.81) < 0)


def landing(p: Array, v: Array, height: float) -> Array | None:
    """Where a ball in free flight comes down through a height [m], before or after the moment given; None: never."""
    root = v[1] ** 2 + 2 * 9.81 * (p[1] - height)
    if root < 0:
        return None
    t = (v[1] + math.sqrt(root)) / 9.81
    return np.asarray(p + t * v + 0.5 * t * t * np.array([0.0, -9.81, 0.0]))


def why_not_held(watch: Array, radius: float) -> str:
    """The cause of a ball that the hand does not hold, from the sequence of its contacts; "none" where it is held."""
    if watch[w.DIVERGED] >= 0:
        return "diverged"
    first, second = (in_hand(watch[i : i + 3], radius) for i in (w.CHECKED, w.OPENED))
    if first and second:
        return "none"
    if first:
        return "slipped"
    if watch[w.FAR_MET] > FAR_OFF:
        return "torque-limited" if watch[w.LIMITED] > 0 else "late"
    x, y, _ = came_at(watch)
    if watch[w.TOUCHED] < 0 or abs(x) >= PALM_LENGTH or abs(y) >= PALM_BREADTH:
        return "off the palm"
    part = int(np.argmin(_touch_order(watch)))
    return "struck the digits" if w.FINGER_PART <= part <= w.THUMB_PART else "bounced out"


def came_at(watch: Array) -> Array:
    """The ball (3) [m] in the hand frame when it first touched, or at the catch where it did not touch before."""
    first = watch[w.TOUCHED]
    early = first >= 0 and watch[w.AT_TOUCH : w.AT_TOUCH + 3].any()
    return np.asarray(watch[w.AT_TOUCH : w.AT_TOUCH + 3] if early else watch[w.MET : w.MET + 3])


def _touch_order(watch: Array) -> Array:
    """First touch of each part [s], infinite where there was none."""
    first = watch[w.FIRST_BY : w.FIRST_BY + w.PARTS]
    return np.where(first >= 0, first, np.inf)


def score_outcome(numbers: CatcherNumbers, plan: Plan, outcome: Outcome, tolerance: float = 0.1) -> Score:
    """The score of a run.

    Args:
        numbers: what the catcher was made of.
        plan: what the hand should do.
        outcome: what happened.
        tolerance: how near the disc's centre a ball thrown back must land [m].
    """
    watch = outcome.watch
    held = why_not_held(watch, numbers.ball_radius)
    broken = broken_bound(watch, outcome.energy_kept) if held != "diverged" else ""
    if broken:
        held = "invalid"
    caught = held == "none"
    cause = held
    values: dict[str, Any] = {"caught": caught}
    if plan.target is None:
        values["in_bin"] = caught and in_bin(numbers, outcome.position, outcome.velocity)
        if caught and not values["in_bin"]:
            cause = "missed the bin"
        sentence = f"the ball was caught at {plan.catch_time:.3f} s, carried and dropped in the bin"
    else:
        there = landing(outcome.position, outcome.velocity, float(plan.target[1]))
        miss = np.nan if there is None else float(np.linalg.norm(there - plan.target))
        values |= {"landing_error_m": miss, "on_disc": caught and miss <= tolerance}
        if caught and not values["on_disc"]:
            cause = "missed the disc"
        sentence = f"the ball was caught at {plan.catch_time:.3f} s and thrown back, {1000 * miss:.0f} mm from the disc's centre"
    values |= errors(watch) | {"catch_time_s": plan.catch_time, "matched_share": plan.matched}
    values |= {"cause_code": float(CAUSES.index(cause))}
    good = cause == "none"
    if cause == "invalid":
        sentence = f"the run is invalid: {broken}; it says nothing about a ball and a hand"
    elif not good:
        sentence = _sentence(cause, values, watch, plan)
    return Score(good, sentence + ".", values)


def errors(watch: Array) -> dict[str, Any]:
    """The thesis's numbers, and ours beside them."""
    samples = max(watch[w.SAMPLES], 1.0)
    computed = {"least_determinant": float(watch[w.DET])} if watch[w.DET] < NOT_COMPUTED else {}
    return computed | {
        "max_position_error_mm": 1e3 * watch[w.FAR],
        "max_angle_error_deg": float(np.degrees(watch[w.ANGLE])),
        "max_position_error_before_mm": 1e3 * watch[w.FAR_BEFORE],
        "max_angle_error_before_deg": float(np.degrees(watch[w.ANGLE_BEFORE])),
        "mean_position_error_mm": 1e3 * watch[w.FAR_SUM] / samples,
        "mean_angle_error_deg": float(np.degrees(watch[w.ANGLE_SUM] / samples)),
        "max_rotation_error_deg": float(np.degrees(watch[w.TURN])),
        "mean_rotation_error_deg": float(np.degrees(watch[w.TURN_SUM] / samples)),
        "max_true_hand_error_mm": 1e3 * watch[w.TRUE_FAR],
        "peak_torque_Nm": [float(x) for x in watch[w.PEAK : w.PEAK + 6]],
        "peak_torque_before_Nm": [float(x) for x in watch[w.PEAK_BEFORE : w.PEAK_BEFORE + 6]],
        "first_touch_s": float(watch[w.TOUCHED]) if watch[w.TOUCHED] >= 0 else float("nan"),
        "peak_contact_force_N": float(watch[w.STRUCK]),
        "widest_joint_gap_mm": 1e3 * watch[w.WIDEST],
        "depth_share": float(watch[w.DEPTH_SHARE]),
        "ik_iterations": float(watch[w.ITERATIONS]),
        "ik_residual": float(watch[w.RESIDUAL]),
    }


def _sentence(cause: str, values: dict[str, Any], watch: Array, plan: Plan) -> str:
    x, y, _ = 1e3 * came_at(watch)
    off = f"{1e3 * watch[w.FAR_MET]:.0f} mm from its place at the catch"
    why = {
        "late": f"the hand was {off}",
        "torque-limited": f"torques were at their limit and the hand was {off}",
        "off the palm": f"the ball came at ({x:.0f}, {y:.0f}) mm of the palm",
        "struck the digits": _struck(watch, plan),
        "bounced out": f"it struck the palm at ({x:.0f}, {y:.0f}) mm and {_left(watch)}",
        "slipped": f"it was in the hand after the catch and no longer when the hand opened; it {_left(watch)}",
        "missed the bin": "it was held until the hand opened and fell beside the bin",
        "missed the disc": f"it landed {1e3 * values.get('landing_error_m', np.nan):.0f} mm from the disc's centre",
        "diverged": f"the simulation diverged at {watch[w.DIVERGED]:.4f} s",
    }[cause]
    lost = "missed its goal" if cause.startswith("missed") else "was not caught"
    return f"the ball {lost} ({cause}): {why}"


def _struck(watch: Array, plan: Plan) -> str:
    """What a ball met that did not come to the palm first."""
    first = int(np.argmin(_touch_order(watch)))
    moment = watch[w.TOUCHED]
    share = 100 * float(np.interp(moment, plan.grip[:, 0], plan.grip[:, 1]))
    early = 1e3 * (plan.catch_time - moment)
    when = f"{early:.0f} ms before" if early >= 0 else f"{-early:.0f} ms after"
    return f"it struck the {PART_NAMES[first]} {when} the catch, when the digits were commanded {share:.0f} % closed"


def _left(watch: Array) -> str:
    """When the ball left the hand and whether the digits had touched it."""
    digits = slice(w.FIRST_BY + w.FINGER_PART, w.FIRST_BY + w.THUMB_PART + 1)
    hand = watch[w.LAST_BY : w.LAST_BY + w.BIN_PART]
    first = watch[digits]
    if not (first >= 0).any():
        return "left without touching a digit"
    part = w.FINGER_PART + int(np.argmin(np.where(first >= 0, first, np.inf)))
    return f"first touched the {PART_NAMES[part]} at {watch[w.FIRST_BY + part]:.3f} s and last the hand at {hand.max():.3f} s"
