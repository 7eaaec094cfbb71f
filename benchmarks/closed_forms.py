"""Closed-form inverse kinematics, every branch, beside EAIK's batch on a 7-joint arm of which it locks one joint.

make bench
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")  # one thread for everybody

import numpy as np  # noqa: E402 - one thread must be asked for before it is imported

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "benchmarks")]

from arm_angle import branch_races, interval_races  # noqa: E402 - the path above is needed first
from harness import Sheet, race  # noqa: E402
from peers import eaik_robot  # noqa: E402
from six_joints import six_joint_races  # noqa: E402

import carpal  # noqa: E402
from carpal.kinematics import ik_all, random_configurations  # noqa: E402

POSES = 20_000
SINGLES = 500
EAIK = "EAIK, joint 3 of srs7 locked"


def main() -> None:
    sheet = Sheet(f"Closed forms, every branch: {POSES:,} in-limit random targets, one thread")
    peer, poses = locked_peer(sheet)
    pointing_races(sheet, peer, poses)
    branch_races(sheet, peer, poses)
    interval_races(sheet)
    six_joint_races(sheet)
    load = os.getloadavg()[0]
    sheet.lines += ["", f"Load average while this was measured: {load:.1f} on {os.cpu_count()} cores."]
    sheet.save(ROOT / "docs" / "evidence" / "bench_closed_forms.md")


def locked_peer(sheet: Sheet) -> tuple[Any, np.ndarray]:
    """EAIK's srs7 with joint 3 held at zero, and poses that it reaches so."""
    model = carpal.load("srs7")
    q = random_configurations(model, POSES, seed=5)
    q[:, 2] = 0.0
    X = carpal.fk(model, q)
    robot, R_0 = eaik_robot(model, locked=[(2, 0.0)])
    if robot is None:
        sheet.absent(EAIK)
        return None, X
    X[:, :3, :3] = X[:, :3, :3] @ R_0.T  # its tool is aligned with the world at zero
    free = np.delete(q, 2, axis=1)
    for i in range(20):  # the race is between equals: the generating configuration is among its answers too
        answers = np.array(robot.IK(X[i]).Q)
        answers = answers[:, [0, 1, 3, 4, 5, 6]] if answers.shape[1] == 7 else answers
        off = np.abs((answers - free[i] + np.pi) % (2 * np.pi) - np.pi).max(axis=1)
        assert off.min() < 1e-6, f"EAIK misses pose {i} by {off.min():.2g}"
    return robot, X


def pointing_races(sheet: Sheet, peer: Any, poses: np.ndarray) -> None:
    """5-joint arms: batches, and one call at a time."""
    ours: dict[str, Any] = {}
    single: dict[str, Any] = {}
    for name in ("k10", "so101_old"):
        model = carpal.load(name)
        X = carpal.fk(model, random_configurations(model, POSES, seed=6))
        target = (X[:, :3, 3].copy(), X[:, :3, :3] @ model.tool_axis)
        ours[f"{name}, all branches, batch"] = lambda m=model, t=target: ik_all(m, t, threads=1)

        def carpal_loop(m: Any = model, p: np.ndarray = target[0], d: np.ndarray = target[1]) -> None:
            for i in range(SINGLES):
                ik_all(m, (p[i], d[i]))

        single[f"{name}, all branches, one at a time"] = carpal_loop
    sheet.show(carpal_loop)
    if peer is None:
        for name, seconds in race(ours).items():
            print(name, f"{seconds / POSES * 1e6:.2f} us")
        return

    def eaik_batch() -> None:
        peer.IK_batched(poses, num_worker_threads=1)

    def eaik_loop() -> None:
        for i in range(SINGLES):
            peer.IK(poses[i])

    sheet.show(eaik_batch)
    sheet.show(eaik_loop)
    seconds = race({**ours, EAIK: eaik_batch}, rounds=7)
    for work in ours:
        sheet.row(work, seconds, work, EAIK, 4.0, per=POSES)
    seconds = race({**single, EAIK: eaik_loop}, rounds=9)
    for work in single:
        sheet.row(work, seconds, work, EAIK, 0.5, per=SINGLES)


if __name__ == "__main__":
    main()
