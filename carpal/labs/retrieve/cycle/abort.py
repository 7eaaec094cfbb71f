"""Abort of a pick-up: from any stage the relay is put down, the gripper opened and the arm brought home.

Before the lift, the arm retraces its own path, which is known to be collision-free. During the small lift the relay is set down
where it stood. While it is carried, the reversed path is not verified for the relay's possible angles: the arm returns to the
pick-up point only if the planner finds a path shorter than the rest of the delivery; otherwise it completes the delivery.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from carpal.labs.retrieve.cycle.retrace import remainder, retraced
from carpal.labs.retrieve.cycle.stage_report import StageReport
from carpal.labs.retrieve.planning.carry_plan import COPIES, GENTLE, back_out, where_put
from carpal.labs.retrieve.scene import HOME, OPEN, OTHER_HOME
from carpal.labs.retrieve.simulation.true_scene import CARRIED, NEAR_GROUND
from carpal.planning import AngleSet, Trajectory, joint_trajectory
from carpal.spatial import Array

if TYPE_CHECKING:
    from carpal.labs.retrieve.controller import RetrieveCycle


def abort_cycle(cycle: RetrieveCycle, at: float | None) -> list[StageReport]:
    """Run the abort motions after a stop at a time of the cycle [s], by default now; returns their reports."""
    last = _rewound(cycle, at)
    if not last:
        return []
    first = len(cycle.reports)
    model, q = cycle.setting.model, cycle.q
    if last == "stow":  # the relay is far away: both home positions are safe
        stowed = min((HOME, OTHER_HOME), key=lambda home: float(np.abs(home - q).max()))
        if np.abs(stowed - q).max() > 1e-9:
            cycle.noted(cycle.piece_free("home", joint_trajectory(model, [q, stowed])))
        return cycle.reports[first:]
    chosen = cycle.chosen
    assert chosen is not None

    def motion_of(name: str) -> Trajectory:
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

    path_home = cycle.path_home()
    out = (retraced(model, motion_of("grasp")), *path_home)
    if last == "approach":
        free(retraced(model, motion_of("approach"), q), *path_home[1:])
    elif last == "grasp":
        free(retraced(model, motion_of("grasp"), q), *path_home)
    elif last == "close":
        free(*out)
    elif last == "lift":
        held((retraced(model, motion_of("lift"), q), NEAR_GROUND))
        free(*out)
    elif last in ("carry", "bring"):
        back = _to_where_it_stood(cycle, q, last)
        if back is not None:
            there, leave, home = back
            held((there, CARRIED), (retraced(model, motion_of("lift")), NEAR_GROUND))
            free(leave, home)
        else:
            on = [(motion_of("bring"), CARRIED)] if last == "carry" else []
            held((remainder(model, motion_of(last), q), CARRIED), *on, (motion_of("lower"), NEAR_GROUND))
            free(motion_of("retreat"), motion_of("home"))
    elif last == "lower":
        held((remainder(model, motion_of("lower"), q), NEAR_GROUND))
        free(motion_of("retreat"), motion_of("home"))
    elif last == "open":
        free(motion_of("retreat"), motion_of("home"))
    elif last == "retreat":
        free(remainder(model, motion_of("retreat"), q), motion_of("home"))
    elif last == "home":
        free(remainder(model, motion_of("home"), q))
    else:  # between two tries: at the start of the grasp lines, or on the path to it
        free(retraced(model, motion_of("grasp"), q), *path_home)
    return cycle.reports[first:]


def _rewound(cycle: RetrieveCycle, at: float | None) -> str:
    """Rewind to the moment of the stop; returns the stage at that time, empty if nothing had moved."""
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
        cycle.failure = cycle.cause = ""  # stopped before the collision
    return report.name


def _to_where_it_stood(cycle: RetrieveCycle, q: Array, name: str) -> tuple[Trajectory, Trajectory, Trajectory] | None:
    """Motions that return the relay, leave it and go home, valid for all its possible angles; None if infeasible or longer."""
    plan, setting = cycle.chosen, cycle.setting
    if plan is None or plan.rest.carry is None or plan.rest.bring is None:
        return None
    history = (plan.rest.carry if name == "carry" else plan.rest.bring).angles
    at = int(np.argmin(np.abs(history.q - q).max(axis=1)))
    # union of the angle sets at the two samples around this configuration
    both = np.maximum(history.states[at], history.states[min(at + 1, len(history) - 1)])
    intervals = AngleSet(both).intervals
    if len(intervals) != 1:
        return None
    low, high = intervals[0]
    path = setting.carried_path(q, plan.move("lift").trajectory.q_end, 0.5 * (low + high), 0.5 * (high - low))
    if not path:
        return None
    motion = path.trajectory(vdot_max=GENTLE)
    left = remainder(setting.model, plan.move(name).trajectory, q)
    ahead = sum(plan.move(m).trajectory.duration for m in (("bring", "lower") if name == "carry" else ("lower",)))
    if motion.duration > ahead + (0.0 if left is None else left.duration):
        return None
    # its yaw may differ from before: the retreat avoids every possible pose
    down, settled = plan.move("lift").trajectory.q_start, path.angles.settled
    put = where_put(setting, down, settled.samples(COPIES))
    out = back_out(setting, down, 0.5 * sum(settled.intervals[0]), put)
    home = None if isinstance(out, str) else setting.free_path(put, out[0].q_end, HOME).motion
    return None if isinstance(out, str) or home is None else (motion, out[0], home)
