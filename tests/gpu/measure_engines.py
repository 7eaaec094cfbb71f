"""Run on a machine with a CUDA device: the rigid engine and the control laws, GPU against CPU, and their speed.

    PYTHONPATH=.:tests python3 tests/gpu/measure_engines.py docs/evidence/gpu_engines.json

Needs only numpy, numba and numba-cuda. `tests/gpu/test_engines_evidence.py` reads the file and says when it is stale.
"""

from __future__ import annotations

import json
import sys
import time
from dataclasses import replace

import numpy as np
from evidence_folders import ENGINES, evidence_hash

import carpal
from carpal._core import cpu_pool, cuda_launch
from carpal.engines import RigidEngine
from carpal.model import Model, State

STEPS = 20


def compare(models: list[Model], worlds: int) -> dict[str, dict[str, float]]:
    """Worst relative differences after some steps, by integrator, half of the joints prescribed in every other model."""
    from random_models import random_state

    worst: dict[str, dict[str, float]] = {}
    for number, bare in enumerate(models):
        joints = [replace(body.joint, damping=0.1, friction=0.1 * (number % 3)) for body in bare.bodies]
        model = bare.replace(bodies=tuple(replace(b, joint=j) for b, j in zip(bare.bodies, joints, strict=True)))
        q, v, u = random_state(model, np.random.default_rng(number), (worlds,))
        chosen = model.joint_names[::2] if number % 2 else ()
        for integrator in ("rk4", "symplectic"):
            ends = [
                RigidEngine(model, dt=1e-3, integrator=integrator, prescribed=chosen, device=device).run(
                    State(0.0, q, v), u, STEPS
                )
                for device in ("cpu", "cuda")
            ]
            row = worst.setdefault(integrator, {"q": 0.0, "v": 0.0, "work_in": 0.0, "dissipated": 0.0, "models": 0})
            for what in ("q", "v", "work_in", "dissipated"):
                a, b = (getattr(end.state if what in "qv" else end, what) for end in ends)
                row[what] = max(row[what], float(np.abs(a - b).max() / max(1.0, np.abs(a).max())))
            row["models"] += 1
    return worst


def speed(model: Model, worlds: int, steps: int) -> dict[str, float]:
    """World-steps a second on the GPU and on all cores of its host, transfers included."""
    rng = np.random.default_rng(3)
    q = model.q_home + 0.1 * rng.normal(size=(worlds, model.nq))
    v, u = 0.1 * rng.normal(size=(2, worlds, model.nv))
    out: dict[str, float] = {"worlds": worlds, "steps": steps, "host_threads": cpu_pool.cpu_threads()}
    for device, count in (("cuda", worlds), ("cpu", worlds // 16)):
        engine = RigidEngine(model, dt=1e-3, device=device)
        engine.run(State(0.0, q[:count], v[:count]), u[:count], 1)
        start = time.perf_counter()
        engine.run(State(0.0, q[:count], v[:count]), u[:count], steps)
        out[f"world_steps_per_second_{device}"] = count * steps / (time.perf_counter() - start)
    return out


def main() -> None:
    from random_models import random_tree

    models = [random_tree(seed, free="anywhere" if seed % 2 else "root", joints=10) for seed in range(20)]
    models += [carpal.load(name) for name in ("sawyer", "catcher_arm")]
    name = cuda_launch.require_cuda().get_current_device().name
    report = {
        "device": name.decode() if isinstance(name, bytes) else str(name),
        "kernels_hash": evidence_hash(ENGINES),
        "steps": STEPS,
        "compared": compare(models, 64),
        "speed_sawyer_rk4_with_transfers": speed(carpal.load("sawyer"), 131_072, 200),
    }
    text = json.dumps(report, indent=2)
    print(text)
    with open(sys.argv[1], "w") as file:
        file.write(text + "\n")


if __name__ == "__main__":
    main()
