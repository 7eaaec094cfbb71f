"""Numeric inverse kinematics of `sawyer` beside roboticstoolbox's `ik_LM`, and our four methods beside each other.

make bench
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
sys.path[:0] = [str(ROOT / "benchmarks")]

from harness import Sheet, race  # noqa: E402 - the path above is needed first
from peers import toolbox_ets  # noqa: E402

import carpal  # noqa: E402
from carpal.kinematics import random_configurations  # noqa: E402

TARGETS = 1000
PEER = "roboticstoolbox ik_LM"
METHODS = {"sawyer": ("lm", "dls", "ccd"), "sia5": ("lm", "dls", "ccd"), "catcher_arm": ("lm", "newton", "dls", "ccd")}


def main() -> None:
    model = carpal.load("sawyer")
    X = carpal.fk(model, random_configurations(model, TARGETS, seed=5))
    sheet = Sheet(f"Numeric inverse kinematics: sawyer, {TARGETS:,} in-limit random poses, 1e-6 m and 1e-6 rad")
    toolbox_races(sheet, model, X)
    methods_table(sheet)
    load = os.getloadavg()[0]
    sheet.lines += ["", f"Load average while this was measured: {load:.1f} on {os.cpu_count()} cores."]
    sheet.save(ROOT / "docs" / "evidence" / "bench_inverse.md")


def solved(model: carpal.Model, q: np.ndarray, X: np.ndarray) -> float:
    """Share of answers within 1e-6 m and 1e-6 rad and inside the limits, whoever gave them."""
    Y = carpal.fk(model, q)
    p = np.linalg.norm((Y - X)[:, :3, 3], axis=1)
    r = 2 * np.arcsin(np.minimum(np.linalg.norm((Y - X)[:, :3, :3], axis=(1, 2)) / np.sqrt(8), 1))
    inside = ((q >= model.q_min) & (q <= model.q_max)).all(axis=1)
    return float(((p <= 1.001e-6) & (r <= 1.001e-6) & inside).mean())


def toolbox_races(sheet: Sheet, model: carpal.Model, X: np.ndarray) -> None:
    ets = toolbox_ets(model)
    answers = np.empty((len(X), 7))

    def carpal_loop():
        for i in range(len(X)):
            answers[i] = carpal.ik(model, X[i]).q

    ours: dict[str, Any] = {
        "one at a time": carpal_loop,
        "batch, one thread": lambda: carpal.ik(model, X, threads=1),
        "batch, all threads": lambda: carpal.ik(model, X),
    }
    carpal_loop()
    assert solved(model, answers, X) == 1.0, "ours must be at 100 %"
    sheet.show(carpal_loop)
    if ets is None:
        sheet.absent(PEER)
        print({name: f"{seconds / TARGETS * 1e6:.1f} us" for name, seconds in race(ours).items()})
        return
    assert np.abs(ets.eval(answers) - carpal.fk(model, answers)).max() < 1e-9, "the race is between equals"
    gain, method, q0 = best_gain(sheet, ets, model, X)
    theirs = np.empty((len(X), 7))

    def roboticstoolbox_loop():
        for i in range(len(X)):
            s = ets.ik_LM(X[i], q0, ilimit=30, slimit=100, tol=1e-13, joint_limits=1, k=gain, method=method)
            theirs[i] = s.q

    roboticstoolbox_loop()
    assert solved(model, theirs, X) == 1.0, "both must be at 100 %"
    sheet.show(roboticstoolbox_loop)
    seconds = race({**ours, PEER: roboticstoolbox_loop}, rounds=11)
    for work in ours:
        sheet.row(f"ik, {work}", seconds, work, PEER, 2.0, per=TARGETS)


def best_gain(sheet: Sheet, ets: Any, model: carpal.Model, X: np.ndarray) -> tuple[float, str, np.ndarray]:
    """The peer's fastest setting that solves everything; its tolerance is on half the squared error: 1e-13 is 4.5e-7."""
    bent = np.array([0.3, -0.6, 0.2, 1.1, -0.3, 0.7, 0.4])  # its manual asks for a start that is not singular
    best: dict[tuple[float, str, str], float] = {}
    sheet.code.append("# settings tried, us a target and share solved:")
    for method, gains in (
        ("chan", (0.01, 0.03, 0.1, 0.3, 1.0)),
        ("wampler", (1e-4, 1e-3, 1e-2)),
        ("sugihara", (1e-4, 1e-3, 1e-2)),
    ):
        for k in gains:
            for start, q0 in (("q_home", model.q_home.copy()), ("bent", bent)):
                found, times = np.empty((len(X), 7)), []
                for _ in range(3 if method == "chan" else 1):
                    begin = time.perf_counter()
                    for i in range(len(X)):
                        s = ets.ik_LM(X[i], q0, ilimit=30, slimit=100, tol=1e-13, joint_limits=1, k=k, method=method)
                        found[i] = s.q
                    times.append(time.perf_counter() - begin)
                share, micro = solved(model, found, X), min(times) / len(X) * 1e6
                sheet.code.append(f"# {method} k = {k:g} from {start}: {micro:.0f} us, {100 * share:.1f} %")
                if share == 1.0:
                    best[k, method, start] = micro
    k, method, start = min(best, key=lambda key: best[key])
    sheet.code.append(f"# best: {method}, k = {k:g}, from {start}\n")
    print(f"peer's best setting: {method}, k = {k:g}, from {start}")
    return k, method, model.q_home.copy() if start == "q_home" else bent


def methods_table(sheet: Sheet) -> None:
    """Our methods on the same targets, one thread: success, iterations, time."""
    lines = [
        "",
        f"Our methods, {TARGETS:,} in-limit random poses of each robot, default options, one thread:",
        "",
        "| robot | method | solved | iterations, median | attempts, mean | time a target | time against lm |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, methods in METHODS.items():
        model = carpal.load(name)
        X = carpal.fk(model, random_configurations(model, TARGETS, seed=6))
        base = 0.0
        for method in methods:
            carpal.ik(model, X[:2], method=method)
            times = []
            for _ in range(5 if method in ("lm", "newton") else 1):
                begin = time.perf_counter()
                result = carpal.ik(model, X, method=method, threads=1)
                times.append((time.perf_counter() - begin) / TARGETS)
            took = float(np.median(times))
            base = base or took
            share = solved(model, result.q[result.ok], X[result.ok]) * result.ok.mean()
            lines.append(
                f"| {name} | {method} | {100 * share:.1f} % | {int(np.median(result.iterations))} | "
                f"{result.attempts.mean():.1f} | {1e6 * took:.1f} us | {took / base:.1f}x |"
            )
    print("\n".join(lines))
    sheet.lines += lines


if __name__ == "__main__":
    main()
