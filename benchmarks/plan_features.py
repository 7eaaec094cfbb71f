"""Goals in space, cheaper paths, roadmaps after moves, motions with limited jerk, constraints: times and a recheck by numpy.

python benchmarks/plan_features.py [questions of each class] writes docs/evidence/29_plan_features.md.
"""

from __future__ import annotations

import datetime
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")  # one thread for everybody

import numpy as np  # noqa: E402 - one thread must be asked for before it is imported

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "benchmarks"), str(ROOT / "tests")]

from lane_inputs import deepest, dense, pair_names  # noqa: E402 - the path above is needed first
from plan_classes import questions  # noqa: E402

import carpal  # noqa: E402
from carpal._core.compile import kernels_hash  # noqa: E402
from carpal.contact import moved_tables  # noqa: E402
from carpal.planning import PoseGoal, build_roadmap, keep_direction, plan  # noqa: E402
from carpal.spatial import rotation_about  # noqa: E402

COUNT = int(sys.argv[1]) if len(sys.argv) > 1 else 10
CLASSES = ("shelf_small", "box", "cage", "table", "under_table")
PAGE = ROOT / "docs" / "evidence" / "29_plan_features.md"
LIMITS = {"v_max": 2.0, "vdot_max": 8.0}
lines: list[str] = []
clock = time.process_time


def say(text: str = "") -> None:
    lines.append(text)
    print(text, flush=True)


def spread(values: list[float]) -> str:
    """Median, 95 % and largest."""
    return f"{np.median(values):.2f} | {np.quantile(values, 0.95):.2f} | {max(values):.2f}"


def row(values: list[float]) -> str:
    """The same in one cell."""
    return spread(values).replace(" |", ",")


class Recheck:
    """Least distance along paths and motions by plain numpy."""

    def __init__(self) -> None:
        self.least, self.count = np.inf, 0

    def add(self, tables: Any, q: np.ndarray) -> None:
        self.least = min(self.least, deepest(tables.model, pair_names(tables), q))
        self.count += 1

    def __str__(self) -> str:
        return f"{self.count} rechecked, least distance {1000 * self.least:.3f} mm"


def timed(run: Any) -> tuple[float, Any]:
    begun = clock()
    result = run()
    return 1e3 * (clock() - begun), result


def goals(asked: list[Any]) -> None:
    say("## Goals")
    say(
        "The same questions with the goal as a configuration, as the pose of the tool there, and as that pose within 20 mm and "
        "any turn about its z axis. Times with inverse kinematics."
    )
    say()
    say("| goal | solved | median [ms] | 95 % [ms] | largest [ms] | recheck |")
    say("|---|---|---|---|---|---|")
    for name in ("configuration", "pose", "region"):
        times, solved, check, worst = [], 0, Recheck(), 0.0
        for i, question in enumerate(asked):
            X = carpal.fk(question.checker.model, question.goal)
            wanted = {
                "configuration": question.goal,
                "pose": PoseGoal(X),
                "region": PoseGoal(X, position=0.02, angle=(0, 0, np.pi)),
            }[name]
            ms, result = timed(lambda q=question, w=wanted, i=i: plan(q.checker, q.start, w, seed=i))
            if not result:
                continue
            times.append(ms)
            solved += 1
            if isinstance(wanted, PoseGoal):
                worst = max(worst, *map(float, wanted.miss(question.checker.model, result.path[-1])))
            if i % 5 == 0:
                check.add(question.checker.tables, dense(result.path, 0.01))
        say(f"| {name} | {solved} of {len(asked)} | {spread(times)} | {check}; off the region by at most {worst:.1e} |")
    say()


