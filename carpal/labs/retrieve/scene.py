"""Scenes of a pick-up: arm and gripper upside down on the rover, ground, rover wall and the relay (Leutenegger 2008, 7.4).

`retrieve_scene` is the general builder. The others are prepared for planning: the arm alone, the relay standing at one or
several poses, the relay held in the gripper.
"""

from __future__ import annotations

import functools

import numpy as np
from numpy.typing import ArrayLike

from carpal.contact import CollisionChecker, collision_checker
from carpal.labs.retrieve.gripper.structure import blade_deflection
from carpal.labs.retrieve.relay.held_relay import gripped_pairs, held_relay
from carpal.labs.retrieve.relay.relay import RELAY, Relay
from carpal.labs.retrieve.robot import GRIPPER, GripperParts, gripper_arm
from carpal.labs.retrieve.vision.terrain import check_terrain
from carpal.model import Body, Box, Joint, Model, Plane, Scene, TriangleMesh
from carpal.planning import PayloadScene, prepare_payload
from carpal.spatial import Array

WALL = ((-0.20, -0.15), (-0.40, 0.40), (0.0, 0.80))
"""The rover's front wall: its extent along x, y, z [m], assumed."""
OPEN = 0.035  # [m] between the blades while the flap is passed
NEAR = 0.010  # [m] clearance of planned paths, for errors of pose and joints
GRIP_FORCE = 40.0  # [N] the largest that the drive allows
HOME = np.array([1.6, 0.2, 0.0, 0.0, 0.0])
"""The arm beside the rover, gripper level [rad]; assumed."""
HOME.setflags(write=False)
OTHER_HOME = HOME * np.array([-1.0, 1.0, 1.0, 1.0, 1.0])
"""The same on the other side of the rover."""
OTHER_HOME.setflags(write=False)


def relay_model(relay: Relay = RELAY, *, margin: float = 0.0, inertia: bool = True) -> Model:
    """The relay alone: one body with its convex pieces, its frame on the ground under its middle."""
    body = Body("relay", None, Joint("stand"), relay.inertia if inertia else None)
    return Model("relay", (body,), shapes=tuple(relay.pieces("relay", margin=margin)), tool="relay")


def retrieve_scene(
    X_WO: ArrayLike | None = None,
    *,
    opening: float = 0.035,
    relay: Relay = RELAY,
    gripper: GripperParts = GRIPPER,
    terrain: TriangleMesh | None = None,
    margin: float = 0.0,
    moving: bool = False,
) -> Scene:
    """Everything that the arm could collide with.

    Args:
        X_WO: the relay's pose, for example `relay_pose(x, y, yaw)`; None leaves it out, as during the last approach.
        opening: of the gripper [m].
        relay, gripper: their numbers.
        terrain: a triangle mesh in the world instead of the flat ground, without holes; see `cut_out_relay`.
        margin: added around the lower blade and the flaps [m], for the blade's deflection.
        moving: the gripper's opening as a sixth coordinate.
    """
    scene = Scene("retrieve").add_robot(gripper_arm(opening, gripper, moving=moving, margin=margin), name="arm")
    if terrain is None:
        scene.add_fixed("ground", Plane())
    else:
        check_terrain(terrain)
        scene.add_fixed("ground", terrain)
    low, high = np.array(WALL).T
    scene.add_fixed("rover_wall", Box(tuple(high - low)), pose=(low + high) / 2)
    if X_WO is not None:
        scene.add_robot(relay_model(relay, margin=margin, inertia=False), name="relay", pose=X_WO)
        # it stands there: touching the ground is no collision; the knob's place is the cavity of the upper blade
        scene.exclude("relay", "ground").exclude("relay/relay_knob", "arm/upper_blade")
    return scene


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
