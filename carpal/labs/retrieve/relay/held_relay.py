"""The relay in the gripper: its pose between the blades, and the payload model for the planner (Leutenegger 2008, 7.5).

The payload's frame P lies on the gripper's axis, x towards the centre of mass, z along the pointing axis; at angle zero it is the
gripper's frame G. A relay that is held lies with its flap flat on the upper blade.
"""

from __future__ import annotations

import dataclasses
import math

import numpy as np

from carpal.kinematics import fk
from carpal.labs.retrieve.relay.relay import RELAY, Relay
from carpal.labs.retrieve.robot import GRIPPER
from carpal.model import Model
from carpal.planning import Payload
from carpal.spatial import Array, inverse, pose, rotation_about

AIM_OUT = 0.005
"""[m] by which the gripper's axis is aimed beyond the flap's grip point, so that errors do not push the plunger into the flap."""
HELD_NAME = "held"
TURN = np.diag([-1.0, 1.0, -1.0])  # relay's axes in P: the body lies towards +x, the ground towards +z
UP = np.array([0.0, 0.0, 1.0])


def aim_point(relay: Relay = RELAY) -> Array:
    """Where the gripper's axis is to meet the plane of the flap's upper side (3), in O."""
    return np.asarray(relay.grip_point + np.array([AIM_OUT, 0.0, 0.0]))


def relay_in_payload(relay: Relay = RELAY) -> Array:
    """X_PO of a relay that was grasped without any error."""
    return pose(TURN, -TURN @ aim_point(relay))


def held_relay(X_PO: Array | None = None, relay: Relay = RELAY, *, margin: float = 0.0) -> Payload:
    """The relay as a payload that may turn.

    Args:
        X_PO: its pose in the payload's frame; without errors by default.
        relay: its numbers.
        margin: as of `Relay.pieces` [m].
    """
    X = relay_in_payload(relay) if X_PO is None else X_PO
    com = (X @ np.append(relay.centre_of_mass, 1.0))[:3]
    arm = float(np.hypot(com[0], com[1]))
    shapes = tuple(
        dataclasses.replace(piece, X_BS=X @ piece.X_BS, body=None) for piece in relay.pieces(None, margin=margin)
    )
    return Payload(
        relay.mass, arm, float(com[2]), float(relay.inertia.about_com[2, 2]) + relay.mass * arm**2, relay.b, relay.e, shapes,
        X_TG=GRIPPER.X_TG(), name=HELD_NAME,
    )  # fmt: skip


def gripped_pairs() -> list[tuple[str, str]]:
    """Pairs that do not count while the flap is held: the moving blade is round, so its distance never changes."""
    return [(HELD_NAME, f"arm/{piece}") for piece in ("lower_blade", "plunger")]


def gripper_poses(model: Model, q: Array) -> Array:
    """X_WG (*batch, 4, 4) at configurations (*batch, 5) of the scene's arm."""
    return np.asarray(fk(model, q) @ GRIPPER.X_TG())


def grasped(X_WG: Array, X_WO: Array, relay: Relay = RELAY) -> tuple[float, Array]:
    """(angle [rad], X_PO) of a relay at X_WO that a gripper at X_WG closes upon: its flap comes to lie flat on the blade."""
    X_GO = inverse(X_WG) @ X_WO
    com = (X_GO @ np.append(relay.centre_of_mass, 1.0))[:3]
    angle = math.atan2(com[1], com[0])
    heading = math.atan2(-X_GO[1, 0], -X_GO[0, 0])  # of the body, seen from the axis
    X_PO = pose(rotation_about(UP, heading - angle) @ TURN)
    arm = float(np.hypot(com[0], com[1]))
    X_PO[:3, 3] = np.array([arm, 0.0, relay.flap_height]) - X_PO[:3, :3] @ [*relay.centre_of_mass[:2], 0.0]
    return angle, X_PO


def carried_poses(X_WG: Array, angles: Array, X_PO: Array) -> Array:
    """X_WO (n, 4, 4) of a held relay at angles (n) [rad] in grippers at X_WG (n, 4, 4)."""
    X_GP = np.tile(np.eye(4), (len(angles), 1, 1))
    c, s = np.cos(angles), np.sin(angles)
    X_GP[:, 0, 0], X_GP[:, 0, 1], X_GP[:, 1, 0], X_GP[:, 1, 1] = c, -s, s, c
    return np.asarray(X_WG @ X_GP @ X_PO)


def standing(X_WO: Array) -> Array:
    """The pose of a relay that was let go just above the ground: level, on it, as it was turned (*batch, 4, 4)."""
    yaw = np.arctan2(X_WO[..., 1, 0], X_WO[..., 0, 0])
    out = np.zeros_like(X_WO)
    c, s = np.cos(yaw), np.sin(yaw)
    out[..., 0, 0], out[..., 0, 1], out[..., 1, 0], out[..., 1, 1] = c, -s, s, c
    out[..., 2, 2] = out[..., 3, 3] = 1.0
    out[..., :2, 3] = X_WO[..., :2, 3]
    return out
