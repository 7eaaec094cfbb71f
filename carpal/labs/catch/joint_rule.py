"""How stiff a joint is: every point joint holds its own two bodies at one chosen frequency.

The thesis prints no joint stiffness. A point that joins bodies A and B feels the mass mu, 1/mu = e_A + e_B, where e is the
largest eigenvalue of the ease I/m + S' J^-1 S of a body at that point (S the cross product with the arm from its centre
of mass). With k = mu w^2 and c = 2 zeta mu w no joint is faster than another, so the step is bounded by w dt and not by
the lightest rod, and heavy links are held as stiffly as the step allows.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from carpal.model import Mechanism, MechanismBody, PointJoint, SlotJoint
from carpal.spatial import Array, skew


def ease(body: MechanismBody | None, p_B: Array) -> float:
    """Largest acceleration [m/s^2] of a body's point per newton there; zero for the world."""
    if body is None:
        return 0.0
    S = skew(p_B - body.inertia.com)
    E = np.eye(3) / body.inertia.mass + S.T @ np.linalg.inv(body.inertia.about_com) @ S
    return float(np.linalg.eigvalsh(0.5 * (E + E.T))[-1])


def with_joint_rule(mechanism: Mechanism, rate: float, damping_ratio: float) -> Mechanism:
    """The mechanism with stiffness and damping of every point joint by the rule.

    Args:
        mechanism: whose slot joints stay as they are.
        rate: w [rad/s].
        damping_ratio: zeta.
    """
    bodies: dict[str | None, MechanismBody | None] = {body.name: body for body in mechanism.bodies}
    bodies[None] = None
    joints: list[PointJoint | SlotJoint] = []
    for joint in mechanism.joints:
        if isinstance(joint, PointJoint):
            mass = 1.0 / (ease(bodies[joint.a], joint.p_AP) + ease(bodies[joint.b], joint.p_BP))
            joint = dataclasses.replace(joint, stiffness=mass * rate**2, damping=2 * damping_ratio * mass * rate)
        joints.append(joint)
    return dataclasses.replace(mechanism, joints=tuple(joints))
