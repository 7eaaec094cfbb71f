"""The robot in full coordinates for the penalty engine: free bodies, stiff joints, actuators.

A phalanx is held by a hinge of two points; a rod by one point at each end, as rods with ball ends are: its spin about its own
axis then meets no force. That is also what keeps a light rod from asking for a shorter step.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from carpal.kinematics import fk
from carpal.labs.catch.catcher_numbers import CatcherNumbers
from carpal.labs.catch.hand_geometry import (
    FINGERS,
    THUMB_AXIS,
    THUMB_CLOSED,
    THUMB_D,
    THUMB_P,
    finger_linkage,
    finger_pose,
    phalanx_inertia,
    phalanx_shapes,
    thumb_pose,
    thumb_shapes,
)
from carpal.labs.catch.joint_rule import with_joint_rule
from carpal.labs.catch.robot import STOPS_DEG, arm_bodies, arm_model, arm_shapes, thumb_body
from carpal.model import Body, Mechanism, MechanismBody, PointJoint, RotaryActuator, SlotJoint, hinge, united
from carpal.spatial import Array, align_z, rotation_about

STOP_RADIUS, STOP_CORNERS = 0.012, 13
STOP_MASS, STOP_RATIO = 2.7, 0.2
"""What a whole open finger weighs at the stop's radius [kg], and the damping ratio of its landing there."""
THUMB_SPAN = 0.02


def robot_mechanism(q: Array, digits: Array, numbers: CatcherNumbers, gravity: Array) -> Mechanism:
    """Arm and hand at joint angles q (6) [rad] and the digits' lengths and angle (5) [m, rad]; commands in that order."""
    arm = arm_mechanism(q, numbers, gravity)
    palm = arm.bodies[-1]
    fingers = [
        finger_mechanism(name, palm, float(length), numbers, gravity)
        for name, length in zip(FINGERS, digits, strict=False)
    ]
    both = united("catcher", [arm, *fingers, thumb_mechanism(palm, float(digits[-1]), gravity)])
    return with_joint_rule(both, numbers.joint_rate, numbers.joint_damping)


def arm_mechanism(q: Array, numbers: CatcherNumbers, gravity: Array) -> Mechanism:
    """Five links and the palm at the joint angles q (6) [rad], commands 0 to 5."""
    shapes, moving = arm_shapes(), [body.name for body in arm_model().bodies if body.joint.kind != "fixed"]
    made: dict[str | None, MechanismBody | None] = {None: None}
    joints: list[PointJoint] = []
    actuators: list[RotaryActuator] = []
    for i, (body, name) in enumerate(zip(arm_bodies(numbers), moving, strict=True)):
        assert body.inertia is not None  # given by the robot
        made[body.name] = MechanismBody(body.name, body.inertia, fk(arm_model(), q, name), shapes=shapes[body.name])
        pins, actuator = _hinge(body.joint.name, body, made[body.parent], made[body.name], numbers.arm_span)
        joints += pins
        actuators.append(
            dataclasses.replace(
                actuator,
                P=numbers.arm_P[i],
                D=numbers.arm_D[i],
                limit=numbers.torque_limit,
                target=float(q[i]),
                command=i,
            )
        )
    bodies = tuple(body for body in made.values() if body is not None)
    return Mechanism("arm", bodies, tuple(joints), actuators=tuple(actuators), gravity=gravity)


def finger_mechanism(
    finger: str, palm: MechanismBody, length: float, numbers: CatcherNumbers, gravity: Array
) -> Mechanism:
    """A finger on the palm, its actuator `length` [m] long; command 0 is the wanted length."""
    linkage, X_WL = finger_linkage(finger), palm.X_WB @ finger_pose(finger)
    made = linkage.mechanism(X_WL, ground=palm, prefix=f"{finger}/", gravity=gravity, drive=length)
    bodies = tuple(body if body is palm else _solid_bar(finger, body) for body in made.bodies)
    springs = tuple(
        dataclasses.replace(spring, stiffness=spring.stiffness * numbers.spring_scale) for spring in made.springs
    )
    joints = _thin_rods(made.joints, finger)
    if numbers.stop_stiffness:
        joints += (_stop(finger, palm, numbers.stop_stiffness),)
    return dataclasses.replace(made, bodies=bodies, springs=springs, joints=joints, untouched=())


def thumb_mechanism(palm: MechanismBody, angle: float, gravity: Array) -> Mechanism:
    """The thumb on the palm at an angle [rad]; command 0 is the wanted angle."""
    body = thumb_body()
    assert body.inertia is not None  # given by the robot
    thumb = MechanismBody("thumb", body.inertia, palm.X_WB @ thumb_pose(angle), shapes=thumb_shapes("thumb"))
    pins, actuator = _hinge("thumb/knuckle", body, palm, thumb, THUMB_SPAN)
    closed = rotation_about(THUMB_AXIS, THUMB_CLOSED) @ actuator.line_A
    drive = dataclasses.replace(
        actuator, name="thumb/drive", line_B=closed, P=THUMB_P, D=THUMB_D, target=angle, command=0
    )
    return Mechanism("thumb", (palm, thumb), pins, actuators=(drive,), gravity=gravity)


def _hinge(
    name: str, body: Body, parent: MechanismBody | None, made: MechanismBody | None, span: float
) -> tuple[tuple[PointJoint, ...], RotaryActuator]:
    """Two points on the joint's axis, and an actuator without gains whose angle is the joint's own q."""
    joint = body.joint
    X_WA = np.eye(4) if parent is None else parent.X_WB
    at, axis = (X_WA @ joint.X_PJ[:, 3])[:3], X_WA[:3, :3] @ joint.X_PJ[:3, :3] @ joint.axis
    pins = hinge(name, parent, made, at, axis, span=span)
    line, R = align_z(joint.axis)[:, 0], joint.X_PJ[:3, :3]
    actuator = RotaryActuator(
        joint.name, body.parent, body.name, axis=R @ joint.axis, line_A=R @ line, line_B=joint.X_JB[:3, :3].T @ line
    )
    return pins, actuator


def _solid_bar(finger: str, body: MechanismBody) -> MechanismBody:
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
