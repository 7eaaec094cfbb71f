"""Scenes that once hung, failed or gained energy: steps certified, slowest step, energy that the scheme gained or lost.

    python benchmarks/contact_truth.py [--accurate]

The energy is what the ledger cannot account for (kinetic + potential + dissipated), at its highest and lowest; the closure is the
equation of motion recomputed from the recording (`tests/equation_of_motion.py`), in steps without collisions, of the largest
impulse.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "benchmarks"), str(ROOT / "tests")]

import hard_contact_scenes as hard  # noqa: E402 - the path above is needed first
import numpy as np  # noqa: E402
from equation_of_motion import residuals  # noqa: E402

from carpal.engines import ModalEngine, simulate  # noqa: E402
from carpal.engines.checking import BOUNDS  # noqa: E402

MOST = 60.0
"""[s] of processor time after which a scene is left."""


def measured(case: hard.Case, accurate: bool) -> str:
    """The cells of a scene's row."""
    scene, surface, seconds = case
    engine = ModalEngine(scene.build(), surface=surface, threads=1, accurate=accurate)
    engine.run(scene.start(), None, 1)  # compile
    state, slowest, good, lost, begin = scene.start(), 0.0, 0, 0.0, time.process_time()
    energy, limited = [float(sum(engine.energies(state)))], 0
    for _ in range(round(seconds / engine.dt)):
        start = time.process_time()
        ahead = engine.advance(state, np.zeros(engine.model.nv))
        slowest = max(slowest, time.process_time() - start)
        state, lost = ahead.state, lost + float(ahead.dissipated)
        energy.append(float(sum(engine.energies(state))) + lost)
        proof = ahead.certificate or {}
        good += all(value <= BOUNDS[name] for name, value in proof.items())
        limited += proof["limit"] > 0
        if time.process_time() - begin > MOST:
            break
    off, steps = np.array(energy) - energy[0], len(energy) - 1
    return (
        f"{steps} of {round(seconds / engine.dt)} | {100 * good / steps:.2f} % | {limited} | {1e3 * slowest:.0f} | "
        f"{energy[0]:.3g} | {off.max():.1e} | {off.min():.1e}"
    )


def closure(case: hard.Case) -> str:
    """What is missing in the equation of motion, of the largest impulse and moment."""
    scene, surface, seconds = case
    recording = simulate(
        ModalEngine(scene.build(), surface=surface, threads=1), scene.start(), duration=min(seconds, 0.3)
    )
    lost, turned = residuals(recording)
    hit = np.array([any(c.mode == "impact" for c in row) for row in recording.contacts[:-1]])
    return (
        f"{lost[~hit].max():.1e} | {turned[~hit].max():.1e} | {hit.sum()} | {lost[hit].max() if hit.any() else 0:.1e}"
    )


def main() -> None:
    accurate = "--accurate" in sys.argv
    cases = {**hard.HARD, **{f"bowling ball {k}": (lambda k=k: hard.bowling(k)) for k in range(18)}}
    cases |= {"top, frame at its tip": lambda: hard.top(False), "top, frame at its mass centre": lambda: hard.top(True)}
    print("| scene | steps | certified | at a limit | slowest step [ms] | energy [J] | gained [J] | lost [J] |")
    print("|---|---|---|---|---|---|---|---|", flush=True)
    for name, case in cases.items():
        print(f"| {name} | {measured(case(), accurate)} |", flush=True)
    if accurate:
        return
    print(
        "\n| scene | impulse missing [N s] | moment missing [N m s] | steps with collisions | impulse missing there [N s] |"
    )
    print("|---|---|---|---|---|", flush=True)
    for name in ("3 balls", "hit stack", "rolling ellipsoid", "wobbling cylinder", "pushed row of 5", "5 dominoes"):
        print(f"| {name} | {closure(hard.HARD[name]())} |", flush=True)


if __name__ == "__main__":
    main()
