"""The joints of a tree as the parts of a mechanism: what holds them, what drives them, what resists them."""

from __future__ import annotations

from typing import Any

import numpy as np

from carpal.model import (
    Joint,
    JointFriction,
    LinearActuator,
    MechanismBody,
    Model,
    PointJoint,
    RotaryActuator,
    RotarySpring,
    SlotJoint,
    hinge,
)  # fmt: skip
from carpal.spatial import Array, align_z, inverse

Places = dict[str, MechanismBody | None]
STOP = 10.0
"""Travel [m] after which a slide without limits ends. Assumed: a slot has two ends."""
SPANS = (0.01, 0.5)
"""Least and most distance [m] of a hinge's two points. Assumed."""
BACK = 0.1  # a slide's actuator is this long [m] at its shortest


def joint_span(child: MechanismBody | None) -> float:
    """Distance [m] of a hinge's points: twice the child's radius of gyration, so that it tilts about as stiffly as it shifts."""
    if child is None:
        return SPANS[0]
    inertia = child.inertia
    radius = float(np.sqrt(np.trace(inertia.about_com) / 3 / inertia.mass))
    return float(np.clip(2 * radius, *SPANS))


def _ends(body: Any, places: Places, X_GB: dict[str, Array]) -> tuple[Any, Array, Any, Array]:
    """Parent's and child's mechanism bodies, the joint's fixed frame in the one and its moving frame in the other."""
    parent = None if body.parent is None else places[body.parent]
    X_GP = np.eye(4) if body.parent is None else X_GB[body.parent]
    return parent, X_GP @ body.joint.X_PJ, places[body.name], X_GB[body.name] @ inverse(body.joint.X_JB)


def _at(X: Array, point: Array) -> Array:
    return np.asarray(X[:3, :3] @ point + X[:3, 3])


def _name(side: MechanismBody | None) -> str | None:
    return None if side is None else side.name


def joints_of(model: Model, q: Array, places: Places, X_GB: dict[str, Array]) -> list[PointJoint | SlotJoint]:
    """Point and slot joints of every moving joint, in the model's order."""
    made: list[PointJoint | SlotJoint] = []
    for body in model.bodies:
        joint = body.joint
        parent, X_AJ, child, X_BJ = _ends(body, places, X_GB)
        if joint.kind == "revolute":
            X_WJ = (np.eye(4) if parent is None else parent.X_WB) @ X_AJ
            made += hinge(joint.name, parent, child, X_WJ[:3, 3], X_WJ[:3, :3] @ joint.axis, span=joint_span(child))
        elif joint.kind == "ball":
            made.append(PointJoint(joint.name, _name(parent), X_AJ[:3, 3], _name(child), X_BJ[:3, 3]))
        elif joint.kind == "prismatic":
            made += _slide(joint, parent, X_AJ, child, X_BJ)
    return made


def _slide(joint: Joint, parent: Any, X_AJ: Array, child: Any, X_BJ: Array) -> list[SlotJoint]:
    """Two points of the child on the axis, a third beside it on a parallel line, so that it does not turn."""
    half, aside = 0.5 * joint_span(child), align_z(joint.axis)[:, 0]
    low, high = (float(np.clip(limit, -STOP, STOP)) for limit in (joint.q_min, joint.q_max))
    made = []
    for i, (along, out) in enumerate(((-half, 0.0), (half, 0.0), (0.0, 2 * half))):
        point = along * joint.axis + out * aside
        path = np.array([_at(X_AJ, point + way * joint.axis) for way in (low, max(high, low + 1e-6))])
        made.append(SlotJoint(f"{joint.name}/{i}", _name(child), _at(X_BJ, point), _name(parent), path))
    return made


def _lines(joint: Joint, X_AJ: Array, X_BJ: Array) -> dict[str, Any]:
    """Axis and lines whose angle is the joint's own q."""
    line = align_z(joint.axis)[:, 0]
    return {"axis": X_AJ[:3, :3] @ joint.axis, "line_A": X_AJ[:3, :3] @ line, "line_B": X_BJ[:3, :3] @ line}


def _rod(joint: Joint, X_AJ: Array, X_BJ: Array) -> tuple[Array, Array, float]:
    """A point of the parent, behind the slide's least travel, one of the child, and their distance at q = 0."""
    back = BACK + max(0.0, -max(joint.q_min, -STOP))
    return _at(X_AJ, -back * joint.axis), X_BJ[:3, 3], back


def actuators_of(model: Model, places: Places, X_GB: dict[str, Array]) -> tuple[list[Any], list[str], list[float]]:
    """PD actuators without gains on all hinges and slides, the joints they drive, and what turns q into a command."""
    made: list[Any] = []
    driven, offsets = [], []
    for body in model.bodies:
        joint = body.joint
        parent, X_AJ, child, X_BJ = _ends(body, places, X_GB)
        number, limit = len(made), joint.tau_max if joint.tau_max > 0 else np.inf
        if joint.kind == "revolute":
            lines = _lines(joint, X_AJ, X_BJ)
            made.append(RotaryActuator(joint.name, _name(parent), _name(child), **lines, command=number, limit=limit))
            offsets.append(0.0)
        elif joint.kind == "prismatic":
            a, b, back = _rod(joint, X_AJ, X_BJ)
            made.append(LinearActuator(joint.name, _name(parent), a, _name(child), b, command=number, limit=limit))
            offsets.append(back)
        else:
            continue
        driven.append(joint.name)
    return made, driven, offsets


def resistances_of(
    model: Model, places: Places, X_GB: dict[str, Array]
) -> tuple[list[RotarySpring], list[JointFriction], list[LinearActuator], list[str]]:
    """Joint damping and friction: rotary dampers, dry friction, linear dampers, and a sentence on what has no part."""
    springs: list[RotarySpring] = []
    friction: list[JointFriction] = []
    dampers: list[LinearActuator] = []
    notes: list[str] = []
    for body in model.bodies:
        joint = body.joint
        if joint.kind == "fixed" or not (joint.damping or joint.friction):
            continue
        parent, X_AJ, child, X_BJ = _ends(body, places, X_GB)
        if joint.kind == "revolute":
            given = {"a": _name(parent), "b": _name(child)} | _lines(joint, X_AJ, X_BJ)
            if joint.damping:
                springs.append(RotarySpring(f"{joint.name} damping", **given, damping=joint.damping))
            if joint.friction:
                friction.append(JointFriction(f"{joint.name} friction", **given, torque=joint.friction))
        elif joint.kind == "prismatic" and joint.damping:
            a, b, back = _rod(joint, X_AJ, X_BJ)
            name = f"{joint.name} damping"
            dampers.append(LinearActuator(name, _name(parent), a, _name(child), b, D=joint.damping, target=back))
        if joint.kind in ("ball", "free") or (joint.kind == "prismatic" and joint.friction):
            what = "friction" if joint.kind == "prismatic" else "damping and friction"
            notes.append(f"{what} of {joint.kind} joint '{joint.name}' has no part in a mechanism and is left out.")
    return springs, friction, dampers, notes
