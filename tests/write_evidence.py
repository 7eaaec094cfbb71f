"""Turn the figures that `make verify` recorded into docs/evidence/<page>.md, one row per figure.

CARPAL_FIGURES=out/figures.jsonl python -m pytest; python tests/write_evidence.py out/figures.jsonl docs/evidence/verify.md
"""

from __future__ import annotations

import json
import platform
import subprocess
import sys
from pathlib import Path


def number(value: float) -> str:
    if value == int(value) and abs(value) < 1e7:
        return f"{value:.0f}"
    return f"{value:.4g}" if 1e-3 <= abs(value) < 1e6 else f"{value:.2e}"


def commit() -> str:
    done = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
    dirty = subprocess.run(["git", "status", "--porcelain", "carpal"], capture_output=True, text=True).stdout
    return (done.stdout.strip() or "unknown") + ("+" if dirty else "")


def main() -> None:
    figures, page = Path(sys.argv[1]), Path(sys.argv[2])
    rows: dict[str, dict] = {}
    for line in figures.read_text().splitlines():
        row = json.loads(line)
        seen = rows.get(row["what"])
        # a figure that several tests or workers measured is shown by its worst value
        worse = seen is None or (row["measured"] > seen["measured"]) == (row["sense"] == "<=")
        if worse:
            rows[row["what"]] = row
    at = commit()
    lines = [
        "# Verification",
        "",
        f"Written by `make verify` on Python {platform.python_version()}, {platform.machine()}. "
        "A commit with + had uncommitted changes.",
        "",
        "| what | measured | bound | commit | note |",
        "|---|---|---|---|---|",
    ]
    for row in sorted(rows.values(), key=lambda row: (row["test"], row["what"])):
        bound = f"{row['sense']} {number(row['bound'])}"
        verdict = "" if row["ok"] else " **MISSED**"
        what = row["what"].replace("|", "\\|")
        lines.append(f"| {what} | {number(row['measured'])}{verdict} | {bound} | {at} | {row['note']} |")
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text("\n".join(lines) + "\n")
    missed = sum(not row["ok"] for row in rows.values())
    print(f"{len(rows)} figures, {missed} missed: {page}")


if __name__ == "__main__":
    main()
