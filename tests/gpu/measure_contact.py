"""Run on a machine with a CUDA device: contact queries on GPU and CPU from the same source, and how fast a batch is.

    PYTHONPATH=.:tests python3 tests/gpu/measure_contact.py docs/evidence/gpu_contact.json

Needs only numpy, numba and numba-cuda. `tests/gpu/test_contact_evidence.py` reads the file and says when it is stale.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from collision_scenes import boxed_arm, random_rotation, zoo
from evidence_folders import CONTACT, evidence_hash
from measure_meshes import compare_meshes
from measure_rolling import compare_rolling

from carpal._core import cpu_pool, cuda_launch
from carpal.contact import collides, distance, first_contact, sweep
from carpal.kinematics import random_configurations
from carpal.model import Body, Box, Capsule, Cylinder, Ellipsoid, Joint, Model, PlacedShape, Plane, Scene, Shape, Sphere
from carpal.spatial import pose

Array = np.ndarray
KINDS: dict[str, Shape] = {
    "sphere": Sphere(0.1), "capsule": Capsule(0.07, 0.3), "cylinder": Cylinder(0.1, 0.3), "box": Box((0.1, 0.2, 0.3)),
    "ellipsoid": Ellipsoid((0.1, 0.15, 0.2)),
}  # fmt: skip


SCENES: dict[str, Callable[[], Scene]] = {"boxed_arm": boxed_arm, "zoo": zoo}


def two(a: Shape, b: Shape) -> Model:
    """A and B, each on a free body; a plane stands still."""
    bodies = [Body("a", None, Joint("a", "free"))]
    if not isinstance(b, Plane):
        bodies.append(Body("b", None, Joint("b", "free")))
    shapes = (PlacedShape("a", "a", a), PlacedShape("b", None if isinstance(b, Plane) else "b", b))
    return Model("two", tuple(bodies), shapes=shapes)


def compare_pairs(worlds: int) -> dict[str, dict[str, float]]:
    """Worst difference of distance [m], points [m] and normal of every kind pair, overlapping and apart."""
    out = {}
    names = [*KINDS, "plane"]
    for i, a in enumerate(KINDS):
        for b in names[i:]:
            model = two(KINDS[a], Plane() if b == "plane" else KINDS[b])
            q = random_configurations(model, worlds, seed=1, unlimited=0.25)
            cpu, gpu = distance(model, q), distance(model, q, device="cuda")
            residual = np.abs(gpu.p_WB - gpu.p_WA - gpu.distance[:, None] * gpu.n_AB_W).max()
            unsure = np.abs(cpu.n_AB_W - gpu.n_AB_W).max(axis=1) > 1e-6  # two ways out that are equally short
            out[f"{a} - {b}"] = {
                "distance": float(np.abs(cpu.distance - gpu.distance).max()),
                "points": float(np.abs(cpu.p_WA - gpu.p_WA)[~unsure].max(initial=0.0)),
                "other_normal_share": float(unsure.mean()),
                "residual": float(residual),
                "overlapping_share": float((cpu.distance < 0).mean()),
            }
    return out


def scene_distances(worlds: int) -> dict[str, Any]:
    """Distances of whole scenes."""
    out: dict[str, Any] = {}
    for name, scene in SCENES.items():
        q = random_configurations(scene().build(), worlds, seed=2, unlimited=1.2)
        cpu, gpu = distance(scene(), q), distance(scene(), q, device="cuda")
        out[name] = {"worlds": worlds, "distance": float(np.abs(cpu.distance - gpu.distance).max())}
    return out


def scene_verdicts(worlds: int) -> dict[str, Any]:
    """Yes or no for whole scenes."""
    out: dict[str, Any] = {}
    for name, scene in SCENES.items():
        q = random_configurations(scene().build(), worlds, seed=2, unlimited=1.2)
        hits = [collides(scene(), q, device=device).hit for device in ("cpu", "cuda")]
        out[name] = {"other_verdicts": int((hits[0] != hits[1]).sum()), "touching_share": float(hits[0].mean())}
    return out


def scene_sweeps(worlds: int) -> dict[str, Any]:
    """Motions from one configuration to another in whole scenes."""
    out: dict[str, Any] = {}
    for name, scene in SCENES.items():
        q = random_configurations(scene().build(), worlds // 4, seed=2, unlimited=1.2)
        first, last = q[: worlds // 8], q[worlds // 8 :]
        ways = [sweep(scene(), first, last, device=device) for device in ("cpu", "cuda")]
        apart = np.abs(ways[0].at - ways[1].at)[ways[0].ok == ways[1].ok].max()
        out[name] = {"other_sweeps": int((ways[0].ok != ways[1].ok).sum()), "sweep_at": float(apart)}
    return out


def compare_first_contact(worlds: int) -> dict[str, float]:
    """Times of thrown balls against a thin plate."""
    rng = np.random.default_rng(3)
    X = pose(np.array([random_rotation(rng) for _ in range(worlds)]), rng.normal(size=(worlds, 3)))
    V = rng.normal(size=(worlds, 6)) * 10
    found = [
        first_contact(Capsule(0.005, 0.02), X, V, Box((1, 1, 0.001)), np.eye(4), np.zeros(6), 1.0, device=device)
        for device in ("cpu", "cuda")
    ]
    return {
        "worlds": worlds,
        "hit_share": float(found[0].hit.mean()),
        "other_verdicts": int((found[0].hit != found[1].hit).sum()),
        "time": float(np.abs(found[0].time - found[1].time)[found[0].hit == found[1].hit].max()),
    }


def speed(name: str, ask: Any, worlds: int = 1_000_000) -> dict[str, float]:
    """Seconds for a batch of checks, transfers included, best of three; once on all cores of the host."""
    scene = boxed_arm()
    q = random_configurations(scene.build(), worlds, seed=4)
    times = []
    for _ in range(3):
        start = time.perf_counter()
        ask(scene, q, device="cuda")
        times.append(time.perf_counter() - start)
    start = time.perf_counter()
    ask(scene, q)
    host = time.perf_counter() - start
    return {
        "worlds": worlds, "host_threads": cpu_pool.cpu_threads(),
        f"{name}_seconds_gpu": min(times), f"{name}_seconds_host_cpu": host,
    }  # fmt: skip


# every section compiles for minutes, so each runs in a process of its own
SECTIONS: dict[str, Callable[[int], dict[str, Any]]] = {
    "distances": lambda worlds: {
        "pairs": compare_pairs(worlds), "scenes": scene_distances(worlds), "speed": speed("distance", distance),
    },
    "verdicts": lambda worlds: {"scenes": scene_verdicts(worlds), "speed": speed("collides", collides)},
    "sweeps": lambda worlds: {"scenes": scene_sweeps(worlds)},
    "first_contact": lambda worlds: {"first_contact": compare_first_contact(worlds)},
    "meshes": lambda worlds: {"meshes": compare_meshes(worlds)},
    "rolling": lambda worlds: {"rolling": compare_rolling(min(worlds, 500))},
}  # fmt: skip


def merged(into: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    """Dictionaries joined level by level."""
    for name, value in more.items():
        into[name] = merged(into.get(name, {}), value) if isinstance(value, dict) else value
    return into


def main() -> None:
    out, worlds = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 2000
    if len(sys.argv) > 3:
        out.write_text(json.dumps(SECTIONS[sys.argv[3]](worlds)))
        return
    cuda = cuda_launch.require_cuda()
    name = cuda.get_current_device().name
    parts = {section: out.with_suffix(f".{section}.part") for section in SECTIONS}
    running = {
        section: subprocess.Popen([sys.executable, __file__, str(part), str(worlds), section])
        for section, part in parts.items()
    }
    report: dict[str, Any] = {
        "device": name.decode() if isinstance(name, bytes) else str(name),
        "kernels_hash": evidence_hash(CONTACT), "worlds_per_pair": worlds,
    }  # fmt: skip
    for section, process in running.items():
        print(section, "ended with", process.wait(), flush=True)
        if parts[section].exists():
            merged(report, json.loads(parts[section].read_text()))
            parts[section].unlink()
            out.write_text(json.dumps(report, indent=2) + "\n")


if __name__ == "__main__":
    main()
