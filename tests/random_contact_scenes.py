"""Seeded scenes of 2 to 12 bodies of mixed shapes that fall, collide, roll and pile up on a floor."""

from __future__ import annotations

import numpy as np

from carpal.engines import Surface
from carpal.model import Box, Capsule, ConvexMesh, Cylinder, Ellipsoid, Plane, Scene, Shape, Sphere
from carpal.spatial import pose, rotation_about

LEAST, MOST = 2, 12
KINDS = ("box", "sphere", "cylinder", "capsule", "ellipsoid", "mesh")


def random_shape(rng: np.random.Generator, kind: str) -> tuple[Shape, float]:
    """A shape of 3 to 12 cm and a radius [m] that holds it."""
    a, b, c = rng.uniform(0.03, 0.12, 3)
    if kind == "box":
        return Box((a, b, c)), 0.5 * float(np.linalg.norm([a, b, c]))
    if kind == "sphere":
        return Sphere(0.5 * a), 0.5 * a
    if kind == "cylinder":
        return Cylinder(0.5 * a, b), 0.5 * float(np.hypot(a, b))
    if kind == "capsule":
        return Capsule(0.4 * a, b), 0.4 * a + 0.5 * b
    if kind == "ellipsoid":
        return Ellipsoid((0.5 * a, 0.5 * b, 0.5 * c)), 0.5 * max(a, b, c)
    points = rng.normal(size=(10, 3))
    points *= 0.5 * a / np.linalg.norm(points, axis=1)[:, None]
    return ConvexMesh(points), 0.5 * a


def random_scene(seed: int) -> tuple[Scene, Surface]:
    """Bodies one above the other in a column, turned and thrown at random; friction 0 to 1, restitution 0 to 0.8."""
    rng = np.random.default_rng(seed)
    scene, height = Scene(f"random {seed}").add_fixed("floor", Plane()), 0.0
    for k in range(int(rng.integers(LEAST, MOST + 1))):
        shape, radius = random_shape(rng, str(rng.choice(KINDS)))
        height += radius + 1e-3
        axis = rng.normal(size=3)
        X = pose(rotation_about(axis / np.linalg.norm(axis), rng.uniform(0, 3)), [*rng.uniform(-0.03, 0.03, 2), height])
        twist = [*rng.normal(scale=0.5, size=3), *rng.normal(scale=4.0, size=3)]
        scene.add_object(f"b{k}", shape, mass=float(rng.uniform(0.05, 1.0)), pose=X, twist=twist)
        height += radius
    return scene, Surface(mu=float(rng.uniform(0, 1)), restitution=float(rng.uniform(0, 0.8)))
