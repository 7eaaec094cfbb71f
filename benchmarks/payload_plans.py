"""Plans with a payload that may turn: the K10 with the stand-in relay, beside an exhaustive search, one core.

make bench
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")  # one thread for everybody

import numpy as np  # noqa: E402 - one thread must be asked for before it is imported

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "benchmarks"), str(ROOT / "tests")]

from exhaustive_roadmap import Roadmap  # noqa: E402 - the path above is needed first
from harness import Sheet  # noqa: E402
from payload_scenes import questions, relay_scene  # noqa: E402

from carpal.planning import plan  # noqa: E402

QUESTIONS = int(os.environ.get("CARPAL_BENCH_QUESTIONS", "60"))
EDGES = 20_000


def main() -> None:
    scene = relay_scene()
    starts, goals, angles = questions(scene, 200)
    sheet = Sheet(
        f"Planning with a payload that may turn: k10 with the stand-in relay, {QUESTIONS} questions, one core"
    )
    roadmap = Roadmap(scene)
    plan(scene, starts[0], goals[0], angle=angles[0], max_samples=1)
    roadmap.solve(starts[0], goals[0], angles[0], most=1)
    times: dict[str, list[float]] = {"sbl": [], "exhaustive": []}
    every: list[float] = []
    solved, both, only = 0, 0, 0
    for i in range(QUESTIONS):
        begun = time.process_time()
        result = plan(scene, starts[i], goals[i], angle=angles[i], seed=i)
        spent = time.process_time() - begun
        begun = time.process_time()
        status = roadmap.solve(starts[i], goals[i], angles[i], most=EDGES)[0]
        other = time.process_time() - begun
        solved, both, only = (
            solved + result.ok,
            both + (result.ok and status == 1),
            only + (status == 1 and not result.ok),
        )
        if result.ok:
            every.append(spent)
        if result.ok and status == 1:
            times["sbl"].append(spent)
            times["exhaustive"].append(other)
    median = {name: float(np.median(values)) for name, values in times.items()}
    sheet.row("sbl with a payload, questions that both solve", median, "sbl", "exhaustive", 1.0)
    quantiles = 1e3 * np.quantile(every, [0.5, 0.9, 0.99])
    sheet.lines += [
        "",
        f"Solved by `plan`: {solved} of {QUESTIONS}; by both {both}; by the roadmap alone {only}. Processor time of a plan that "
        f"was found: median {quantiles[0]:.1f} ms, 90th percentile {quantiles[1]:.1f} ms, 99th percentile {quantiles[2]:.1f} ms.",
        f"The roadmap has 100,000 nodes, is built beforehand and not counted, and gives up after {EDGES:,} edges.",
        "",
        f"Load average while this was measured: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores.",
    ]
    sheet.code.append((ROOT / "tests" / "exhaustive_roadmap.py").read_text())
    sheet.save(ROOT / "docs" / "evidence" / "bench_payload_plans.md")


if __name__ == "__main__":
    main()
