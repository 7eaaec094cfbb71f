"""Random scenes of 2 to 12 bodies of mixed shapes (`tests/random_contact_scenes.py`): certified steps, worst step, nothing NaN.

python benchmarks/contact_random.py [scenes] [seconds of processor time]
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "tests")]

import numpy as np  # noqa: E402 - the path above is needed first
from random_contact_scenes import LEAST, MOST, random_scene  # noqa: E402

from carpal.engines import ModalEngine  # noqa: E402
from carpal.engines.checking import BOUNDS  # noqa: E402
from carpal.engines.modal.certificate import certificate_of  # noqa: E402
from carpal.engines.modal.kernels import ledger as columns  # noqa: E402
from carpal.errors import CarpalError  # noqa: E402

STEPS = 300


def measured(seed: int) -> tuple[int, int, int, float, float, dict[str, int]]:
    """(bodies, steps, certified ones, most Newton steps of one, processor time of the slowest [ms], bounds that were broken)."""
    scene, surface = random_scene(seed)
    engine = ModalEngine(scene.build(), surface=surface, threads=1)
    state, good, newton, slowest = scene.start(), 0, 0.0, 0.0
    broken: dict[str, int] = {}
    for _ in range(STEPS):
        start = time.thread_time()
        state, ledger, _ = engine.run_with_ledger(state, None, 1)
        slowest, newton = max(slowest, time.thread_time() - start), max(newton, ledger[columns.NEWTON_STEPS])
        proof = certificate_of(ledger)
        off = [name for name in proof if not proof[name] <= BOUNDS[name]]
        for name in off:
            broken[name] = broken.get(name, 0) + 1
        good += not off
    if not (np.isfinite(state.q).all() and np.isfinite(state.v).all()):
        raise FloatingPointError(f"scene {seed} is not finite")
    return engine.model.nv // 6, STEPS, good, newton, 1e3 * slowest, broken


def main() -> None:
    scenes = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    limit = float(sys.argv[2]) if len(sys.argv) > 2 else 300.0
    rows, failed, begin = [], [], time.process_time()
    broken: dict[str, int] = {}
    measured(0)  # compile
    for seed in range(scenes):
        try:
            *row, off = measured(seed)
        except (CarpalError, FloatingPointError) as error:
            failed.append(f"{seed}: {error}")
            continue
        rows.append(row)
        for name, count in off.items():
            broken[name] = broken.get(name, 0) + count
        if time.process_time() - begin > limit:
            break
    table = np.array(rows)
    print(
        f"{len(rows)} scenes of {STEPS} steps of 1 ms; {len(failed)} stopped {failed[:5]}; bounds broken in steps: {broken}\n"
    )
    print(
        "| bodies | scenes | steps certified | scenes with every step | most Newton steps of one step | slowest step [ms] |"
    )
    print("|---|---|---|---|---|---|")
    for low, high in ((LEAST, 4), (5, 8), (9, MOST), (LEAST, MOST)):
        part = table[(table[:, 0] >= low) & (table[:, 0] <= high)]
        if len(part):
            share, whole = part[:, 2].sum() / part[:, 1].sum(), np.mean(part[:, 2] == part[:, 1])
            print(
                f"| {low} to {high} | {len(part)} | {100 * share:.3f} % | {100 * whole:.0f} % | {part[:, 3].max():.0f} | "
                f"{part[:, 4].max():.0f} |"
            )


if __name__ == "__main__":
    main()
