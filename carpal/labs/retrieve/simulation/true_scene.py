"""The true scene: arm with moving blade, relay as a free body, and the allowed contacts while it stands or is held.

Coordinates (13): five joints [rad], the gripper's opening [m], the relay's position and quaternion (w first).
"""

from __future__ import annotations

import functools

import numpy as np

from carpal.contact import CollisionChecker, collision_checker
from carpal.labs.retrieve.appearance import coloured
from carpal.labs.retrieve.relay.relay import relay_pose
from carpal.labs.retrieve.scene import HOME, OPEN, relay_model, retrieve_scene
from carpal.model import Model, Scene, TriangleMesh
from carpal.spatial import Array, wxyz_from_rotation

STANDS, NEAR_GROUND, CARRIED = "stands", "near ground", "carried"
ARM, OPENING, RELAY_AT = slice(0, 5), 5, slice(6, 13)
HOLDERS = ("upper_blade", "lower_blade", "plunger", "bar_left", "bar_right", "gripper_motor")
"""Pieces of the gripper: what is held keeps its distance from them, because it only turns about their axis."""


def true_scene(X_WO: Array | None = None, terrain: TriangleMesh | None = None) -> Scene:
    """Arm with a moving blade, ground, wall, and the relay free to be anywhere."""
    scene = retrieve_scene(None, opening=OPEN, terrain=terrain, moving=True)
    scene.robots[0].q[:5] = HOME
    return scene.add_robot(
        relay_model(inertia=True), name="relay", mount="free", pose=relay_pose(0.5, 0.0, 0.0) if X_WO is None else X_WO
    )


@functools.lru_cache(maxsize=2)
def true_model(terrain: TriangleMesh | None = None) -> Model:
    """What the recordings show."""
    return coloured(true_scene(terrain=terrain).build())


@functools.lru_cache(maxsize=8)
def true_checker(how: str, terrain: TriangleMesh | None = None) -> CollisionChecker:
    """Collisions that count while the relay stands, is held close to the ground, or is carried."""
    scene = true_scene(terrain=terrain)
    if how == STANDS:
        scene.exclude("relay", "ground").exclude("relay/relay_knob", "arm/upper_blade")
    else:
        for piece in HOLDERS:
            scene.exclude("relay", f"arm/{piece}")
        if how == NEAR_GROUND:
            scene.exclude("relay", "ground")
    return collision_checker(scene)


def true_rows(q: Array, opening: Array | float, X_WO: Array) -> Array:
    """Coordinates (*batch, 13) of joints (*batch, 5), opening (*batch) and the relay's poses (*batch, 4, 4)."""
    batch = q.shape[:-1]
    out = np.empty((*batch, 13))
    out[..., ARM], out[..., OPENING] = q, opening
    out[..., 6:9] = X_WO[..., :3, 3]
    out[..., 9:] = wxyz_from_rotation(np.broadcast_to(X_WO[..., :3, :3], (*batch, 3, 3)))
    return out
