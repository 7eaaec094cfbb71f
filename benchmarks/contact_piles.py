"""Piles of boxes and of balls in a bin: cost against contacts, ours beside MuJoCo, one thread, 1 ms steps.

    python benchmarks/contact_piles.py [bodies ...]

Bodies fall a few millimetres and settle; the time is that of the process, for the fall and for what follows it. Penetration is
the deepest of the last steps; creep is how far bodies at rest still go in the last tenth of a second.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")  # one thread for everybody

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "benchmarks"), str(ROOT / "tests")]

import numpy as np  # noqa: E402 - the path above is needed first
from modal_mujoco import mujoco_twin  # noqa: E402

from carpal.engines import ModalEngine, Surface  # noqa: E402
from carpal.engines.checking import BOUNDS  # noqa: E402
from carpal.engines.modal.certificate import certificate_of  # noqa: E402
from carpal.engines.modal.kernels import ledger as columns  # noqa: E402
from carpal.model import Box, Plane, Scene, Sphere  # noqa: E402

MU, FALL, REST, PART = 0.5, 300, 200, 10


def pile(count: int, kind: str) -> Scene:
    """Boxes of 8 cm or balls of 10 cm in layers of a square bin, a few millimetres apart, slightly turned and shifted."""
    rng, scene = np.random.default_rng(3), Scene(f"{count} {kind}")
    side = max(2, round((count / 2.5) ** (1 / 3)))
    size, wide = (0.08, 0.086) if kind == "boxes" else (0.1, 0.104)
    for k in range(count):
        i, j, layer = k % side, (k // side) % side, k // side**2
        X = np.eye(4)
        if kind == "boxes":
            c, s = np.cos(angle := 0.02 * rng.standard_normal()), np.sin(angle)
            X[:2, :2] = [[c, -s], [s, c]]
        X[:3, 3] = [wide * (i + 0.5), wide * (j + 0.5), (size + 2e-3) * layer + 0.5 * size + 1e-3]
        X[:2, 3] += (0.001 if kind == "boxes" else 0.0015) * rng.uniform(-1, 1, 2)
        scene.add_object(f"b{k}", Box((size,) * 3) if kind == "boxes" else Sphere(0.5 * size), mass=0.5, pose=X)
    scene.add_fixed("floor", Plane())
    span, high = wide * side, 0.2 * (count / side**2 + 3)
    for k, (x, y, dx, dy) in enumerate(
        ((-0.05, span / 2, 0.1, span + 1), (span + 0.05, span / 2, 0.1, span + 1),
         (span / 2, -0.05, span + 1, 0.1), (span / 2, span + 0.05, span + 1, 0.1))
    ):  # fmt: skip
        scene.add_fixed(f"wall{k}", Box((dx, dy, high)), pose=[x, y, high / 2])
        scene.exclude(f"wall{k}", "floor")
    return scene


def ours(scene: Scene, count: int) -> list[float]:
    """[contacts, ms a step falling, ms a step at rest, share of parts certified, overlap [m], creep [m]]."""
    engine = ModalEngine(scene.build(), surface=Surface(mu=MU), threads=1, most_contacts=12 * count + 40)
    state = engine.run(scene.start(), None, 0).state
    spent, good, worst, touching, where = [0.0, 0.0], 0, 0.0, 0, state.q
    for k in range((FALL + REST) // PART):
        if k == (FALL + REST - 100) // PART:
            where = state.q
        start = time.thread_time()
        state, ledger, touch = engine.run_with_ledger(state, None, PART)
        spent[int(k * PART >= FALL)] += time.thread_time() - start
        proof = certificate_of(ledger)
        good += all(proof[name] <= BOUNDS[name] for name in proof)
        worst = proof["overlap"]
        touching = int(np.flatnonzero(touch[:, columns.T_PAIR] < 0)[0])
    creep = np.abs(state.q - where).reshape(-1, 7)[:, :3].max()
    return [
        touching, 1e3 * spent[0] / FALL, 1e3 * spent[1] / REST, good * PART / (FALL + REST), worst, float(creep),
    ]  # fmt: skip


def peer(scene: Scene) -> list[float]:
    """The same of MuJoCo, elliptic cones, impratio 10."""
    import mujoco

    twin, data = mujoco_twin(scene.build(), MU, cone="elliptic", impratio=10.0)
    spent, where = [], data.qpos.copy()
    for steps in (FALL, REST - 100, 100):
        where, start = data.qpos.copy(), time.thread_time()
        for _ in range(steps):
            mujoco.mj_step(twin, data)
        spent.append(time.thread_time() - start)
    creep = np.abs(data.qpos - where).reshape(-1, 7)[:, :3].max()
    return [
        data.ncon, 1e3 * spent[0] / FALL, 1e3 * (spent[1] + spent[2]) / REST, np.nan, float(-data.contact.dist.min()),
        float(creep),
    ]  # fmt: skip


def main() -> None:
    counts = [int(text) for text in sys.argv[1:]] or [10, 30, 100]
    print(
        "| pile | engine | contacts | falling [ms/step] | then [ms/step] | certified | overlap [m] | creep in 0.1 s [m] |"
    )
    print("|---|---|---|---|---|---|---|---|", flush=True)
    ModalEngine(pile(4, "balls").build(), threads=1, most_contacts=60).run(pile(4, "balls").start(), None, 1)
    for kind in ("balls", "boxes"):
        rows = []
        for count in counts:
            for name, row in (("modal", ours(pile(count, kind), count)), ("MuJoCo", peer(pile(count, kind)))):
                share = "" if np.isnan(row[3]) else f"{100 * row[3]:.0f} %"
                cells = f"{row[0]:.0f} | {row[1]:.3g} | {row[2]:.3g} | {share} | {row[4]:.1e} | {row[5]:.1e}"
                print(f"| {count} {kind} | {name} | {cells} |", flush=True)
                if name == "modal":
                    rows.append(row)
        if len(rows) > 1:
            contacts, cost = np.log([row[0] for row in rows]), np.log([row[1] for row in rows])
            print(
                f"growth of the cost of the fall with contacts, {kind}: exponent {np.polyfit(contacts, cost, 1)[0]:.2f}"
            )


if __name__ == "__main__":
    main()
