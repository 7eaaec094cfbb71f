"""The K10 arm upside down on its rover with the stand-in relay in its gripper: scene, questions. Needs numpy and carpal."""

from __future__ import annotations

import functools

import numpy as np
from payload_recheck import Recheck, Tally

import carpal
from carpal.contact import collides
from carpal.model import Box, Capsule, Model, PlacedShape, Plane, Scene
from carpal.planning import AngleHistory, PayloadScene, gravity_in_gripper, prepare_payload, relay_payload
from carpal.spatial import pose, rotation_about

ALONG_X = rotation_about(np.array([0.0, 1.0, 0.0]), np.pi / 2)


def k10_with_shapes() -> Model:
    """Assumed capsules and boxes for the links, mounted upside down 0.4 m above ground."""
    shapes = (
        PlacedShape("mount", "base", Box((0.12, 0.12, 0.06)), pose(p=(0, 0, -0.03))),
        PlacedShape("waist", "waist_link", Capsule(0.045, 0.03), pose(p=(0, 0, 0.08))),
        PlacedShape("upper", "shoulder_link", Capsule(0.03, 0.325), pose(ALONG_X, (0.1625, 0, 0))),
        PlacedShape("fore", "elbow_link", Capsule(0.025, 0.311), pose(ALONG_X, (0.1555, 0, 0.0692))),
        PlacedShape("hand", "wrist_link", Capsule(0.025, 0.07), pose(ALONG_X, (0.07, 0, 0))),
    )
    return carpal.load("k10", mounting="upside_down").replace(
        shapes=shapes, exclusions=(("fore", "hand"), ("mount", "upper"))
    )


def rover_scene() -> Scene:
    """Ground, and the rover's body behind the arm: the L shape of Leutenegger 2008, section 7.4.2."""
    scene = Scene("rover").add_robot(k10_with_shapes(), name="arm")
    scene.add_fixed("ground", Plane())
    scene.add_fixed("rover", Box((0.6, 0.6, 0.5)), pose=[-0.45, 0.0, 0.45])
    return scene


@functools.lru_cache(maxsize=2)
def relay_scene(as_published: bool = False, margin: float = 0.0) -> PayloadScene:
    """Prepared once."""
    return prepare_payload(rover_scene(), relay_payload(as_published=as_published), margin=margin)


@functools.lru_cache(maxsize=2)
def recheck_of(scene: PayloadScene) -> Recheck:
    """MuJoCo and Coal are told the scene as MJCF, and the names of what must not overlap."""
    names = scene.tables.names
    return Recheck(scene.tables.model.to_mjcf(), [(names[a], names[b]) for a, b in scene.tables.pairs[:, :2]])


def recheck(scene: PayloadScene, history: AngleHistory, step: float = 1e-3, degrees: float = 0.2) -> Tally:
    """A plan's way at some millimetres and degrees, for every angle of its sets."""
    return recheck_of(scene).along(history.q, history.states, history.waiting.states, step, float(np.radians(degrees)))


def hanging(scene: PayloadScene, q: np.ndarray) -> np.ndarray:
    """Angle (n) [rad] at which the payload hangs at configurations (n, nq)."""
    g = gravity_in_gripper(scene.model, scene.payload, q)
    return np.arctan2(g[..., 1], g[..., 0])


def questions(scene: PayloadScene, count: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Starts, goals (count, nq) and angles at the start: free with the payload hanging, or held firmly at any angle.

    Hanging: tilt from 60 to 120 degrees; held firmly: below 20 or above 160.
    """
    rng = np.random.default_rng(seed)
    model, found = scene.model, []
    while len(found) < 2 * count:
        q = rng.uniform(model.q_min, model.q_max, (4000, model.nq))
        angle = hanging(scene, q)
        tilt = np.arccos(np.clip(gravity_in_gripper(model, scene.payload, q)[:, 2] / 9.81, -1, 1))
        lean = np.minimum(tilt, np.pi - tilt)
        firm, hangs = lean < np.radians(20), lean > np.radians(60)
        q, angle = q[firm | hangs], np.where(firm, rng.uniform(-np.pi, np.pi, len(q)), angle)[firm | hangs]
        free = ~collides(scene.tables, np.concatenate([q, angle[:, None]], axis=1), margin=0.005).hit
        found += [(*row, a) for row, a in zip(q[free], angle[free], strict=True)]
    rows = np.array(found[: 2 * count])
    return rows[:count, :-1], rows[count:, :-1], rows[:count, -1]
