"""A finger of three phalanges with a spring, a damper and a tendon at each joint (Prabhu 2018, chapter 6).

Prabhu's I_1 is about the first joint and I_2, I_3 are about the mass centres, which its table of symbols does not say
(F-2); here all three are about the mass centres, and the first joint's share is added. Its springs are slack at the straight
finger (F-6); here each has a neutral angle. Its gravity pulls from the tip to the base (F-5); here it is a vector.
"""

from __future__ import annotations

import dataclasses
import functools
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import InputError
from carpal.labs.finger.kernels.terms import COLUMNS
from carpal.model import Body, Frame, Joint, Model, real_array
from carpal.spatial import Array, Inertia, pose

UPRIGHT = (0.0, -9.81, 0.0)
"""Gravity [m/s^2] of Prabhu (2018): the straight finger points up."""


@dataclass(frozen=True, eq=False, repr=False)
class SpringFinger:
    """Three phalanges in the xy plane; the straight finger lies along y, positive angles bend it towards x.

    Angles q are those between phalanges, as of every model here; Prabhu's are from the y axis (`absolute`).

    Args:
        length: (3) of the phalanges [m].
        mass: (3) [kg].
        stiffness: (3) of the springs, k [N m/rad].
        damping: (3) of the joints, c [N m s/rad].
        neutral: (3) angles at which the springs are slack [rad].
        tendon_arm: (3) lever arms of the flexion tendon, constant as on pulleys [m].
        gravity: (3) in the finger's axes [m/s^2]; the part along z bends nothing.
        com: (3) distance of each mass centre from its joint [m]; by default in the middle.
        inertia: (3) about the mass centres [kg m^2]; by default of rods, m L^2 / 12.
        q_min, q_max: (3) stops [rad]; they hold a finger at rest. Motions have no stops, and say when one was passed.
        name: for people.
    """

    length: Array
    mass: Array
    stiffness: Array
    damping: Array = field(default_factory=lambda: np.zeros(3))
    neutral: Array = field(default_factory=lambda: np.zeros(3))
    tendon_arm: Array = field(default_factory=lambda: np.zeros(3))
    gravity: Array = field(default_factory=lambda: np.array(UPRIGHT))
    com: Array | None = None
    inertia: Array | None = None
    q_min: Array = field(default_factory=lambda: np.full(3, -np.inf))
    q_max: Array = field(default_factory=lambda: np.full(3, np.inf))
    name: str = "finger"

    def __post_init__(self) -> None:
        put = lambda name, value: object.__setattr__(self, name, value)  # noqa: E731 - frozen dataclass
        if not isinstance(self.name, str) or not self.name:
            raise InputError(f"a finger's name must be a text; got {self.name!r:.60}.")
        for name in ("length", "mass", "stiffness", "damping", "neutral", "tendon_arm", "gravity"):
            put(name, three(getattr(self, name), f"{name} of the finger"))
        put("com", three(0.5 * self.length if self.com is None else self.com, "com of the finger"))
        rods = self.mass * self.length**2 / 12.0
        put("inertia", three(rods if self.inertia is None else self.inertia, "inertia of the finger"))
        for name, unit in (("length", "m"), ("mass", "kg"), ("stiffness", "N m/rad")):
            _all(getattr(self, name) > 0, name, getattr(self, name), f"above zero [{unit}]")
        for name, unit in (("damping", "N m s/rad"), ("inertia", "kg m^2")):
            _all(getattr(self, name) >= 0, name, getattr(self, name), f"zero or above [{unit}]")
        for name in ("q_min", "q_max"):
            put(name, three(getattr(self, name), f"{name} of the finger", finite=False))
        _all(self.q_min < self.q_max, "q_min", self.q_min, f"below q_max, {self.q_max.tolist()} [rad]")

    def replace(self, **changes: Any) -> SpringFinger:
        """A copy with some fields changed; mass centres and inertias stay as they are unless given."""
        known = [f.name for f in dataclasses.fields(self)]
        for name in changes:
            if name not in known:
                from carpal.errors import unknown_name

                raise unknown_name("field of a finger", name, known)
        return dataclasses.replace(self, **changes)

    @functools.cached_property
    def row(self) -> Array:
        """(26) what the kernels take: lumped inertias and moments, gravity, springs, dampers, lengths, arms."""
        L, m, a, J = self.length, self.mass, np.asarray(self.com), np.asarray(self.inertia)
        row = np.empty(COLUMNS)
        row[0] = J[0] + m[0] * a[0] ** 2 + (m[1] + m[2]) * L[0] ** 2
        row[1] = J[1] + m[1] * a[1] ** 2 + m[2] * L[1] ** 2
        row[2] = J[2] + m[2] * a[2] ** 2
        row[6:9] = m[0] * a[0] + (m[1] + m[2]) * L[0], m[1] * a[1] + m[2] * L[1], m[2] * a[2]
        row[3:6] = L[0] * row[7], L[0] * row[8], L[1] * row[8]
        row[9:11] = self.gravity[:2]
        row[11:14], row[14:17], row[17:20] = self.stiffness, self.neutral, self.damping
        row[20:23], row[23:26] = L, self.tendon_arm
        return row

    @functools.cached_property
    def chain(self) -> Model:
        """The same three bodies as a model, without springs: joints about -z, the tool at the tip."""
        com, inertia = np.asarray(self.com), np.asarray(self.inertia)
        bodies, parent, at = [], None, 0.0
        for i, name in enumerate(("proximal", "middle", "distal")):
            joint = Joint(
                f"joint_{i + 1}", "revolute", pose(np.eye(3), (0.0, at, 0.0)), np.array([0.0, 0.0, -1.0]),
                q_min=self.q_min[i], q_max=self.q_max[i], damping=self.damping[i],
            )  # fmt: skip
            rod = np.diag((inertia[i], 0.0, inertia[i]))
            bodies.append(Body(name, parent, joint, Inertia(self.mass[i], np.array([0.0, com[i], 0.0]), rod)))
            parent, at = name, self.length[i]
        tip = Frame("tip", "distal", pose(np.eye(3), (0.0, at, 0.0)))
        return Model(
            self.name, tuple(bodies), (tip,), tool="tip", tool_axis=np.array([0.0, 1.0, 0.0]), gravity=self.gravity
        )

    def points(self, q: ArrayLike) -> Array:
        """Base, two joints and tip (*batch, 4, 2) in the finger's plane [m], at joint angles (*batch, 3)."""
        theta = absolute_angles(q)
        steps = self.length[:, None] * np.stack([np.sin(theta), np.cos(theta)], -1)
        return np.concatenate([np.zeros((*theta.shape[:-1], 1, 2)), np.cumsum(steps, -2)], -2)

    def __repr__(self) -> str:
        k = ", ".join(f"{x:.4g}" for x in self.stiffness)
        return f"SpringFinger '{self.name}': {1000 * self.length.sum():.4g} mm, {1000 * self.mass.sum():.4g} g, k {k} N m/rad"


def absolute_angles(q: ArrayLike) -> Array:
    """Angles from the y axis (*batch, 3) as in Prabhu (2018), of angles between phalanges; rates likewise."""
    array = real_array(q, "q")
    if array.ndim == 0 or array.shape[-1] != 3:
        raise InputError(f"a finger has 3 angles; got shape {array.shape}.")
    return np.cumsum(array, -1)


def three(values: ArrayLike, what: str, *, finite: bool = True) -> Array:
    """A read-only array (3), or one clear sentence."""
    array = real_array(values, what)
    if array.shape == ():
        array = np.full(3, float(array))
    if array.shape != (3,) or np.isnan(array).any() or (finite and not np.isfinite(array).all()):
        raise InputError(
            f"{what} must be 3 {'finite ' if finite else ''}numbers (or one for all); got {array.tolist()}."
        )
    array.setflags(write=False)
    return array


def _all(right: np.ndarray, name: str, values: Array, wanted: str) -> None:
    if not right.all():
        i = int(np.argmin(right))
        raise InputError(f"{name} of phalanx {i + 1} must be {wanted}; got {values[i]:g}.")
