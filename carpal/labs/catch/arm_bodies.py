"""The catcher's arm as bodies, hinges and rotary actuators, read from the catalogue's `catcher_arm`.

Shoulder link 1 is the fixed base, link i + 1 moves with joint i (erratum E27), centres of mass lie part of the way to the
next joint. Joint angles are those of `catcher_arm`, so its fk and Jacobian hold for the mechanism.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from carpal.kinematics import fk
from carpal.labs.catch.catcher_numbers import CatcherNumbers
from carpal.labs.catch.hand_geometry import SKIN, capsule_between, palm_inertia, palm_shapes
from carpal.model import Body, Mechanism, MechanismBody, Model, PlacedShape, PointJoint, RotaryActuator, hinge, load
from carpal.spatial import Array, Inertia, align_z, inverse

ARM = "catcher_arm"
LINKS = ("shoulder_link_2", "shoulder_link_3", "upper_arm", "elbow_link", "forearm", "palm")
"""Bodies that joints 1 to 6 move."""
RADII = (0.035, 0.03, 0.028, 0.026, 0.024)
COM_SHARE = 0.5  # of the catalogue's arm


@dataclass(frozen=True, eq=False)
class ArmJoint:
    """A joint between two moving bodies: X_AJ and X_JB (4, 4) around a turn about `axis` (3)."""

    name: str
    parent: str | None
    child: str
    X_AJ: Array
    axis: Array
    X_JB: Array

    @property
    def lines(self) -> dict[str, Array]:
        """`axis`, `line_A` and `line_B` whose angle is the joint's own q."""
        line = align_z(self.axis)[:, 0]
        return {
            "axis": self.X_AJ[:3, :3] @ self.axis,
            "line_A": self.X_AJ[:3, :3] @ line,
            "line_B": self.X_JB[:3, :3].T @ line,
        }


def arm_joints(arm: Model) -> tuple[ArmJoint, ...]:
    """The six joints, fixed rows folded into the bodies before them."""
    found: list[ArmJoint] = []
    carried: dict[
        str, tuple[str | None, Array]
    ] = {}  # model body -> moving body or None, X of the former in the latter
    for body in arm.bodies:
        parent, X_AP = (None, np.eye(4)) if body.parent is None else carried[body.parent]
        X_AJ = X_AP @ body.joint.X_PJ
        if body.joint.kind == "fixed":
            carried[body.name] = (parent, X_AJ @ body.joint.X_JB)
        else:
            child = LINKS[len(found)]
            found.append(ArmJoint(body.joint.name, parent, child, X_AJ, np.array(body.joint.axis), body.joint.X_JB))
            carried[body.name] = (child, np.eye(4))
    return tuple(found)


def arm_mechanism(q: Array, numbers: CatcherNumbers, gravity: Array) -> Mechanism:
    """Five links and the palm at the joint angles q (6) [rad], commands 0 to 5."""
    arm = load(ARM)
    joints = arm_joints(arm)
    moving = [body for body in arm.bodies if body.joint.kind != "fixed"]
    bodies: dict[str | None, MechanismBody | None] = {None: None}
    hinges: list[PointJoint] = []
    actuators: list[RotaryActuator] = []
    for i, (joint, body) in enumerate(zip(joints, moving, strict=True)):
        X_WB = fk(arm, q, body.name)
        if joint.child == "palm":
            made = MechanismBody("palm", palm_inertia(numbers.palm_com), X_WB, shapes=palm_shapes("palm"))
        else:
            shapes = _link_shapes(joint, joints[i + 1], RADII[i])
            made = MechanismBody(joint.child, _link_inertia(body, numbers.com_share), X_WB, shapes=shapes)
        bodies[joint.child] = made
        above = bodies[joint.parent]
        X_WJ = (np.eye(4) if above is None else above.X_WB) @ joint.X_AJ
        axis = X_WJ[:3, :3] @ joint.axis
        hinges += hinge(joint.name, above, made, X_WJ[:3, 3], axis, span=numbers.arm_span)
        actuators.append(
            RotaryActuator(
                joint.name, joint.parent, joint.child, **joint.lines, P=numbers.arm_P[i], D=numbers.arm_D[i],
                target=float(q[i]), command=i, limit=numbers.torque_limit,
            )
        )  # fmt: skip
    made_bodies = tuple(body for body in bodies.values() if body is not None)
    return Mechanism("arm", made_bodies, tuple(hinges), actuators=tuple(actuators), gravity=gravity)


def _link_inertia(body: Body, share: float) -> Inertia:
    """The catalogue's inertia with the centre of mass at another share of the way."""
    assert body.inertia is not None  # the catalogue's arm has masses
    joint = inverse(body.joint.X_JB)[:3, 3]
    com = joint + (share / COM_SHARE) * (body.inertia.com - joint)
    return Inertia(body.inertia.mass, com, body.inertia.about_com)


def _link_shapes(joint: ArmJoint, after: ArmJoint, radius: float) -> tuple[PlacedShape, ...]:
    """A link from its own joint to the next, to look at: the ball meets the hand alone."""
    start, end = inverse(joint.X_JB)[:3, 3], after.X_AJ[:3, 3]
    return (capsule_between(joint.child, joint.child, start, end, radius, SKIN, collides=False),)
