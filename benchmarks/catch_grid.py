"""The thesis's 30 catches: our compiled loop at 2e-5 s beside MuJoCo's run of the same grid, and if the outcomes agree.

make bench
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

for variable in ("CARPAL_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(variable, "1")  # one thread for everybody

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "benchmarks"))

from harness import Sheet  # noqa: E402 - the path above is needed first

from carpal.labs.catch.cases import score_cases  # noqa: E402
from carpal.labs.catch.mujoco_engine import STEP  # noqa: E402
from carpal.labs.catch.mujoco_plant import MuJoCoCatcher  # noqa: E402
from carpal.labs.catch.task import Catch  # noqa: E402

POINTS = 30
loop = MuJoCoCatcher.step
VERDICTS = ("caught", "in_bin")


class Stepping:
    """Counts the processor time that MuJoCo's own steps take, without our controller beside it."""

    def __init__(self) -> None:
        self.seconds = 0.0
        whole = loop

        def timed(catcher: MuJoCoCatcher, *given: object) -> None:
            begun = time.thread_time()
            whole(catcher, *given)  # type: ignore[arg-type]
            self.seconds += time.thread_time() - begun

        setattr(MuJoCoCatcher, "step", timed)  # noqa: B010 - the linter's plain assignment is refused by the type checker


def main() -> None:
    sheet = Sheet("The 30 catches of Yesmunt 2014, gains of the thesis")
    ours, theirs = Catch(grid=True, gains="thesis"), Catch(grid=True, gains="thesis", engine="mujoco")
    score_cases([(ours, 0)])  # compile
    theirs.run(0)
    stepping = Stepping()
    total = {"carpal": 0.0, "MuJoCo, with our controller": 0.0}
    differ = []
    for seed in range(POINTS):  # one after the other in turns, so that a noisy moment hits both
        begun = time.thread_time()
        a = score_cases([(ours, seed)])[0]
        total["carpal"] += time.thread_time() - begun
        begun = time.thread_time()
        b = theirs.run(seed).score
        total["MuJoCo, with our controller"] += time.thread_time() - begun
        if any(bool(a.numbers[name]) != bool(b.numbers[name]) for name in VERDICTS):
            differ.append(f"point {seed}: ours {a.status} MuJoCo: {b.status}")
    total["MuJoCo, its steps alone"] = stepping.seconds
    for peer in ("MuJoCo, with our controller", "MuJoCo, its steps alone"):
        sheet.row("30 catches, one core", total, "carpal", peer, 0.0)
    sheet.lines += [
        "",
        "Ours: steps of 2e-5 s, every joint a spring, every surface of the hand a contact, scored without a recording. "
        f"MuJoCo: the same catcher as a tree with coupled digits, steps of {STEP:g} s, implicitfast, recorded every "
        "millisecond. No ratio is asked for; it is reported. Times are processor time of the one thread.",
        "",
        f"Outcomes (caught, in the bin) that agree: {POINTS - len(differ)} of {POINTS}. " + " ".join(differ),
    ]
    print(sheet.lines[-1])
    sheet.show(loop)
    sheet.save(ROOT / "docs" / "evidence" / "bench_catch.md")


if __name__ == "__main__":
    main()
