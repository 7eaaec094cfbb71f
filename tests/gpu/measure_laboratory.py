"""Run on a machine with a CUDA device: the catch laboratory's 1,000 throws, success maps, and their rates.

    PYTHONPATH=.:tests python3 tests/gpu/measure_laboratory.py docs/evidence/gpu_laboratory.json throws map factors

Needs only numpy, numba and numba-cuda. Parts: `throws` (studies/catch_controllers.toml), `map` (100,000 throws over the window
and the speed, 33,792 a launch), `study` (catch_2000.toml with a launch's seeds, through the campaign), `factors` (radius and
friction, camera noise and speed). The file is written after
every launch and gone on with when it exists already. `LIMIT` seconds after its start the program begins no new launch that
would take longer than the last; a second call goes on. `CASES` cuts every launch down to try it out, `DEVICE=cpu` too.
"""

from __future__ import annotations

import collections
import dataclasses
import json
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from carpal.tasks.seeds import versions
from gpu.evidence_folders import CATCH, evidence_hash

from carpal._core import cpu_pool, cuda_launch
from carpal.labs.catch.cases import score_cases
from carpal.labs.catch.score import CAUSES
from carpal.labs.catch.task import Catch
from carpal.tasks.campaigns.campaign_run import fill_journal
from carpal.tasks.campaigns.store import CaseStore
from carpal.tasks.campaigns.study import Study

STUDIES = Path(__file__).parents[2] / "studies"
CONTROLLERS = ("thesis", "best")
LAUNCH, LAUNCHES = 33_792, 3
MAP_WINDOW, CELLS = (-0.15, 0.55, -0.35, 0.55), (14, 18)
SPEEDS = (3.0, 4.0, 5.0, 6.0, 7.0, 8.0)
BEGUN = time.perf_counter()
LIMIT = float(os.environ.get("LIMIT", "540"))
CASES = int(os.environ.get("CASES", "0"))
DEVICE = os.environ.get("DEVICE", "cuda")
Row = dict[str, Any]


def main() -> None:
    """Measure the parts that are asked for."""
    file, parts = Path(sys.argv[1]), sys.argv[2:]
    report: Row = json.loads(file.read_text()) if file.exists() else {}
    if report.get("kernels_hash", evidence_hash(CATCH)) != evidence_hash(CATCH):
        sys.exit(f"{file} was measured on other kernels; move it away first.")
    report |= {"device": device_name(), "kernels_hash": evidence_hash(CATCH), "host_threads": cpu_pool.cpu_threads()}
    for part in parts:
        {"throws": throws, "map": success_map, "study": whole_study, "factors": factors}[part](report, file)


def device_name() -> str:
    """The GPU's."""
    if DEVICE == "cpu":
        return "cpu"
    name = cuda_launch.require_cuda().get_current_device().name
    return name.decode() if isinstance(name, bytes) else str(name)


def save(report: Row, file: Path) -> None:
    """Everything so far."""
    file.write_text(json.dumps(report, indent=1, allow_nan=False) + "\n")


def timed(cases: list[tuple[Catch, int]]) -> tuple[list[Row], dict[str, float]]:
    """(ok, numbers) of cases, and what it took, planning included."""
    begun = time.perf_counter()
    scores = score_cases(cases, DEVICE)
    seconds = time.perf_counter() - begun
    cost = {"cases": len(cases), "seconds": round(seconds, 2), "catches_per_second": round(len(cases) / seconds, 2)}
    print(cost, collections.Counter(cause(s.numbers) for s in scores), flush=True)
    return [{"ok": s.ok, "status": s.status, **s.numbers} for s in scores], cost


def cause(numbers: Row) -> str:
    """Of a miss."""
    return CAUSES[int(numbers["cause_code"])]


def throws(report: Row, file: Path) -> None:
    """1,000 throws for each controller: success, causes, torques, forces."""
    study = Study.from_toml(STUDIES / "catch_controllers.toml")
    listed = [study.case(i) for i in range(len(study))]
    tasks = {name: Catch(**next(c.options for c in listed if c.options["controller"] == name)) for name in CONTROLLERS}
    if CASES:
        listed = [c for c in listed if c.seed < CASES]
    rows, cost = timed([(tasks[c.options["controller"]], c.seed) for c in listed])
    report["throws"] = {"cost": cost, "dt": tasks["best"].dt}
    for name in CONTROLLERS:
        own = [row | {"seed": c.seed} for row, c in zip(rows, listed, strict=True) if c.options["controller"] == name]
        report["throws"][name] = summary(own, tasks[name])
    save(report, file)


