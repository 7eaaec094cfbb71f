"""Run on a machine with a CUDA device: campaigns of reach and mount, GPU against CPU, and cases a second.

    PYTHONPATH=.:tests python3 tests/gpu/measure_tasks.py docs/evidence/gpu_tasks.json

Needs only numpy, numba and numba-cuda. Each setting is scored through the campaign's own call, `case_rows`: the
verdicts must be equal and the numbers close. `tests/gpu/test_tasks_evidence.py` reads the file and says when it is stale.
"""

from __future__ import annotations

import json
import math
import sys
import time
from typing import Any

import numpy as np
from gpu.evidence_folders import TASKS, evidence_hash

from carpal._core import cpu_pool, cuda_launch
from carpal.tasks.campaigns.case_rows import case_rows

SETTINGS: dict[str, tuple[str, dict[str, Any]]] = {
    "reach": ("reach", {}),
    "reach, spread 0.5": ("reach", {"spread": 0.5, "robot": "catcher_arm"}),
    "mount, free table": ("mount", {"case": 1, "mass_spread": 0.1}),
    "mount, open loop": ("mount", {"case": 2, "control": "open", "mass_spread": 0.1, "pulse": "default"}),
    "mount, closed loop": ("mount", {"case": 3, "control": "closed", "mass_spread": 0.1, "pulse": "default"}),
    "mount, elastic cables": (
        "mount",
        {"case": 4, "control": "closed", "mass_spread": 0.1, "cable_stiffness": 5e4, "cable_damping": 100.0,
         "pulley_inertia": 1e-4, "pretension": 100.0},
    ),
}  # fmt: skip
SEEDS, MANY = 64, 4096
Row = dict[str, Any]


def rows_of(setting: str, seeds: range, device: str) -> list[Row]:
    """Rows of a setting's seeds, and nothing of time."""
    task, options = SETTINGS[setting]
    return case_rows(task, [(seed, options, seed) for seed in seeds], device)


def differences(cpu: list[Row], gpu: list[Row]) -> Row:
    """Equal verdicts, and the largest difference of every number over its own size, or over 1 where that is less."""
    worst: dict[str, float] = {}
    for a, b in zip(cpu, gpu, strict=True):
        assert a["numbers"].keys() == b["numbers"].keys()
        for name in a["numbers"]:
            x, y = np.atleast_1d(a["numbers"][name]), np.atleast_1d(b["numbers"][name])
            off = np.where(np.isnan(x) & np.isnan(y), 0.0, np.abs(x - y) / np.maximum(1.0, np.abs(x)))
            off[np.isnan(off)] = math.inf  # a number on one side alone
            worst[name] = max(worst.get(name, 0.0), float(off.max()))
    finite = {name: off if math.isfinite(off) else None for name, off in worst.items()}
    return {"cases": len(cpu), "equal_verdicts": sum(a["ok"] == b["ok"] for a, b in zip(cpu, gpu, strict=True)),
            "succeeded": sum(a["ok"] for a in cpu), "differences": finite}  # fmt: skip


def rates(setting: str) -> Row:
    """Cases a second on both devices, scoring included; the CPU's on all cores of the host, in one process."""
    out: Row = {"cases": MANY, "host_threads": cpu_pool.cpu_threads()}
    for device, count in (("cuda", MANY), ("cpu", MANY // 8)):
        begun = time.perf_counter()
        rows_of(setting, range(count), device)
        out[f"cases_per_second_{device}"] = round(count / (time.perf_counter() - begun), 2)
    return out


def main() -> None:
    """Measure, and write the file after every figure."""
    name = cuda_launch.require_cuda().get_current_device().name
    report: Row = {
        "device": name.decode() if isinstance(name, bytes) else str(name), "kernels_hash": evidence_hash(TASKS),
        "compared": {}, "rates": {},
    }  # fmt: skip
    begun = time.perf_counter()

    def keep(part: str, setting: str, found: Row) -> None:
        report[part][setting] = found
        print(f"{time.perf_counter() - begun:.0f} s", setting, found, flush=True)
        with open(sys.argv[1], "w") as file:
            file.write(json.dumps(report, indent=1, allow_nan=False) + "\n")

    for setting in SETTINGS:
        seeds = range(SEEDS)
        keep("compared", setting, differences(rows_of(setting, seeds, "cpu"), rows_of(setting, seeds, "cuda")))
    for setting in ("reach", "mount, closed loop"):
        keep("rates", setting, rates(setting))


if __name__ == "__main__":
    main()
