"""The closed loops of a linkage as a `Mechanism`: one free body for each bar, two point joints for each pin.

A slide becomes three points of the sliding bar on two parallel lines of its guide, so that it neither tilts nor turns. The
bars of one linkage lie side by side in layers, so they never touch each other; their phalanges touch everything else.
"""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import ModelError
from carpal.model.linkage.bar_solids import bar_inertia, bar_shapes, flat_pose, need_masses
from carpal.model.linkage.closure import Closure, closure_of
from carpal.model.linkage.curve import DriveCurve
from carpal.model.linkage.description import Linkage
from carpal.model.mechanism.joints import hinge
from carpal.model.mechanism.mechanism import (
    DAMPING,
    STIFFNESS,
    LinearActuator,
    Mechanism,
    MechanismBody,
    PointJoint,
    RotaryActuator,
    RotarySpring,
    SlotJoint,
)  # fmt: skip
from carpal.model.parts import checked_pose
from carpal.spatial import Array, inverse

Z = np.array([0.0, 0.0, 1.0])


def linkage_mechanism(
    linkage: Linkage,
    X_WL: ArrayLike | None = None,
    *,
    ground: MechanismBody | None = None,
    prefix: str = "",
    stiffness: float = STIFFNESS,
    damping: float = DAMPING,
    gravity: ArrayLike = (0.0, 0.0, -9.81),
    drive: float | None = None,
    command: int = 0,
) -> Mechanism:
    """The linkage as bodies and point joints.

    Args:
        linkage: with masses on all moving bars.
        X_WL: pose (4, 4) of the linkage's frame in the world at the start.
        ground: the body that carries it (a palm); by default the world.
        prefix: put before all names, so that several digits can share one mechanism.
        stiffness, damping: of each point joint [N/m, N s/m].
        gravity: (3) [m/s^2] in W.
        drive: drive value [rad or m] to start at; by default the stroke's start.
        command: place in the command vector that the drive's actuator follows; the command is the drive's value itself.
    """
    need_masses(linkage.name, linkage.bars[1:])
    placed = np.eye(4) if X_WL is None else checked_pose(X_WL, "X_WL")
    curve, closure = linkage.curve(), closure_of(linkage)
    value = float(linkage.drive.start if drive is None else drive)
    poses = curve.poses(value)
    sides: list[MechanismBody | None] = [ground]
    frames = [placed]  # ground's plane; then the bodies' own
    for bar, (x, y, angle) in zip(linkage.bars[1:], poses[1:], strict=True):
        inertia = bar_inertia(bar)
        assert inertia is not None  # need_masses has checked it
        name = prefix + bar.name
        frames.append(placed @ flat_pose(x, y, angle))
        sides.append(MechanismBody(name, inertia, frames[-1], shapes=bar_shapes(bar, name)))
    axis = placed[:3, :3] @ Z
    joints: list[PointJoint | SlotJoint] = []
    for pin, (a, p, b, _) in zip(linkage.pins, closure.pins, strict=True):
        at = _world(frames[a], p)
        joints += hinge(
            prefix + pin.name, sides[a], sides[b], at, axis, span=linkage.span, stiffness=stiffness, damping=damping
        )
    for number in range(len(linkage.slides)):
        joints += _slide_joints(linkage, closure, curve, number, sides, frames, prefix, stiffness, damping)
    springs, linear = _springs(linkage, sides, frames, prefix)
    names = [None if body is None else body.name for body in sides]
    moving = tuple(body for body in sides[1:] if body is not None)
    return Mechanism(
        prefix + linkage.name,
        moving if ground is None else (ground, *moving),
        joints=tuple(joints),
        springs=springs,
        actuators=(_drive(linkage, closure, sides, frames, prefix, command, value), *linear),
        gravity=np.asarray(gravity, float),
        untouched=tuple(itertools.combinations(names, 2)),
    )


def _world(X: Array, local: ArrayLike, height: float = 0.0) -> Array:
    x, y = np.asarray(local, float)
    return np.asarray((X @ [x, y, height, 1.0])[:3])


def _local(side: MechanismBody | None, at: Array) -> Array:
    return at if side is None else np.asarray((inverse(side.X_WB) @ [*at, 1.0])[:3])


