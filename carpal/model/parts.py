"""The parts that a model is made of: joints, bodies, frames."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import InputError, unknown_name
from carpal.spatial import Array, Inertia

NQ = {"fixed": 0, "revolute": 1, "prismatic": 1, "ball": 4, "free": 7}
NV = {"fixed": 0, "revolute": 1, "prismatic": 1, "ball": 3, "free": 6}
JOINT_NUMBERS = (
    "q_min", "q_max", "v_max", "vdot_max", "tau_max", "armature", "damping", "friction", "stiffness", "q_spring",
)  # fmt: skip
"""The numbers of a joint beside its geometry."""
UNIT = 5e-16
"""How far a vector's length may be from one and still be kept as it is, so that copies of a joint keep their bits."""


def real_array(values: object, what: str) -> Array:
    """A float64 copy, or one clear sentence."""
    try:
        array = np.array(values)
        if array.dtype.kind in "fiu":
            return array.astype(np.float64)
    except ValueError:
        raise InputError(f"{what} is not an array of numbers: its rows differ in length.") from None
    raise InputError(f"{what} must be real numbers; got {values!r:.80}.")


def checked_pose(X: ArrayLike, what: str) -> Array:
    """A read-only pose (4, 4), or one clear sentence."""
    X = real_array(X, what)
    if X.shape != (4, 4) or not np.isfinite(X).all():
        raise InputError(f"{what} must be a finite 4x4 pose; got shape {X.shape}: {X.tolist()}.")
    off = np.abs(X[:3, :3] @ X[:3, :3].T - np.eye(3)).max()
    if off > 1e-6 or np.linalg.det(X[:3, :3]) < 0 or (X[3] != (0, 0, 0, 1)).any():
        raise InputError(f"{what} is not a rigid motion (rotation off by {off:.2g}): {X.tolist()}.")
    X.setflags(write=False)
    return X


@dataclass(frozen=True, eq=False)
class Joint:
    """How a body moves against its parent: X_PB(q) = X_PJ motion(q) X_JB.

    Args:
        name: unique among the joints.
        kind: fixed, revolute, prismatic, ball or free.
        X_PJ: pose of the joint's frame in the parent body.
        axis: unit vector (3) in the joint's frame; used by revolute and prismatic joints.
        X_JB: pose of the child body in the joint's moving frame.
        q_min, q_max: limits [rad or m], infinite where there is none.
        v_max, vdot_max, tau_max: largest speed [rad/s or m/s], acceleration and effort [N m or N] either way.
        armature: rotor inertia [kg m^2 or kg] added on the joint's own coordinates.
        damping: viscous friction [N m s/rad or N s/m]; engines use it, the rigid-body functions do not.
        friction: Coulomb friction [N m or N]; as damping.
        stiffness: of a spring [N m/rad or N/m] that pulls the joint to q_spring; as damping.
        q_spring: where that spring is slack [rad or m].
    """

    name: str
    kind: str = "fixed"
    X_PJ: Array = field(default_factory=lambda: np.eye(4))
    axis: Array = field(default_factory=lambda: np.array([0.0, 0.0, 1.0]))
    X_JB: Array = field(default_factory=lambda: np.eye(4))
    q_min: float = -np.inf
    q_max: float = np.inf
    v_max: float = np.inf
    vdot_max: float = np.inf
    tau_max: float = np.inf
    armature: float = 0.0
    damping: float = 0.0
    friction: float = 0.0
    stiffness: float = 0.0
    q_spring: float = 0.0

    def __post_init__(self) -> None:
        if self.kind not in NQ:
            raise unknown_name("joint kind", self.kind, NQ)
        axis = real_array(self.axis, f"the axis of joint '{self.name}'")
        length = float(np.linalg.norm(axis)) if axis.shape == (3,) else np.nan
        if not np.isfinite(length) or length < 1e-9:
            raise InputError(
                f"the axis of joint '{self.name}' must be 3 finite numbers, not all zero; got {self.axis}."
            )
        if abs(length - 1.0) > UNIT:
            axis = axis / length
        axis.setflags(write=False)
        object.__setattr__(self, "axis", axis)
        for name in ("X_PJ", "X_JB"):
            object.__setattr__(self, name, checked_pose(getattr(self, name), f"{name} of joint '{self.name}'"))
        for name in (
            "q_min",
            "q_max",
            "v_max",
            "vdot_max",
            "tau_max",
            "armature",
            "damping",
            "friction",
            "stiffness",
            "q_spring",
        ):
            value = float(getattr(self, name))
            if np.isnan(value) or (not name.startswith("q_") and value < 0):
                raise InputError(f"{name} of joint '{self.name}' must be a number, zero or above; got {value}.")
            object.__setattr__(self, name, value)
        if self.q_min > self.q_max:
            raise InputError(f"joint '{self.name}' has q_min {self.q_min} above q_max {self.q_max}.")


@dataclass(frozen=True, eq=False)
class Body:
    """A rigid body, its parent (None: the world), the joint between them, and its mass properties.

    `inertia=None` means that nobody published it: dynamics are refused. A massless body is `Inertia.nothing()`.
    `gravity_compensation` is the share of its weight that something outside carries (1: it floats); engines use it, the
    rigid-body functions do not.
    """

    name: str
    parent: str | None
    joint: Joint
    inertia: Inertia | None = None
    gravity_compensation: float = 0.0


@dataclass(frozen=True, eq=False)
class Frame:
    """A named frame fixed to a body (None: the world)."""

    name: str
    body: str | None
    X_BF: Array = field(default_factory=lambda: np.eye(4))

    def __post_init__(self) -> None:
        object.__setattr__(self, "X_BF", checked_pose(self.X_BF, f"frame '{self.name}'"))
