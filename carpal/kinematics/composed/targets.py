"""What composed inverse kinematics is asked for: targets, each with a weight and a priority."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.arrays import Array, real_array
from carpal.errors import InputError, unknown_name
from carpal.kinematics.composed.kernels.target_rows import (
    CENTER_OF_MASS,
    DIRECTION,
    GOAL_COLUMNS,
    GOAL_P,
    LOOK_AT,
    POINT,
    POSE,
)
from carpal.kinematics.inverse.ik_target import read_target
from carpal.model import Model

_FLOAT64 = np.dtype(np.float64)
_LAYOUT = np.array([0, 1, 2, 4, 5, 6, 8, 9, 10, 3, 7, 11])  # where a pose's 16 numbers hold rotation and position

Weights = float | Sequence[float]


@dataclass(frozen=True, eq=False, kw_only=True)
class Target:
    """What all targets have.

    Args:
        weight: of a metre (PostureTarget: a radian), one number or three for the world's axes; 0 leaves an axis free.
        priority: 0 is the highest; what a lower priority wants never costs a higher one anything.
        gain: share of the error that one step takes away, above 0 and at most 1; `solve` takes 1.
        name: under which `goals` finds it; by default the frame, "com" or "posture".
    """

    weight: Weights = 1.0
    priority: int = 0
    gain: float = 1.0
    name: str | None = None

    def __post_init__(self) -> None:
        """Check the numbers that all targets have."""
        kind = type(self).__name__
        if type(self) is Target:
            raise InputError(f"Target is abstract; targets: {', '.join(KINDS)}.")
        self._check_weight()
        if isinstance(self.priority, bool) or not isinstance(self.priority, int | np.integer) or self.priority < 0:
            raise InputError(
                f"priority of {kind} must be a whole number, 0 (the highest) or above; got {self.priority!r}."
            )
        gain = self.gain
        if isinstance(gain, bool) or not isinstance(gain, int | float) or not 0.0 < gain <= 1.0:
            raise InputError(f"gain of {kind} must be above 0 and at most 1; got {gain!r}.")

    def _check_weight(self) -> None:
        three_weights(f"weight of {type(self).__name__}", self.weight)

    @property
    def label(self) -> str:
        """Its name, or the default one."""
        return str(self.name or getattr(self, "frame", None) or "tool")

    def goal_numbers(self, goal: Any) -> Array:
        """(*batch, 12) what the kernels read; one clear sentence for a goal that cannot be used."""
        raise NotImplementedError


@dataclass(frozen=True, eq=False, kw_only=True)
class _FrameTarget(Target):
    frame: str | None = None
    base: str | None = None
    tolerance: float = 1e-6

    def __post_init__(self) -> None:
        super().__post_init__()
        tolerance = self.tolerance
        if isinstance(tolerance, bool) or not isinstance(tolerance, int | float) or not 0.0 < tolerance < np.inf:
            raise InputError(f"tolerance of {type(self).__name__} must be a number above zero; got {tolerance!r}.")


@dataclass(frozen=True, eq=False)
class PoseTarget(_FrameTarget):
    """A frame is to have a pose.

    Args:
        goal: X_BF (*batch, 4, 4), in the world or in `base`.
        frame: the frame; None is the tool.
        base: the frame from which the goal counts; None is the world. With one hand as the base of the other, both move.
        rotation_weight: metres that a radian counts as, one number or three; by default a sixth of the arm's length.
        tolerance, angle_tolerance: within which it is reached [m], [rad].
    """

    goal: ArrayLike | None = None
    _: KW_ONLY
    rotation_weight: Weights | None = None
    angle_tolerance: float = 1e-6

    def goal_numbers(self, goal: Any) -> Array:
        """(*batch, 12) rotation by rows, then position."""
        if (
            type(goal) is np.ndarray and goal.shape == (4, 4) and goal.dtype == _FLOAT64
        ):  # the commonest; the kernels check it
            return np.asarray(goal.ravel().take(_LAYOUT))
        if np.ndim(goal) < 2:
            raise InputError(f"the goal of target '{self.label}' is a pose (*batch, 4, 4); got {goal!r:.80}.")
        return read_target(goal).numbers


@dataclass(frozen=True, eq=False)
class PointTarget(_FrameTarget):
    """A point of a frame is to be at a place.

    Args:
        goal: p (*batch, 3) [m], in the world or in `base`.
        frame, base, tolerance: as of `PoseTarget`.
        point: (3) [m] in the frame; by default its origin.
    """

    goal: ArrayLike | None = None
    _: KW_ONLY
    point: ArrayLike = (0.0, 0.0, 0.0)

    def goal_numbers(self, goal: Any) -> Array:
        """(*batch, 12) with the position last."""
        return _place(self, goal)


@dataclass(frozen=True, eq=False)
class DirectionTarget(_FrameTarget):
    """An axis of a frame is to point in a direction; turning about it is free.

    Args:
        goal: direction (*batch, 3) of any length, in the world or in `base`.
        frame, base: as of `PoseTarget`.
        axis: (3) in the frame; by default the model's tool axis.
        rotation_weight, angle_tolerance: as of `PoseTarget`; weight and tolerance do not count.
    """

    goal: ArrayLike | None = None
    _: KW_ONLY
    axis: ArrayLike | None = None
    rotation_weight: Weights | None = None
    angle_tolerance: float = 1e-6

    def goal_numbers(self, goal: Any) -> Array:
        """(*batch, 12) with the unit direction first."""
        return _at(0, unit_vectors(f"the goal of target '{self.label}'", goal))


@dataclass(frozen=True, eq=False)
class LookAtTarget(_FrameTarget):
    """An axis of a frame is to point at a place, as a camera does; turning about it is free.

    Args:
        goal: p (*batch, 3) [m], in the world or in `base`.
        frame, base: as of `PoseTarget`.
        axis: (3) in the frame; by default the model's tool axis.
        point: (3) [m] in the frame from which it looks; by default its origin.
        rotation_weight, angle_tolerance: as of `PoseTarget`; weight and tolerance do not count.
    """

    goal: ArrayLike | None = None
    _: KW_ONLY
    axis: ArrayLike | None = None
    point: ArrayLike = (0.0, 0.0, 0.0)
    rotation_weight: Weights | None = None
    angle_tolerance: float = 1e-6

    def goal_numbers(self, goal: Any) -> Array:
        """(*batch, 12) with the position last."""
        return _place(self, goal)


@dataclass(frozen=True, eq=False)
class ComTarget(Target):
    """The centre of mass is to be at a place; three weights choose its axes, such as (1, 1, 0) over a foot.

    Args:
        goal: p (*batch, 3) [m] in the world.
        tolerance: [m].
    """

    goal: ArrayLike | None = None
    _: KW_ONLY
    tolerance: float = 1e-6

    @property
    def label(self) -> str:
        """Its name, by default "com"."""
        return self.name or "com"

    def goal_numbers(self, goal: Any) -> Array:
        """(*batch, 12) with the position last."""
        return _place(self, goal)


@dataclass(frozen=True, eq=False)
class PostureTarget(Target):
    """Revolute and prismatic joints are to be near a configuration; by default of a priority below all others.

    Args:
        goal: q (*batch, nq); by default the model's home.
        joints: names of the joints that count; by default all independent ones.
        weight: of a radian or a metre, one number or a mapping from joints.
        priority: None is one below the lowest of the other targets.
    """

    goal: ArrayLike | None = None
    _: KW_ONLY
    joints: Sequence[str] | None = None
    weight: float | Mapping[str, float] = 1.0  # type: ignore[assignment]
    priority: int | None = None  # type: ignore[assignment]

    def __post_init__(self) -> None:
        """As of all targets; a priority may be left open, and weights are checked with the names of joints."""
        if self.priority is not None:
            super().__post_init__()
        if isinstance(self.joints, str):
            raise InputError(f"joints of PostureTarget is a list of names; got {self.joints!r}.")

    def _check_weight(self) -> None:
        pass

    @property
    def label(self) -> str:
        """Its name, by default "posture"."""
        return self.name or "posture"


KINDS: dict[str, int] = {
    "PoseTarget": POSE,
    "PointTarget": POINT,
    "DirectionTarget": DIRECTION,
    "LookAtTarget": LOOK_AT,
    "ComTarget": CENTER_OF_MASS,
    "PostureTarget": -1,
}


def check_targets(model: Model, targets: Any) -> tuple[Target, ...]:
    """The targets as a tuple with different names, or one clear sentence."""
    if isinstance(targets, Target):
        targets = (targets,)
    if isinstance(targets, str) or not isinstance(targets, Sequence) or not targets:
        raise InputError(f"targets is a list of {', '.join(KINDS)}; got {targets!r:.80}.")
    for target in targets:
        if type(target).__name__ not in KINDS or not isinstance(target, Target):
            raise InputError(f"a target is one of {', '.join(KINDS)}; got {target!r:.80}.")
    if all(isinstance(target, PostureTarget) for target in targets):
        raise InputError(
            "a posture alone asks for no inverse kinematics; add a target of a frame or of the centre of mass."
        )
    if sum(isinstance(target, PostureTarget) for target in targets) > 1:
        raise InputError("one PostureTarget at most; its weights may differ from joint to joint.")
    labels = [_label(model, target) for target in targets]
    for label in labels:
        if labels.count(label) > 1:
            raise InputError(f"two targets are named '{label}'; give one of them another name=.")
    return tuple(targets)


def _label(model: Model, target: Target) -> str:
    if target.name is None and isinstance(target, _FrameTarget) and target.frame is None:
        return str(model.tool)
    return target.label


def label_of(model: Model, target: Target) -> str:
    """Name under which a target's goal is given: its own, its frame's (the tool's where it names none), "com" or "posture"."""
    return _label(model, target)


def three_weights(what: str, value: Any) -> Array:
    """Three weights, none below zero and not all zero; from one number or three."""
    try:
        numbers = np.broadcast_to(np.asarray(value, float), 3)
    except (TypeError, ValueError):
        numbers = np.full(3, np.nan)
    if not (np.isfinite(numbers).all() and (numbers >= 0).all() and numbers.any()):
        raise InputError(
            f"{what} must be one number above zero, or three of which none is below zero; got {value!r:.60}."
        )
    return numbers


def three_numbers(what: str, value: Any) -> Array:
    """(*batch, 3) finite numbers."""
    numbers = real_array(what, value)
    if numbers.ndim < 1 or numbers.shape[-1] != 3 or not np.isfinite(numbers).all():
        raise InputError(f"{what} must be three finite numbers (*batch, 3); got {value!r:.80}.")
    return numbers


def unit_vectors(what: str, value: Any) -> Array:
    """(*batch, 3) of length 1."""
    numbers = three_numbers(what, value)
    length = np.linalg.norm(numbers, axis=-1, keepdims=True)
    if not (length > 1e-150).all():
        raise InputError(f"{what} must not be zero.")
    return numbers / length


def _place(target: Target, goal: Any) -> Array:
    if (
        type(goal) is np.ndarray and goal.shape == (3,) and goal.dtype == _FLOAT64
    ):  # the commonest; the kernels check it
        out = np.zeros(GOAL_COLUMNS)
        out[GOAL_P:] = goal
        return out
    return _at(GOAL_P, three_numbers(f"the goal of target '{target.label}'", goal))


def _at(column: int, numbers: Array) -> Array:
    out = np.zeros((*numbers.shape[:-1], GOAL_COLUMNS))
    out[..., column : column + 3] = numbers
    return out


def need_goal_names(names: Sequence[str], goals: Any) -> None:
    """One clear sentence where `goals` is no mapping from names of targets."""
    if not isinstance(goals, dict):
        raise InputError(f"goals maps names of targets to their goals; got {goals!r:.80}.")
    for name in goals:
        if name not in names:
            raise unknown_name("target", name, names)
