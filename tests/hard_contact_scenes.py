"""Scenes that once hung, failed or gained energy, by name: (scene, surface, seconds that are run)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from carpal.engines import Surface
from carpal.model import Box, ConvexMesh, Cylinder, Ellipsoid, Plane, Scene, Sphere
from carpal.spatial import pose, rotation_about

Case = tuple[Scene, Surface, float]


def wall(side: int) -> Case:
    """A brick wall hit by a ball."""
    scene = Scene("wall").add_fixed("floor", Plane())
    for row in range(side):
        for k in range(side):
            place = [(k + 0.5 * (row % 2)) * 0.202, 0, 0.1 * (row + 0.5)]
            scene.add_object(f"b{row}_{k}", Box((0.2, 0.1, 0.1)), mass=1.0, pose=place)
    place, speed = [0.1 * side - 0.03, -0.3, 0.05 * side + 0.02], [0, 4, 0.5, 0, 0, 0]
    scene.add_object("ball", Sphere(0.08), mass=2.0, pose=place, twist=speed)
    return scene, Surface(mu=0.6, restitution=0.1), 0.4


def dominoes(count: int) -> Case:
    """A row of dominoes, the first one tipping."""
    scene = Scene("dominoes").add_fixed("floor", Plane())
    for k in range(count):
        twist = [0, 0, 0, 0, 1.5 if k == 0 else 0, 0]
        scene.add_object(f"d{k}", Box((0.02, 0.1, 0.2)), mass=0.3, pose=[0.1 * k, 0, 0.1], twist=twist)
    return scene, Surface(mu=0.4), 1.0


def plate() -> Case:
    """A plate that slides and turns on nine boxes."""
    scene = Scene("plate").add_fixed("floor", Plane())
    for i in range(3):
        for j in range(3):
            scene.add_object(f"b{i}{j}", Box((0.05,) * 3), mass=0.2, pose=[0.15 * i - 0.15, 0.15 * j - 0.15, 0.025])
    scene.add_object("plate", Box((0.5, 0.5, 0.02)), mass=1.0, pose=[0, 0, 0.06], twist=[0.3, 0.1, 0, 0, 0, 0.5])
    return scene, Surface(mu=0.5), 0.5


def row() -> Case:
    """Five boxes, the first pushed against the others."""
    scene = Scene("row").add_fixed("floor", Plane())
    for k in range(5):
        place, twist = [0.1005 * k, 0.002 * (-1) ** k, 0.05], [1.5 if k == 0 else 0, 0, 0, 0, 0, 0]
        scene.add_object(f"b{k}", Box((0.1,) * 3), mass=0.5, pose=place, twist=twist)
    return scene, Surface(mu=0.3), 0.6


def ellipsoid() -> Case:
    """An ellipsoid that rolls, slips and sticks."""
    scene = Scene("ellipsoid").add_fixed("floor", Plane())
    twist = [0.6, 0.1, 0, 1.0, 6.0, 2.0]
    scene.add_object("e", Ellipsoid((0.1, 0.07, 0.05)), mass=0.6, pose=[0, 0, 0.05], twist=twist)
    return scene, Surface(mu=0.6), 1.0


def cylinder() -> Case:
    """A cylinder that wobbles on its rim."""
    lean, radius, length = 0.2, 0.05, 0.04
    X = pose(rotation_about((1, 0, 0), lean), (0, 0, 0.5 * length * np.cos(lean) + radius * np.sin(lean) + 1e-9))
    scene = Scene("cylinder").add_fixed("floor", Plane())
    scene.add_object("c", Cylinder(radius, length), mass=0.4, pose=X, twist=[0, 0, 0, 0.0, 1.0, 8.0])
    return scene, Surface(mu=0.5), 1.0


def stack() -> Case:
    """Four boxes on each other, hit by a ball."""
    scene = Scene("stack").add_fixed("floor", Plane())
    for k in range(4):
        scene.add_object(f"b{k}", Box((0.1,) * 3), mass=0.5, pose=[0.003 * (-1) ** k, 0, 0.05 + 0.1 * k])
    scene.add_object("ball", Sphere(0.05), mass=0.5, pose=[-0.4, 0.01, 0.27], twist=[4, 0, 0.5, 0, 0, 0])
    return scene, Surface(mu=0.5, restitution=0.3), 0.8


def balls() -> Case:
    """Three balls, one of which hits the others."""
    scene = Scene("balls").add_fixed("floor", Plane())
    for k in range(3):
        twist = [2.0 if k == 0 else 0, 0, 0, 0, 0, 0]
        scene.add_object(f"b{k}", Sphere(0.05), mass=0.3, pose=[0.12 * k, 0.01 * k, 0.05], twist=twist)
    return scene, Surface(mu=0.3, restitution=0.8), 0.6


def bowling(k: int) -> Case:
    """A ball that slides and begins to roll; k from 0 to 17."""
    speed, mu = (0.5, 1, 2, 3, 4, 6)[k % 6], (0.1, 0.2, 0.35)[k // 6]
    scene = Scene("bowling").add_fixed("floor", Plane())
    scene.add_object("ball", Sphere(0.1), mass=5.0, pose=[0, 0, 0.1], twist=[speed, 0, 0, 0, 0, 0])
    return scene, Surface(mu=mu), 1.2


def top(centred: bool, spin: float = 250.0, lean: float = 0.2) -> Case:
    """A cone that spins on its tip, with its frame there or at its mass centre."""
    angles = 2 * np.pi * np.arange(16) / 16
    points = np.vstack([[0, 0, 0], np.c_[0.04 * np.cos(angles), 0.04 * np.sin(angles), np.full(16, 0.06)]])
    shift = np.asarray(ConvexMesh(points).inertia(0.3).com) if centred else np.zeros(3)
    R = np.asarray(rotation_about((1, 0, 0), lean))
    w = spin * R[:, 2]
    scene = Scene("top").add_fixed("floor", Plane())
    scene.add_object(
        "top", ConvexMesh(points - shift), mass=0.3, pose=pose(R, R @ shift + [0, 0, 1e-9]),
        twist=[*np.cross(w, R @ shift), *w],
    )  # fmt: skip
    return scene, Surface(mu=0.9), 5.0


HARD: dict[str, Callable[[], Case]] = {
    "4 x 4 wall": lambda: wall(4), "3 x 3 wall": lambda: wall(3), "5 dominoes": lambda: dominoes(5),
    "10 dominoes": lambda: dominoes(10), "plate on 9 boxes": plate, "pushed row of 5": row, "rolling ellipsoid": ellipsoid,
    "wobbling cylinder": cylinder, "hit stack": stack, "3 balls": balls,
}  # fmt: skip
