"""The scene of a pick-up: arm with gripper upside down on the rover, ground and rover wall, the relay (thesis 3, 7.4)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from carpal.labs.retrieve.gripper_parts import GRIPPER, GripperParts, gripper_arm
from carpal.labs.retrieve.relay_parts import RELAY, Relay
from carpal.labs.retrieve.terrain_mesh import check_terrain
from carpal.model import Body, Box, Joint, Model, Plane, Scene, TriangleMesh

WALL = ((-0.20, -0.15), (-0.40, 0.40), (0.0, 0.80))
"""The rover's front wall: its extent along x, y, z [m], assumed."""


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
    """Everything that the arm could meet.

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
