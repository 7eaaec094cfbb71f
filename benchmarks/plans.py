"""Plans: checks beside MuJoCo's, questions in the manner of MotionBenchMaker, OMPL on the same checker, a recheck by numpy.

python benchmarks/plans.py [questions of each class] writes docs/evidence/22_plans.md.
"""

from __future__ import annotations

import datetime
import functools
import json
import os
import pickle
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")  # one thread for everybody

import numpy as np  # noqa: E402 - one thread must be asked for before it is imported

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "benchmarks"), str(ROOT / "tests")]

from collision_scenes import capsule_arm, random_rotation  # noqa: E402 - the path above is needed first
from collisions import mujoco_checks  # noqa: E402
from harness import race  # noqa: E402
from lane_inputs import deepest, dense, pair_names  # noqa: E402
from plan_classes import CLASSES, ROBOTS, in_spheres, questions, robot  # noqa: E402

from carpal.contact import collision_checker, sphere_checker  # noqa: E402
from carpal.kinematics import random_configurations  # noqa: E402
from carpal.model import Box, Model, Scene, Sphere  # noqa: E402
from carpal.planning import plan  # noqa: E402
from carpal.spatial import pose  # noqa: E402

COUNT = int(sys.argv[1]) if len(sys.argv) > 1 else 100
PAGE = ROOT / "docs" / "evidence" / "22_plans.md"
lines: list[str] = []


def say(text: str = "") -> None:
    lines.append(text)
    print(text, flush=True)


def cluttered(arm: Model, boxes: int, points: int = 0) -> Scene:
    """An arm among boxes and points around it, none upon its base."""
    rng = np.random.default_rng(3)
    scene = Scene("clutter").add_robot(arm, name="arm")
    for i in range(boxes + points):
        p = rng.normal(size=3)
        p = p / np.linalg.norm(p) * rng.uniform(0.6, 1.0 if boxes + points < 100 else 1.6) + [0, 0, 0.4]
        size = rng.uniform(0.06, 0.24, 3) if boxes < 100 else rng.uniform(0.01, 0.05, 3)
        shape = Box(size) if i < boxes else Sphere(0.01)
        scene.add_fixed(f"thing_{i}", shape, pose=pose(random_rotation(rng), p))
    return scene


def checks() -> None:
    """Random configurations, and configurations along edges."""
    say("## Checks")
    say(
        "One thread, all verdicts the same or nearer than 0.1 mm. Ours: one call for all; MuJoCo: mj_kinematics, mj_collision."
    )
    say()
    say("| arm | scene | configurations | ours, batched [us] | MuJoCo [us] | ratio |")
    say("|---|---|---|---|---|---|")
    panda, few = robot("panda"), in_spheres(capsule_arm())
    for arm, boxes, points in ((few, 10, 0), (few, 1000, 0), (panda, 10, 0), (panda, 1000, 0), (panda, 0, 2000)):
        scene = cluttered(arm, boxes, points)
        checker = collision_checker(scene)
        lanes = sphere_checker(checker)
        around = f"{boxes:,} boxes" if boxes else f"{points:,} points of 1 cm"
        what = f"{arm.name}, {len(lanes.tables.scene.spheres)} spheres | {around}"
        q = random_configurations(checker.model, 2000, seed=1)
        free = q[~lanes(q)]
        ends = free[: min(125, len(free))]
        along = (ends[:, None] + np.linspace(0, 1, 16)[None, :, None] * (np.roll(ends, 1, 0) - ends)[:, None]).reshape(
            -1, 7
        )
        (peer,) = mujoco_checks(scene) or [None]
        for kind, rows in (("random", q), ("16 along an edge", along)):
            listed = list(rows[:: 1 if boxes == 10 else 10])
            work = {"ours": functools.partial(lanes, rows)}
            if peer is not None:
                work["MuJoCo"] = functools.partial(peer, listed)
            seconds = race(work, rounds=7, clock=time.thread_time)
            ours = 1e6 * seconds["ours"] / len(rows)
            theirs = 1e6 * seconds.get("MuJoCo", np.nan) / len(listed)
            say(f"| {what} | {kind} | {ours:.3f} | {theirs:.1f} | {theirs / ours:.0f} |")
            if peer is not None:
                differ = np.flatnonzero(np.array(peer(listed)) != lanes(np.array(listed)))
                gaps = [abs(float(checker.distance(listed[i]).distance)) for i in differ]
                assert max(gaps, default=0.0) < 1e-4, gaps
    say()


