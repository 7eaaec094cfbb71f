"""A model as URDF with 17 digits, and sentences on what URDF cannot hold.

A link's frame is its body's. Where a hinge's axis does not pass through the body's origin, a massless link "<body>/axis"
stands between, because URDF puts a link's frame on the axis (and a free joint's at its origin). A capsule becomes a
cylinder and two spheres, which are the same solid. Limits that are infinite are written as 1e9.
"""

from __future__ import annotations

import math
import warnings
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

import numpy as np

from carpal.errors import ModelError
from carpal.model.parts import Body
from carpal.model.shapes import Box, Capsule, Cylinder, PlacedShape, Shape, Sphere
from carpal.spatial import Array, Inertia, pose

if TYPE_CHECKING:
    from carpal.model.model import Model

FAR = 1e9
"""Stands for infinity where URDF wants a number."""


def urdf_text(model: Model) -> str:
    """The model as URDF; what URDF cannot hold is named in one UserWarning each.

    Raises:
        ModelError: the model has ball joints, which URDF has not.
    """
    balls = [body.joint.name for body in model.bodies if body.joint.kind == "ball"]
    if balls:
        raise ModelError(f"URDF has no ball joints; '{model.name}' has {_list(balls)}.")
    root = ET.Element("robot", {"name": model.name})
    taken = set(model.frames)
    world = _world(model, taken)
    if world is not None:
        _link(root, world, Inertia.nothing(), _shapes(model, None))
    for body in model.bodies:
        moves = body.joint.kind not in ("fixed", "free")
        shapes = _shapes(model, body.name)
        _link(root, body.name, body.inertia, shapes, needed=moves and bool(shapes))
        if body.parent is not None or world is not None:
            _joint(root, body, body.parent or str(world), model, taken)
    for frame in model.extra_frames:
        _link(root, frame.name, Inertia.nothing(), [])
        fixed = ET.SubElement(root, "joint", {"name": _free(f"{frame.name}/fixed", taken), "type": "fixed"})
        _ends(fixed, frame.body or str(world), frame.name, frame.X_BF)
    for sentence in urdf_losses(model):
        warnings.warn(f"URDF of '{model.name}': {sentence}", UserWarning, stacklevel=3)
    ET.indent(root)
    return ET.tostring(root, encoding="unicode") + "\n"


def urdf_losses(model: Model) -> list[str]:
    """One sentence for each thing of a model that URDF cannot hold."""
    out = []
    joints = [body.joint for body in model.bodies]
    named = {
        "loops": [loop.name for loop in model.loops],
        "couplings that are not linear": [c.name for c in model.couplings if not _linear(c.coefficients, c.leader)],
        "tendons": [tendon.name for tendon in model.tendons],
        "actuators (only efforts stay)": [actuator.name for actuator in model.actuators],
        "springs": [joint.name for joint in joints if joint.stiffness],
        "armatures": [joint.name for joint in joints if joint.armature],
        "largest accelerations": [joint.name for joint in joints if math.isfinite(joint.vdot_max)],
        "gravity compensation": [body.name for body in model.bodies if body.gravity_compensation],
        "shapes": [s.name for s in model.shapes if not isinstance(s.shape, Box | Sphere | Cylinder | Capsule)],
        "contact masks": [s.name for s in model.shapes if (s.contype, s.conaffinity) != (1, 1)],
        "explicit contact pairs": [f"{a} and {b}" for a, b in model.contact_pairs],
        "excluded pairs (an SRDF holds them)": [f"{a} and {b}" for a, b in model.exclusions],
        "visuals": [seen.name for seen in model.visuals],
        "unknown inertias": [body.name for body in model.bodies if body.inertia is None],
    }
    for what, names in named.items():
        if names:
            out.append(f"{what} cannot be held: {_list(names)}.")
    if not np.array_equal(model.gravity, (0.0, 0.0, -9.81)):
        out.append(f"gravity {model.gravity.tolist()} cannot be held.")
    return out


def _linear(coefficients: tuple[float, ...], leader: str | None) -> bool:
    return leader is not None and not any(coefficients[2:])


def _world(model: Model, taken: set[str]) -> str | None:
    """The link that stands for the world; None where one body is the root at the world's own frame."""
    roots = [body for body in model.bodies if body.parent is None]
    used = None in {*(frame.body for frame in model.extra_frames), *(shape.body for shape in model.shapes)}
    if len(roots) > 1 or used or roots[0].joint.kind != "fixed":
        return _free("world", taken)
    X = roots[0].joint.X_PJ @ roots[0].joint.X_JB
    return None if np.array_equal(X, np.eye(4)) else _free("world", taken)


def _shapes(model: Model, body: str | None) -> list[PlacedShape]:
    return [shape for shape in model.shapes if shape.body == body]


