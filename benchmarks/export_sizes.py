"""Sizes of three recordings in every format that `carpal.report.export` writes, beside Parquet, and what each leaves out.

python benchmarks/export_sizes.py docs/evidence/33_exports.md
"""

from __future__ import annotations

import datetime
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

import carpal
from carpal._core.compile import kernels_hash
from carpal.engines import Recording, RigidEngine
from carpal.report import FORMATS, export


def swing(name: str) -> Recording:
    """A robot that falls from its home configuration for a second."""
    model = carpal.load(name)
    engine = RigidEngine(model, dt=1e-3)
    return carpal.simulate(
        engine, carpal.State(0.0, model.q_home, np.zeros(model.nv)), lambda time, state: np.zeros(model.nv), 1.0
    )


def box() -> Recording:
    """A box that is thrown on a floor, in MuJoCo: contacts in most rows."""
    from carpal.model import Body, Box, Joint, Model, PlacedShape, Plane

    shape = Box((0.1, 0.08, 0.06))
    body = Body("box", None, Joint("box", "free"), shape.inertia(0.5))
    shapes = (PlacedShape("box", "box", shape), PlacedShape("floor", None, Plane()))
    model = Model("box on a floor", (body,), shapes=shapes)
    engine = carpal.MuJoCoEngine(model, dt=1e-3)
    q, v = np.array([0, 0, 0.2, 1, 0.1, 0.2, 0.3]), np.array([0.5, 0, 0, 3.0, 2.0, 1.0])
    return carpal.simulate(engine, carpal.State(0.0, q, v), lambda time, state: np.zeros(model.nv), 1.0)


def rows() -> list[list[Any]]:
    """One line a recording and format."""
    found = []
    runs = {"sawyer, catalogue": swing("sawyer"), "Panda, example-robot-data": swing("panda"), "box on a floor": box()}
    with tempfile.TemporaryDirectory() as folder:
        for name, run in runs.items():
            parquet = run.save(Path(folder) / "run.parquet").stat().st_size
            found.append([name, len(run), ".parquet", parquet, 1.0, "", "nothing"])
            for ending in FORMATS:
                start = time.process_time()
                done = export(run, Path(folder) / f"run{ending}")
                spent = time.process_time() - start
                found.append(
                    [name, len(run), ending, done.size, done.size / parquet, f"{spent:.1f}", ", ".join(done.left_out)]
                )
    return found


def main() -> None:
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()
    lines = [
        "# Recordings in other formats",
        "",
        f"Written by `benchmarks/export_sizes.py`; commit {commit}, kernels {kernels_hash()[:12]}, {datetime.date.today()}.",
        "Each format is read back to the same numbers by its own reader in `tests/report/exports`. A file that draws a robot",
        "holds its meshes; Parquet and CSV hold none.",
        "",
        "| recording | rows | file | bytes | of Parquet | processor [s] | not in it |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, count, ending, size, share, spent, left in rows():
        lines.append(f"| {name} | {count} | {ending} | {size:,} | {share:.2f} | {spent} | {left} |")
    text = "\n".join(lines) + "\n"
    print(text)
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text(text)


if __name__ == "__main__":
    main()
