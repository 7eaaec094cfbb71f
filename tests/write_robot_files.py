"""Turn the rows of robot files into docs/evidence/18_robot_files.md.

CARPAL_ROBOT_FILES=out/robot_files.jsonl CARPAL_MENAGERIE=DIR python -m pytest tests/oracle/test_robot_files.py -m full
python tests/write_robot_files.py out/robot_files.jsonl docs/evidence/18_robot_files.md [outside.jsonl "what it is"]

The optional rows are of another folder of MJCF files, as `CARPAL_MENAGERIE` takes one; they become a table of their own.
"""

from __future__ import annotations

import datetime
import json
import sys
from pathlib import Path

from write_evidence import commit

FIGURES = ("fk", "mass", "bias", "limits", "effort", "home", "contacts", "ik", "rigid_fall", "mujoco_fall")
BOUNDS = {"limits": 0.0, "effort": 0.0, "contacts": 0.0, "ik": 1e-6}
MEANING = {
    "fk": "pose of every body", "mass": "mass matrix", "bias": "bias forces", "limits": "joint and speed limits that differ",
    "effort": "effort limits that differ", "home": "q_home beside the keyframe", "contacts": "contacts at home that differ",
    "ik": "position error of `ik` at the default tool [m]", "rigid_fall": "0.1 s of free fall, rigid engine [rad, m]",
    "mujoco_fall": "0.1 s of free fall, MuJoCo engine [rad, m]",
}  # fmt: skip


def cell(value: object) -> str:
    if isinstance(value, str):
        return value.split(":")[0]
    if value is None:
        return ""
    return "0" if value == 0 else f"{value:.1e}" if isinstance(value, float) and value < 1 else f"{value:g}"


def main() -> None:
    rows = [json.loads(line) for line in Path(sys.argv[1]).read_text().splitlines()]
    lines = [
        "# Robots' files beside Pinocchio and MuJoCo",
        "",
        f"Written by `tests/write_robot_files.py` at commit {commit()}, {datetime.date.today().isoformat()}. URDF: the package "
        "example-robot-data, beside Pinocchio; MJCF: a folder of Menagerie robots (`CARPAL_MENAGERIE`), beside native "
        "MuJoCo. What is compared, and where two engines are not comparable, is in `tests/robot_file_checks.py`.",
        "",
        "| | files | loaded |",
        "|---|---|---|",
    ]
    for kind in ("URDF", "MJCF"):
        some = [row for row in rows if row["kind"] == kind]
        good = [row for row in some if row["loaded"] == "yes"]
        lines.append(
            f"| {kind} | {len(some)} | {len(good)}{f' ({100 * len(good) / len(some):.0f} %)' if some else ''} |"
        )
    lines += [
        "",
        "| figure | kind | measured | within the bound | bound | worst within | not measured |",
        "|---|---|---|---|---|---|---|",
    ]
    for name in FIGURES:
        bound = BOUNDS.get(name, 1e-9)
        for kind in ("URDF", "MJCF"):
            values = [row["figures"].get(name) for row in rows if row["kind"] == kind and row["loaded"] == "yes"]
            taken = [value for value in values if isinstance(value, int | float)]
            good = [value for value in taken if value <= bound]
            said = sum(isinstance(value, str) for value in values)
            if taken or said:
                worst = cell(float(max(good))) if good else ""
                lines.append(
                    f"| {MEANING[name]} | {kind} | {len(taken)} | {len(good)} | {cell(bound)} | {worst} | {said} |"
                )
    problems = []
    for row in rows:
        if row["loaded"] != "yes":
            problems.append((row["file"], f"not loaded: {row['loaded']}"))
        for name, value in row["figures"].items():
            if isinstance(value, str):
                problems.append((row["file"], f"{name}: {value}"))
            elif value > BOUNDS.get(name, 1e-9):
                problems.append((row["file"], f"{name} is {value:.3g}, above {BOUNDS.get(name, 1e-9):g}"))
    lines += ["", "## What is not within its bound, or was not measured", "", "| file | what |", "|---|---|"]
    lines += [f"| {short(file)} | {what.replace('|', '/')} |" for file, what in problems]
    lines += [
        "",
        "## Every file",
        "",
        f"| file | joints | {' | '.join(FIGURES)} |",
        "|---|---|" + "---|" * len(FIGURES),
    ]
    for row in rows:
        cells = " | ".join(cell(row["figures"].get(name)) for name in FIGURES)
        lines.append(f"| {short(row['file'])} | {row['joints']} | {cells} |")
    if len(sys.argv) > 4:
        lines += outside([json.loads(line) for line in Path(sys.argv[3]).read_text().splitlines()], sys.argv[4])
    Path(sys.argv[2]).write_text("\n".join(lines) + "\n")
    print(f"{len(rows)} files, {len(problems)} lines to read: {sys.argv[2]}")


def outside(rows: list[dict], about: str) -> list[str]:
    """A section on files that nobody here had seen: counts, and what is not within its bound."""
    loaded = [row for row in rows if row["loaded"] == "yes"]
    lines = ["", "## Files from elsewhere", "", f"{about} {len(loaded)} of {len(rows)} files load.", ""]
    lines += ["| figure | measured | within the bound | bound |", "|---|---|---|---|"]
    for name in FIGURES:
        taken = [row["figures"][name] for row in loaded if isinstance(row["figures"].get(name), int | float)]
        good = sum(value <= BOUNDS.get(name, 1e-9) for value in taken)
        lines.append(f"| {MEANING[name]} | {len(taken)} | {good} | {cell(BOUNDS.get(name, 1e-9))} |")
    lines += ["", "| file | what |", "|---|---|"]
    for row in rows:
        if row["loaded"] != "yes":
            lines.append(f"| {short(row['file'])} | not loaded: {row['loaded'].replace('|', '/')} |")
        for name, value in row["figures"].items():
            nothing = isinstance(value, str) and ("nothing" in value or "zero-size" in value)
            if not nothing and (isinstance(value, str) or value > BOUNDS.get(name, 1e-9)):
                said = value if isinstance(value, str) else f"{value:.3g}"
                lines.append(f"| {short(row['file'])} | {name}: {said.splitlines()[0].replace('|', '/')} |")
    return lines


def short(file: str) -> str:
    """Folder of the robot and file name, the same on every machine."""
    parts = Path(file).parts
    robot = next((part for part in reversed(parts[:-1]) if part not in ("urdf", "robots")), "")
    return f"{robot}/{parts[-1]}"


if __name__ == "__main__":
    main()
