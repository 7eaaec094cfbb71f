"""Writes docs/evidence/24_sign.md: `benchmarks/real_hands.py`, the board's faults and restarts, and the attacked line.

`python benchmarks/sign_evidence.py`, about ten minutes; `--tables FILE` takes the tables of real hands from a file that
`benchmarks/real_hands.py` has written.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from datetime import date
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "evidence" / "24_sign.md"
TESTS = (
    "tests/labs/sign/board/test_hand_player.py", "tests/labs/sign/board/test_faulty_board.py",
    "tests/labs/sign/link/test_receiver.py", "tests/labs/sign/link/test_seal.py",
)  # fmt: skip


def figures(tests: Sequence[str] = TESTS) -> tuple[list[dict[str, object]], str]:
    """Figures that tests measured with their full counts, and whether all tests passed."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "figures.jsonl"
        environment = {**os.environ, "CARPAL_FIGURES": str(place)}
        run = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", *tests], cwd=ROOT, env=environment, capture_output=True, text=True
        )
        rows = [json.loads(line) for line in place.read_text().splitlines()] if place.exists() else []
        return rows, "all passed" if run.returncode == 0 else "NOT all passed"


def main() -> None:
    """Measure and write."""
    options = argparse.ArgumentParser()
    options.add_argument("--tables", type=Path)
    given = options.parse_args()
    if given.tables:
        tables = given.tables.read_text()
    else:
        command = [sys.executable, str(ROOT / "benchmarks" / "real_hands.py")]
        tables = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True
    ).stdout.strip()
    rows, last = figures()
    lines = ["| figure | measured | bound | of |", "|---|---|---|---|"]
    lines += [
        f"| {row['what']} | {row['measured']:.4g} | {row['sense']} {row['bound']:g} | {row['note'] or '-'} |"
        for row in rows
    ]
    PAGE.write_text(
        f"""# Sign: real hands, the board, the line

Written by `benchmarks/sign_evidence.py` at commit {commit}, {date.today()}.

## Real hands
6,294 recorded frames of ASL, five contiguous blocks of every letter: each is read by a reader that was trained on the
other four. A none counts as not right. The comparisons are scikit-learn's on the same features; they always name a letter.

{tables.strip()}

## Board and line
The tests `{"`, `".join(TESTS)}` with their full counts: {last}.

"""
        + "\n".join(lines)
        + "\n"
    )


if __name__ == "__main__":
    main()
