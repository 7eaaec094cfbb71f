"""Actuators and tendons of a model, as its file describes them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from carpal.errors import InputError, unknown_name
from carpal.model.parts import real_array

ACTUATOR_KINDS = ("motor", "position", "velocity", "general")
STEP_KINDS = ("site", "sphere", "cylinder", "pulley")


@dataclass(frozen=True, eq=False)
class PathStep:
    """One step of a spatial tendon's path.

    Args:
        kind: "site" (passes through a frame), "sphere" or "cylinder" (wraps around a shape), "pulley" (divides what follows).
        name: of the frame or shape; "" for a pulley.
        side: the frame on whose side it wraps; None: the shorter way.
        divisor: of a pulley.
    """

    kind: str
    name: str = ""
    side: str | None = None
    divisor: float = 1.0

    def __post_init__(self) -> None:
        if self.kind not in STEP_KINDS:
            raise unknown_name("step of a tendon's path", self.kind, STEP_KINDS)


@dataclass(frozen=True, eq=False)
class ModelTendon:
    """A length that joints determine, with its spring, damper, friction and limits.

    Fixed tendons (`joints`): length = sum of coefficient times joint position. Spatial tendons (`path`): the length of a
    cable through frames and around shapes.

    Args:
        name: unique among the tendons of a model.
        joints: joint to coefficient [m/rad, or 1 for slides]; empty for a spatial tendon.
        path: steps of a spatial tendon; empty for a fixed one.
        stiffness: [N/m]; the spring acts outside `rest`.
        damping: [N s/m].
        friction: dry friction [N].
        rest: shortest and longest length [m] at which the spring is slack.
        limits: shortest and longest length [m]; infinite where there is none.
    """

    name: str
    joints: Mapping[str, float]
    path: tuple[PathStep, ...] = ()
    stiffness: float = 0.0
    damping: float = 0.0
    friction: float = 0.0
    rest: tuple[float, float] = (0.0, 0.0)
    limits: tuple[float, float] = (-math.inf, math.inf)

    def __post_init__(self) -> None:
        if bool(self.joints) == bool(self.path):
            raise InputError(f"tendon '{self.name}' needs either joints (fixed) or a path (spatial).")
        for joint, coefficient in self.joints.items():
            if not math.isfinite(coefficient):
                raise InputError(f"the coefficient of '{joint}' in tendon '{self.name}' is {coefficient}.")
        for what in ("stiffness", "damping", "friction"):
            value = float(getattr(self, what))
            if not 0 <= value < math.inf:
                raise InputError(f"the {what} of tendon '{self.name}' must be finite, zero or above; got {value}.")
        for what in ("rest", "limits"):
            low, high = (float(x) for x in getattr(self, what))
            if not low <= high:
                raise InputError(f"the {what} of tendon '{self.name}' must be two rising lengths; got ({low}, {high}).")
            object.__setattr__(self, what, (low, high))
        object.__setattr__(self, "joints", dict(self.joints))
        object.__setattr__(self, "path", tuple(self.path))


@dataclass(frozen=True, eq=False)
class Actuator:
    """A drive on a joint or a tendon: force = gain ctrl + bias[0] + bias[1] length + bias[2] speed, within `force_range`.

    `length` and `speed` are gear times the position and speed of what it drives, and gear times the force acts there. A motor
    has gain 1 and no bias; a position servo gain kp and bias (0, -kp, -kv); a velocity servo gain kv and bias (0, 0, -kv).

    Args:
        name: unique among the actuators of a model.
        kind: "motor", "position", "velocity" or "general".
        joint: what it drives; None where it drives a tendon.
        tendon: what it drives; None where it drives a joint.
        gear: ratio of the transmission.
        gain: [N or N m per unit of control].
        bias: three numbers.
        ctrl_range, force_range: least and most control, and force [N or N m] before the gear; infinite where there is none.
    """

    name: str
    kind: str = "motor"
    joint: str | None = None
    tendon: str | None = None
    gear: float = 1.0
    gain: float = 1.0
    bias: tuple[float, float, float] = (0.0, 0.0, 0.0)
    ctrl_range: tuple[float, float] = (-math.inf, math.inf)
    force_range: tuple[float, float] = (-math.inf, math.inf)

    def __post_init__(self) -> None:
        if self.kind not in ACTUATOR_KINDS:
            raise unknown_name(f"kind of actuator '{self.name}'", self.kind, ACTUATOR_KINDS)
        if (self.joint is None) == (self.tendon is None):
            raise InputError(f"actuator '{self.name}' drives either a joint or a tendon.")
        bias = real_array(self.bias, f"bias of actuator '{self.name}'")
        if bias.shape != (3,) or not np.isfinite([self.gear, self.gain, *bias]).all():
            raise InputError(f"gear, gain and the three biases of actuator '{self.name}' must be finite.")
        object.__setattr__(self, "bias", tuple(float(x) for x in bias))
        for what in ("ctrl_range", "force_range"):
            low, high = (float(x) for x in getattr(self, what))
            if not low <= high:
                raise InputError(f"{what} of actuator '{self.name}' must be two rising numbers; got ({low}, {high}).")
            object.__setattr__(self, what, (low, high))
