"""Scenes for tests and benchmarks of collision queries. Needs only numpy and carpal, so that the GPU machine has it too."""

from __future__ import annotations

import numpy as np

from carpal.model import Body, Box, Capsule, Cylinder, Ellipsoid, Joint, Model, PlacedShape, Plane, Scene, Sphere
from carpal.spatial import pose, rotation_from_wxyz

Array = np.ndarray
LENGTHS = (0.16, 0.20, 0.20, 0.20, 0.20, 0.16, 0.14)
AXES = ((0, 0, 1), (0, 1, 0), (0, 0, 1), (0, 1, 0), (0, 0, 1), (0, 1, 0), (0, 0, 1))


def capsule_arm(radius: float = 0.05) -> Model:
    """A 7-joint arm with the build of the usual torque-controlled ones: one capsule a link, turn and bend in turn."""
    bodies, shapes, height = [], [], 0.14
    for i, (length, axis) in enumerate(zip(LENGTHS, AXES, strict=True)):
        limit = 2.9 if axis[2] else 2.0
        joint = Joint(
            f"joint_{i}", "revolute", X_PJ=pose(p=[0, 0, height]), axis=np.array(axis, float), q_min=-limit, q_max=limit
        )
        bodies.append(Body(f"link_{i}", f"link_{i - 1}" if i else None, joint))
        shapes.append(PlacedShape(f"capsule_{i}", f"link_{i}", Capsule(radius, length), pose(p=[0, 0, length / 2])))
        height = length
    return Model("capsule_arm", tuple(bodies), shapes=tuple(shapes))


def random_rotation(rng: np.random.Generator) -> Array:
    """Uniform on the rotations."""
    return rotation_from_wxyz(rng.normal(size=4))


def boxed_arm(boxes: int = 10, seed: int = 0) -> Scene:
    """The arm among boxes of 10 to 40 cm, at random places and attitudes within its reach."""
    rng = np.random.default_rng(seed)
    scene = Scene("boxes").add_robot(capsule_arm(), name="arm")
    for i in range(boxes):
        direction = rng.normal(size=3)
        direction[2] = abs(direction[2])
        p = direction / np.linalg.norm(direction) * rng.uniform(0.7, 1.2)
        scene.add_fixed(f"box_{i}", Box(rng.uniform(0.1, 0.4, 3)), pose=pose(random_rotation(rng), p))
    return scene


def zoo(seed: int = 0, *, floor: bool = True) -> Scene:
    """An arm, a free body of every closed-form kind, standing shapes of every kind, and a floor."""
    rng = np.random.default_rng(seed)

    def forms() -> dict[str, object]:
        a, b, c = rng.uniform(0.04, 0.16, 3)
        return {
            "sphere": Sphere(a), "capsule": Capsule(b, 2 * c), "cylinder": Cylinder(a, 2 * b), "box": Box((a, 2 * b, c)),
            "ellipsoid": Ellipsoid((a, b, c)),
        }  # fmt: skip

    scene = Scene("zoo").add_robot(capsule_arm(), name="arm")
    for kind, form in forms().items():
        scene.add_object(f"free_{kind}", form, mass=1.0, pose=pose(random_rotation(rng), rng.uniform(-0.8, 0.8, 3)))
    for kind, form in forms().items():
        scene.add_fixed(f"standing_{kind}", form, pose=pose(random_rotation(rng), rng.uniform(-1.2, 1.2, 3)))
    if floor:
        scene.add_fixed("floor", Plane(), pose=[0.0, 0.0, -1.6])
    return scene
