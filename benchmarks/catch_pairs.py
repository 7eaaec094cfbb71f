"""Throws at public pairs of arm and hand in the modal engine and in MuJoCo: shares caught, and how often both agree.

Usage: python benchmarks/catch_pairs.py MENAGERIE [THROWS [PAIR ...]]; MENAGERIE is a folder with MuJoCo Menagerie's robots.
Writes docs/evidence/28_catch_pairs.md, row by row.
"""

from __future__ import annotations

import datetime
import subprocess
import sys
import time
from pathlib import Path

from carpal.labs.catch.task import Catch
from carpal.tasks import success_interval

ROOT = Path(__file__).parent.parent
PAIRS = {
    "xarm7 with 2F-85": ("ufactory_xarm7/xarm7_nohand.xml", "robotiq_2f85/2f85.xml"),
    "iiwa14 with Allegro": ("kuka_iiwa_14/iiwa14.xml", "wonik_allegro/right_hand.xml"),
    "xarm7 with its gripper": ("ufactory_xarm7/xarm7.xml", ""),
    "ur5 with Allegro": ("ur5", "wonik_allegro/right_hand.xml"),
    "panda with its gripper": ("panda", ""),
    "iiwa14 with LEAP hand": ("kuka_iiwa_14/iiwa14.xml", "leap_hand/right_hand.xml"),
}
OUT = ROOT / "docs" / "evidence" / "28_catch_pairs.md"


def main() -> None:
    """Run all throws and write the page."""
    zoo, count, chosen = Path(sys.argv[1]), int((sys.argv[2:3] or ["30"])[0]), sys.argv[3:]
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, cwd=ROOT
    ).stdout.strip()
    before = OUT.read_text().splitlines() if OUT.exists() and chosen else []
    rows = [line for line in before if line.startswith("| ") and line.split(" |")[0][2:] in set(PAIRS) - set(chosen)]
    for name, (arm, hand) in PAIRS.items():
        if chosen and name not in chosen:
            continue
        scores, seconds = {}, {}
        for engine in ("modal", "mujoco"):
            task = Catch(arm=found(zoo, arm), hand=found(zoo, hand), engine=engine, vary=1.0)
            began = time.perf_counter()
            scores[engine] = task.score_seeds(range(count))
            seconds[engine] = (time.perf_counter() - began) / count
        rows.append(row(name, count, scores, seconds))
        print(rows[-1], flush=True)
        date = datetime.datetime.now(datetime.UTC).date()
        measured = (
            f"Measured on {date}; the last rows at commit {commit}, {count} throws a pair. The machine was shared."
        )
        OUT.write_text(HEAD.replace("Measured", measured, 1) + "\n" + "\n".join(rows) + "\n")
        for engine, found_scores in scores.items():
            for seed, score in enumerate(found_scores):
                if not score.ok:
                    print(f"  {engine} {seed}: {score.status[:200]}", flush=True)


HEAD = """# Evidence: catching with other arms and hands

Written by `benchmarks/catch_pairs.py`. Throws of the default window (`--vary 1`, docs/catch.md), a sphere of 30 mm and 50 g
with its own drag, everything touching everything. "caught" counts what the hand holds from the arm's rest to its return; "ok"
also needs every bound of the engine (certificates of the modal engine; depth of contacts and closed loops in MuJoCo). The second
number of a cell is the 95 % interval of the share caught. Throws for which no plan keeps all limits are among the misses.

Measured

| pair | modal: caught; 95 %; ok | MuJoCo: caught; 95 %; ok | planned | same verdict | seconds a throw, modal; MuJoCo |
|---|---|---|---|---|---|"""


def found(zoo: Path, name: str) -> str:
    """A file of the folder, or a name that Carpal knows."""
    return str(zoo / name) if name.endswith(".xml") else name


def row(name: str, count: int, scores: dict, seconds: dict) -> str:  # type: ignore[type-arg]
    """A row of the table."""
    caught = {engine: [bool(s.numbers.get("caught")) for s in each] for engine, each in scores.items()}
    planned = sum("planned_touch_s" in s.numbers for s in scores["modal"])
    cells = []
    for engine, each in scores.items():
        low, high = success_interval(sum(caught[engine]), count)
        cells.append(
            f"{sum(caught[engine])} of {count}; {100 * low:.0f} to {100 * high:.0f} %; {sum(s.ok for s in each)}"
        )
    same = sum(a == b for a, b in zip(caught["modal"], caught["mujoco"], strict=True))
    return (
        f"| {name} | {cells[0]} | {cells[1]} | {planned} | {same} | {seconds['modal']:.1f}; {seconds['mujoco']:.1f} |"
    )


if __name__ == "__main__":
    main()
