"""What makes the thesis's torques of over 200 N m: the same catch with and without two habits of its script.

The thesis has them at the impact. Its script does two things that no catch asks for. It takes the wanted
joint rates as the difference of two solutions of the inverse kinematics over one step of 2e-5 s; each is only known to
2.5e-4 rad, so that the difference is wrong by up to 12.5 rad/s, which the dampers turn into torque (erratum E12). And it
differences the digits' jumping command too: for one step 20 ms before the catch every finger is kicked by 0.85 N s (E24), and
the arm holds against it.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from carpal.labs.catch.compiled import ROW
from carpal.labs.catch.plan import closing
from carpal.labs.catch.score import PUBLISHED, Outcome, score_outcome
from carpal.labs.catch.series import PARTS, series_of
from carpal.spatial import Array
from carpal.tasks import Appendix, Curves

if TYPE_CHECKING:
    from carpal.engines import Recording
    from carpal.labs.catch.task import Catch

RATES: dict[str, dict[str, Any]] = {
    "differenced": {"as_thesis": True},
    "smooth": {"as_thesis": False, "gains": "thesis", "torque_limit": 0.0},
}
"""Wanted rates as the script's, or J^-1 x'; gains and limits are the thesis's in both."""
CLOSE = ("kick", "ramp")
NAMES = {
    ("differenced", "kick"): "Yesmunt's settings: differenced rates, kicked digits",
    ("smooth", "kick"): "J⁻¹ẋ instead of differences",
    ("differenced", "ramp"): "digits on a ramp instead of the kick",
    ("smooth", "ramp"): "both instead",
}
TORQUE_TITLE = "What makes torques above 200 N m"
THESIS_PEAK = 200.0
ZOOM = 0.05


@dataclass(frozen=True, eq=False)
class Run:
    """Time (rows) [s], torques (rows, 6) [N m] and the numbers of a catch."""

    time: Array
    torque: Array
    numbers: dict[str, Any]


def torque_section(task: Catch, recording: Recording) -> Appendix:
    """The table of the runs, and what causes the torques."""
    torque = series_of(recording, "torque")
    own = Run(np.asarray(recording.time, float)[: len(torque)], torque, task.score(recording).numbers)
    runs = compared_runs(task, int(recording.metadata["seed"]))
    catch = recording.metadata["catch"]["catch_time"]
    joint = int(np.argmax(runs["differenced", "kick"].numbers["peak_torque_Nm"]))
    shown = {NAMES[key].partition(":")[0]: run for key, run in runs.items()} | {"this run": own}
    curves = []
    for key, title, low, high in (
        ("cause", f"Torque of joint {joint + 1}", 0.0, np.inf),
        ("cause_zoom", f"Torque of joint {joint + 1} about the catch", catch - ZOOM, catch + ZOOM),
    ):
        time, values = shared_rows(list(shown.values()), joint, low, high)
        curves.append(Curves(f"catch.{key}", title, "N m", tuple(shown), time, values))
    head = (
        "run",
        "largest torque",
        "before the touch",
        "largest error",
        "before",
        "largest angle",
        "means",
        "force on the ball",
    )
    p = PUBLISHED
    rows = [
        ("Yesmunt (2014), printed", "over 200 N m", "not said", f"{p['max_position_error_mm']} mm",
         f"{p['max_position_error_before_mm']} mm", f"{p['max_angle_error_deg']} deg",
         f"{p['mean_position_error_mm']} mm, {p['mean_angle_error_deg']} deg", "not said"),
        *((NAMES[key], *_cells(run)) for key, run in runs.items()),
        ("this run", *_cells(own)),
    ]  # fmt: skip
    return Appendix(TORQUE_TITLE, cause_text(runs), head, rows, curves)