def _name(side: MechanismBody | None) -> str | None:
    return None if side is None else side.name


def _slide_joints(
    linkage: Linkage, closure: Closure, curve: DriveCurve, number: int, sides: list[MechanismBody | None],
    frames: list[Array], prefix: str, stiffness: float, damping: float,
) -> list[SlotJoint]:  # fmt: skip
    a, p, b, q, u, angle = closure.slides[number]
    half = 0.5 * linkage.span
    travel = curve.travel(linkage.slides[number].name, curve.drives)
    room = 0.1 * linkage.scale + linkage.span  # the stops stand clear of the stroke
    ends = (float(travel.min()) - room, float(travel.max()) + room)
    s, c = np.sin(-angle), np.cos(-angle)
    along = np.array([c * u[0] - s * u[1], s * u[0] + c * u[1]])  # the guide's direction in the sliding bar
    made = []
    for i, (shift, height) in enumerate(((-half, -half), (half, -half), (0.0, half))):
        path = np.array([_local(sides[b], _world(frames[b], q + end * u, height)) for end in ends])
        point = _local(sides[a], _world(frames[a], p + shift * along, height))
        name = f"{prefix}{linkage.slides[number].name}/{i}"
        made.append(SlotJoint(name, _name(sides[a]), point, _name(sides[b]), path, stiffness, damping))
    return made


def _lines(a: int, b: int, sides: list[MechanismBody | None], frames: list[Array]) -> tuple[Array, Array, Array]:
    """Axis, line_A, line_B: the bars' own x axes show the angle between them."""
    into = [np.eye(3) if side is None else side.X_WB[:3, :3].T for side in (sides[a], sides[b])]
    return into[0] @ frames[a][:3, 2], into[0] @ frames[a][:3, 0], into[1] @ frames[b][:3, 0]


def _springs(
    linkage: Linkage, sides: list[MechanismBody | None], frames: list[Array], prefix: str
) -> tuple[tuple[RotarySpring, ...], tuple[LinearActuator, ...]]:
    rotary, linear = [], []
    for spring in linkage.springs:
        name = prefix + spring.name
        if spring.turns:
            a, b = linkage.index[spring.a], linkage.index[spring.b]
            rotary.append(
                RotarySpring(
                    name, _name(sides[a]), _name(sides[b]), *_lines(a, b, sides, frames), spring.stiffness, spring.damping,
                    spring.rest,
                )
            )  # fmt: skip
        else:
            (a, p), (b, q) = linkage.point(spring.a), linkage.point(spring.b)
            ends = _local(sides[a], _world(frames[a], p)), _local(sides[b], _world(frames[b], q))
            linear.append(
                LinearActuator(
                    name, _name(sides[a]), ends[0], _name(sides[b]), ends[1], P=spring.stiffness, D=spring.damping,
                    target=spring.rest,
                )
            )  # fmt: skip
    return tuple(rotary), tuple(linear)


def _drive(
    linkage: Linkage, closure: Closure, sides: list[MechanismBody | None], frames: list[Array], prefix: str,
    command: int, value: float,
) -> LinearActuator | RotaryActuator:  # fmt: skip
    drive, name = linkage.drive, prefix + "drive"
    a, p, b, q, number = closure.drive
    if drive.kind == "turn":
        return RotaryActuator(
            name, _name(sides[a]), _name(sides[b]), *_lines(a, b, sides, frames), P=drive.P, D=drive.D, target=value,
            command=command,
        )  # fmt: skip
    if drive.kind == "slide":
        a, p, b, q, _, _ = closure.slides[number]
        if min(drive.start, drive.stop) <= 0:
            raise ModelError(
                f"the slide drive of linkage '{linkage.name}' runs from {drive.start:g} to {drive.stop:g} m; a linear "
                f"actuator's length must stay above zero: move the guide's first point back."
            )
    ends = _local(sides[a], _world(frames[a], p)), _local(sides[b], _world(frames[b], q))
    return LinearActuator(
        name, _name(sides[a]), ends[0], _name(sides[b]), ends[1], P=drive.P, D=drive.D, target=value, command=command
    )