def _link(
    root: ET.Element, name: str, inertia: Inertia | None, shapes: list[PlacedShape], needed: bool = False
) -> None:
    link = ET.SubElement(root, "link", {"name": name})
    if inertia is not None and (needed or inertia.mass != 0 or inertia.about_com.any()):
        element = ET.SubElement(link, "inertial")
        ET.SubElement(element, "origin", {"xyz": _numbers(inertia.com), "rpy": "0 0 0"})
        ET.SubElement(element, "mass", {"value": _numbers([inertia.mass])})
        I = inertia.about_com
        six = {"ixx": I[0, 0], "iyy": I[1, 1], "izz": I[2, 2], "ixy": I[0, 1], "ixz": I[0, 2], "iyz": I[1, 2]}
        ET.SubElement(element, "inertia", {key: _numbers([value]) for key, value in six.items()})
    for shape in shapes:
        for kind in ("visual", "collision") if shape.collides else ("visual",):
            for number, (part, X) in enumerate(_parts(shape.shape)):
                label = shape.name if number == 0 else f"{shape.name}_{number}"
                element = ET.SubElement(link, kind, {"name": label})
                ET.SubElement(element, "origin", _origin(shape.X_BS @ X))
                ET.SubElement(ET.SubElement(element, "geometry"), *part)


def _parts(shape: Shape) -> list[tuple[tuple[str, dict[str, str]], Array]]:
    """URDF's geometry elements that together are a shape, each with its pose; none where URDF has none."""
    match shape:
        case Box():
            return [(("box", {"size": _numbers(shape.size)}), np.eye(4))]
        case Sphere():
            return [(("sphere", {"radius": _numbers([shape.radius])}), np.eye(4))]
        case Cylinder() | Capsule():
            rod = ("cylinder", {"radius": _numbers([shape.radius]), "length": _numbers([shape.length])})
            if isinstance(shape, Cylinder):
                return [(rod, np.eye(4))]
            ball = ("sphere", {"radius": _numbers([shape.radius])})
            ends = [(ball, pose(p=[0.0, 0.0, side * shape.length / 2])) for side in (-1, 1)]
            return [(rod, np.eye(4)), *ends]
    return []


def _joint(root: ET.Element, body: Body, parent: str, model: Model, taken: set[str]) -> None:
    joint, child = body.joint, body.name
    X, axis = joint.X_PJ @ joint.X_JB, joint.X_JB[:3, :3].T @ joint.axis
    off = joint.kind == "revolute" and np.any(np.cross(joint.axis, joint.X_JB[:3, 3]) != 0)
    if off or (joint.kind == "free" and not np.array_equal(joint.X_JB, np.eye(4))):
        child = _free(f"{body.name}/axis", taken)
        X, axis = joint.X_PJ, joint.axis
        ET.SubElement(root, "link", {"name": child})
        fixed = ET.SubElement(root, "joint", {"name": _free(f"{body.name}/fixed", taken), "type": "fixed"})
        _ends(fixed, child, body.name, joint.X_JB)
    bounded = math.isfinite(joint.q_min) or math.isfinite(joint.q_max)
    kind = {"free": "floating", "revolute": "revolute" if bounded else "continuous"}.get(joint.kind, joint.kind)
    element = ET.SubElement(root, "joint", {"name": joint.name, "type": kind})
    _ends(element, parent, child, X)
    if kind in ("fixed", "floating"):
        return
    ET.SubElement(element, "axis", {"xyz": _numbers(axis)})
    ET.SubElement(element, "dynamics", {"damping": _numbers([joint.damping]), "friction": _numbers([joint.friction])})
    bounds = {} if kind == "continuous" else {"lower": max(joint.q_min, -FAR), "upper": min(joint.q_max, FAR)}
    bounds |= {"velocity": min(joint.v_max, FAR), "effort": min(joint.tau_max, FAR)}
    ET.SubElement(element, "limit", {key: _numbers([value]) for key, value in bounds.items()})
    for coupling in model.couplings:
        if coupling.follower == joint.name and coupling.leader and _linear(coupling.coefficients, coupling.leader):
            first, ratio = (*coupling.coefficients, 0.0)[:2]
            offset = coupling.follower_ref + first - ratio * coupling.leader_ref
            about = {"joint": coupling.leader, "multiplier": _numbers([ratio]), "offset": _numbers([offset])}
            ET.SubElement(element, "mimic", about)
            break


def _ends(element: ET.Element, parent: str, child: str, X: Array) -> None:
    ET.SubElement(element, "parent", {"link": parent})
    ET.SubElement(element, "child", {"link": child})
    ET.SubElement(element, "origin", _origin(X))


def _origin(X: Array) -> dict[str, str]:
    return {"xyz": _numbers(X[:3, 3]), "rpy": _numbers(rpy_from_rotation(X[:3, :3]))}


def rpy_from_rotation(R: Array) -> Array:
    """Roll, pitch and yaw (3) [rad] of R = Rz(yaw) Ry(pitch) Rx(roll), to rounding also where the pitch is a right angle."""
    yaw = math.atan2(R[1, 0], R[0, 0])
    c, s = math.cos(yaw), math.sin(yaw)
    turned = np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]]) @ R
    return np.array([math.atan2(-turned[1, 2], turned[1, 1]), math.atan2(-turned[2, 0], turned[0, 0]), yaw])


def _numbers(values: object) -> str:
    return " ".join(f"{float(value):.17g}" for value in values)  # type: ignore[attr-defined]


def _free(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    taken.add(name)
    return name


def _list(names: list[str]) -> str:
    return ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")
