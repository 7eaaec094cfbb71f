"""A hand bolted to an arm: two robots become one tree."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import unknown_name
from carpal.model.actuators import Actuator
from carpal.model.model import Model
from carpal.model.parts import Frame, checked_pose
from carpal.model.scene import Scene
from carpal.model.shapes import PlacedShape
from carpal.model.visuals import Visual

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


def driven_joints(model: Model, actuator: Actuator) -> set[str]:
    """Joints that an actuator pulls at, by itself or through a fixed tendon."""
    if actuator.joint is not None:
        return {actuator.joint}
    return set(next(each.joints for each in model.tendons if each.name == actuator.tendon))