def compared_runs(task: Catch, seed: int) -> dict[tuple[str, str], Run]:
    """The same throw with the thesis's controller, both kinds of rates and both ways of closing, by the compiled loop."""
    found = {}
    for rates, changes in RATES.items():
        same: dict[str, Any] = {
            "controller": "thesis", "ball": "known", "throw": False, "dt": 0.0, "engine": "penalty"
        }  # fmt: skip
        other = type(task)(**(dataclasses.asdict(task.options) | same | changes))
        case = other.case(seed)
        throw, plan, catcher = case.throw, case.plan, other.compiled(case.throw.mass, case.throw.friction)
        signal = plan.catch_time - other.options.close_early
        plans = [dataclasses.replace(plan, grip=closing(signal, plan.open_time, how, other.dt)) for how in CLOSE]
        count = math.ceil(plan.duration / ROW)
        start = catcher.start(np.array([throw.position] * len(CLOSE)), np.array([throw.velocity] * len(CLOSE)))
        end, kept, _, _ = catcher.run(start, plans, count, keep=True)
        first = kept.shape[-1] - sum(PARTS.values())
        for i, how in enumerate(CLOSE):
            score = score_outcome(case.numbers, plan, Outcome.of_state(end, i))
            torque = kept[i, :, first : first + PARTS["torque"]]
            found[rates, how] = Run(ROW * np.arange(count, dtype=float), torque, score.numbers)
    return {key: found[key] for key in NAMES}


def shared_rows(runs: list[Run], joint: int, low: float, high: float) -> tuple[Array, Array]:
    """Rows that all runs have between two moments: time and a joint's torque of each."""
    count = min(len(run.time) for run in runs)
    time = runs[0].time[:count]
    near = (time >= low) & (time <= high)
    return time[near], np.stack([run.torque[:count, joint][near] for run in runs], 1)


def cause_text(runs: dict[tuple[str, str], Run]) -> str:
    """A paragraph that says what the runs show, whatever it is."""
    peak = {key: max(run.numbers["peak_torque_Nm"]) for key, run in runs.items()}
    before = {key: max(run.numbers["peak_torque_before_Nm"]) for key, run in runs.items()}
    script, calm = ("differenced", "kick"), ("smooth", "ramp")
    alone = {"rates": peak["differenced", "ramp"], "kick": peak["smooth", "kick"]}
    text = (
        f"With the thesis's settings the largest torque is {before[script]:.0f} N m before the ball touches, and "
        f"{peak[script]:.0f} N m over the whole run. With the same gains, wanted rates J⁻¹ẋ and digits that close on a ramp it "
        f"is {before[calm]:.0f} N m before the touch and {peak[calm]:.0f} N m over the whole run, impact included. "
    )
    if peak[calm] > THESIS_PEAK:
        return text + "Here the impact itself asks for over 200 N m."
    causes = []
    if alone["rates"] > THESIS_PEAK:
        causes.append(
            f"the differenced rates alone ask for {alone['rates']:.0f} N m (E12: a solution known to 2.5e-4 rad, differenced "
            "over 2e-5 s, is wrong by up to 12.5 rad/s)"
        )
    if alone["kick"] > THESIS_PEAK:
        causes.append(
            f"the kick of the digits alone, for one step just before the catch, asks for {alone['kick']:.0f} N m of an arm "
            "that holds against it (E24)"
        )
    if not causes:
        return text + "None of the script's two habits alone asks for over 200 N m in this catch."
    impact = "The impact by itself, at which the thesis has them, does not make torques above 200 N m"
    return f"{text}{impact}: {'; and '.join(causes)}."


def _cells(run: Run) -> tuple[str, ...]:
    n = run.numbers
    return (
        f"{max(n['peak_torque_Nm']):.0f} N m", f"{max(n['peak_torque_before_Nm']):.0f} N m",
        f"{n['max_position_error_mm']:.1f} mm", f"{n['max_position_error_before_mm']:.1f} mm",
        f"{n['max_angle_error_deg']:.2f} deg", f"{n['mean_position_error_mm']:.2f} mm, {n['mean_angle_error_deg']:.3f} deg",
        f"{n['peak_contact_force_N']:.0f} N",
    )  # fmt: skip
