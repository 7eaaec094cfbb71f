"""The scenes of a pick-up, prepared: the arm alone, with the relay standing, standing anywhere, in the gripper."""

from __future__ import annotations

import functools

import numpy as np

from carpal.contact import CollisionChecker, collision_checker
from carpal.labs.retrieve.gripper.structure import blade_deflection
from carpal.labs.retrieve.held_relay import gripped_pairs, held_relay
from carpal.labs.retrieve.relay_parts import RELAY, Relay
from carpal.labs.retrieve.rover_scene import relay_model, retrieve_scene
from carpal.model import Scene, TriangleMesh
from carpal.planning import PayloadScene, prepare_payload
from carpal.spatial import Array

OPEN = 0.035  # [m] between the blades while the flap is passed
NEAR = 0.010  # [m] that planned ways keep from everything, for errors of pose and joints
GRIP_FORCE = 40.0  # [N] the largest that the drive allows
HOME = np.array([1.6, 0.2, 0.0, 0.0, 0.0])
"""The arm beside the rover, gripper level [rad]; assumed."""
HOME.setflags(write=False)
OTHER_HOME = HOME * np.array([-1.0, 1.0, 1.0, 1.0, 1.0])
"""The same on the other side of the rover."""
OTHER_HOME.setflags(write=False)


@functools.lru_cache(maxsize=4)
def free_arm(terrain: TriangleMesh | None = None) -> CollisionChecker:
    """The scene without a relay, the gripper open."""
    return collision_checker(retrieve_scene(None, opening=OPEN, terrain=terrain))


@functools.lru_cache(maxsize=4)
def carrying_scene(terrain: TriangleMesh | None = None, near: float = NEAR) -> PayloadScene:
    """The closed gripper with the relay in it, prepared for planners; the blade's deflection is in it."""
    bent = float(blade_deflection(GRIP_FORCE))
    scene = retrieve_scene(None, opening=RELAY.flap_thickness, terrain=terrain, margin=bent)
    return prepare_payload(scene, held_relay(), exclude=gripped_pairs(), margin=near)


def scene_with_relays(poses: Array, relay: Relay = RELAY, terrain: TriangleMesh | None = None) -> Scene:
    """The open gripper, and the relay at each of some poses (n, 4, 4) at once: it is at one of them."""
    scene = retrieve_scene(None, opening=OPEN, terrain=terrain)
    names: list[str] = []
    for k, X in enumerate(np.asarray(poses)):
        name = f"relay_{k}" if len(poses) > 1 else "relay"
        scene.add_robot(relay_model(relay, inertia=False), name=name, pose=X)
        scene.exclude(name, "ground").exclude(f"{name}/relay_knob", "arm/upper_blade")
        for other in names:
            scene.exclude(name, other)
        names.append(name)
    return scene
