"""Run on a machine with a CUDA device: does the GPU give what the CPU gives, from the same source, and how fast?

    PYTHONPATH=.:tests python3 tests/gpu/measure.py docs/evidence/gpu_spine.json

Needs only numpy, numba and numba-cuda. `tests/gpu/test_evidence.py` reads the file and says when it is stale.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable

import numpy as np
from evidence_folders import SPINE, evidence_hash

import carpal
from carpal import dynamics, kinematics
from carpal._core import cpu_pool, cuda_launch

Array = np.ndarray
EPS = np.finfo(float).eps


def functions(model: carpal.Model, q: Array, v: Array, a: Array) -> dict[str, Callable[[str], Array]]:
    """Every batched verb, as a function of the device."""
    tau = dynamics.inverse_dynamics(model, q, v, a)
    return {
        "fk": lambda device: carpal.fk(model, q, device=device),
        "jacobian": lambda device: carpal.jacobian(model, q, device=device),
        "jacobian_rate_times_v": lambda device: kinematics.jacobian_rate_times_v(model, q, v, device=device),
        "integrate": lambda device: kinematics.integrate(model, q, v, 0.01, device=device),
        "inverse_dynamics": lambda device: carpal.inverse_dynamics(model, q, v, a, device=device),
        "mass_matrix": lambda device: carpal.mass_matrix(model, q, device=device),
        "forward_dynamics": lambda device: carpal.forward_dynamics(model, q, v, tau, device=device),
        "com": lambda device: carpal.com(model, q, device=device),
        "com_acceleration": lambda device: dynamics.com_acceleration(model, q, v, a, device=device),
        "kinetic_energy": lambda device: dynamics.kinetic_energy(model, q, v, device=device),
        "mount_wrench": lambda device: carpal.mount_wrench(model, q, v, a, device=device),
    }


def compare(models: list[carpal.Model], worlds: int) -> dict[str, dict[str, float]]:
    """Worst relative difference and worst share of its bound, over all models, by function."""
    rng = np.random.default_rng(1)
    worst: dict[str, dict[str, float]] = {}
    for model in models:
        q = kinematics.random_configurations(model, worlds, seed=2)
        v, a = rng.normal(size=(2, worlds, model.nv))
        condition = float(np.linalg.cond(carpal.mass_matrix(model, q)).max())
        held = any(body.parent is None and body.joint.kind != "free" for body in model.bodies)
        for name, run in functions(model, q, v, a).items():
            if name == "mount_wrench" and not held:
                continue
            cpu, gpu = run("cpu"), run("cuda")
            difference = float(np.abs(cpu - gpu).max() / max(1.0, np.abs(cpu).max()))
            bound = max(1e-9, 50 * EPS * condition) if name == "forward_dynamics" else 1e-9
            row = worst.setdefault(name, {"relative_difference": 0.0, "share_of_bound": 0.0, "models": 0})
            row["relative_difference"] = max(row["relative_difference"], difference)
            row["share_of_bound"] = max(row["share_of_bound"], difference / bound)
            row["models"] += 1
    return worst


def speed(model: carpal.Model, worlds: int) -> dict[str, float]:
    """Seconds for a batch, transfers included, best of three."""
    rng = np.random.default_rng(3)
    q = kinematics.random_configurations(model, worlds, seed=4)
    v, a = rng.normal(size=(2, worlds, model.nv))
    out = {}
    for name in ("fk", "inverse_dynamics", "forward_dynamics"):
        run = functions(model, q, v, a)[name]
        times = []
        for _ in range(3):
            start = time.perf_counter()
            run("cuda")
            times.append(time.perf_counter() - start)
        out[name] = min(times)
    return out


def compare_ik(model: carpal.Model, targets: int = 256) -> dict[str, float]:
    """Poses that the robot reaches, solved on both devices.

    A search may take another branch where a last digit decides: an answer counts as identical within 1e-6, and otherwise
    must be a solution in its own right, checked by fk on the CPU.
    """
    X = carpal.fk(model, kinematics.random_configurations(model, targets, seed=5))
    cpu, gpu = (carpal.ik(model, X, device=device) for device in ("cpu", "cuda"))
    same = np.abs(cpu.q - gpu.q).max(axis=1) <= 1e-6
    return {
        "targets": targets,
        "solved_on_cpu": float(cpu.ok.mean()),
        "solved_on_gpu": float(gpu.ok.mean()),
        "same_ok": float((cpu.ok == gpu.ok).mean()),
        "identical_answers": float(same.mean()),
        "wrong_on_cpu": int((cpu.ok & ~_solves(model, cpu.q, X)).sum()),
        "wrong_on_gpu": int((gpu.ok & ~_solves(model, gpu.q, X)).sum()),
    }


def _solves(model: carpal.Model, q: Array, X: Array) -> Array:
    """Within 1e-6 m and 1e-6 rad and inside the limits; chords keep their digits at small angles."""
    off = carpal.fk(model, q) - X
    p = np.linalg.norm(off[:, :3, 3], axis=1)
    r = 2 * np.arcsin(np.minimum(np.linalg.norm(off[:, :3, :3], axis=(1, 2)) / np.sqrt(8), 1))
    inside = ((q >= model.q_min) & (q <= model.q_max)).all(axis=1)
    return (p <= 1e-6 + 1e-12) & (r <= 1e-6 + 1e-12) & inside


def speed_ik(model: carpal.Model, targets: int = 100_000) -> dict[str, float]:
    """Seconds for a batch, transfers included, best of three on the GPU, once on all cores of its host."""
    X = carpal.fk(model, kinematics.random_configurations(model, targets, seed=6))
    times = []
    for _ in range(3):
        start = time.perf_counter()
        result = carpal.ik(model, X, device="cuda")
        times.append(time.perf_counter() - start)
    start = time.perf_counter()
    carpal.ik(model, X)
    return {
        "targets": targets,
        "solved": float(result.ok.mean()),
        "seconds_gpu": min(times),
        "seconds_host_cpu": time.perf_counter() - start,
        "host_threads": cpu_pool.cpu_threads(),
    }


def main() -> None:
    from random_models import random_tree

    models = [
        random_tree(seed, free="anywhere" if seed % 2 else "root")
        for seed in range(int(sys.argv[2]) if len(sys.argv) > 2 else 40)
    ]
    models += [carpal.load(name) for name in ("sawyer", "sawyer_dh", "catcher_arm", "cuhk_hand", "so101_old")]
    models += [carpal.load(name, inertia="assumed") for name in ("sia5", "srs7", "k10")]
    cuda = cuda_launch.require_cuda()
    worlds = 1_000_000
    report = {
        "device": str(cuda.get_current_device().name, "utf-8")
        if isinstance(cuda.get_current_device().name, bytes)
        else str(cuda.get_current_device().name),
        "kernels_hash": evidence_hash(SPINE),
        "models": len(models),
        "worlds_per_model": 64,
        "compared": compare(models, 64),
        "speed_worlds": worlds,
        "speed_sawyer_seconds_with_transfers": speed(carpal.load("sawyer"), worlds),
        "ik": {name: compare_ik(carpal.load(name)) for name in ("sawyer", "sia5", "catcher_arm")},
        "speed_ik_sawyer_with_transfers": speed_ik(carpal.load("sawyer")),
    }
    text = json.dumps(report, indent=2)
    print(text)
    with open(sys.argv[1], "w") as file:
        file.write(text + "\n")


if __name__ == "__main__":
    main()
