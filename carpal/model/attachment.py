"""A hand bolted to an arm: two robots become one tree."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import InputError, unknown_name
from carpal.model.actuators import Actuator
from carpal.model.model import Model
from carpal.model.parts import NQ, Frame, Joint, checked_pose, real_array
from carpal.model.scene import Scene
from carpal.model.shapes import PlacedShape
from carpal.model.visuals import Visual
from carpal.spatial import Array, pose, rotation_about

Placed = TypeVar("Placed", Frame, PlacedShape, Visual)
ARM, HAND = "arm", "hand"


def attached(arm: Model, hand: Model, frame: str | None = None, X_FH: ArrayLike | None = None) -> Model:
    """One model of an arm with a hand on it; names of their parts begin with "arm/" and "hand/", the tool is the hand's.

    Args:
        arm: what the hand is bolted to.
        hand: a robot that stands in the world on its own; what stood in its world then stands on the frame.
        frame: of the arm; None is its tool.
        X_FH: pose (4, 4) of the hand's world in the frame; by default the same.
    """
    frame = arm.tool if frame is None else frame
    if frame not in arm.frames:
        raise unknown_name(f"frame of model '{arm.name}'", frame, arm.frames)
    X = np.eye(4) if X_FH is None else checked_pose(X_FH, "X_FH")
    known = {each.name: each for each in arm.extra_frames}
    body, X_BF = (known[frame].body, known[frame].X_BF) if frame in known else (frame, np.eye(4))
    scene = Scene(f"{arm.name} with {hand.name}", gravity=arm.gravity)
    scene.add_robot(arm, name=ARM).add_robot(hand.mounted(X_BF @ X), name=HAND)
    both = scene.build()
    base = None if body is None else f"{ARM}/{body}"

    def stands(name: str, parent: str | None) -> bool:
        return parent is None and name.startswith(f"{HAND}/")

    def held(parts: tuple[Placed, ...]) -> tuple[Placed, ...]:
        return tuple(replace(part, body=base) if stands(part.name, part.body) else part for part in parts)

    return both.replace(
        bodies=tuple(replace(each, parent=base) if stands(each.name, each.parent) else each for each in both.bodies),
        extra_frames=held(both.extra_frames), shapes=held(both.shapes), visuals=held(both.visuals),
        loops=tuple(replace(each, body_b=base) if stands(each.name, each.body_b) else each for each in both.loops),
        tool=f"{HAND}/{hand.tool}", tool_axis=hand.tool_axis,
    )  # fmt: skip


def locked(model: Model, joints: Collection[str], q: ArrayLike | None = None) -> Model:
    """The same robot with some joints made rigid; what is left of couplings, loops, tendons and drives are those of free joints.

    Args:
        model: whose joints are locked where they are revolute or prismatic.
        joints: their names.
        q: configuration (nq) in which they are locked, and the home of the others; `q_home` by default.
    """
    at = np.asarray(model.q_home if q is None else real_array(q, "q"))
    if at.shape != (model.nq,) or not np.isfinite(at).all():
        raise InputError(f"q of model '{model.name}' must be {model.nq} finite numbers; got {at.tolist()!r:.80}.")
    held = set(joints)
    kept: list[int] = []
    for name in joints:
        first = model.q_index(name)
        if next(body.joint.kind for body in model.bodies if body.joint.name == name) not in ("revolute", "prismatic"):
            raise InputError(
                f"joint '{name}' of model '{model.name}' is neither revolute nor prismatic and is not locked."
            )
    bodies = []
    for body in model.bodies:
        joint = body.joint
        if joint.name in held:
            moved = joint_motion(joint, float(at[model.q_index(joint.name)]))
            joint = Joint(joint.name, "fixed", X_PJ=joint.X_PJ @ moved, X_JB=joint.X_JB)
        elif joint.kind != "fixed":
            first = model.q_index(joint.name)
            kept += range(first, first + NQ[joint.kind])
        bodies.append(replace(body, joint=joint))
    return model.replace(
        bodies=tuple(bodies), q_home=at[kept], groups={}, configurations={},
        couplings=tuple(each for each in model.couplings if not held & {each.follower, each.leader}),
        loops=tuple(each for each in model.loops if not _between(model, each.body_a, each.body_b) <= held),
        tendons=tuple(each for each in model.tendons if not held & set(each.joints)),
        actuators=tuple(each for each in model.actuators if not held & driven_joints(model, each)),
    )  # fmt: skip


def driven_joints(model: Model, actuator: Actuator) -> set[str]:
    """Joints that an actuator pulls at, by itself or through a fixed tendon."""
    if actuator.joint is not None:
        return {actuator.joint}
    return set(next(each.joints for each in model.tendons if each.name == actuator.tendon))


def joint_motion(joint: Joint, q: float) -> Array:
    """Pose (4, 4) that a revolute or prismatic joint adds at q [rad or m]."""
    return pose(p=q * joint.axis) if joint.kind == "prismatic" else pose(rotation_about(joint.axis, q))


def _between(model: Model, a: str, b: str | None) -> set[str]:
    """Moving joints between two bodies."""

    def above(body: str | None) -> set[str]:
        found = set()
        while body is not None:
            each = model.body(body)
            if each.joint.kind != "fixed":
                found.add(each.joint.name)
            body = each.parent
        return found

    return above(a) ^ above(b)
