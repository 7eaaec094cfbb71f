"""First results from an empty cache: processor seconds of four commands, and which entries they compile.

    python benchmarks/cold_start.py docs/evidence/33_cold_start.md

Processor time is what a quiet machine with one busy core would take; the wall time of a busy one says nothing.
"""

from __future__ import annotations

import datetime
import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from carpal._core.compile import kernels_hash

COMMANDS = {
    "carpal catch": ["catch"],
    "carpal dexterity --example 2": ["dexterity", "--example", "2"],
    "carpal plan examples/scenes/cell.toml": [
        "plan",
        "examples/scenes/cell.toml",
        "--goal",
        *["0.9", "0.9", *["0"] * 5],
    ],
    "carpal retrieve": ["retrieve"],
}


def measured(words: list[str]) -> tuple[float, list[tuple[str, float]]]:
    """Processor seconds of a command from an empty cache, and its longest compilations by the clock."""
    with tempfile.TemporaryDirectory() as folder:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            [sys.executable, "-m", "carpal.cli.command_line", *words, "--json"], capture_output=True, check=True,
            env={**os.environ, "CARPAL_CACHE_DIR": folder},
        )  # fmt: skip
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times = json.loads(next(Path(folder).rglob("compile_seconds.json")).read_text())
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    parts = sorted(((name, row.get("seconds", 0.0)) for name, row in times.items()), key=lambda part: -part[1])
    return spent, parts


def main() -> None:
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()
    lines = [
        "# Cold start", "",
        f"Written by `benchmarks/cold_start.py`; commit {commit}, kernels {kernels_hash()[:12]}, {datetime.date.today()}.",
        "Shares of the entries are by the clock of a busy machine, the sum is processor time with imports and the run.",
        "", "| command, empty cache | processor [s] | entries compiled | the longest |", "|---|---|---|---|",
    ]  # fmt: skip
    for name, words in COMMANDS.items():
        spent, parts = measured(words)
        total = sum(seconds for _, seconds in parts)
        longest = ", ".join(f"{part} {seconds / total:.0%}" for part, seconds in parts[:3])
        lines.append(f"| `{name}` | {spent:.1f} | {len(parts)} | {longest} |")
        print(lines[-1], flush=True)
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
