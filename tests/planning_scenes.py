"""Scenes for tests and benchmarks of planners. Needs only numpy and carpal."""

from __future__ import annotations

import dataclasses

import numpy as np
from collision_scenes import capsule_arm, random_rotation

from carpal.contact import collision_checker
from carpal.kinematics import random_configurations
from carpal.model import Body, Box, Capsule, Joint, Model, PlacedShape, Plane, Scene, Sphere
from carpal.spatial import pose


def boxes_and_spheres(seed: int = 0) -> Scene:
    """A 7-joint arm among 6 boxes and 2 spheres, within its reach but not upon its first link."""
    rng = np.random.default_rng(seed)
    scene = Scene("boxes_and_spheres").add_robot(capsule_arm(), name="arm")
    for i in range(8):
        angle, radius = rng.uniform(-np.pi, np.pi), rng.uniform(0.45, 0.8)
        p = np.array([radius * np.cos(angle), radius * np.sin(angle), rng.uniform(0.1, 1.1)])
        shape = Box(rng.uniform(0.15, 0.35, 3)) if i < 6 else Sphere(float(rng.uniform(0.08, 0.15)))
        turn = random_rotation(rng) if i < 6 else np.eye(3)
        scene.add_fixed(f"{'box' if i < 6 else 'sphere'}_{i}", shape, pose=pose(turn, p))
    return scene


def six_joint_arm() -> Model:
    """A 6-joint arm with the build of the usual industrial ones, one capsule a link."""
    axes = ((0, 0, 1), (0, 1, 0), (0, 1, 0), (1, 0, 0), (0, 1, 0), (1, 0, 0))
    places = ((0, 0, 0.15), (0, 0, 0.2), (0, 0, 0.42), (0.2, 0, 0), (0.18, 0, 0), (0.13, 0, 0))
    ends = ((0, 0, 0.2), (0, 0, 0.42), (0.2, 0, 0), (0.18, 0, 0), (0.13, 0, 0), (0.12, 0, 0))
    lows, highs = (-2.9, -1.9, -2.3, -2.9, -2.0, -2.9), (2.9, 1.9, 1.0, 2.9, 2.0, 2.9)  # the elbow folds one way only
    bodies, shapes = [], []
    for i, (axis, place, end, low, high) in enumerate(zip(axes, places, ends, lows, highs, strict=True)):
        joint = Joint(
            f"joint_{i}", "revolute", X_PJ=pose(p=place), axis=np.array(axis, float), q_min=low, q_max=high,
            v_max=2.0, vdot_max=8.0,
        )  # fmt: skip
        bodies.append(Body(f"link_{i}", f"link_{i - 1}" if i else None, joint))
        end_ = np.array(end, float)
        length = float(np.linalg.norm(end_))
        R = np.eye(3) if end[2] else np.array([[0.0, 0, 1], [0, 1, 0], [-1, 0, 0]])
        shapes.append(PlacedShape(f"capsule_{i}", f"link_{i}", Capsule(0.04, length), pose(R, 0.5 * end_)))
    return Model("six_joint_arm", tuple(bodies), shapes=tuple(shapes))


def turning_arm() -> Model:
    """The six-joint arm with continuous first and last joints."""
    arm = six_joint_arm()
    bodies = [
        dataclasses.replace(b, joint=dataclasses.replace(b.joint, q_min=-np.inf, q_max=np.inf)) if i in (0, 5) else b
        for i, b in enumerate(arm.bodies)
    ]
    return arm.replace(bodies=tuple(bodies), q_home=None)


def table(arm: Model) -> Scene:
    """An arm on a table top with things on it."""
    scene = Scene("table").add_robot(arm, name="arm").add_fixed("floor", Plane(), pose=[0, 0, -0.02])
    for i, (x, y) in enumerate(((0.5, 0.0), (0.35, 0.45), (-0.1, 0.55), (0.3, -0.45), (-0.45, -0.3))):
        scene.add_fixed(f"thing_{i}", Box((0.12, 0.12, 0.3 + 0.1 * i)), pose=[x, y, 0.15 + 0.05 * i])
    return scene


def shelf(arm: Model) -> Scene:
    """An arm before a shelf of three boards between two sides."""
    scene = Scene("shelf").add_robot(arm, name="arm")
    for i, z in enumerate((0.25, 0.65, 1.05)):
        scene.add_fixed(f"board_{i}", Box((0.35, 1.1, 0.03)), pose=[0.75, 0.0, z])
    for name, y in (("left", 0.55), ("right", -0.55)):
        scene.add_fixed(name, Box((0.35, 0.03, 1.1)), pose=[0.75, y, 0.6])
    scene.add_fixed("back", Box((0.03, 1.1, 1.1)), pose=[0.95, 0.0, 0.6])
    return scene


def cage(arm: Model) -> Scene:
    """An arm between eight upright bars and a ring of beams above."""
    scene = Scene("cage").add_robot(arm, name="arm")
    for i in range(8):
        angle = 2 * np.pi * (i + 0.5) / 8
        x, y = 0.55 * np.cos(angle), 0.55 * np.sin(angle)
        scene.add_fixed(f"bar_{i}", Box((0.04, 0.04, 1.2)), pose=[x, y, 0.6])
    for i, (x, y) in enumerate(((0.55, 0), (-0.55, 0), (0, 0.55), (0, -0.55))):
        scene.add_fixed(f"beam_{i}", Box((0.05, 0.9, 0.05) if x else (0.9, 0.05, 0.05)), pose=[x, y, 1.1])
    return scene


def free_pairs(scene: Scene, count: int, seed: int = 0, far: float = 1.5) -> tuple[np.ndarray, np.ndarray]:
    """Free starts and goals (count, nq), each goal at least `far` [rad] from its start in some joint."""
    checker = collision_checker(scene)
    q = random_configurations(checker.model, 40 * count, seed=seed)
    q = q[~checker.collides(q).hit]
    pairs = [(a, b) for a, b in zip(q[0::2], q[1::2], strict=False) if np.abs(a - b).max() > far][:count]
    assert len(pairs) == count
    return np.array([a for a, _ in pairs]), np.array([b for _, b in pairs])
