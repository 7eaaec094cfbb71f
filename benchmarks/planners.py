"""Planners without payload: a 7-joint arm among 6 boxes and 2 spheres, beside OMPL 1.7 with MuJoCo's checker; success rates.

make bench
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from importlib import metadata
from pathlib import Path
from typing import Any

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")  # one thread for everybody

import numpy as np  # noqa: E402 - one thread must be asked for before it is imported

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "benchmarks"), str(ROOT / "tests")]

from collision_scenes import capsule_arm  # noqa: E402 - the path above is needed first
from harness import Sheet  # noqa: E402
from planning_scenes import boxes_and_spheres, cage, free_pairs, shelf, six_joint_arm, table  # noqa: E402

from carpal.contact import collision_checker  # noqa: E402
from carpal.planning import plan, plan_each  # noqa: E402

QUESTIONS = 60
RESOLUTION = 0.02
# (our planner, OMPL's, how many times faster)
RACES = (("sbl", "SBL", 5.0), ("rrt_connect", "RRTConnect", 4.0), ("est", "EST", 4.0))


class Ompl:
    """The peer's process."""

    def __init__(self, scene: Any, model: Any) -> None:
        self.process = subprocess.Popen(
            [sys.executable, str(ROOT / "benchmarks" / "ompl_peer.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.send(
            {
                "mjcf": scene.to_mjcf(), "low": model.q_min.tolist(), "high": model.q_max.tolist(), "resolution": RESOLUTION,
            }
        )  # fmt: skip

    def send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def solve(self, planner: str, start: Any, goal: Any) -> dict[str, Any]:
        self.send({"planner": planner, "start": start.tolist(), "goal": goal.tolist()})
        assert self.process.stdout is not None
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        return answer

    def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(20)


def main() -> None:
    scene = boxes_and_spheres(0)
    checker = collision_checker(scene)
    starts, goals = free_pairs(scene, 3 * QUESTIONS)
    blocked = [plan(checker, a, b, max_samples=1).samples != 0 for a, b in zip(starts, goals, strict=True)]
    starts, goals = starts[blocked][:QUESTIONS], goals[blocked][:QUESTIONS]
    sheet = Sheet(f"Planning: 7 joints, 6 boxes and 2 spheres, {len(starts)} questions whose straight edge is blocked")
    try:
        version = metadata.version("ompl")
    except metadata.PackageNotFoundError:
        version = None
        sheet.absent("OMPL 1.7")
    if version is not None:
        against_ompl(sheet, scene, checker, starts, goals)
    sheet.lines += ["", f"OMPL {version}, in a process of its own, asked in turn with ours; its planners are unseeded."]
    sheet.lines += [
        "",
        "Medians over the questions, one run each. OMPL checks every 0.02 in the 2-norm of all joints; ours is raced with "
        "0.02 / sqrt(7) in the largest joint, which is nowhere coarser, and with 0.02 in the largest joint. With shortening: "
        "ours with its lazy Dijkstra, OMPL with `simplifySolution()`. MuJoCo's checker is called from Python; a checker in "
        "C++ would make OMPL faster.",
    ]
    success_rates(sheet)
    sheet.code.append((ROOT / "benchmarks" / "ompl_peer.py").read_text())
    sheet.save(ROOT / "docs" / "evidence" / "bench_planners.md")


def against_ompl(sheet: Sheet, scene: Any, checker: Any, starts: Any, goals: Any) -> None:
    peer = Ompl(scene, checker.model)
    fine = RESOLUTION / np.sqrt(checker.model.nq)
    for ours, theirs, aim in RACES:
        times: dict[str, list[float]] = {
            "ours fine": [],
            "ours": [],
            "ours short": [],
            theirs: [],
            f"{theirs} short": [],
        }
        solved, lengths = [0, 0], [[], []]  # type: ignore[var-annotated]
        peer.solve(theirs, starts[0], goals[0])
        plan(checker, starts[0], goals[0], planner=ours)
        for i, (a, b) in enumerate(zip(starts, goals, strict=True)):
            for name, options in (
                ("ours fine", {"resolution": fine, "simplify": False}), ("ours", {"simplify": False}), ("ours short", {}),
            ):  # fmt: skip
                begun = time.perf_counter()
                result = plan(checker, a, b, planner=ours, seed=i, **options)  # type: ignore[arg-type]
                times[name].append(time.perf_counter() - begun)
            answer = peer.solve(theirs, a, b)
            times[theirs].append(answer["seconds"])
            times[f"{theirs} short"].append(answer["seconds"] + answer["simplify"])
            solved = [solved[0] + result.ok, solved[1] + answer["ok"]]
            if result.ok and answer["ok"]:
                lengths[0].append(float(np.linalg.norm(np.diff(result.path, axis=0), axis=1).sum()))
                lengths[1].append(answer["shorter"])
        median = {name: float(np.nanmedian(values)) for name, values in times.items()}
        sheet.row(f"{ours}, checks nowhere coarser than OMPL's", median, "ours fine", theirs, aim)
        sheet.row(f"{ours}, 0.02 rad in the largest joint", median, "ours", theirs, aim)
        sheet.row(f"{ours}, with shortening", median, "ours short", f"{theirs} short", aim)
        tails = [1e3 * np.nanquantile(times[name], 0.99) for name in ("ours short", f"{theirs} short")]
        sheet.lines.append(
            f"| {ours}: solved {solved[0]} of {len(starts)}, OMPL {solved[1]}; length after shortening, median: ours "
            f"{np.median(lengths[0]):.2f}, OMPL {np.median(lengths[1]):.2f} rad; 99th percentile {tails[0]:.1f} ms against "
            f"{tails[1]:.1f} ms | | | | | |"
        )
        print(sheet.lines[-1], flush=True)
    peer.close()


def success_rates(sheet: Sheet) -> None:
    """Tables, shelves and cages for arms of 6 and 7 joints."""
    sheet.lines += ["", "| scene | joints | planner | solved | median | 99th percentile |", "|---|---|---|---|---|---|"]
    arms = {6: six_joint_arm(), 7: capsule_arm()}
    for name, make in (("table", table), ("shelf", shelf), ("cage", cage)):
        for joints, arm in arms.items():
            scene = make(arm)
            checker = collision_checker(scene)
            starts, goals = free_pairs(scene, 40, seed=11)
            for planner, _, _ in RACES:
                found, times = 0, []
                for i, (a, b) in enumerate(zip(starts, goals, strict=True)):
                    result = plan_each(checker, a, b, planner=planner, seed=i, threads=1)[0]
                    found += result.ok
                    times.append(result.seconds)
                line = (
                    f"| {name} | {joints} | {planner} | {found} of {len(starts)} | {1e3 * np.median(times):.2f} ms | "
                    f"{1e3 * np.quantile(times, 0.99):.1f} ms |"
                )
                sheet.lines.append(line)
                print(line, flush=True)
    sheet.lines += ["", f"Load average while this was measured: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores."]


if __name__ == "__main__":
    main()