def classes() -> tuple[list[Any], list[Any]]:
    """All classes of all robots; returns (questions, results) of the Panda."""
    say("## Questions in the manner of MotionBenchMaker")
    say(
        f"{COUNT} a class, `plan(checker, start, goal, seed=i)` with the default planner and 5 s; processor time of the call."
    )
    say()
    say("| robot | class | solved | straight | median [ms] | 95 % [ms] | largest [ms] | left, by 20 s |")
    say("|---|---|---|---|---|---|---|---|")
    kept: tuple[list[Any], list[Any]] = [], []
    for name in ROBOTS:
        every: list[float] = []
        solved, more, touching, checked = 0, 0, np.inf, 0
        for kind in CLASSES:
            asked = questions(name, kind, COUNT)
            times, found, last = [], [], None
            for i, question in enumerate(asked):
                if question.checker is not last:
                    plan(question.checker, question.start, question.start)  # prepares the scene
                    last = question.checker
                begun = time.process_time()
                result = plan(question.checker, question.start, question.goal, seed=i)
                times.append(1e3 * (time.process_time() - begun))
                found.append(result)
            pairs = {id(q.checker): pair_names(q.checker.tables) for q in asked}
            for question, result in zip(asked[::10], found[::10], strict=True):
                if result:
                    least = deepest(question.checker.model, pairs[id(question.checker)], dense(result.path, 0.01))
                    touching, checked = min(touching, least), checked + 1
            left = [(i, q) for i, (q, r) in enumerate(zip(asked, found, strict=True)) if not r]
            again = sum(bool(plan(q.checker, q.start, q.goal, seed=1000 + i, time_limit=20.0)) for i, q in left[:2])
            good = [t for t, r in zip(times, found, strict=True) if r]
            straight = sum(len(r.path) == 2 for r in found)
            say(
                f"| {name} | {kind} | {len(good)} of {len(asked)} | {straight} | {np.median(good):.2f} | "
                f"{np.quantile(good, 0.95):.1f} | {max(good):.0f} | {again} of {min(len(left), 2)} |"
            )
            every += [t if r else np.inf for t, r in zip(times, found, strict=True)]
            solved, more = solved + len(good), more + again
            if name == "panda":
                kept[0].extend(asked[:20])
                kept[1].extend(zip(found[:20], times[:20], strict=True))
        say(
            f"| **{name}** | all | {solved} of {len(every)} | | {np.median(every):.2f} | "
            f"{np.quantile(every, 0.95, method='higher'):.1f} | | {more} |"
        )
        say(f"| | | least distance along {checked} of these paths by plain numpy: {1e3 * touching:.3f} mm | | | | | |")
    say()
    return kept


def against_ompl(asked: list[Any], ours: list[Any]) -> None:
    """OMPL's RRT-Connect in its own process, with our exact checker called from Python, in turn with ours."""
    say("## OMPL 1.7's RRT-Connect on the same checker")
    times: list[float] = []
    theirs: list[float] = []
    solved = [0, 0]
    peer, last = None, None
    for question, (result, seconds) in zip(asked[::4], ours[::4], strict=True):
        if len(result.path) == 2:
            continue
        if question.checker is not last:
            if peer is not None:
                peer.kill()
            peer, last = start_peer(question.checker), question.checker
        assert peer is not None and peer.stdin is not None and peer.stdout is not None
        message = {"planner": "RRTConnect", "start": question.start.tolist(), "goal": question.goal.tolist()}
        peer.stdin.write(json.dumps(message) + "\n")
        peer.stdin.flush()
        line = peer.stdout.readline()
        if not line:
            say("OMPL is not installed here.")
            return
        answer = json.loads(line)
        solved = [solved[0] + bool(result), solved[1] + answer["ok"]]
        if result and answer["ok"]:
            times.append(seconds)
            theirs.append(1e3 * (answer["seconds"] + answer["simplify"]))
    if peer is not None:
        peer.kill()
    ours_ms, theirs_ms = float(np.median(times)), float(np.median(theirs))
    say(
        f"{len(times)} questions of the Panda whose straight edge is blocked, both with shortening: median {ours_ms:.2f} ms "
        f"(ours, proven) and {theirs_ms:.1f} ms (OMPL, checked every 0.02), a ratio of {theirs_ms / ours_ms:.0f}; "
        f"solved {solved[0]} and {solved[1]}. OMPL calls our exact checker through Python, which is most of its time."
    )
    say()


def start_peer(checker: Any) -> subprocess.Popen[str]:
    with tempfile.NamedTemporaryFile(suffix=".pickle", delete=False) as file:
        pickle.dump(checker, file)
    peer = subprocess.Popen(
        [sys.executable, str(ROOT / "benchmarks" / "ompl_peer.py")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    model = checker.model
    assert peer.stdin is not None
    first = {"checker": file.name, "low": model.q_min.tolist(), "high": model.q_max.tolist(), "resolution": 0.02}
    peer.stdin.write(json.dumps(first) + "\n")
    return peer


def main() -> None:
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, cwd=ROOT
    ).stdout.strip()
    say("# Plans on spheres, proven")
    say(f"Commit {commit}, {datetime.date.today()}; `python benchmarks/plans.py {COUNT}` writes this page.")
    say()
    checks()
    against_ompl(*classes())
    say(f"Load average at the end: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores.")
    PAGE.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
