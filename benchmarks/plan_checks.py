"""Checks of an arm of spheres among boxes and a cloud of points, beside MuJoCo and Coal: ratios of one run.

python benchmarks/plan_checks.py writes docs/evidence/29_checks.md.
"""

from __future__ import annotations

import datetime
import os
import subprocess
import sys
import time
from pathlib import Path

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")  # one thread for everybody

import numpy as np  # noqa: E402 - one thread must be asked for before it is imported

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "benchmarks"), str(ROOT / "tests")]

from collision_scenes import capsule_arm, random_rotation  # noqa: E402 - the path above is needed first
from collisions import coal_checks, mujoco_checks  # noqa: E402
from harness import race  # noqa: E402
from plan_classes import in_spheres  # noqa: E402

from carpal._core.compile import kernels_hash  # noqa: E402
from carpal.contact import collision_checker, sphere_checker  # noqa: E402
from carpal.kinematics import random_configurations  # noqa: E402
from carpal.model import Box, Model, Scene, Sphere  # noqa: E402
from carpal.spatial import pose  # noqa: E402

PAGE = ROOT / "docs" / "evidence" / "29_checks.md"
lines: list[str] = []


def say(text: str = "") -> None:
    lines.append(text)
    print(text, flush=True)


def cluttered(arm: Model, boxes: int, points: int) -> Scene:
    """An arm among boxes and points around it, none upon its base."""
    rng = np.random.default_rng(3)
    scene = Scene("clutter").add_robot(arm, name="arm")
    for i in range(boxes + points):
        p = rng.normal(size=3)
        p = p / np.linalg.norm(p) * rng.uniform(0.6, 1.0 if boxes + points < 100 else 1.6) + [0, 0, 0.4]
        size = rng.uniform(0.06, 0.24, 3) if boxes < 100 else rng.uniform(0.01, 0.05, 3)
        shape = Box(size) if i < boxes else Sphere(0.005)
        scene.add_fixed(f"thing_{i}", shape, pose=pose(random_rotation(rng), p))
    return scene


def main() -> None:
    command = ["git", "rev-parse", "--short", "HEAD"]
    commit = subprocess.run(command, capture_output=True, text=True, cwd=ROOT).stdout.strip()
    say("# Checks beside MuJoCo and Coal")
    say(f"Commit {commit}, kernels {kernels_hash()[:12]}, {datetime.date.today()}; `python benchmarks/plan_checks.py`.")
    say(
        "One thread of one process, alternating; processor time of a configuration. Ours: one call for all; MuJoCo: mj_kinematics"
    )
    say("and mj_collision; Coal: Pinocchio's computeCollisions with the dynamic tree, which stops at the first pair.")
    say()
    say("| arm | scene | configurations | touching | ours [us] | MuJoCo [us] | Coal [us] | ratios |")
    say("|---|---|---|---|---|---|---|---|")
    arm = in_spheres(capsule_arm())
    for boxes, points in ((10, 0), (1000, 0), (0, 10_000)):
        scene = cluttered(arm, boxes, points)
        begun = time.process_time()
        checker = collision_checker(scene)
        lanes = sphere_checker(checker)
        prepared = time.process_time() - begun
        q = random_configurations(checker.model, 1600, seed=1)
        ends = q[~lanes(q)][:100]
        steps = np.linspace(0, 1, 16)[None, :, None]
        along = (ends[:, None] + steps * (np.roll(ends, 1, 0) - ends)[:, None]).reshape(-1, ends.shape[1])
        peers = {"MuJoCo": mujoco_checks(scene)[:1], "Coal": coal_checks(scene, arm)[:1]}
        around = f"{boxes:,} boxes" if boxes else f"{points:,} points of 5 mm"
        for kind, rows in (("random", q), ("16 along an edge", along)):
            listed = list(rows[:: 4 if boxes == 10 else 32])
            work = {"ours": lambda rows=rows, lanes=lanes: lanes(rows)}
            work |= {name: (lambda f=f[0], listed=listed: f(listed)) for name, f in peers.items() if f}
            seconds = race(work, rounds=5, clock=time.thread_time)
            ours = 1e6 * seconds["ours"] / len(rows)
            theirs = [1e6 * seconds[name] / len(listed) if name in seconds else np.nan for name in peers]
            verdicts = lanes(np.array(listed))
            for f in peers.values():
                differ = np.flatnonzero(np.array(f[0](listed), bool) != verdicts) if f else []
                assert max((abs(float(checker.distance(listed[i]).distance)) for i in differ), default=0.0) < 1e-4
            share = 100 * lanes(rows).mean()
            say(
                f"| 45 spheres | {around} | {kind} | {share:.0f} % | {ours:.3f} | {theirs[0]:.1f} | {theirs[1]:.1f} | "
                f"{theirs[0] / ours:.0f}, {theirs[1] / ours:.0f} |"
            )
        say(f"| | prepared in {prepared:.2f} s of processor time | | | | | | |")
    say()
    say(f"All verdicts are the same or nearer than 0.1 mm. Load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores.")
    PAGE.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