def better(asked: list[Any]) -> None:
    say("## Better while time lasts")
    blocked = [q for q in asked if len(plan(q.checker, q.start, q.goal).path) > 2][:10]
    say(
        f'{len(blocked)} questions whose straight edge is blocked, `planner="prm_star"`; cost over that of the best path '
        "found in 4 s, mean and worst."
    )
    say()
    say("| first path | after 0.1 s | 0.5 s | 2 s | recheck |")
    say("|---|---|---|---|---|")
    rows, check = [], Recheck()
    for i, question in enumerate(blocked):
        best = plan(question.checker, question.start, question.goal, planner="prm_star", time_limit=4.0, seed=i)
        at = [best.history[best.history[:, 0] <= t, 2].min(initial=np.inf) for t in (0.1, 0.5, 2.0)]
        rows.append([best.history[0, 2] / best.cost, *(x / best.cost for x in at)])
        check.add(question.checker.tables, dense(best.path, 0.01))
    table = np.array(rows)
    say(
        "| "
        + " | ".join(f"{a:.3f}, {b:.3f}" for a, b in zip(table.mean(0), table.max(0), strict=True))
        + f" | {check} |"
    )
    say()


def roadmaps(asked: list[Any]) -> None:
    say("## Roadmaps, and plans after a shape moved")
    say(
        "1,000 nodes. A move shifts one box by a normal random step of 30 mm a coordinate; its time holds the move and the plan."
    )
    say()
    say(
        "| class | made [s] | queries solved | of them in the roadmap | median, 95 %, largest [ms] | after moves: median, 95 %, "
        "largest [ms] | ends free and solved | recheck |"
    )
    say("|---|---|---|---|---|---|---|---|")
    every: list[float] = []
    for kind in CLASSES:
        mine = [q for q in asked if f"/{kind}/" in q.name]
        first = mine[0].checker
        mine = [q for q in mine if q.checker is first]
        ms, roadmap = timed(lambda c=first: build_roadmap(c))
        found, times, check = [], [], Recheck()
        for question in mine:
            roadmap.plan(question.start, question.goal)
            took, result = timed(lambda q=question, r=roadmap: r.plan(q.start, q.goal))
            times.append(took)
            found.append(result)
        rng = np.random.default_rng(1)
        tables, moved, solved, possible = first.tables, [], 0, 0
        at = {s.name: s.X_BS[:3, 3] for s in first.model.shapes if s.body is None}
        for k in range(40):
            name, question = sorted(at)[k % len(at)], mine[k % len(mine)]
            to = at[name] + 0.03 * rng.normal(size=3)
            tables = moved_tables(tables, {name: to})

            def again(name: str = name, to: np.ndarray = to, q: Any = question, r: Any = roadmap) -> Any:
                r.move(name, to)
                return r.plan(q.start, q.goal)

            took, result = timed(again)
            if result.ended_by == "ends":
                continue
            possible += 1
            moved.append(took)
            if result:
                solved += 1
                check.add(tables, dense(result.path, 0.02))
        every += moved
        inside = sum(r.planner == "roadmap" for r in found)
        say(
            f"| {kind} | {ms / 1000:.2f} | {sum(map(bool, found))} of {len(mine)} | {inside} | {row(times)} | {row(moved)} | "
            f"{solved} of {possible} | {check} |"
        )
    say(f"| all | | | | | {row(every)} | | |")
    say()


def motions(asked: list[Any]) -> None:
    say("## Motions")
    say(
        f"Speeds {LIMITS['v_max']} rad/s, accelerations {LIMITS['vdot_max']} rad/s2; every one checked against "
        "its limits and sampled every 5 ms by plain numpy."
    )
    say()
    say(
        "| jerk [rad/s3] | motions | with blends | duration over the same with rests, mean | time: median, 95 %, largest [ms] | "
        "recheck |"
    )
    say("|---|---|---|---|---|---|")
    results = [
        r for r in (plan(q.checker, q.start, q.goal, seed=i) for i, q in enumerate(asked[::2])) if r and len(r.path) > 2
    ][:20]
    for jerk in (None, 200.0, 50.0):
        times, shares, blends, check = [], [], 0, Recheck()
        for result in results:
            ms, motion = timed(lambda r=result, j=jerk: r.trajectory(**LIMITS, jerk_max=j))
            assert motion.check(result.model, **LIMITS, jerk_max=jerk)
            times.append(ms)
            blends += "rests" not in motion.status
            legs = [
                carpal.planning.joint_trajectory(result.model, leg, **LIMITS)
                for leg in zip(result.path, result.path[1:], strict=False)
            ]
            rests = sum((leg if jerk is None else carpal.planning.limit_jerk(leg, jerk)).duration for leg in legs)
            shares.append(motion.duration / rests)
            check.add(result.tables, motion.sample(0.005)[0])
        say(f"| {jerk or 'none'} | {len(results)} | {blends} | {np.mean(shares):.3f} | {row(times)} | {check} |")
    say()


