"""Load of hand and touch on the arm's flange, as a share of the arm's rated payload.

The rated payload is a mass; the driver file assumes it `lever` beyond the tool, which gives the flange a rated force and moment.
The hand's weight acts at its centre of mass, the receiver's touch at the farthest fingertip in the worst direction.
"""

from __future__ import annotations

import numpy as np

from carpal.dynamics import com
from carpal.kinematics import fk
from carpal.labs.sign.robot import MountedHand
from carpal.spatial import Array

GRAVITY = 9.81


def payload_share(mounted: MountedHand, q: Array, touch: float) -> float:
    """Largest share of force or moment over configurations (m, nq).

    Args:
        mounted: whose driver says mass and lever.
        q: (m, nq) of arm and hand.
        touch: [N].
    """
    hand, driver = mounted.hand, mounted.hand.driver
    if driver.payload_mass > 1e6 or not len(q) or mounted.stands:
        return 0.0  # the driver file says nothing of a payload, or there is no arm
    q_hand = q[..., mounted.hand_columns]
    weight = hand.model.mass * GRAVITY
    force = (weight + touch) / (driver.payload_mass * GRAVITY)
    # the mount's attitude in the world: the arm's tool is the palm at a straight wrist
    X_WP = fk(mounted.arm, q[..., mounted.arm_columns])
    X_WT = X_WP @ np.linalg.inv(mounted.X_TP)
    X_TM = driver.X_TM
    middle = com(hand.model, q_hand) @ X_TM[:3, :3].T + X_TM[:3, 3]
    lever = np.einsum("...ij,...j->...i", X_WT[..., :3, :3], middle)
    moment = weight * np.linalg.norm(np.cross(lever, [0.0, 0.0, -1.0]), axis=-1)
    far = np.zeros(len(q))
    for frame in hand.model.extra_frames:
        tip = fk(hand.model, q_hand, frame.name)[..., :3, 3] @ X_TM[:3, :3].T + X_TM[:3, 3]
        far = np.maximum(far, np.linalg.norm(tip, axis=-1))
    capacity = driver.payload_mass * GRAVITY * driver.payload_lever
    turning = float((moment + touch * far).max() / capacity) if capacity > 0 else 0.0
    return max(force, turning)
