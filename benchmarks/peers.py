"""Peers' models of our robots, built once for every benchmark; a peer that is not installed gives None."""

from __future__ import annotations

from typing import Any

import numpy as np

import carpal


def toolbox_ets(model: carpal.Model) -> Any:
    """roboticstoolbox's transform sequence from the world to the tool, with our joint limits."""
    try:
        import roboticstoolbox as rtb
    except ImportError:
        return None
    from spatialmath import SE3

    frame = model.extra_frames[0]
    bodies = [model.body(frame.body)]
    while bodies[0].parent is not None:  # from the tool to the world, past side branches such as a head
        bodies.insert(0, model.body(bodies[0].parent))
    chain, pending = [], np.eye(4)
    for body in bodies:
        pending = pending @ body.joint.X_PJ
        if body.joint.kind == "revolute":
            limits = np.array([body.joint.q_min, body.joint.q_max])
            chain += [rtb.ET.SE3(SE3(pending, check=False)), rtb.ET.Rz(qlim=limits)]
            pending = np.eye(4)
    chain.append(rtb.ET.SE3(SE3(pending @ frame.X_BF, check=False)))
    return rtb.ETS(chain)


def eaik_robot(model: carpal.Model, locked: list[tuple[int, float]] | None = None) -> tuple[Any, np.ndarray]:
    """EAIK's robot from our axes at q = 0, some joints locked, and the tool's rotation at zero (its own is the identity)."""
    try:
        from eaik.IK_HP import HPRobot
    except ImportError:
        return None, np.eye(3)
    from carpal.kinematics.axes import chain_axes

    axes = chain_axes(model)
    points = np.vstack([np.zeros(3), axes.c, axes.X_WF[:3, 3]])
    return HPRobot(axes.u.copy(), np.diff(points, axis=0), locked), axes.X_WF[:3, :3]


def ssik_iiwa() -> tuple[Any, Any, Any]:
    """Our model of the arm that ssik ships as iiwa14, its solver and its manipulator; None where it is not installed."""
    try:
        import ssik
        from ssik.prebuilt import iiwa14_ik as solver
    except ImportError:
        return None, None, None
    from carpal.model import Body, Joint

    arm = ssik.Manipulator.from_prebuilt("iiwa14")
    bodies: list[Body] = []
    for joint in arm.kinbody.joints:
        low, high = joint.limits
        made = Joint(
            joint.name, "revolute", X_PJ=joint.T_left, axis=joint.axis, X_JB=joint.T_right, q_min=low, q_max=high
        )
        bodies.append(Body(f"{joint.name}_link", bodies[-1].name if bodies else None, made))
    model = carpal.Model(name="iiwa14", bodies=tuple(bodies))
    q = np.array([0.3, -0.7, 0.4, 1.1, 0.5, -0.8, 0.2])
    assert np.abs(carpal.fk(model, q) - solver.fk(q)).max() < 1e-9, "the race is on one arm"
    return model, solver, arm
