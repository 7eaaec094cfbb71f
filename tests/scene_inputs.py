"""A scene with everything in it, for the tests of scenes."""

from __future__ import annotations

import numpy as np

from carpal.model import Box, Plane, Scene, Sphere
from carpal.spatial import pose, rotation_about


def full_scene() -> Scene:
    """Two robots on different mounts, objects that move, a floor and a tilted wall."""
    scene = Scene("lab", gravity=[0.0, 0.1, -9.7])
    scene.add_robot(
        "so101_old", name="left", pose=pose(rotation_about([0, 0, 1], 0.3), [0.0, 0.2, 0.7]), q=np.arange(5) / 10
    )
    scene.add_robot("catcher_arm", name="right", mount="free", pose=[1.0, 1.0, 1.0])
    scene.add_robot("k10", name="rover", mount="slide_xy", mounting="sideways", inertia="assumed")
    scene.add_object("ball", Sphere(0.03), mass=0.05, pose=pose(rotation_about([0, 1, 0], 0.3), [0.3, 0.0, 1.0]),
                     twist=[1, 2, 3, 4, 5, 6])  # fmt: skip
    scene.add_object("brick", Box((0.1, 0.2, 0.3)), mass=1.5, pose=[0.0, 0.0, 2.0], rgba=(1, 0, 0, 1))
    scene.add_fixed("floor", Plane())
    return scene.add_fixed(
        "wall", Box((1, 0.1, 1)), pose=pose(rotation_about([0, 0, 1], 0.5), [0, 1, 0]), rgba=(0, 0, 1, 0.5)
    )
