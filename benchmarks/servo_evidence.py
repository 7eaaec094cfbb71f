"""Writes docs/evidence/24_servos.md: the full counts of the tests of servo buses, firmware and contacts (about ten minutes)."""

from __future__ import annotations

import subprocess
from datetime import date
from pathlib import Path

from sign_evidence import figures

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "evidence" / "24_servos.md"
TESTS = (
    "tests/control/servos/test_servo_bus.py", "tests/labs/sign/board/test_firmware.py",
    "tests/labs/sign/board/test_bus_line.py", "tests/labs/sign/hand/test_contacts.py",
    "tests/labs/sign/touch/test_strokes.py",
)  # fmt: skip


def main() -> None:
    """Measure and write."""
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True
    ).stdout.strip()
    rows, last = figures(TESTS)
    tests = "`, `".join(TESTS)
    lines = [
        "# Sign: servo buses, firmware, fingertips that meet, alphabets of touch",
        "",
        f"Written by `benchmarks/servo_evidence.py` at commit {commit}, {date.today()}.",
        "Buses and firmware run behind pseudo-terminals; no real servo was driven.",
        "",
        f"The tests `{tests}` with their full counts: {last}.",
        "",
        "| figure | measured | bound |",
        "|---|---|---|",
    ]
    lines += [f"| {row['what']} | {row['measured']:.4g} | {row['sense']} {row['bound']:g} |" for row in rows]
    PAGE.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
