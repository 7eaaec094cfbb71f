"""Ten small breaks of modal, certificate, penalty and planner kernels, and the tests of `make test` that must fail for each.

`python tests/ten_breaks.py` copies the repository, makes one break at a time there, runs the tests named beside it and prints a
table. The exit status is 0 only when every break is caught and the tests pass without it. Numbers choose breaks: `... 3 7`.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
MODAL, PENALTY, PLANNERS = "engines/modal/kernels", "engines/penalty/kernels", "planning/planners/kernels"


class Break(NamedTuple):
    """One break: what kind, where (`folder/module`, under carpal/ and tests/), the text before and after, tests to run."""

    what: str
    folder: str
    module: str
    right: str
    wrong: str
    tests: str


BREAKS = (
    Break("sign of the gyroscopic torque", MODAL, "gyroscopic", "cross(middle, L)", "cross(L, middle)", "eulers"),
    Break("sign of a contact's lever arm", MODAL, "contact_rows", "cross(axis, arm)", "cross(arm, axis)", ""),
    Break(
        "gap dropped from the contact law", MODAL, "friction_law",
        "normal * (con[slot, c, AFTER + 2] + con[slot, c, SHIFT])", "normal * con[slot, c, AFTER + 2]", "",
    ),
    Break(
        "friction cone dropped from the certificate", MODAL, "certificate",
        "math.sqrt(r[0] * r[0] + r[1] * r[1]) - con[slot, c, MU] * r[2]", "0.0", "raises_its_own",
    ),
    Break(
        "index of the second tangent in the certificate", MODAL, "certificate",
        "slip = dt * math.sqrt(con[slot, i, AFTER] ** 2 + con[slot, i, AFTER + 1] ** 2)",
        "slip = dt * math.sqrt(con[slot, i, AFTER] ** 2 + con[slot, i, AFTER] ** 2)", "drifts",
    ),
    Break("sign of a spring's damping", PENALTY, "springs", "away - springs[spring, DAMPING]",
          "away + springs[spring, DAMPING]", "oscillator"),
    Break("damping while separating", PENALTY, "normal_force", "damper *= separation", "damper *= 1.0", "follows_the_law"),
    Break("half dropped from the friction anchor's lag", PENALTY, "asperity", "0.5 * h", "h", "two_segments"),
    Break("index of a middle node", PLANNERS, "lazy_dijkstra", "search.nodes[slot, i + 1, j])", "search.nodes[slot, i, j])",
          "halving"),
    Break("one check too few on an edge", PLANNERS, "edges", "return parts + 1 if", "return parts if", "resolution"),
)  # fmt: skip


def run_tests(copy: Path, broken: Break) -> tuple[int, list[str]]:
    """(exit status of pytest, names of the tests that failed)."""
    file = f"tests/{broken.folder}/test_{broken.module}.py"
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not full", file]
    words += ["-k", broken.tests] if broken.tests else []
    done = subprocess.run(
        words, cwd=copy, env={**os.environ, "PYTHONPATH": str(copy)}, capture_output=True, text=True, check=False
    )
    return done.returncode, re.findall(r"^FAILED \S+::(\w+)", done.stdout, re.M)


def main(numbers: list[int]) -> int:
    """Make every break in a copy and print what caught it."""
    missed = 0
    print("| | break | file | test that fails |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "carpal"
        keep_out = shutil.ignore_patterns(".git", ".venv", "out", "__pycache__", "*_cache")
        shutil.copytree(ROOT, copy, ignore=keep_out)
        for number in numbers or range(1, len(BREAKS) + 1):
            broken = BREAKS[number - 1]
            path = copy / "carpal" / broken.folder / f"{broken.module}.py"
            text = path.read_text()
            if text.count(broken.right) != 1:
                raise SystemExit(f"break {number}: '{broken.right}' is {text.count(broken.right)} times in {path.name}")
            sound, _ = run_tests(copy, broken)
            path.write_text(text.replace(broken.right, broken.wrong))
            status, failed = run_tests(copy, broken)
            path.write_text(text)
            caught = sound == 0 and status == 1 and bool(failed)
            missed += not caught
            said = (
                ", ".join(f"`{name}`" for name in dict.fromkeys(failed))
                if caught
                else f"NOT CAUGHT ({sound}, {status})"
            )
            print(f"| {number} | {broken.what} | `{broken.folder}/{broken.module}.py` | {said} |", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main([int(word) for word in sys.argv[1:]]))