def constraints(asked: list[Any]) -> None:
    say("## Constraints")
    say(
        "The tool's axis that is upright at the start stays so; the goal is 0.15 m aside, turned by 0.3 rad, within 30 mm. 5 s. "
        "Largest angle by numpy along the path."
    )
    say()
    say(
        "| within [deg] | solved | median, 95 %, largest [ms] | proven bound, largest [deg] | found by numpy, largest [deg] | "
        "recheck |"
    )
    say("|---|---|---|---|---|---|")
    some = [q for q in asked if "/table/" in q.name][:10]
    for tolerance in (0.2, 0.05):
        times, bounds, seen, solved, check = [], [], [], 0, Recheck()
        for i, question in enumerate(some):
            model = question.checker.model
            X = carpal.fk(model, question.start)
            axis = X[:3, :3].T @ [0, 0, 1.0]
            goal = X.copy()
            goal[:3, :3] = rotation_about(np.array([0, 0, 1.0]), 0.3) @ X[:3, :3]
            goal[:3, 3] += [0.0, -0.15 * np.sign(X[1, 3] + 1e-9), 0.0]
            kept = keep_direction((0, 0, 1), tolerance, axis=axis)
            ms, result = timed(
                lambda q=question, g=goal, k=kept, i=i: plan(
                    q.checker, q.start, PoseGoal(g, position=0.03), constraints=k, seed=i
                )
            )
            if result:
                solved += 1
                times.append(ms)
                q = dense(result.path, 0.005)
                bounds.append(np.degrees(result.kept[0]))
                up = (carpal.fk(model, q)[:, :3, :3] @ axis)[:, 2]
                seen.append(np.degrees(np.arccos(np.clip(up, -1, 1))).max())
                check.add(question.checker.tables, q[::2])
        if solved:
            say(
                f"| {np.degrees(tolerance):.3g} | {solved} of {len(some)} | {row(times)} | {max(bounds):.3g} | "
                f"{max(seen):.3g} | {check} |"
            )
    say()


PARTS = {"goals": goals, "better": better, "roadmaps": roadmaps, "motions": motions, "constraints": constraints}


def sections() -> dict[str, str]:
    """The page's parts by their titles."""
    text = PAGE.read_text() if PAGE.exists() else ""
    return {part.partition("\n")[0]: "## " + part.strip() + "\n" for part in text.split("\n## ")[1:]}


def main() -> None:
    chosen = sys.argv[2:] or list(PARTS)
    command = ["git", "rev-parse", "--short", "HEAD"]
    commit = subprocess.run(command, capture_output=True, text=True, cwd=ROOT).stdout.strip()
    asked = [question for kind in CLASSES for question in questions("panda", kind, COUNT)]
    plan(asked[0].checker, asked[0].start, asked[0].goal)
    build_roadmap(asked[0].checker, nodes=10).plan(asked[0].start, asked[0].goal)
    page = sections()
    for name in chosen:
        lines.clear()
        PARTS[name](asked)
        load = f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
        say(f"Commit {commit}, kernels {kernels_hash()[:12]}, {datetime.date.today()}, {load}.")
        page[lines[0][3:]] = "\n".join(lines) + "\n"
    head = (
        "# Goals, roadmaps, motions and constraints of plans\n"
        f"`python benchmarks/plan_features.py {COUNT} [{' '.join(PARTS)}]` writes this page or parts of it. The Panda of "
        f"372 spheres in {len(CLASSES)} classes\nof `benchmarks/plan_classes.py`, {COUNT} questions each; processor time of one "
        "thread, compiled code.\n"
    )
    PAGE.write_text("\n".join([head, *page.values()]))


if __name__ == "__main__":
    main()
