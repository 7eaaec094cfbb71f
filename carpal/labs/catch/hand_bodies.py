"""The catcher's digits as mechanisms on the palm: four finger linkages and the rotary thumb.

A phalanx is held by a hinge of two points; a rod by one point at each end, as rods with ball ends are: its spin about its own
axis then meets no force. That is also what keeps a light rod from asking for a shorter step.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from carpal.labs.catch.catcher_numbers import CatcherNumbers
from carpal.labs.catch.hand_geometry import (
    THUMB_AXIS,
    THUMB_BASE,
    THUMB_CLOSED,
    THUMB_D,
    THUMB_P,
    finger_linkage,
    finger_pose,
    phalanx_inertia,
    phalanx_shapes,
    thumb_inertia,
    thumb_pose,
    thumb_shapes,
)
from carpal.model import Mechanism, MechanismBody, PointJoint, RotaryActuator, SlotJoint, hinge
from carpal.spatial import Array, rotation_about

STOPS_DEG = (10.0, 111.0)
"""Angles of the proximal phalanx at its stops."""
STOP_RADIUS, STOP_CORNERS = 0.012, 13
STOP_MASS, STOP_RATIO = 2.7, 0.2
"""What a whole open finger weighs at the stop's radius [kg], and the damping ratio of its landing there."""
THUMB_SPAN = 0.02


def finger_mechanism(
    finger: str, palm: MechanismBody, length: float, numbers: CatcherNumbers, gravity: Array
) -> Mechanism:
    """A finger on the palm, its actuator `length` [m] long; command 0 is the wanted length."""
    linkage, X_WL = finger_linkage(finger), palm.X_WB @ finger_pose(finger)
    made = linkage.mechanism(X_WL, ground=palm, prefix=f"{finger}/", gravity=gravity, drive=length)
    bodies = tuple(body if body is palm else _clothed(finger, body) for body in made.bodies)
    springs = tuple(
        dataclasses.replace(spring, stiffness=spring.stiffness * numbers.spring_scale) for spring in made.springs
    )
    joints = _thin_rods(made.joints, finger)
    if numbers.stop_stiffness:
        joints += (_stop(finger, palm, numbers.stop_stiffness),)
    return dataclasses.replace(made, bodies=bodies, springs=springs, joints=joints, untouched=())


def thumb_mechanism(palm: MechanismBody, angle: float, gravity: Array) -> Mechanism:
    """The thumb on the palm at an angle [rad]; command 0 is the wanted angle."""
    X_WT = palm.X_WB @ thumb_pose(angle)
    thumb = MechanismBody("thumb", thumb_inertia(), X_WT, shapes=thumb_shapes("thumb"))
    axis = palm.X_WB[:3, :3] @ THUMB_AXIS
    at = (palm.X_WB @ [*THUMB_BASE, 1.0])[:3]
    line = np.array([0.0, 1.0, 0.0])
    actuator = RotaryActuator(
        "thumb/drive", "palm", "thumb", axis=THUMB_AXIS, line_A=line,
        line_B=rotation_about(THUMB_AXIS, THUMB_CLOSED) @ line, P=THUMB_P, D=THUMB_D, target=angle, command=0,
    )  # fmt: skip
    pins = hinge("thumb/knuckle", palm, thumb, at, axis, span=THUMB_SPAN)
    return Mechanism("thumb", (palm, thumb), pins, actuators=(actuator,), gravity=gravity)


def _clothed(finger: str, body: MechanismBody) -> MechanismBody:
    """A bar with the hand's own shapes, whose tails lie inside, and with its mass in them."""
    linkage, bar = finger_linkage(finger), body.name.removeprefix(f"{finger}/")
    shapes, inertia = phalanx_shapes(linkage, bar, body.name), phalanx_inertia(linkage, bar)
    return dataclasses.replace(body, shapes=shapes, inertia=inertia)


def _thin_rods(joints: tuple[PointJoint | SlotJoint, ...], finger: str) -> tuple[PointJoint | SlotJoint, ...]:
    """Pins of rods as one point in the pin's middle."""
    rods = {f"{finger}/{bar.name}" for bar in finger_linkage(finger).bars[1:] if not bar.phalanx}
    kept: list[PointJoint | SlotJoint] = []
    halves: dict[str, PointJoint] = {}
    for joint in joints:
        if not isinstance(joint, PointJoint) or not rods & {joint.a, joint.b}:
            kept.append(joint)
            continue
        name = joint.name.rpartition("/")[0]
        if name not in halves:
            halves[name] = joint
        else:
            other = halves[name]
            p_AP, p_BP = 0.5 * (joint.p_AP + other.p_AP), 0.5 * (joint.p_BP + other.p_BP)
            kept.append(dataclasses.replace(joint, name=name, p_AP=p_AP, p_BP=p_BP))
    return tuple(kept)


def _stop(finger: str, palm: MechanismBody, stiffness: float) -> SlotJoint:
    """A point of the proximal phalanx in a slot of the palm, an arc about the knuckle whose ends are the stops."""
    angles = np.radians(np.linspace(*STOPS_DEG, STOP_CORNERS))
    half = 0.5 * (angles[1] - angles[0])
    radius = 2 * STOP_RADIUS / (1 + np.cos(half))  # the polyline's mean distance from the knuckle is the point's
    flat = np.column_stack(
        [radius * np.cos(angles), radius * np.sin(angles), np.zeros_like(angles), np.ones_like(angles)]
    )
    path = (flat @ finger_pose(finger).T)[:, :3]
    damping = 2 * STOP_RATIO * float(np.sqrt(stiffness * STOP_MASS))
    at = np.array([STOP_RADIUS, 0.0, 0.0])
    return SlotJoint(f"{finger}/stop", f"{finger}/proximal", at, palm.name, path, stiffness, damping)