def summary(rows: list[Row], task: Catch) -> Row:
    """What 1,000 throws come to."""
    ran = [row for row in rows if "peak_torque_Nm" in row]
    peaks = np.array([row["peak_torque_Nm"] for row in ran])

    def spread(values: list[float]) -> list[float]:
        return [round(float(x), 4) for x in np.percentile(values, [5, 50, 95, 100])]

    return {
        "throws": len(rows), "caught": sum(bool(row["caught"]) for row in rows), "binned": sum(bool(row["ok"]) for row in rows),
        "causes": collections.Counter(cause(row) for row in rows),
        "failures": [
            {"seed": row["seed"], "cause": cause(row), "x": task.aim(row["seed"])[0][0], "y": task.aim(row["seed"])[0][1],
             "status": row["status"]}
            for row in rows if not row["ok"]
        ],
        "percentiles": "5, 50, 95, 100 %",
        "peak_torque_Nm": spread(peaks.max(1).tolist()), "peak_torque_each_Nm": [round(float(x), 3) for x in peaks.max(0)],
        "peak_contact_force_N": spread([row["peak_contact_force_N"] for row in ran]),
        "max_position_error_before_mm": spread([row["max_position_error_before_mm"] for row in ran]),
        "matched_share": spread([row["matched_share"] for row in ran]),
    }  # fmt: skip


def whole_study(report: Row, file: Path) -> None:
    """studies/catch_2000.toml with a whole launch of seeds, through the campaign itself: draws, plans, run, scores, journal."""
    study = dataclasses.replace(Study.from_toml(STUDIES / "catch_2000.toml"), seeds=tuple(range(CASES or LAUNCH)))
    begun = time.perf_counter()
    about = {"study": study.to_data(), "versions": versions()}
    with tempfile.TemporaryDirectory() as folder, CaseStore(Path(folder), about, len(study)) as store:
        fill_journal(study, store, 1, DEVICE, None, False)
        finished, succeeded = store.counts()[:2]
    seconds = time.perf_counter() - begun
    cost = {"cases": finished, "seconds": round(seconds, 2), "catches_per_second": round(finished / seconds, 2)}
    report["study"] = {"cost": cost, "binned": succeeded}
    print(report["study"], flush=True)
    save(report, file)


def success_map(report: Row, file: Path) -> None:
    """100,000 throws over the window and the speed, at the thesis's fidelity; a launch holds a share of every cell."""
    shape = (len(CONTROLLERS), len(SPEEDS), *CELLS)
    kept = report.setdefault(
        "map",
        {
            "window": MAP_WINDOW, "cells": CELLS, "speeds": SPEEDS, "controllers": CONTROLLERS, "launches": [],
            "tried": np.zeros(shape, int).tolist(), "binned": np.zeros(shape, int).tolist(),
            "causes": {name: [{} for _ in SPEEDS] for name in CONTROLLERS},
        },
    )  # fmt: skip
    tried, binned = np.array(kept["tried"]), np.array(kept["binned"])
    each = (CASES or LAUNCH) // (len(CONTROLLERS) * len(SPEEDS))
    options = {"gains": "thesis", "drag": 0.47, "vary": 1.0, "window": MAP_WINDOW}
    tasks = {(c, s): Catch(controller=c, speed=s, **options) for c in CONTROLLERS for s in SPEEDS}
    took = 0.0
    while len(kept["launches"]) < LAUNCHES and time.perf_counter() - BEGUN + took < LIMIT:
        begun = time.perf_counter()
        first = each * len(kept["launches"])
        cases = [(key, seed) for key in tasks for seed in range(first, first + each)]
        rows, cost = timed([(tasks[key], seed) for key, seed in cases])
        for row, ((controller, speed), seed) in zip(rows, cases, strict=True):
            i, j = CONTROLLERS.index(controller), SPEEDS.index(speed)
            at = (i, j, *cell(*tasks[controller, speed].aim(seed)[0][:2]))
            tried[at] += 1
            binned[at] += bool(row["ok"])
            counts = kept["causes"][controller][j]
            counts[cause(row)] = counts.get(cause(row), 0) + 1
        kept["tried"], kept["binned"] = tried.tolist(), binned.tolist()
        kept["launches"].append(cost)
        save(report, file)
        took = time.perf_counter() - begun


def cell(x: float, y: float) -> tuple[int, int]:
    """Of an arrival point on the map."""
    x0, x1, y0, y1 = MAP_WINDOW
    at = (x - x0) / (x1 - x0) * CELLS[0], (y - y0) / (y1 - y0) * CELLS[1]
    return min(int(at[0]), CELLS[0] - 1), min(int(at[1]), CELLS[1] - 1)


def factors(report: Row, file: Path) -> None:
    """Success over two factors each: radius and friction, camera noise and speed."""
    for name, seeds in (("catch_radius_friction", 60), ("catch_camera_noise", 60)):
        if name in report or time.perf_counter() - BEGUN > LIMIT:
            continue
        study = Study.from_toml(STUDIES / f"{name}.toml")
        study = dataclasses.replace(study, seeds=tuple(range(CASES or seeds)))
        listed = [study.case(i) for i in range(len(study))]
        tasks = {point: Catch(**study.case(point * len(study.seeds)).options) for point in range(study.points)}
        rows, cost = timed([(tasks[c.point], c.seed) for c in listed])
        points = []
        for point in range(study.points):
            own = [row for row, c in zip(rows, listed, strict=True) if c.point == point]
            binned, causes = sum(bool(row["ok"]) for row in own), collections.Counter(cause(row) for row in own)
            points.append({**study.values(point), "tried": len(own), "binned": binned, "causes": causes})
        report[name] = {"cost": cost, "points": points}
        save(report, file)


if __name__ == "__main__":
    main()
