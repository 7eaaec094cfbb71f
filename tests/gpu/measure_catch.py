"""Run on a machine with a CUDA device: the thesis's 30 catches on GPU and CPU, and catches a second.

    PYTHONPATH=.:tests python3 tests/gpu/measure_catch.py docs/evidence/gpu_catch.json 33792

Needs only numpy, numba and numba-cuda. `tests/gpu/test_catch_evidence.py` reads the file and says when it is stale.
"""

from __future__ import annotations

import json
import math
import sys
import time

import numpy as np
from gpu.evidence_folders import CATCH, evidence_hash

from carpal._core import cpu_pool, cuda_launch
from carpal.labs.catch.cases import run_throws, score_cases
from carpal.labs.catch.compiled import ROW
from carpal.labs.catch.task import Catch

POINTS = 30


def outcomes(task: Catch, device: str) -> tuple[list[list[bool]], list[float]]:
    """(caught, in bin) and the largest position error [mm] of all points."""
    scores = score_cases([(task, seed) for seed in range(POINTS)], device)
    verdicts = [[bool(s.numbers["caught"]), bool(s.numbers["in_bin"])] for s in scores]
    return verdicts, [float(s.numbers["max_position_error_mm"]) for s in scores]


def speed(task: Catch, worlds: int, device: str) -> dict[str, float | str]:
    """Whole catches a second, from throw to rest, transfers included; throws vary a little so that worlds diverge."""
    rng = np.random.default_rng(3)
    points = [task.draw(i) for i in range(POINTS)]
    planned = [task.plan_of(throw) for throw in points]
    plans = [planned[i % POINTS] for i in range(worlds)]
    throws = []
    for i in range(worlds):
        throw = points[i % POINTS]
        shifted = throw.position + 0.002 * rng.normal(size=3)
        throws.append(type(throw)(shifted, throw.velocity, 1.0, 1.0, i))
    begun = time.perf_counter()
    end, _ = run_throws(task, throws, plans, device)
    seconds = time.perf_counter() - begun
    rows = max(math.ceil(plan.duration / ROW) for plan in plans)
    steps = rows * round(ROW / task.dt)
    return {
        "device": device, "worlds": worlds, "steps": steps, "seconds": seconds, "catches_per_second": worlds / seconds,
        "world_steps_per_second": worlds * steps / seconds, "finite": bool(np.isfinite(end.q).all()),
    }  # fmt: skip


def main() -> None:
    name = cuda_launch.require_cuda().get_current_device().name
    largest = int(sys.argv[2]) if len(sys.argv) > 2 else 33_792
    report: dict[str, object] = {
        "device": name.decode() if isinstance(name, bytes) else str(name),
        "kernels_hash": evidence_hash(CATCH),
        "host_threads": cpu_pool.cpu_threads(),
    }
    begun = time.perf_counter()
    task = Catch(grid=True, as_thesis=True)
    cpu, cpu_errors = outcomes(task, "cpu")
    gpu, gpu_errors = outcomes(task, "cuda")
    report["as_thesis"] = {
        "agree": sum(a == b for a, b in zip(cpu, gpu, strict=True)),
        "caught_cpu": sum(v[0] for v in cpu), "caught_gpu": sum(v[0] for v in gpu),
        "in_bin_cpu": sum(v[1] for v in cpu), "in_bin_gpu": sum(v[1] for v in gpu),
        "error_difference_mm": max(abs(a - b) for a, b in zip(cpu_errors, gpu_errors, strict=True)),
    }  # fmt: skip
    print(report["as_thesis"], f"{time.perf_counter() - begun:.0f} s", flush=True)
    task = Catch(grid=True, gains="thesis")
    report["speed"] = speeds = []
    _save(report)  # kept should the time run out
    speeds.append(speed(task, largest, "cuda"))
    print(speeds[-1], flush=True)
    _save(report)


def _save(report: dict[str, object]) -> None:
    with open(sys.argv[1], "w") as file:
        file.write(json.dumps(report, indent=2) + "\n")


if __name__ == "__main__":
    main()
