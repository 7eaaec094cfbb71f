"""Abort at any step ends open and home: what is held is put down first, and the arm takes ways that are known to be free.

Before the relay is lifted, the way back is the way that was come. In the small lift it is set down where it stood. Once it is
carried, nobody has proven the way back for the relay's angles: where the planner finds a way back to where it stood that is
shorter than what is left of the way to its place, that is taken; else it goes on to its place, is put down, and the arm goes
home.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from carpal.labs.retrieve.cycle.retrace import back_along, rest_of
from carpal.labs.retrieve.cycle.stage_report import StageReport
from carpal.labs.retrieve.planning.carry_plan import COPIES, GENTLE, back_out, where_put
from carpal.labs.retrieve.scene import HOME, OPEN, OTHER_HOME
from carpal.labs.retrieve.simulation.true_scene import CARRIED, NEAR_GROUND
from carpal.planning import AngleSet, Trajectory, joint_trajectory
from carpal.spatial import Array

if TYPE_CHECKING:
    from carpal.labs.retrieve.controller import RetrieveCycle


def abort_cycle(cycle: RetrieveCycle, at: float | None) -> list[StageReport]:
    """What follows a stop at a time of the cycle [s], the present by default."""
    last = _rewound(cycle, at)
    if not last:
        return []
    first = len(cycle.reports)
    model, q = cycle.setting.model, cycle.q
    if last == "stow":  # the relay is far away: both sides are home
        stowed = min((HOME, OTHER_HOME), key=lambda home: float(np.abs(home - q).max()))
        if np.abs(stowed - q).max() > 1e-9:
            cycle.noted(cycle.piece_free("home", joint_trajectory(model, [q, stowed])))
        return cycle.reports[first:]
    chosen = cycle.chosen
    assert chosen is not None

    def way(name: str) -> Trajectory:
        return chosen.move(name).trajectory

    def free(*motions: Trajectory | None) -> None:
        if abs(cycle.opening - OPEN) > 1e-9 or cycle.held:
            cycle.noted(cycle.open_to(OPEN, "home"))
        for motion in motions:
            if motion is not None and not cycle.failure:
                cycle.noted(cycle.piece_free("home", motion))

    def held(*motions: tuple[Trajectory | None, str]) -> None:
        for motion, how in motions:
            if motion is not None and not cycle.failure:
                cycle.noted(cycle.piece_held("put down", motion, how))

    come = cycle.way_home()
    out = (back_along(model, way("grasp")), *come)
    if last == "approach":
        free(back_along(model, way("approach"), q), *come[1:])
    elif last == "grasp":
        free(back_along(model, way("grasp"), q), *come)
    elif last == "close":
        free(*out)
    elif last == "lift":
        held((back_along(model, way("lift"), q), NEAR_GROUND))
        free(*out)
    elif last in ("carry", "bring"):
        back = _to_where_it_stood(cycle, q, last)
        if back is not None:
            there, leave, home = back
            held((there, CARRIED), (back_along(model, way("lift")), NEAR_GROUND))
            free(leave, home)
        else:
            on = [(way("bring"), CARRIED)] if last == "carry" else []
            held((rest_of(model, way(last), q), CARRIED), *on, (way("lower"), NEAR_GROUND))
            free(way("retreat"), way("home"))
    elif last == "lower":
        held((rest_of(model, way("lower"), q), NEAR_GROUND))
        free(way("retreat"), way("home"))
    elif last == "open":
        free(way("retreat"), way("home"))
    elif last == "retreat":
        free(rest_of(model, way("retreat"), q), way("home"))
    elif last == "home":
        free(rest_of(model, way("home"), q))
    else:  # between two tries: where the lines began, or on the way there
        free(back_along(model, way("grasp"), q), *come)
    return cycle.reports[first:]


def _rewound(cycle: RetrieveCycle, at: float | None) -> str:
    """Back to the moment of the stop; the stage in which it was, empty where nothing had moved."""
    while cycle.reports and at is not None and len(cycle.reports[-1]) and cycle.reports[-1].time[0] > at:
        cycle.reports.pop()
    number = next((i for i in reversed(range(len(cycle.reports))) if len(cycle.reports[i])), -1)
    if number < 0:
        return ""
    report = cycle.reports[number]
    row = len(report) - 1 if at is None else max(int(np.searchsorted(report.time, at, side="right")) - 1, 0)
    cycle.reports[number] = cut = report.until(row)
    cycle.q, cycle.opening = cut.joints[-1], float(cut.q[-1, 5])
    cycle.X_WO, cycle.clock = cut.X_WO(), float(cut.time[-1])
    cycle.held = bool(cut.angles.size)
    if cycle.held:
        cycle.phi = float(cut.angles[-1])
    if report.met[0] and row < len(report) - 1:
        cycle.failure = cycle.cause = ""  # it was stopped before it touched
    return report.name


def _to_where_it_stood(cycle: RetrieveCycle, q: Array, name: str) -> tuple[Trajectory, Trajectory, Trajectory] | None:
    """Back with the relay for all angles that it may have now, off it, and home; None where that cannot be, or is no shorter."""
    plan, setting = cycle.chosen, cycle.setting
    if plan is None or plan.rest.carry is None or plan.rest.bring is None:
        return None
    history = (plan.rest.carry if name == "carry" else plan.rest.bring).angles
    at = int(np.argmin(np.abs(history.q - q).max(axis=1)))
    # of the two looks about the place, both sets
    both = np.maximum(history.states[at], history.states[min(at + 1, len(history) - 1)])
    intervals = AngleSet(both).intervals
    if len(intervals) != 1:
        return None
    low, high = intervals[0]
    way = setting.carried_way(q, plan.move("lift").trajectory.q_end, 0.5 * (low + high), 0.5 * (high - low))
    if not way:
        return None
    motion = way.trajectory(vdot_max=GENTLE)
    left = rest_of(setting.model, plan.move(name).trajectory, q)
    ahead = sum(plan.move(m).trajectory.duration for m in (("bring", "lower") if name == "carry" else ("lower",)))
    if motion.duration > ahead + (0.0 if left is None else left.duration):
        return None
    # it may be turned otherwise than it stood: leaving it keeps away from wherever it may be
    down, settled = plan.move("lift").trajectory.q_start, way.angles.settled
    put = where_put(setting, down, settled.samples(COPIES))
    out = back_out(setting, down, 0.5 * sum(settled.intervals[0]), put)
    home = None if isinstance(out, str) else setting.free_way(put, out[0].q_end, HOME).motion
    return None if isinstance(out, str) or home is None else (motion, out[0], home)
