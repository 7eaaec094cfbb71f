"""A mechanism as the tables of the penalty engine's kernels: one row for each part, lever arms from centres of mass."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from carpal.engines.pair_surfaces import SurfaceKey
from carpal.engines.penalty.contact_law import ContactLaw
from carpal.engines.penalty.contact_tables import ContactPairs, contact_pairs
from carpal.engines.penalty.kernels.actuators import LINEAR_COLUMNS, ROTARY_COLUMNS
from carpal.engines.penalty.kernels.asperity import FRICTION_COLUMNS
from carpal.engines.penalty.kernels.point_joints import POINT_COLUMNS
from carpal.engines.penalty.kernels.prescribed import MOTION_COLUMNS
from carpal.engines.penalty.kernels.run import ContactTables, ElementTables, MechanismTables
from carpal.engines.penalty.kernels.slot_joints import SLOT_COLUMNS
from carpal.engines.penalty.kernels.springs import SPRING_COLUMNS
from carpal.engines.penalty.kernels.state import BODY_COLUMNS
from carpal.engines.surface import Surface
from carpal.model import LinearActuator, Mechanism, PointJoint, PrescribedMotion, RotaryActuator, SlotJoint
from carpal.spatial import Array, rotation_vector, wxyz_from_rotation


def joints_in_order(mechanism: Mechanism) -> list[PointJoint | SlotJoint]:
    """As the kernels number them: point joints, then slots."""
    points: list[PointJoint | SlotJoint] = [j for j in mechanism.joints if isinstance(j, PointJoint)]
    return points + [j for j in mechanism.joints if isinstance(j, SlotJoint)]


def mechanism_tables(
    mechanism: Mechanism,
    law: ContactLaw,
    surface: Surface | None = None,
    surfaces: Mapping[SurfaceKey, Surface] | None = None,
) -> tuple[MechanismTables, ContactPairs]:
    """All tables of a mechanism; surfaces as of `PenaltyEngine`."""
    world = len(mechanism.bodies)

    def place(name: str | None) -> int:
        return world if name is None else mechanism.body_index(name)

    def arm(name: str | None, p: Array) -> Array:
        return p if name is None else p - mechanism.bodies[place(name)].inertia.com

    def ends(part: Any) -> list[float]:
        return [place(part.a), place(part.b)]

    def about(part: Any) -> list[float]:
        return [*ends(part), *part.axis, *part.line_A, *part.line_B]

    bodies, motions = _bodies(mechanism)
    joints = joints_in_order(mechanism)
    points = [
        [*ends(j), *arm(j.a, j.p_AP), *arm(j.b, j.p_BP), j.stiffness, j.damping]
        for j in joints
        if isinstance(j, PointJoint)
    ]
    slots: list[list[float]] = []
    corners: list[Array] = []
    for j in joints:
        if isinstance(j, SlotJoint):
            slots.append([*ends(j), *arm(j.a, j.p_AP), len(corners), len(j.path), j.stiffness, j.damping])
            corners += [arm(j.b, corner) for corner in j.path]
    springs = [[*about(s), s.stiffness, s.damping, s.rest] for s in mechanism.springs]
    rotary = [[*about(r), *_servo(r)] for r in mechanism.actuators if isinstance(r, RotaryActuator)]
    linear = [
        [*ends(x), *arm(x.a, x.p_AP), *arm(x.b, x.p_BP), *_servo(x)]
        for x in mechanism.actuators
        if isinstance(x, LinearActuator)
    ]
    friction = [[*about(f), f.torque, f.slip_speed, f.stiffness] for f in mechanism.friction]
    touch = contact_pairs(mechanism, law, surface, surfaces)
    elements = ElementTables(
        _table(points, POINT_COLUMNS), _table(slots, SLOT_COLUMNS), _table(corners, 3), _table(springs, SPRING_COLUMNS),
        _table(rotary, ROTARY_COLUMNS), _table(linear, LINEAR_COLUMNS), _table(friction, FRICTION_COLUMNS),
    )  # fmt: skip
    contacts = ContactTables(touch.shapes, touch.pairs, touch.mesh, touch.normals, touch.boxes)
    return MechanismTables(bodies, np.array(mechanism.gravity), motions, elements, contacts), touch


def _servo(actuator: LinearActuator | RotaryActuator) -> list[float]:
    command = -1 if actuator.command is None else actuator.command
    return [actuator.P, actuator.D, actuator.target, command, actuator.limit]


def _table(rows: Iterable[Any], columns: int) -> Array:
    return np.array([np.asarray(row, float) for row in rows], float).reshape(-1, columns)


def _six(S: Any) -> list[float]:
    return [S[0, 0], S[1, 1], S[2, 2], S[0, 1], S[0, 2], S[1, 2]]


def _bodies(mechanism: Mechanism) -> tuple[Array, Array]:
    rows: list[list[float]] = []
    motions: list[list[float]] = []
    given = {motion.body: motion for motion in mechanism.prescribed}
    for body in mechanism.bodies:
        inertia, motion = body.inertia, given.get(body.name)
        first, count = len(motions), 0
        if motion is not None:
            new = _motion(motion)
            motions += new
            count = len(new)
        six, inverse = _six(inertia.about_com), _six(np.linalg.inv(inertia.about_com))
        rows.append([inertia.mass, *inertia.com, *six, *inverse, first, count])
    return _table(rows, BODY_COLUMNS), _table(motions, MOTION_COLUMNS)


def _motion(motion: PrescribedMotion) -> list[list[float]]:
    """Rows of time, pose and the constant twist until the next row."""
    rows = []
    for i, (time, X) in enumerate(zip(motion.times, motion.X_WB, strict=True)):
        v = w = np.zeros(3)
        if i + 1 < len(motion.times):
            span, after = motion.times[i + 1] - time, motion.X_WB[i + 1]
            v = (after[:3, 3] - X[:3, 3]) / span
            w = rotation_vector(after[:3, :3] @ X[:3, :3].T) / span
        rows.append([time, *X[:3, 3], *wxyz_from_rotation(X[:3, :3]), *v, *w])
    return rows
