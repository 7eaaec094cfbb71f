"""Arm-angle kinematics of 7-joint arms beside EAIK (all branches) and ssik (arm angles inside the limits).

Run by `closed_forms.py`; alone it prints its own rows and saves nothing.
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

from harness import Sheet, race  # noqa: E402 - the path above is needed first
from peers import ssik_iiwa  # noqa: E402

import carpal  # noqa: E402
from carpal.kinematics import arm_angle_intervals, ik_all, random_configurations  # noqa: E402

SINGLES = 500
LIMITED = 20  # poses that ssik is asked for in a round
EAIK = "EAIK, joint 3 of srs7 locked"
SSIK = "ssik solve, joint limits respected"
CHARTS = "ssik self_motion, in_limits of every chart"


def branch_races(sheet: Sheet, peer: Any, poses: np.ndarray) -> None:
    """Eight answers each: the peer's with joint 3 straight, ours at arm angle zero (half of them are the same).

    Args:
        peer: EAIK's robot with joint 3 locked at zero, or None.
        poses: (n, 4, 4) that it reaches, in its own tool frame, which is ours on this arm.
    """
    model = carpal.load("srs7")
    count = len(poses)
    psi = np.zeros(count)
    q0 = np.zeros((count, 7))

    def carpal_batch() -> None:
        ik_all(model, poses, arm_angle=psi, q0=q0, threads=1)

    def carpal_loop() -> None:
        for i in range(SINGLES):
            ik_all(model, poses[i], arm_angle=0.0, q0=model.q_home)

    sheet.show(carpal_batch)
    sheet.show(carpal_loop)
    if peer is None:
        print({name: f"{t:.4g} s" for name, t in race({"batch": carpal_batch, "loop": carpal_loop}).items()})
        return
    check_equal(model, peer, poses)

    def eaik_batch() -> None:
        peer.IK_batched(poses, num_worker_threads=1)

    def eaik_loop() -> None:
        for i in range(SINGLES):
            peer.IK(poses[i])

    work = "srs7, all branches at an arm angle, batch"
    seconds = race({work: carpal_batch, EAIK: eaik_batch}, rounds=9)
    sheet.row(work, seconds, work, EAIK, 4.0, per=count)
    work = "srs7, all branches at an arm angle, one at a time"
    seconds = race({work: carpal_loop, EAIK: eaik_loop}, rounds=15)
    sheet.row(work, seconds, work, EAIK, 0.5, per=SINGLES)


def check_equal(model: carpal.Model, peer: Any, poses: np.ndarray) -> None:
    """Every answer of the peer is among ours: half of them have arm angle zero, half a half turn."""
    free = [0, 1, 3, 4, 5, 6]
    found = ik_all(model, poses[:50, None], arm_angle=np.array([0.0, np.pi]))
    for i in range(50):
        answers = np.array(peer.IK(poses[i]).Q)
        answers = answers[:, free] if answers.shape[1] == 7 else answers
        ours = found.q[i].reshape(16, 7)
        ours = ours[np.abs(np.sin(ours[:, 2] / 2)) < 1e-9][:, free]
        off = np.abs((answers[:, None] - ours + np.pi) % (2 * np.pi) - np.pi).max(-1)
        assert len(answers) == len(ours) == 8 and off.min(axis=1).max() < 1e-6, f"answers differ at pose {i}"


def interval_races(sheet: Sheet) -> None:
    """The arm that ssik calls iiwa14: which arm angles keep all joints inside their limits."""
    model, solver, arm = ssik_iiwa()
    if model is None:
        sheet.absent(SSIK)
        return
    many = carpal.fk(model, random_configurations(model, 20_000, seed=8))
    poses = many[:LIMITED].copy()
    found = arm_angle_intervals(model, poses)
    for i in range(LIMITED):  # the race is between equals: what the peer returns lies in our intervals
        answers = np.array([s.q for s in solver.solve(poses[i])])
        inside = found[i].contains(carpal.arm_angle(model, answers))
        assert len(answers) and inside.all(), f"pose {i}: {(~inside).sum()} of ssik's answers are outside our intervals"

    def carpal_intervals() -> None:
        arm_angle_intervals(model, many, threads=1)

    def carpal_intervals_one_at_a_time() -> None:
        for i in range(LIMITED):
            arm_angle_intervals(model, poses[i])

    def ssik_solve() -> None:
        for i in range(LIMITED):
            solver.solve(poses[i])

    def ssik_charts() -> None:
        for i in range(LIMITED):
            for chart in arm.self_motion(poses[i]).charts:
                chart.in_limits()

    for function in (carpal_intervals, carpal_intervals_one_at_a_time, ssik_solve, ssik_charts):
        sheet.show(function)
    batch, single = "iiwa14, arm-angle intervals of all branches, batch", "the same, one at a time"
    seconds = race(
        {batch: carpal_intervals, single: carpal_intervals_one_at_a_time, SSIK: ssik_solve, CHARTS: ssik_charts}
    )
    each = {batch: seconds[batch] / len(many)} | {k: seconds[k] / LIMITED for k in (single, SSIK, CHARTS)}
    sheet.row(batch, each, batch, SSIK, 100.0)
    sheet.row(batch, each, batch, CHARTS, 1.0)
    sheet.row(single, each, single, SSIK, 1.0)


def main() -> None:
    from closed_forms import locked_peer

    sheet = Sheet("Arm-angle kinematics, one thread")
    branch_races(sheet, *locked_peer(sheet))
    interval_races(sheet)


if __name__ == "__main__":
    main()
