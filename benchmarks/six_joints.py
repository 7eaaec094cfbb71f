"""Six revolute joints, every branch, beside EAIK on the arms that it decomposes.

Run by `closed_forms.py`; alone it prints its own rows and saves nothing.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")  # one thread for everybody

import numpy as np  # noqa: E402 - one thread must be asked for before it is imported

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "benchmarks"), str(ROOT / "tests")]

from harness import Sheet, race  # noqa: E402 - the path above is needed first
from peers import eaik_robot  # noqa: E402
from six_joint_robots import public_arm, wrap  # noqa: E402

import carpal  # noqa: E402
from carpal.kinematics import ik_all, random_configurations  # noqa: E402

POSES, SINGLES = 20_000, 500
ARMS = ("puma560", "irb6640", "ur5")
EAIK = "EAIK"


def six_joint_races(sheet: Sheet) -> None:
    """Batches and single calls; processor time of the process, so that a busy machine does not matter."""
    for name in ARMS:
        model = public_arm(name)
        X = carpal.fk(model, random_configurations(model, POSES, seed=5))
        peer, R_0 = eaik_robot(model)
        if peer is None:
            sheet.absent(EAIK)
            return
        poses = X.copy()
        poses[:, :3, :3] = X[:, :3, :3] @ R_0.T  # its tool is aligned with the world at zero
        check_equal(model, peer, X, poses)
        _race(sheet, name, model, peer, X, poses)
    model = public_arm("gofa")
    X = carpal.fk(model, random_configurations(model, 500, seed=5))
    seconds = race({"gofa": lambda: ik_all(model, X, threads=1)}, clock=time.process_time)["gofa"] / 500
    line = f"| gofa, all 16 roots, batch | {seconds * 1e6:.0f} us | EAIK: no decomposition | - | - | - |"
    sheet.lines.append(line)
    print(line, flush=True)


def check_equal(model: carpal.Model, peer: Any, X: np.ndarray, poses: np.ndarray) -> None:
    """Every exact answer of the peer is among ours."""
    for i in range(50):
        answer = peer.IK(poses[i])
        exact = np.array(answer.Q)[~np.array(answer.is_LS, bool)]
        ours = np.array(list(ik_all(model, X[i])))
        off = np.abs(wrap(exact[:, None] - ours)).max(-1).min(1)
        assert (off < 1e-6).all(), f"EAIK has an answer at pose {i} that we lack"


def _race(sheet: Sheet, name: str, model: carpal.Model, peer: Any, X: np.ndarray, poses: np.ndarray) -> None:
    q0 = np.zeros((len(X), 6))

    def carpal_batch() -> None:
        ik_all(model, X, q0=q0, threads=1)

    def eaik_batch() -> None:
        peer.IK_batched(poses, num_worker_threads=1)

    def carpal_loop() -> None:
        for i in range(SINGLES):
            ik_all(model, X[i])

    def eaik_loop() -> None:
        for i in range(SINGLES):
            peer.IK(poses[i])

    work = f"{name}, all branches, batch"
    seconds = race({work: carpal_batch, EAIK: eaik_batch}, rounds=7, clock=time.process_time)
    sheet.row(work, seconds, work, EAIK, 4.0, per=len(X))
    work = f"{name}, all branches, one at a time"
    seconds = race({work: carpal_loop, EAIK: eaik_loop}, rounds=15, clock=time.process_time)
    sheet.row(work, seconds, work, EAIK, 0.5, per=SINGLES)


if __name__ == "__main__":
    six_joint_races(Sheet("Six joints, every branch, one thread"))
