"""The common 21 landmarks of a robot's hand, from its own kinematics.

The wrist is the palm's frame. A finger's points are where its bending joints are and its tip; a finger with two bending
joints has its third point in the middle of its last link. The thumb's first point is its base joint.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import InputError
from carpal.kinematics import fk
from carpal.labs.sign.files.alphabet import FINGERS
from carpal.labs.sign.hand.sign_hand import SignHand
from carpal.model import Model
from carpal.spatial import Array, inverse


@functools.lru_cache(maxsize=16)
def _finger_joints(hand: SignHand) -> dict[str, tuple[str, ...]]:
    """Bodies whose joints are the points of each finger, palm to tip: three or four for the thumb, two or three otherwise."""
    bodies = {body.joint.name: body for body in hand.model.bodies}
    out = {}
    for finger in FINGERS:
        if finger not in hand.driver.bend:
            raise InputError(f"'{hand.driver.hand}' has no {finger}: the 21 landmarks are those of five fingers.")
        joints: list[str] = []
        for part in hand.driver.bend[finger]:
            joints += [part] if isinstance(part, str) else [drive.joint for drive in part]
        chain = [bodies[joint].name for joint in joints]
        if finger == "thumb":  # the base joint, unless it is where the thumb begins to bend
            parent = bodies[joints[0]].parent
            base = next(body for body in hand.model.bodies if body.name == parent)
            if len(chain) < 3 and base.joint.kind != "fixed":
                chain.insert(0, base.name)
        out[finger] = tuple(chain)
    return out


def robot_landmarks(hand: SignHand, q: ArrayLike) -> Array:
    """Landmarks (*batch, 21, 3) [m] in the palm's frame of configurations (*batch, nq) of the hand's model."""
    given = np.asarray(q, float)
    model = hand.model
    if given.shape[-1:] != (model.nq,) or not np.isfinite(given).all():
        raise InputError(f"a configuration of '{model.name}' is {model.nq} finite numbers; got shape {given.shape}.")
    X_PW = inverse(fk(model, given, hand.driver.palm))
    points = [np.zeros((*given.shape[:-1], 3))]
    for finger, chain in _finger_joints(hand).items():
        at = _joint_places(model, given, chain)
        tip = fk(model, given, f"{finger}_tip")[..., :3, 3]
        if len(at) == 2:
            at.append(0.5 * (at[-1] + tip))
        points += [np.einsum("...ij,...j->...i", X_PW[..., :3, :3], p) + X_PW[..., :3, 3] for p in (*at, tip)]
    return np.stack(points, -2)


def _joint_places(model: Model, q: Array, bodies: Sequence[str]) -> list[Array]:
    placed = {body.name: body for body in model.bodies}
    return [(fk(model, q, name) @ inverse(placed[name].joint.X_JB))[..., :3, 3] for name in bodies]
