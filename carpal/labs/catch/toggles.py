"""How far each finger's linkage is from its toggles, from the poses of its bodies: no digit may cross one.

At a toggle a rod lies in line with the crank that it turns (or the actuator in line with its lever), and from there the linkage
may go on in another way of assembly. The signed angle between the two is positive in the way the finger was put together, so
an angle that reaches zero is a toggle, and a negative one has crossed it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from carpal.labs.catch.hand_geometry import FINGERS, finger_linkage, finger_pose
from carpal.labs.catch.measure import body_pose
from carpal.model import Mechanism
from carpal.spatial import Array

GROUPS = (
    ("ground.M", "proximal.L", "proximal.K"),
    ("rod.R", "rod.Q", "proximal.P"),
    ("rod2.R2", "rod2.Q2", "middle.D"),
)
"""Actuator and lever, rod and middle phalanx, second rod and distal phalanx: far end, shared pin, centre of the crank."""


def toggle_angles(mechanism: Mechanism, q: ArrayLike) -> Array:
    """(*batch, 4 fingers, 3 groups) [rad] in [-pi/2, pi/2]: zero is a toggle, below zero one was crossed.

    Args:
        mechanism: a catcher.
        q: (*batch, 7 bodies) of the engine's state.
    """
    out = []
    for finger in FINGERS:
        axis = -body_pose(mechanism, q, "palm")[..., :3, 1]  # flexion turns about -y of the hand
        angles = []
        for (far, pin, centre), side in zip(GROUPS, _sides(finger), strict=True):
            p_far, p_pin, p_centre = (_place(mechanism, q, finger, point) for point in (far, pin, centre))
            rod, crank = p_pin - p_far, p_pin - p_centre
            across = side * (np.cross(rod, crank) * axis).sum(-1)
            angles.append(np.arctan2(across, np.abs((rod * crank).sum(-1))))
        out.append(np.stack(angles, -1))
    return np.stack(out, -2)


def _sides(finger: str) -> list[float]:
    """Which way each group is assembled, at the start of the stroke."""
    linkage = finger_linkage(finger)
    curve = linkage.curve()
    signs = []
    for group in GROUPS:
        far, pin, centre = (curve.place(point, linkage.drive.start) for point in group)
        (a, b), (c, d) = pin - far, pin - centre
        signs.append(float(np.sign(a * d - b * c)))
    return signs


def _place(mechanism: Mechanism, q: ArrayLike, finger: str, point: str) -> Array:
    """A point "bar.point" of a finger in the world (*batch, 3) [m]."""
    bar, (x, y) = point.partition(".")[0], finger_linkage(finger).point(point)[1]
    on_palm = bar == "ground"
    X = body_pose(mechanism, q, "palm" if on_palm else f"{finger}/{bar}")
    X = X @ finger_pose(finger) if on_palm else X
    return X[..., :3, :3] @ np.array([x, y, 0.0]) + X[..., :3, 3]
