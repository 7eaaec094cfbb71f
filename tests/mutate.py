"""Mutations: small breaks of the code, and the tests of `make test` that must fail for each.

    python tests/mutate.py                         the fixed list; numbers choose some: ... 3 7
    python tests/mutate.py --random 20 --seed 4    random mutations of kernels: operators, comparisons, constants, indices

The repository is copied, one break at a time is made there, and tests are run: those named beside a break of the list; for a
random one the file's own tests, then those of its room. The exit status is 0 only when every break is caught and the tests pass
without it. A random mutation that changes nothing a test could see (an equivalent one) is listed as a survivor, to be judged.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
PATIENCE = 900.0
"""Longest run [s] of the tests of one break."""
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
    Break("travel of a slide dropped from the reach behind it", "contact/kernels", "motion_bound",
          "reach += max(abs(q0[world, first]), abs(q1[world, first]))", "reach += 0.0", "farther_out"),
    Break("rectangle for a trapezoid in the anchor's lag", PENALTY, "asperity", "add(v_before, v)", "add(v, v)", "two_segments"),
    Break("braking harder than the limit", "control/kernels", "tracking",
          "max(most, abs(v[slot, i]) - limits[i, HARDEST] * dt)", "most", "braked"),
    Break("joints beside the chain counted", "kinematics", "mobility", "moving = np.abs(J).max(axis=(0, 1)) > 0",
          "moving = np.abs(J).max(axis=(0, 1)) >= 0", "beside_the_chain"),
    Break("nine deviations for four and a half", "perception/stereo", "triangulation", "(4.5 * noise) ** 2", "(9.0 * noise) ** 2",
          "four_and_a_half"),
    Break("eight numbers for fourteen", "perception/stereo", "hidden_mark", "noise**2 / 14", "noise**2 / 8", "done_without"),
    Break("settled at the last excursion", "labs/mount", "score",
          "time[off[-1] + 1] if off[-1] + 1 < len(time)", "time[off[-1]] if off[-1] + 1 < len(time)", "settling"),
    Break("saturation of one pulley only", "labs/mount/kernels", "control", "max(abs(t5), abs(t6)) > drive[LARGEST]",
          "abs(t5) > drive[LARGEST]", "either_pulley"),
    Break("the last of equal cases counts", "tasks/campaigns", "comparison", "out.setdefault(key, row)", "out[key] = row",
          "first_counts"),
    Break("missing metadata agrees", "tasks/campaigns", "store", "sorted(set(found) | set(plain))",
          "sorted(set(found) & set(plain))", "does_not_say"),
    Break("a shorter memory of repeated messages", "labs/sign/link", "seal", "int(2e9 * OLDEST)", "int(1e8 * OLDEST)", "memory"),
)  # fmt: skip


def run_tests(copy: Path, file: str, only: str = "", *, first: bool = False) -> tuple[int, list[str]]:
    """(exit status of pytest, names of the tests that failed)."""
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not full", file]
    words += (["-k", only] if only else []) + (["-x"] if first else [])
    environment = {**os.environ, "PYTHONPATH": str(copy)}
    try:
        done = subprocess.run(
            words, cwd=copy, env=environment, capture_output=True, text=True, check=False, timeout=PATIENCE
        )
    except subprocess.TimeoutExpired:  # a loop that no longer ends is noticed as well
        return 1, ["(does not end)"]
    return done.returncode, re.findall(r"^(?:FAILED|ERROR) [^\s:]+(?:::(\w+))?", done.stdout, re.M)


def fixed(copy: Path, number: int) -> str | None:
    """The tests that caught a break of the list; None when none did."""
    broken = BREAKS[number - 1]
    path = copy / "carpal" / broken.folder / f"{broken.module}.py"
    file = f"tests/{broken.folder}/test_{broken.module}.py"
    text = path.read_text()
    if text.count(broken.right) != 1:
        raise SystemExit(f"break {number}: '{broken.right}' is {text.count(broken.right)} times in {path.name}")
    sound, _ = run_tests(copy, file, broken.tests)
    path.write_text(text.replace(broken.right, broken.wrong))
    status, failed = run_tests(copy, file, broken.tests)
    path.write_text(text)
    return ", ".join(f"`{name}`" for name in dict.fromkeys(failed)) if sound == 0 and status == 1 and failed else None


SWAPS: dict[type[ast.AST], str] = {
    ast.Add: "-", ast.Sub: "+", ast.Mult: "/", ast.Div: "*", ast.Lt: ">=", ast.LtE: ">", ast.Gt: "<=", ast.GtE: "<",
    ast.Eq: "!=", ast.NotEq: "==", ast.And: "or", ast.Or: "and",
}  # fmt: skip


def mutants(text: str) -> list[tuple[int, str, str]]:
    """(line, what, the whole changed text) of every small mutation inside the functions of a file."""
    lines = text.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line.encode()))
    raw = text.encode()

    def place(node: ast.expr, end: bool = False) -> int:
        return starts[(node.end_lineno if end else node.lineno) - 1] + (node.end_col_offset if end else node.col_offset)

    found = []

    def change(at: int, until: int, new: str, what: str, line: int) -> None:
        found.append((line, what, (raw[:at] + new.encode() + raw[until:]).decode()))

    for function in [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)]:
        for node in [inner for statement in function.body for inner in ast.walk(statement)]:
            if isinstance(node, ast.BinOp) and type(node.op) in SWAPS:
                between = place(node.left, end=True), place(node.right)
            elif isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in SWAPS:
                between = place(node.left, end=True), place(node.comparators[0])
            elif isinstance(node, ast.BoolOp):
                between = place(node.values[0], end=True), place(node.values[1])
            elif isinstance(node, ast.Constant) and isinstance(node.value, float) and node.value not in (0.0,):
                change(place(node), place(node, end=True), repr(1.5 * node.value), "constant times 1.5", node.lineno)
                continue
            else:
                continue
            operator = node.op if isinstance(node, ast.BinOp | ast.BoolOp) else node.ops[0]
            old, new = raw[between[0] : between[1]].decode(), SWAPS[type(operator)]
            swapped = re.sub(r"(<=|>=|==|!=|[-+*/<>]|and|or)", new, old, count=1)
            change(*between, swapped, f"{type(operator).__name__} to {new}", node.lineno)
    return found


def random_break(copy: Path, rng: random.Random) -> tuple[str, str | None]:
    """A random mutation of a kernel and the tests that caught it, or None."""
    kernels = sorted(path for path in (copy / "carpal").rglob("kernels/*.py") if path.stat().st_size > 300)
    while not (choices := mutants((path := rng.choice(kernels)).read_text())):
        pass
    line, what, changed = rng.choice(choices)
    text = path.read_text()
    inside = path.relative_to(copy / "carpal")
    path.write_text(changed)
    try:
        own = f"tests/{inside.parent}/test_{inside.stem}.py"
        room = f"tests/{inside.parent.parent}"
        for file in (own, room):
            status, failed = run_tests(copy, file, first=True)
            if status not in (0, 5):
                names = [name or "(collection)" for name in failed] or [f"(status {status})"]
                return f"{what} | `{inside}:{line}`", ", ".join(f"`{name}`" for name in dict.fromkeys(names))
    finally:
        path.write_text(text)
    return f"{what} | `{inside}:{line}`", None


def main() -> int:
    """Make breaks in a copy and print what caught each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("numbers", nargs="*", type=int, help="breaks of the fixed list; all by default")
    parser.add_argument("--random", type=int, default=0, metavar="N", help="random mutations of kernels instead")
    parser.add_argument("--seed", type=int, default=0)
    said = parser.parse_args()
    rng = random.Random(said.seed)
    caught = 0
    rows = range(said.random) if said.random else said.numbers or range(1, len(BREAKS) + 1)
    print("| | break | file | test that fails |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "carpal"
        keep_out = shutil.ignore_patterns(".git", ".venv", "out", "__pycache__", "*_cache")
        shutil.copytree(ROOT, copy, ignore=keep_out)
        for number in rows:
            if said.random:
                what, names = random_break(copy, rng)
            else:
                broken = BREAKS[number - 1]
                what, names = f"{broken.what} | `{broken.folder}/{broken.module}.py`", fixed(copy, number)
            caught += names is not None
            print(f"| {number} | {what} | {names or 'NOT CAUGHT'} |", flush=True)
    print(f"\n{caught} of {len(rows)} caught.")
    return 0 if caught == len(rows) else 1


if __name__ == "__main__":
    sys.exit(main())
