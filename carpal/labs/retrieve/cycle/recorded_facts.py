"""Facts about a pick-up that a recording stores besides the motion, as plain data for the score and the report."""

from __future__ import annotations

from typing import Any

import numpy as np

from carpal.labs.retrieve.controller import RetrieveCycle
from carpal.spatial import Array

SERIES = ("time", "position", "reading", "estimate", "measured_force", "force", "force_limit")
TIMINGS = ("plan_to_relay_ms", "plan_carry_ms")
"""Wall times: reported, but not recorded, because they differ between runs."""
MOST_SETS = 400  # samples of the angle set that are stored


def facts_of(cycle: RetrieveCycle) -> dict[str, Any]:
    """The facts of a pick-up that has ended."""
    result = cycle.result()
    numbers = {name: float(value) for name, value in result.numbers.items() if name not in TIMINGS}
    facts: dict[str, Any] = {
        "ok": result.ok, "status": result.status, "cause": result.cause, "numbers": numbers,
        "stages": [[r.name, r.ok, r.status, *_span(r.time)] for r in cycle.reports],
    }  # fmt: skip
    located, plan = cycle.localisation, cycle.chosen
    if located is not None and located.left is not None and located.right is not None:
        facts["marks"] = [located.left.tolist(), located.right.tolist()]
        facts["projected"] = None if located.projected is None else located.projected.tolist()
    if located is not None and located.pose is not None:
        facts["deviations"] = [float(located.pose.position_deviation), float(located.pose.angle_deviation)]
    if cycle.budget is not None:
        facts["budget"] = [list(row) for row in cycle.budget.rows()]
    if cycle.closing is not None:
        drive = cycle.closing.drive
        facts["gripper"] = {name: np.round(drive.series[name], 9).tolist() for name in SERIES}
        facts["gripper_outcome"] = str(drive.outcome)
        facts["needed_N"] = cycle.closing.needed
    if plan is not None and plan.ok:
        facts["plans"] = _plans(cycle)
        facts["limits"] = _limits(cycle)
        facts["sets"] = [row for name in ("carry", "bring") for row in _sets(cycle, name)]
    facts["angles"] = [
        [round(float(t), 4), round(float(a), 6)]
        for r in cycle.reports
        if r.angles.size
        for t, a in _thin(r.time, r.angles)
    ]
    return facts


def _span(time: Array) -> tuple[float | None, float | None]:
    return (float(time[0]), float(time[-1])) if len(time) else (None, None)


def _thin(time: Array, values: Array) -> list[tuple[float, float]]:
    keep = np.unique(np.linspace(0, len(time) - 1, min(len(time), 200)).astype(int))
    return list(zip(time[keep], values[keep], strict=True))


def _plans(cycle: RetrieveCycle) -> list[list[str]]:
    plan = cycle.chosen
    assert plan is not None
    found = (("to the relay", plan.approach), ("with the relay to where it hangs", plan.rest.carry),
             ("with the relay to its place", plan.rest.bring), ("home", plan.rest.home))  # fmt: skip
    return [
        [name, "straight, no collision checks", "-", "-"] if r is None else [name, r.status, f"{r.samples}", f"{r.checks}"]
        for name, r in found
    ]  # fmt: skip


def _limits(cycle: RetrieveCycle) -> list[list[str]]:
    """Per motion: shares of the speed and acceleration limits that it uses."""
    plan, model = cycle.chosen, cycle.setting.model
    assert plan is not None
    rows = []
    for move in plan.moves:
        _, v, vdot = move.trajectory.sample(0.033)
        fast, hard = np.abs(v).max(axis=0) / model.v_max, np.abs(vdot).max(axis=0) / model.vdot_max
        joint = model.joint_names[int(np.argmax(fast))].split("/")[-1]
        rows.append([move.name, f"{move.trajectory.duration:.1f}", f"{fast.max():.3f} ({joint})", f"{hard.max():.3f}"])
    return rows


def _sets(cycle: RetrieveCycle, name: str) -> list[list[float]]:
    """Rows (time [s], least, largest angle [rad]) of the set while the relay is carried; its largest gap is left out."""
    plan = cycle.chosen
    assert plan is not None
    found = plan.rest.carry if name == "carry" else plan.rest.bring
    report = next((r for r in cycle.reports if r.name == name and len(r)), None)
    if found is None or report is None:
        return []
    history, motion = found.angles, plan.move(name).trajectory
    times = np.linspace(0.0, motion.duration, 2000)
    q = motion.at(times)[0]
    gone = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(q, axis=0), axis=1))])
    checks = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(history.q, axis=0), axis=1))])
    at = np.interp(checks * gone[-1] / checks[-1], gone, times)
    rows = []
    for k in np.unique(np.linspace(0, len(history) - 1, min(len(history), MOST_SETS)).astype(int)):
        low, high = _hull(history[int(k)].intervals)
        rows.append([round(float(report.time[0] + at[k]), 4), round(low, 6), round(high, 6)])
    return rows


def _hull(intervals: list[tuple[float, float]]) -> tuple[float, float]:
    """The shortest arc that contains all intervals."""
    starts = [low for low, _ in intervals]
    ends = [high for _, high in intervals]
    gaps = [
        (starts[(i + 1) % len(starts)] + (2 * np.pi if i + 1 == len(starts) else 0.0)) - ends[i]
        for i in range(len(starts))
    ]
    i = int(np.argmax(gaps))
    low, high = starts[(i + 1) % len(starts)], ends[i]
    return (low, high) if high >= low else (low, high + 2 * np.pi)
