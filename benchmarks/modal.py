"""The modal engine's cost beside MuJoCo: the same hand, cube and contacts at 1 ms, one core.

make bench
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")  # one thread for everybody

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "benchmarks"), str(ROOT / "tests")]

import modal_scenes as scenes  # noqa: E402 - the path above is needed first
import numpy as np  # noqa: E402
from harness import Sheet, race  # noqa: E402
from modal_mujoco import mujoco_twin  # noqa: E402

from carpal.engines import ModalEngine, Surface  # noqa: E402
from carpal.engines.modal.kernels import books as book  # noqa: E402
from carpal.model import State  # noqa: E402

STEPS = 500
RATE = 0.4  # [rad/s] at which the moving case sways all fingers, so that contacts roll and slide


def ours(fingers: int, moving: bool) -> tuple[Callable[[], State], ModalEngine]:
    """500 steps of 1 ms in one call, from the settled grasp; the moving targets run on at their rate."""
    model, home = scenes.cross_fingers(fingers)
    rate = np.zeros(model.nv)
    rate[:-6:3] = RATE if moving else 0.0
    settled = ModalEngine(model, surface=Surface(mu=0.6), target=home, **scenes.HAND_GAINS)
    start = settled.run(State.home(model), None, 1000).state
    engine = ModalEngine(
        model, surface=Surface(mu=0.6), threads=1, target=lambda time: (home, rate), **scenes.HAND_GAINS
    )
    return lambda: engine.run(start, None, STEPS).state, engine


def peer(fingers: int, moving: bool) -> Callable[[], object]:
    """The same in MuJoCo: elliptic cones, impratio 10; `mj_step` moves all steps of a target in one call where it can."""
    import mujoco

    model, home = scenes.cross_fingers(fingers)
    twin, data = mujoco_twin(model, 0.6, home, stiffness=3.0, damping=0.05, cone="elliptic", impratio=10.0)
    mujoco.mj_step(twin, data, 1000)
    start = data.qpos.copy(), data.qvel.copy()

    def run() -> None:
        data.qpos[:], data.qvel[:] = start
        if not moving:
            mujoco.mj_step(twin, data, STEPS)
            return
        for k in range(STEPS // 10):  # its springs are moved every 10 ms, so that Python costs it next to nothing
            twin.qpos_spring[: 3 * fingers : 3] = home[:-6:3] + RATE * k * 1e-2
            mujoco.mj_step(twin, data, 10)

    return run


def main() -> None:
    sheet = Sheet("Modal engine: hand of three-joint fingers and a cube, 1 ms")
    try:
        import mujoco
    except ImportError:
        mujoco = None
        sheet.absent("MuJoCo")
    contacts: dict[str, float] = {}
    for fingers in (5, 3, 2):
        for moving, aim in ((False, 2.0), (True, 1.3)):
            run, engine = ours(fingers, moving)
            contenders: dict[str, Callable[[], object]] = {"modal": run}
            if mujoco is not None:
                contenders["MuJoCo"] = peer(fingers, moving)
            seconds = race(contenders, rounds=7, clock=time.thread_time)
            what = f"{fingers} fingers, {'moving' if moving else 'static'}"
            if mujoco is not None:
                sheet.row(what, seconds, "modal", "MuJoCo", aim, per=STEPS)
            contacts[what] = 1e6 * seconds["modal"] / STEPS
            _, books, touch = engine.books(run(), None, 1)  # type: ignore[arg-type]
            touching = int((touch[:, book.T_PAIR] >= 0).argmin())
            print(f"  {what}: {touching} contacts, solver steps {books[book.NEWTON_STEPS]:g}", flush=True)
    sheet.lines += ["", "| scene | us a step |", "|---|---|"]
    sheet.lines += [f"| {what} | {cost:.1f} |" for what, cost in contacts.items()]
    if mujoco is not None:
        sheet.lines += ["", f"MuJoCo {mujoco.__version__}, elliptic cones, impratio 10, implicitfast, same contacts."]
        sheet.show(peer(5, False))
    sheet.lines += ["", "Drake is not measured here; `benchmarks/many_bodies.py` has it."]
    sheet.save(ROOT / "docs" / "evidence" / "bench_modal.md")


if __name__ == "__main__":
    main()
