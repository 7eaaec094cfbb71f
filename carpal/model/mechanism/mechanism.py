"""A mechanism in full coordinates: free bodies held together by points, springs and actuators, loops welcome.

A `Model` is a tree in joint coordinates; a `Mechanism` gives every body all six freedoms and states what holds them
together (Yesmunt 2014, chapter 2), so a closed linkage is no special case. It is plain data: the penalty engine turns it into
motion, the linkage compiler makes it from bars and pins. Body None is the world everywhere.

Signs, as corrected (errata E7 to E9): a joint's gap is P_B - P_A, its force pulls both points together; an angle is B's
against A, right-handed about `axis`; a positive linear actuator force is a pull between its two points.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from carpal.errors import InputError, ModelError, unknown_name
from carpal.model.mechanism.checks import (
    across,
    amount,
    body_pair,
    finite,
    frozen_pose,
    index_or_none,
    point,
    positive_inertia,
    unit,
)  # fmt: skip
from carpal.model.shapes import PlacedShape
from carpal.model.visuals import Visual
from carpal.spatial import Array, Inertia

STIFFNESS, DAMPING = 1e6, 1e2
"""Defaults of a point joint [N/m, N s/m]: 1 um of gap carries 1 N. Assumed; Yesmunt prints none."""


def _eye() -> Array:
    return np.eye(4)


def _none(*shape: int) -> Any:
    return lambda: np.zeros(shape)


@dataclass(frozen=True, eq=False)
class MechanismBody:
    """A rigid body with six freedoms.

    Args:
        name: unique in the mechanism.
        inertia: mass properties in the body's frame B; mass and principal moments above zero.
        X_WB: pose (4, 4) at the start.
        V_WB: twist (6) at the start, linear (of B's origin) first, in W [m/s, rad/s].
        shapes: its visual and collision shapes; each names this body.
        points, areas: surface points (n, 3) [m] in B that may touch others, and the area (n) [m^2] that each stands for.
        vertices, triangles: surface (m, 3) [m] in B and (k, 3) indices, counter-clockwise seen from outside, that
            other bodies' points may touch.
    """

    name: str
    inertia: Inertia
    X_WB: Array = field(default_factory=_eye)
    V_WB: Array = field(default_factory=_none(6))
    shapes: tuple[PlacedShape, ...] = ()
    points: Array = field(default_factory=_none(0, 3))
    areas: Array = field(default_factory=_none(0))
    vertices: Array = field(default_factory=_none(0, 3))
    triangles: NDArray[np.int64] = field(default_factory=lambda: np.zeros((0, 3), np.int64))

    def __post_init__(self) -> None:
        what = f"of body '{self.name}'"
        positive_inertia(self.inertia, self.name)
        put = lambda name, value: object.__setattr__(self, name, value)  # noqa: E731 - frozen dataclass
        put("X_WB", frozen_pose(self.X_WB, f"X_WB {what}"))
        put("V_WB", finite(self.V_WB, (6,), f"V_WB {what}"))
        put("shapes", tuple(self.shapes))
        for shape in self.shapes:
            if shape.body != self.name:
                raise ModelError(f"shape '{shape.name}' {what} must name that body; it names '{shape.body}'.")
        put("points", finite(self.points, (None, 3), f"points {what}"))
        put("areas", finite(self.areas, (len(self.points),), f"areas {what}"))
        if (self.areas <= 0).any():
            raise InputError(f"areas {what} must be above zero [m^2]; the least is {self.areas.min()}.")
        put("vertices", finite(self.vertices, (None, 3), f"vertices {what}"))
        triangles = np.array(self.triangles)
        if triangles.shape[1:] != (3,) or triangles.dtype.kind not in "iu":
            raise InputError(f"triangles {what} must be (k, 3) integers; got {triangles.dtype} {triangles.shape}.")
        if triangles.size and not (triangles.min() >= 0 and triangles.max() < len(self.vertices)):
            raise InputError(f"triangles {what} name vertex {triangles.max()}; there are {len(self.vertices)}.")
        triangles = triangles.astype(np.int64)
        triangles.setflags(write=False)
        put("triangles", triangles)


@dataclass(frozen=True, eq=False)
class PointJoint:
    """Holds point P of A on point P of B (spherical joint). Two on a line make a hinge: see `hinge`.

    Args:
        name: unique among the joints.
        a, b: bodies; None is the world.
        p_AP, p_BP: the point (3) [m] in each.
        stiffness, damping: of the gap [N/m, N s/m]: force on A = stiffness gap + damping gap', on B the opposite.
    """

    name: str
    a: str | None
    p_AP: Array
    b: str | None
    p_BP: Array
    stiffness: float = STIFFNESS
    damping: float = DAMPING

    def __post_init__(self) -> None:
        body_pair(self, "joint")
        point(self, "p_AP", "p_BP")
        amount(self, "stiffness", "damping")


@dataclass(frozen=True, eq=False)
class SlotJoint:
    """Holds point P of A on a path of B (cylindrical point joint): the nearest point of a clamped segment or polyline.

    Args:
        name, a, p_AP, b, stiffness, damping: as in PointJoint; the force acts at the path's nearest point on B.
        path: corners (n, 3) [m] in B, n >= 2; the ends are stops.
    """

    name: str
    a: str | None
    p_AP: Array
    b: str | None
    path: Array
    stiffness: float = STIFFNESS
    damping: float = DAMPING

    def __post_init__(self) -> None:
        body_pair(self, "joint")
        point(self, "p_AP")
        amount(self, "stiffness", "damping")
        path = finite(self.path, (None, 3), f"path of joint '{self.name}'")
        if len(path) < 2 or (np.linalg.norm(np.diff(path, axis=0), axis=1) == 0).any():
            raise InputError(f"path of joint '{self.name}' needs two or more corners, no two neighbours the same.")
        object.__setattr__(self, "path", path)


@dataclass(frozen=True, eq=False)
class _Rotary:
    """An angle between two bodies: atan2(axis . (line_A x line_B), line_A . line_B), B against A, in (-pi, pi].

    Args:
        name: unique among its kind.
        a, b: bodies; None is the world.
        axis: unit vector (3) in A.
        line_A, line_B: directions (3) across the axis, in A and in B; parallel ones mean the angle 0.
    """

    name: str
    a: str | None
    b: str | None
    axis: Array
    line_A: Array
    line_B: Array

    def __post_init__(self) -> None:
        body_pair(self, type(self).__name__)
        unit(self, "axis", "line_A", "line_B")
        across(self)


@dataclass(frozen=True, eq=False)
class RotarySpring(_Rotary):
    """Torque on B: -stiffness (angle - rest) - damping rate, along the axis; A gets the opposite (Yesmunt 2014, eq. 2.39).

    `stiffness` [N m/rad], `damping` [N m s/rad], `rest` [rad]; the difference of angles is taken in (-pi, pi].
    """

    stiffness: float = 0.0
    damping: float = 0.0
    rest: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        amount(self, "stiffness", "damping")
        object.__setattr__(self, "rest", float(finite(self.rest, (), f"rest of spring '{self.name}'")))


@dataclass(frozen=True, eq=False)
class JointFriction(_Rotary):
    """Dry friction between two bodies about an axis: at most `torque` [N m] against their relative turning.

    `slip_speed` [rad/s] is where the piecewise-linear Coulomb element reaches its limit, `stiffness` [N m/rad] the anchored
    spring's that holds at rest.
    """

    torque: float = 0.0
    slip_speed: float = 0.01
    stiffness: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        amount(self, "torque", "stiffness")
        if not 0 < self.slip_speed < np.inf:
            raise InputError(f"slip_speed of friction '{self.name}' must be above zero; got {self.slip_speed}.")


@dataclass(frozen=True, eq=False)
class RotaryActuator(_Rotary):
    """Torque on B: -P (angle - wanted) - D (rate - wanted rate), within +-limit (Yesmunt 2014, eq. 2.45; errata E9, E10).

    `P` [N m/rad], `D` [N m s/rad], `limit` [N m]. `command` is the place in the engine's command vector that holds
    the wanted angle; None: it stays at `target` [rad].
    """

    P: float = 0.0
    D: float = 0.0
    target: float = 0.0
    command: int | None = None
    limit: float = np.inf

    def __post_init__(self) -> None:
        super().__post_init__()
        _servo(self)


@dataclass(frozen=True, eq=False)
class LinearActuator:
    """A pull P (length - wanted) + D (length' - wanted') between two points, within +-limit (Yesmunt 2014, eq. 2.40).

    `P` [N/m], `D` [N s/m], `limit` [N]; `command` and `target` [m] as for RotaryActuator. With a constant target it is
    a spring with a damper.
    """

    name: str
    a: str | None
    p_AP: Array
    b: str | None
    p_BP: Array
    P: float = 0.0
    D: float = 0.0
    target: float = 0.0
    command: int | None = None
    limit: float = np.inf

    def __post_init__(self) -> None:
        body_pair(self, "actuator")
        point(self, "p_AP", "p_BP")
        _servo(self)


@dataclass(frozen=True, eq=False)
class PrescribedMotion:
    """A body whose motion is given: poses X_WB (n, 4, 4) at times (n) [s], a constant twist from row to row.

    Before the first row and after the last the body stands still; one row holds it.
    """

    body: str
    times: Array
    X_WB: Array

    def __post_init__(self) -> None:
        what = f"of the prescribed motion of '{self.body}'"
        times = finite(self.times, (None,), f"times {what}")
        if not len(times) or (np.diff(times) <= 0).any():
            raise InputError(f"times {what} must rise; got {times.tolist()!r:.80}.")
        poses = finite(self.X_WB, (len(times), 4, 4), f"X_WB {what}")
        for row in poses:
            frozen_pose(row, f"X_WB {what}")
        object.__setattr__(self, "times", times)
        object.__setattr__(self, "X_WB", poses)


@dataclass(frozen=True, eq=False)
class Mechanism:
    """Bodies and all that holds and drives them; checked when made.

    Args:
        name: for people.
        bodies: at least one.
        joints: PointJoints and SlotJoints.
        springs: RotarySprings.
        actuators: LinearActuators and RotaryActuators.
        friction: JointFrictions.
        prescribed: at most one motion for each body.
        gravity: acceleration (3) [m/s^2] in W.
        fixed: shapes that stand in the world (body None).
        untouched: pairs of bodies (None: the world) that never touch, such as neighbours on a pin.
        untouched_shapes: pairs of names of shapes that never touch, where others of their bodies may.
        visuals: what is drawn of the bodies; where a body has none, its shapes are drawn.
    """

    name: str
    bodies: tuple[MechanismBody, ...]
    joints: tuple[PointJoint | SlotJoint, ...] = ()
    springs: tuple[RotarySpring, ...] = ()
    actuators: tuple[LinearActuator | RotaryActuator, ...] = ()
    friction: tuple[JointFriction, ...] = ()
    prescribed: tuple[PrescribedMotion, ...] = ()
    gravity: Array = field(default_factory=lambda: np.array([0.0, 0.0, -9.81]))
    fixed: tuple[PlacedShape, ...] = ()
    untouched: tuple[tuple[str | None, str | None], ...] = ()
    untouched_shapes: tuple[tuple[str, str], ...] = ()
    visuals: tuple[Visual, ...] = ()

    def __post_init__(self) -> None:
        for kind in ("bodies", "joints", "springs", "actuators", "friction", "prescribed", "fixed", "visuals"):
            object.__setattr__(self, kind, tuple(getattr(self, kind)))
        for pairs in ("untouched", "untouched_shapes"):
            object.__setattr__(self, pairs, tuple((a, b) for a, b in getattr(self, pairs)))
        object.__setattr__(self, "gravity", finite(self.gravity, (3,), f"gravity of mechanism '{self.name}'"))
        if not self.bodies:
            raise ModelError(f"mechanism '{self.name}' has no bodies.")
        for kind in ("bodies", "joints", "springs", "actuators", "friction"):
            _unique(self.name, kind, [thing.name for thing in getattr(self, kind)])
        _unique(self.name, "prescribed motions", [motion.body for motion in self.prescribed])
        known = [body.name for body in self.bodies]
        held = (*self.joints, *self.springs, *self.actuators, *self.friction)
        named = [(thing.name, side) for thing in held for side in (thing.a, thing.b)]
        named += [("prescribed motion", motion.body) for motion in self.prescribed]
        named += [("untouched pair", side) for pair in self.untouched for side in pair]
        for thing, side in named:
            if side is not None and side not in known:
                raise unknown_name(f"body of '{thing}' in mechanism '{self.name}'", side, known)
        shapes = [shape.name for shape in (*self.fixed, *(shape for body in self.bodies for shape in body.shapes))]
        for side in {side for pair in self.untouched_shapes for side in pair}:
            if side not in shapes:
                raise unknown_name(f"shape of an untouched pair in mechanism '{self.name}'", side, shapes)
        for shape in self.fixed:
            if shape.body is not None:
                raise ModelError(f"fixed shape '{shape.name}' stands in the world; it names body '{shape.body}'.")

    def body_index(self, name: str | None) -> int:
        """Place of a body; -1 for the world (None)."""
        if name is None:
            return -1
        known = [body.name for body in self.bodies]
        if name not in known:
            raise unknown_name(f"body of mechanism '{self.name}'", name, known)
        return known.index(name)

    @property
    def commands(self) -> int:
        """Length of the command vector."""
        return max((actuator.command + 1 for actuator in self.actuators if actuator.command is not None), default=0)

    def to_dict(self) -> dict[str, Any]:
        """As data that `json.dumps` takes as it is; see `carpal.model.mechanism.plain_data`."""
        from carpal.model.mechanism.plain_data import mechanism_to_dict

        return mechanism_to_dict(self)

    @staticmethod
    def from_dict(data: object) -> Mechanism:
        """The mechanism that `to_dict` described; anything else is refused with one sentence."""
        from carpal.model.mechanism.plain_data import mechanism_from_dict

        return mechanism_from_dict(data)

    def to_toml(self) -> str:
        """As TOML, every digit kept; see `carpal.model.mechanism.toml_form`."""
        from carpal.model.mechanism.toml_form import mechanism_text

        return mechanism_text(self)

    @staticmethod
    def from_toml(source: str | os.PathLike[str]) -> Mechanism:
        """A mechanism from TOML: a text, or a path that ends in .toml."""
        from carpal.model.mechanism.toml_form import read_mechanism

        return read_mechanism(source)


def _servo(actuator: Any) -> None:
    amount(actuator, "P", "D")
    name = actuator.name
    object.__setattr__(actuator, "target", float(finite(actuator.target, (), f"target of actuator '{name}'")))
    object.__setattr__(actuator, "command", index_or_none(actuator.command, f"command of actuator '{name}'"))
    if not actuator.limit > 0:
        raise InputError(f"limit of actuator '{name}' must be above zero; got {actuator.limit!r:.60}.")


def _unique(name: str, kind: str, names: list[str]) -> None:
    for label in names:
        if names.count(label) > 1:
            raise ModelError(f"mechanism '{name}' has two {kind} named '{label}'.")
