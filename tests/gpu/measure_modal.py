"""Run on a machine with a CUDA device: the modal engine, GPU against CPU over 100 steps, and its speed against worlds.

    PYTHONPATH=.:tests python3 tests/gpu/measure_modal.py docs/evidence/gpu_modal.json

Needs only numpy, numba and numba-cuda. The file is written anew after every figure, so that a run that is cut short leaves
what it has; figures that would begin after BUDGET seconds are left out. `tests/gpu/test_modal_evidence.py` reads it
and says when it is stale.
"""

from __future__ import annotations

import json
import multiprocessing
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import modal_scenes as scenes
import numpy as np
from gpu.evidence_folders import MODAL, evidence_hash

from carpal._core import cuda_launch
from carpal.engines import ModalEngine, Surface
from carpal.model import Model, State

STEPS = 100
WORLDS = 64
BUDGET = 420.0
"""[s] after which no new figure is begun."""


def cases() -> dict[str, tuple[Model, dict[str, Any]]]:
    """Scenes without ambiguous modes: a ball that slides, a block that sticks, a held cube, a hand that sways."""
    hand, target = scenes.cross_fingers(3)
    rate = np.zeros(hand.nv)
    rate[:-6:3] = 0.1
    grip = {"surface": Surface(mu=0.9), **scenes.HAND_GAINS}
    return {
        "sliding ball": (scenes.thrown_ball(2.0).build(), {"surface": Surface(mu=0.2)}),
        "sticking block": (scenes.block(push=(1.0, 0.5)).build(), {"surface": Surface(mu=0.3)}),
        "held cube": (hand, {"target": target, **grip}),
        "swaying hand": (hand, {"target": lambda time: (target, rate), **grip}),
    }


def start(model: Model, worlds: int) -> State:
    """Worlds that differ a little in speed along x."""
    home = State.home(model, batch=(worlds,))
    v = home.v.copy()
    v[:, -6] = 2.0 + np.linspace(0.0, 0.1, worlds) if model.name == "thrown ball" else 0.0
    return State(0.0, home.q, v)


def end(case: tuple[Model, dict[str, Any]], device: str) -> State:
    """Where the worlds are after 100 steps."""
    model, options = case
    return ModalEngine(model, device=device, **options).run(start(model, WORLDS), None, STEPS).state


def speed(case: tuple[Model, dict[str, Any]], worlds: int) -> float:
    """World-steps a second on the device, transfers included."""
    model, options = case
    engine = ModalEngine(model, device="cuda", **options)
    begin = engine.run(start(model, worlds), None, 10).state
    clock = time.perf_counter()
    engine.run(begin, None, STEPS)
    return worlds * STEPS / (time.perf_counter() - clock)


def on_cpu() -> dict[str, State]:
    """Where the worlds of every case are after 100 steps on the CPU; runs in a process of its own."""
    return {name: end(case, "cpu") for name, case in cases().items()}


def main(path: str) -> None:
    """Measure, and write the file after every figure."""
    began = time.perf_counter()
    name = cuda_launch.require_cuda().get_current_device().name
    evidence: dict[str, Any] = {
        "kernels_hash": evidence_hash(MODAL), "device": name.decode() if isinstance(name, bytes) else str(name),
        "steps": STEPS, "worlds": WORLDS, "compared": {}, "speed": {}, "seconds": {},
    }  # fmt: skip

    def say(what: str) -> None:
        print(f"{time.perf_counter() - began:6.1f} s  {what}", flush=True)

    def write(what: str, figure: str = "") -> None:
        evidence["seconds"][what] = round(time.perf_counter() - began, 1)
        with open(path, "w") as file:
            json.dump(evidence, file, indent=1)
        say(f"{what} {figure}")

    # the CPU's kernels are compiled beside the device's, not before them
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        waiting = pool.submit(on_cpu)
        say(f"compiling for {evidence['device']} (about a minute), and for the CPU beside it")
        end(next(iter(cases().values())), "cuda")
        write("compiled, and first case on the device")
        ends = waiting.result()
        write("all cases on the CPU")
    for name, case in cases().items():
        if time.perf_counter() - began > BUDGET:
            break
        other = end(case, "cuda")
        evidence["compared"][name] = {
            "q": float(np.abs(ends[name].q - other.q).max()), "v": float(np.abs(ends[name].v - other.v).max()),
        }  # fmt: skip
        write(name, str(evidence["compared"][name]))
    for worlds in (1, 1024, 16384):
        if time.perf_counter() - began > BUDGET:
            break
        evidence["speed"][str(worlds)] = speed(cases()["held cube"], worlds)
        write(f"{worlds} worlds", f"{evidence['speed'][str(worlds)]:.4g} world-steps a second")
    print(json.dumps(evidence))


if __name__ == "__main__":
    main(sys.argv[1])
