"""Run on a machine with a CUDA device: the modal engine, GPU against CPU over 100 steps, and its speed against worlds.

    PYTHONPATH=.:tests python3 tests/gpu/measure_modal.py docs/evidence/gpu_modal.json

Needs only numpy, numba and numba-cuda. `tests/gpu/test_modal_evidence.py` reads the file and says when it is stale.
"""

from __future__ import annotations

import json
import sys
import time

import modal_scenes as scenes
import numpy as np

from carpal import _jit
from carpal.engines import ModalEngine, Surface
from carpal.model import Model, State

STEPS = 100


def cases() -> dict[str, tuple[Model, dict[str, object]]]:
    """Scenes without ambiguous modes: a ball that slides, a block that sticks, a held cube."""
    hand, target = scenes.cross_fingers(3)
    return {
        "sliding ball": (scenes.thrown_ball(2.0).build(), {"surface": Surface(mu=0.2)}),
        "sticking block": (scenes.block(push=(1.0, 0.5)).build(), {"surface": Surface(mu=0.3)}),
        "held cube": (hand, {"surface": Surface(mu=0.6), "target": target, **scenes.HAND_GAINS}),
    }


def start(model: Model, worlds: int) -> State:
    """Worlds that differ a little in speed along x."""
    home = State.home(model, batch=(worlds,))
    v = home.v.copy()
    v[:, -6] = 2.0 + np.linspace(0.0, 0.1, worlds) if model.name == "thrown ball" else 0.0
    return State(0.0, home.q, v)


def compare(model: Model, options: dict[str, object], worlds: int = 64) -> dict[str, float]:
    """Largest differences of q and v after 100 steps."""
    ends = [
        ModalEngine(model, device=device, **options).run(start(model, worlds), None, STEPS).state  # type: ignore[arg-type]
        for device in ("cpu", "cuda")
    ]
    return {"q": float(np.abs(ends[0].q - ends[1].q).max()), "v": float(np.abs(ends[0].v - ends[1].v).max())}


def speed(model: Model, options: dict[str, object], worlds: int) -> float:
    """World-steps a second on the device."""
    engine = ModalEngine(model, device="cuda", **options)  # type: ignore[arg-type]
    begin = engine.run(start(model, worlds), None, 10).state
    clock = time.perf_counter()
    engine.run(begin, None, STEPS)
    return worlds * STEPS / (time.perf_counter() - clock)


def main(path: str) -> None:
    """Measure, and write the file."""
    cuda = _jit.require_cuda()
    evidence = {
        "kernels_hash": _jit.kernels_hash(),
        "device": cuda.get_current_device().name.decode(),
        "steps": STEPS,
        "compared": {name: compare(*case) for name, case in cases().items()},
        "speed": {str(worlds): speed(*cases()["held cube"], worlds) for worlds in (1, 1024, 16384)},
    }
    with open(path, "w") as file:
        json.dump(evidence, file, indent=1)
    print(json.dumps(evidence))


if __name__ == "__main__":
    main(sys.argv[1])
