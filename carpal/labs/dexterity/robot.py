"""Chan's five-fingered hand (1998) for this task: spherical tips, and closed-form inverse kinematics of a finger.

Finger kinematics (B.3): tip = (c1 A, s1 A, l2 s2 + l3 s23) in the finger's base, A = l1 + l2 c2 + l3 c23.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import InputError
from carpal.kinematics import fk
from carpal.model import Capsule, Model, PlacedShape, Sphere, load
from carpal.spatial import Array, align_z, pose

FINGERS = ("thumb", "index", "middle", "ring", "little")
TIP_RADIUS = 0.01
"""[m]; assumed with the catalogue's hand."""
THUMB_BASE = (0.16, 0.0, 0.1)
"""Where the thumb's first joint is [m] in this task: far enough away for Chan's boxes of 0.1 m; assumed."""
TIP_COLOUR, LINK_COLOUR = (0.30, 0.45, 0.62, 1.0), (0.78, 0.80, 0.84, 1.0)
BONE = 0.006


def task_hand(bases: Mapping[str, ArrayLike] | None = None, tip_radius: float = TIP_RADIUS) -> Model:
    """The catalogue's hand with a ball on each tip that touches, and links that are only drawn.

    Args:
        bases: for some fingers another place (3) [m] of the first joint than the catalogue's, or `THUMB_BASE`.
        tip_radius: [m].
    """
    hand = load("cuhk_hand")
    places: dict[str, ArrayLike] = {"thumb": THUMB_BASE} | dict(bases or {})
    bodies, shapes = list(hand.bodies), []
    for k, body in enumerate(bodies):
        finger = body.name.split("_")[0]
        if body.name == f"{finger}_link_1" and finger in places:
            X = np.array(body.joint.X_PJ)
            X[:3, 3] = np.asarray(places[finger], float)
            bodies[k] = body = dataclasses.replace(body, joint=dataclasses.replace(body.joint, X_PJ=X))
        if body.parent is not None:
            start = np.linalg.inv(body.joint.X_JB)[:3, 3]
            length = float(np.linalg.norm(start))
            X_BS = pose(align_z(start / length), 0.5 * start)
            shapes.append(PlacedShape(f"{body.name}_bone", body.name, Capsule(BONE, length), X_BS, LINK_COLOUR, False))
    for finger in FINGERS:
        shapes.append(PlacedShape(f"{finger}_tip", f"{finger}_link_3", Sphere(tip_radius), rgba=TIP_COLOUR))
    return hand.replace(bodies=tuple(bodies), shapes=tuple(shapes))


def reach_with(hand: Model, finger: str, point: Array) -> Array:
    """Joint angles (3) [rad] that put the centre of a finger's tip at a point (3) [m], the outer joint bent inwards.

    Raises:
        InputError: where the finger or its joints do not go there.
    """
    links = [hand.body(f"{finger}_link_{k}") for k in (1, 2, 3)]
    l1, l2, l3 = (float(link.joint.X_JB[0, 3]) for link in links)
    X = np.asarray(links[0].joint.X_PJ)
    x, y, z = X[:3, :3].T @ (np.asarray(point, float) - X[:3, 3])
    where = f"({point[0]:.4f}, {point[1]:.4f}, {point[2]:.4f}) m"
    far = f"finger '{finger}' does not reach {where}"
    first = hand.joint_names.index(f"{finger}_1")
    low, high = hand.q_min[first : first + 3], hand.q_max[first : first + 3]
    nearest: Array | None = None
    for side in (1.0, -1.0):  # a finger that is bent far over passes behind its first joint: A < 0
        out = side * math.hypot(x, y) - l1
        cosine = (out**2 + z**2 - l2**2 - l3**2) / (2 * l2 * l3)
        if not abs(cosine) <= 1.0:
            continue
        for bend in (math.acos(cosine), -math.acos(cosine)):
            base = math.atan2(z, out) - math.atan2(l3 * math.sin(bend), l2 + l3 * math.cos(bend))
            q = np.array([math.atan2(side * y, side * x), math.remainder(base, 2 * math.pi), bend])
            if ((q >= low - 1e-12) & (q <= high + 1e-12)).all():
                return q
            nearest = q if nearest is None else nearest
    if nearest is None:
        span = math.hypot(math.hypot(x, y) - l1, z)
        raise InputError(f"{far}: its links of {l2:g} and {l3:g} m would have to span {span:.4f} m.")
    raise InputError(f"{far} within its joint limits; it would need {np.degrees(nearest).round(1).tolist()} degrees.")


def joint_slice(finger: str) -> slice:
    """Where a finger's joints are among the hand's 15."""
    first = 3 * FINGERS.index(finger)
    return slice(first, first + 3)


def tip_centre(hand: Model, q: Array, finger: str) -> Array:
    """(*batch, 3) [m] in W of the hand."""
    return np.asarray(fk(hand, q, f"{finger}_tip"))[..., :3, 3]
