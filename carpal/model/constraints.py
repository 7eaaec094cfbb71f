"""What ties joints and bodies of a tree together: couplings of joints, and loops that a tree cannot hold."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from carpal.errors import InputError, unknown_name
from carpal.model.parts import checked_pose, real_array
from carpal.spatial import Array

LOOP_KINDS = ("connect", "weld")


@dataclass(frozen=True, eq=False)
class Coupling:
    """A joint whose position is a polynomial of another joint's: gears, mimic joints, MuJoCo's joint equalities.

    q_follower - follower_ref = sum over k of coefficients[k] (q_leader - leader_ref)^k

    Args:
        name: for messages; unique among the couplings of a model.
        follower: the dependent joint, revolute or prismatic.
        leader: the joint that it follows; None: it stays at follower_ref + coefficients[0].
        coefficients: one to five numbers, the constant first.
        follower_ref, leader_ref: positions [rad or m] from which the polynomial counts.
    """

    name: str
    follower: str
    leader: str | None
    coefficients: tuple[float, ...]
    follower_ref: float = 0.0
    leader_ref: float = 0.0

    def __post_init__(self) -> None:
        numbers = real_array(self.coefficients, f"the coefficients of coupling '{self.name}'")
        if numbers.ndim != 1 or not 1 <= len(numbers) <= 5 or not np.isfinite(numbers).all():
            raise InputError(f"coupling '{self.name}' needs 1 to 5 finite coefficients; got {self.coefficients!r:.80}.")
        for what in ("follower_ref", "leader_ref"):
            if not np.isfinite(getattr(self, what)):
                raise InputError(f"{what} of coupling '{self.name}' must be finite; got {getattr(self, what)}.")
        if self.follower == self.leader:
            raise InputError(f"coupling '{self.name}' makes joint '{self.follower}' follow itself.")
        object.__setattr__(self, "coefficients", tuple(float(x) for x in numbers))


@dataclass(frozen=True, eq=False)
class Loop:
    """Two bodies held together beside the tree: points ("connect") or whole frames ("weld") that coincide.

    Args:
        name: for messages; unique among the loops of a model.
        kind: "connect" (three equations) or "weld" (six).
        body_a: a body.
        body_b: another body; None: the world.
        X_AL, X_BL: the pose of the closing frame in A and in B; "connect" uses their origins alone.
    """

    name: str
    kind: str
    body_a: str
    body_b: str | None
    X_AL: Array = field(default_factory=lambda: np.eye(4))
    X_BL: Array = field(default_factory=lambda: np.eye(4))

    def __post_init__(self) -> None:
        if self.kind not in LOOP_KINDS:
            raise unknown_name(f"kind of loop '{self.name}'", self.kind, LOOP_KINDS)
        if self.body_a == self.body_b:
            raise InputError(f"loop '{self.name}' ties body '{self.body_a}' to itself.")
        for what in ("X_AL", "X_BL"):
            object.__setattr__(self, what, checked_pose(getattr(self, what), f"{what} of loop '{self.name}'"))

    @property
    def rows(self) -> int:
        """Number of equations."""
        return 3 if self.kind == "connect" else 6
