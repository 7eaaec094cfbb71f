"""The fastest timing of a path beside TOPP-RA, and a move from rest to rest beside Ruckig.

make bench
"""

from __future__ import annotations

import os
import sys
import time
from importlib import metadata
from pathlib import Path

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")  # one thread for everybody

import numpy as np  # noqa: E402 - one thread must be asked for before it is imported

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "benchmarks"), str(ROOT / "tests")]

from harness import Sheet, race  # noqa: E402 - the path above is needed first

import carpal  # noqa: E402
from carpal.kinematics import random_configurations  # noqa: E402
from carpal.planning import joint_trajectory, retime, spline_path  # noqa: E402

HARD = 10.0


def main() -> None:
    sheet = Sheet("Timing of a spline through 10 configurations of seven joints (sawyer, 10 rad/s²)")
    arm = carpal.load("sawyer")
    middle = 0.5 * (arm.q_min + arm.q_max)
    waypoint_sets = [middle + 0.25 * (random_configurations(arm, 10, seed=seed) - middle) for seed in range(10)]
    try:
        against_toppra(sheet, arm, waypoint_sets)
    except ImportError:
        sheet.absent("toppra")
    try:
        beside_ruckig(sheet, arm, waypoint_sets)
    except ImportError:
        sheet.absent("ruckig")
    sheet.lines.append("")
    sheet.lines.append(f"Load average while this was measured: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores.")
    sheet.save(ROOT / "docs" / "evidence" / "bench_retiming.md")


def against_toppra(sheet: Sheet, arm: carpal.Model, waypoint_sets: list[np.ndarray]) -> None:
    import toppra
    import toppra.constraint

    toppra.setup_logging("ERROR")
    paths = [spline_path(arm, waypoints) for waypoints in waypoint_sets]
    splines = [
        toppra.SplineInterpolator(path.knots, waypoints) for path, waypoints in zip(paths, waypoint_sets, strict=True)
    ]
    v, a = np.asarray(arm.v_max), np.full(7, HARD)

    def ours():
        return [retime(arm, path, vdot_max=HARD) for path in paths]

    def toppra_with(points):
        out = []
        for path, spline in zip(paths, splines, strict=True):
            limits = [
                toppra.constraint.JointVelocityConstraint(np.c_[-v, v]),
                toppra.constraint.JointAccelerationConstraint(np.c_[-a, a]),
            ]
            grid = np.linspace(0, path.length, points)
            out.append(toppra.algorithm.TOPPRA(limits, spline, gridpoints=grid).compute_trajectory(0, 0))
        return out

    def toppra_auto():
        out = []
        for spline in splines:
            limits = [
                toppra.constraint.JointVelocityConstraint(np.c_[-v, v]),
                toppra.constraint.JointAccelerationConstraint(np.c_[-a, a]),
            ]
            out.append(toppra.algorithm.TOPPRA(limits, spline).compute_trajectory(0, 0))
        return out

    def toppra_100():
        return toppra_with(101)

    def toppra_300():
        return toppra_with(301)

    best = np.array([motion.duration for motion in toppra_with(1001)])
    seconds = race(
        {
            "retime": ours,
            "toppra, 101 points": toppra_100,
            "toppra, 301 points": toppra_300,
            "toppra, its own grid": toppra_auto,
        },
        rounds=7,
        clock=time.thread_time,
    )
    sheet.row("whole call, one path", seconds, "retime", "toppra, 101 points", 5.0, per=len(waypoint_sets))
    sheet.row("whole call, one path", seconds, "retime", "toppra, 301 points", 5.0, per=len(waypoint_sets))
    sheet.row("whole call, one path", seconds, "retime", "toppra, its own grid", 5.0, per=len(waypoint_sets))
    lines = ["", "| duration over TOPP-RA's with 1001 points | median | worst |", "|---|---|---|"]
    for name, run in (
        ("retime", ours),
        ("toppra, 101 points", toppra_100),
        ("toppra, 301 points", toppra_300),
        ("toppra, its own grid", toppra_auto),
    ):
        over = 100 * (np.array([motion.duration for motion in run()]) / best - 1)
        lines.append(f"| {name} | {np.median(over):+.2f} % | {over.max():+.2f} % |")
    worst = max(motion.check(arm, vdot_max=HARD).excess["acceleration"] for motion in ours())
    inside = []
    for motion in toppra_300():
        t = np.linspace(0, motion.duration, 20_001)
        inside.append(np.abs(motion.evaldd(t)).max() / HARD - 1)
    lines += [
        "",
        f"Largest acceleration over its limit between grid points: retime {100 * worst:+.4f} %, toppra with 301 points "
        f"{100 * max(inside):+.2f} %. toppra {metadata.version('toppra')}; both are given their splines. Times "
        "are processor time of the one thread.",
    ]
    sheet.lines += lines
    print("\n".join(lines))
    sheet.show(ours)
    sheet.show(toppra_with)


def beside_ruckig(sheet: Sheet, arm: carpal.Model, waypoint_sets: list[np.ndarray]) -> None:
    from ruckig import InputParameter, Ruckig, Trajectory

    def ours():
        return [joint_trajectory(arm, waypoints[:2], vdot_max=HARD) for waypoints in waypoint_sets]

    def ruckig_moves():
        out = []
        for waypoints in waypoint_sets:
            solver, asked, motion = Ruckig(7), InputParameter(7), Trajectory(7)
            asked.current_position, asked.target_position = waypoints[0].tolist(), waypoints[1].tolist()
            asked.max_velocity, asked.max_acceleration = np.asarray(arm.v_max).tolist(), [HARD] * 7
            asked.max_jerk = [1e6] * 7
            solver.calculate(asked, motion)
            out.append(motion)
        return out

    seconds = race({"joint_trajectory": ours, "ruckig": ruckig_moves}, rounds=9, clock=time.thread_time)
    ratio = seconds["joint_trajectory"] / seconds["ruckig"]
    over = 100 * (np.array([m.duration for m in ours()]) / np.array([m.duration for m in ruckig_moves()]) - 1)
    lines = [
        "",
        f"One move from rest to rest: joint_trajectory {1e6 * seconds['joint_trajectory'] / len(waypoint_sets):.0f} us, ruckig "
        f"{metadata.version('ruckig')} (jerk 1e6 rad/s³) {1e6 * seconds['ruckig'] / len(waypoint_sets):.0f} us, ours {ratio:.1f}"
        f" x as long; durations {np.median(over):+.2f} % in the median. Ruckig's own path through waypoints asks a server and is "
        "not raced.",
    ]
    sheet.lines += lines
    print("\n".join(lines))
    sheet.show(ruckig_moves)


if __name__ == "__main__":
    main()
