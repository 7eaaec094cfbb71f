"""The penalty engine's cost: a step against bodies, joints and contacts, and the reference scene beside MuJoCo.

make bench
"""

from __future__ import annotations

import os
import sys
import time
from dataclasses import replace
from pathlib import Path

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")  # one thread for everybody

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "benchmarks"), str(ROOT / "tests")]

from harness import Sheet, race  # noqa: E402 - the path above is needed first
from penalty_reference import reference_mechanism, reference_mjcf  # noqa: E402

from carpal.engines import PenaltyEngine  # noqa: E402
from carpal.model import Mechanism  # noqa: E402

DT, SLICE = 2e-5, 0.02  # [s]; both engines simulate the same 20 ms in a round


def main() -> None:
    mechanism = reference_mechanism()
    engine = PenaltyEngine(mechanism, dt=DT, threads=1)
    sheet = Sheet("Penalty engine: 35 bodies, 94 point joints, 18 contacts")
    start = engine.run(engine.start(), steps=5_000).state
    contenders = {"penalty, 2e-5 s": lambda: engine.run(start, steps=round(SLICE / DT))}
    try:
        import mujoco
    except ImportError:
        sheet.absent("MuJoCo")
    else:
        model = mujoco.MjModel.from_xml_string(reference_mjcf())
        data = mujoco.MjData(model)
        mujoco.mj_step(model, data, 200)

        def mujoco_slice() -> None:
            for _ in range(round(SLICE / model.opt.timestep)):
                mujoco.mj_step(model, data)

        contenders["MuJoCo, 5e-4 s"] = mujoco_slice
        seconds = race(contenders, clock=time.thread_time)
        # 25 times the steps in at most 10 times the time
        sheet.row("20 ms of simulated time", seconds, "penalty, 2e-5 s", "MuJoCo, 5e-4 s", 0.1, per=1)
        sheet.show(mujoco_slice)
    sheet.lines += [
        "",
        f"Rows are {SLICE * 1e3:g} ms of simulated time. MuJoCo {getattr(sys.modules.get('mujoco'), '__version__', 'absent')}.",
        "",
        "| a step of | us |",
        "|---|---|",
    ]
    for what, part in _parts(mechanism).items():
        sheet.lines.append(f"| {what} | {1e6 * _step_cost(part):.2f} |")
        print(sheet.lines[-1], flush=True)
    sheet.save(ROOT / "docs" / "evidence" / "bench_penalty.md")


def _parts(mechanism: Mechanism) -> dict[str, Mechanism]:
    """The reference scene with parts left out, so that differences show what each costs."""
    bare = replace(mechanism, joints=(), fixed=())
    return {
        "1 body": replace(bare, bodies=bare.bodies[:1], untouched=()),
        "10 bodies": replace(bare, bodies=bare.bodies[:10], untouched=()),
        "35 bodies": bare,
        "35 bodies, 94 point joints": replace(mechanism, fixed=()),
        "35 bodies, 18 contacts": replace(mechanism, joints=()),
        "35 bodies, 94 point joints, 18 contacts": mechanism,
    }


def _step_cost(mechanism: Mechanism, steps: int = 1000) -> float:
    engine = PenaltyEngine(mechanism, dt=DT, threads=1)
    start = engine.start()
    return race({"": lambda: engine.run(start, steps=steps)}, rounds=5, clock=time.thread_time)[""] / steps


if __name__ == "__main__":
    main()
