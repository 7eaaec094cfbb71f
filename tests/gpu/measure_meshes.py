"""Part of `measure_contact.py`: meshes and rays on GPU and CPU from the same source."""

from __future__ import annotations

import time

import numpy as np
from collision_scenes import random_rotation
from mesh_inputs import bumpy_ring, terrain

from carpal.contact import cast_rays, mesh_point_distance, shape_distance
from carpal.model import Box, Capsule, Cylinder, Ellipsoid, Plane, Scene, Sphere


def compare_meshes(worlds: int) -> dict[str, float]:
    """Worst differences of distances [m], and how many points a second the GPU measures against 100,000 triangles."""
    rng = np.random.default_rng(7)
    ring, hills = bumpy_ring(250, 200, 0), terrain(40, 40, 0)
    p = rng.uniform(-1.2, 1.2, (worlds, 3))
    cpu, gpu = mesh_point_distance(ring, p), mesh_point_distance(ring, p, device="cuda")
    out: dict[str, float] = {
        "worlds": worlds,
        "points: distance": float(np.abs(cpu.distance - gpu.distance).max()),
        "points: other side": float((np.sign(cpu.distance) != np.sign(gpu.distance)).sum()),
    }
    began = time.perf_counter()
    mesh_point_distance(ring, p, device="cuda")
    out["points: rate [1/s]"] = worlds / (time.perf_counter() - began)
    X = np.tile(np.eye(4), (worlds, 1, 1))
    X[:, :3, :3] = [random_rotation(rng) for _ in range(worlds)]
    X[:, :3, 3] = rng.uniform(-1.0, 1.0, (worlds, 3))
    for shape in (Sphere(0.1), Box((0.1, 0.2, 0.3)), Capsule(0.05, 0.3), Plane()):
        far = [shape_distance(shape, X, hills, np.eye(4), device=device).distance for device in ("cpu", "cuda")]
        out[f"{shape.kind} and terrain: distance"] = float(np.abs(far[0] - far[1]).max())
    room = Scene("room").add_fixed("floor", Plane()).add_fixed("ring", ring).add_fixed("tube", Cylinder(0.1, 1.0))
    room.add_object("egg", Ellipsoid((0.1, 0.2, 0.3)), mass=1.0, pose=[0, 0, 1]).add_fixed("bar", Capsule(0.1, 0.5))
    d = rng.normal(size=(worlds, 3))
    rays = [cast_rays(room, p, d, device=device) for device in ("cpu", "cuda")]
    both = rays[0].hit & rays[1].hit
    out["rays: other verdicts"] = float((rays[0].hit != rays[1].hit).sum())
    out["rays: distance"] = float(np.abs(rays[0].distance[both] - rays[1].distance[both]).max())
    return out
