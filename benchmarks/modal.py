"""The modal engine's cost beside MuJoCo: the same hand, cube and contacts at 1 ms, one core; then cost against contacts, and
error against cost where there is a closed form (`modal_error_cost.py`). Drake runs in processes of its own.

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
from modal_drake_hand import drake_hand, drake_rows  # noqa: E402
from modal_error_cost import drake_points, error_cost, mujoco_points  # noqa: E402
from modal_mujoco import mujoco_twin  # noqa: E402

from carpal.engines import ModalEngine, Surface  # noqa: E402
from carpal.engines.modal.kernels import ledger as columns  # noqa: E402
from carpal.model import Box, Plane, Scene, State  # noqa: E402

STEPS = 500
RATE = 0.4  # [rad/s] at which the moving case sways all fingers, so that contacts roll and slide


CREEPING = 1e-6  # [rad/s] too slow to see, but a world that moves like that is not at rest


def ours(fingers: int, moving: bool, creeping: bool = False) -> tuple[Callable[[], State], ModalEngine]:
    """500 steps of 1 ms in one call, from the settled grasp; the moving targets run on at their rate."""
    model, home = scenes.cross_fingers(fingers)
    rate = np.zeros(model.nv)
    rate[:-6:3] = RATE if moving else CREEPING if creeping else 0.0
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


def blocks(count: int, turning: bool = False) -> tuple[Callable[[], object], Callable[[], int]]:
    """Blocks side by side on a floor, four contacts each, 100 steps: (ours, MuJoCo, which returns its contacts at the end).

    They are pushed and slide straight on, so that the forces of the step before are right; or they turn while they slide,
    and the contact law has to be solved again in each step.
    """
    import mujoco

    scene = Scene("blocks")
    for k in range(count):
        twist = [0.5, 0.2, 0, 0, 0, 3.0 + k] if turning else None
        scene.add_object(f"b{k}", Box((0.1, 0.1, 0.1)), mass=0.5, pose=[0.2 * k, 0, 0.05], twist=twist)
    scene.add_fixed("floor", Plane())
    model = scene.build()
    push = np.tile([0.0 if turning else 3.0, 0.0, 0, 0, 0, 0], count)
    engine = ModalEngine(model, surface=Surface(mu=0.1 if turning else 0.4), threads=1)
    start = engine.run(scene.start(), push, 10 if turning else 200).state
    twin, data = mujoco_twin(model, 0.1 if turning else 0.4, cone="elliptic", impratio=10.0)
    data.qvel[:] = scene.start().v  # its spins are along the axes of the bodies, which are the world's at the start
    data.qfrc_applied[:] = push
    mujoco.mj_step(twin, data, 10 if turning else 200)
    begin = data.qpos.copy(), data.qvel.copy()

    def theirs() -> int:
        data.qpos[:], data.qvel[:] = (
            begin  # left to run on, its blocks hop, and contacts that are not there cost nothing
        )
        mujoco.mj_step(twin, data, 100)
        return int(data.ncon)

    return lambda: engine.run(start, push, 100).state, theirs


def main() -> None:
    sheet = Sheet("Modal engine: hand of three-joint fingers and a cube, 1 ms")
    try:
        import mujoco
    except ImportError:
        mujoco = None
        sheet.absent("MuJoCo")
    contacts: list[str] = []
    for fingers in (5, 3, 2):
        for what, moving, creeping, aim in (
            ("static", False, False, 2.0),
            ("static but for 1e-6 rad/s", False, True, 1.0),
            ("moving", True, False, 1.3),
        ):
            run, engine = ours(fingers, moving, creeping)
            contenders: dict[str, Callable[[], object]] = {"modal": run}
            if mujoco is not None:
                contenders["MuJoCo"] = peer(fingers, moving)
            seconds = race(contenders, rounds=15, clock=time.thread_time)
            if mujoco is not None:
                sheet.row(f"{fingers} fingers, {what}", seconds, "modal", "MuJoCo", aim, per=STEPS)
            _, ledger, touch = engine.run_with_ledger(run(), None, 100)  # type: ignore[arg-type]
            touching = int((touch[:, columns.T_PAIR] >= 0).argmin())
            contacts.append(
                f"| {fingers} fingers, {what} | {touching} | {ledger[columns.NEWTON_STEPS] / ledger[columns.SOLVES]:.2f} | "
                f"{1e6 * seconds['modal'] / STEPS:.1f} | {1e6 * seconds.get('MuJoCo', np.nan) / STEPS:.1f} |"
            )
    if mujoco is not None:
        for count, turning in ((1, False), (2, False), (4, False), (8, False), (1, True), (4, True), (8, True)):
            mine, theirs = blocks(count, turning)
            seconds = race({"modal": mine, "MuJoCo": theirs}, rounds=5, clock=time.thread_time)
            contacts.append(
                f"| {count} {'turning' if turning else 'sliding'} blocks | {4 * count} (MuJoCo: {theirs()} at the end) | | "
                f"{1e4 * seconds['modal']:.1f} | {1e4 * seconds['MuJoCo']:.1f} |"
            )
    sheet.lines += [
        "",
        "A world in which nothing moves by more than 1e-14 m or rad in a step keeps its geometry (`kernels/resting.py`) and",
        "only solves and certifies its contacts: the row *static*. The row below it is the same grasp with targets that creep,",
        "so that every stage of a step is worked through.",
        "",
        "## Cost against fingers and contacts",
        "",
        "| scene | contacts | solver steps | us a step | MuJoCo, us a step |",
        "|---|---|---|---|---|",
        *contacts,
    ]
    if mujoco is not None:
        sheet.lines += [
            "",
            f"MuJoCo {mujoco.__version__}, elliptic cones, impratio 10, implicitfast, same contacts at the start; its blocks "
            "rock on their edges.",
        ]
        sheet.show(peer(5, False))
    sheet.lines += drake_rows()
    sheet.show(drake_hand)
    sheet.show(mujoco_points)
    sheet.show(drake_points)
    sheet.lines += ["", *error_cost(ROOT / "docs" / "pictures" / "modal_error_cost.png")]
    sheet.save(ROOT / "docs" / "evidence" / "bench_modal.md")


if __name__ == "__main__":
    main()
