"""Seven joints with one of them held: six are left, and those are solved exactly (`inverse.six_class`).

Held at an end of the chain the other six keep their axes, so one class serves every angle: an arm whose first three axes
meet (Panda, FR3, xArm7) is solved with its last joint held, one whose last three axes meet (Gen3) with its first. Any other
joint may be held at one angle for all poses.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import InputError, unknown_name
from carpal.kinematics.axes import ChainAxes, chain_axes
from carpal.kinematics.inverse.ik_target import Target
from carpal.kinematics.inverse.six_class import ANY, SixArm, six_class
from carpal.kinematics.inverse.six_joints import method_words, solve_six
from carpal.kinematics.inverse.solutions import FreeParameter, IKSolutions
from carpal.kinematics.tied_chain import tied_chain
from carpal.model import Model
from carpal.spatial import Array, rotation_about


@dataclass(frozen=True, eq=False)
class LockedArm:
    """An arm of seven revolute joints, one of which is held.

    Args:
        axes: of all seven.
        joint: index of the held joint, 0 to 6.
        six: the arm that is left when it is held at zero, or at `value`.
        value: [rad] None for a joint at an end of the chain, which may be held anywhere.
    """

    axes: ChainAxes
    joint: int
    six: SixArm
    value: float | None = None

    @property
    def name(self) -> str:
        """Of the held joint."""
        return self.axes.names[self.joint]

    @property
    def column(self) -> int:
        """Of the held joint in q."""
        return int(self.axes.columns[self.joint])

    @property
    def is_closed(self) -> bool:
        """Whether the six joints have a closed form; the general class is some hundred times slower."""
        return self.six.shape != ANY


@functools.lru_cache(maxsize=64)
def locked_arm(
    model: Model, frame: str | None = None, joint: str | None = None, general: bool = True
) -> LockedArm | None:
    """The arm with a joint held: the named one at an end of the chain, or the end that leaves the better class of six.

    None where there are not seven revolute joints, and, without `general`, where only the general class is left.
    """
    axes = chain_axes(model, frame)
    if not axes.all_revolute or len(axes.u) != 7 or tied_chain(model, frame) is not None:
        return None
    ends = (6, 0) if joint is None else (axes.names.index(joint),)
    for use_general in (False, True) if general else (False,):
        for k in ends:
            six = six_class(without(axes, k), use_general)
            if six is not None:
                return LockedArm(axes, k, six)
    return None


def without(axes: ChainAxes, k: int, angle: float = 0.0) -> ChainAxes:
    """The axes of the other joints when joint k is held at an angle."""
    R = rotation_about(axes.u[k], angle)
    c = axes.c[k]
    u, points, X = axes.u.copy(), axes.c.copy(), axes.X_WF.copy()
    u[k + 1 :] = u[k + 1 :] @ R.T
    points[k + 1 :] = (points[k + 1 :] - c) @ R.T + c
    X[:3, :3], X[:3, 3] = R @ X[:3, :3], R @ (X[:3, 3] - c) + c
    left = [i for i in range(len(u)) if i != k]
    names = tuple(axes.names[i] for i in left)
    return replace(axes, columns=axes.columns[left], names=names, u=u[left], c=points[left], X_WF=X)


def solve_locked(
    model: Model,
    arm: LockedArm,
    target: Target,
    angle: ArrayLike,
    q0: ArrayLike,
    *,
    device: str = "cpu",
    threads: int | None = None,
) -> IKSolutions:
    """Every configuration of a pose with a joint held.

    Args:
        model: the robot.
        arm: of `locked_arm`.
        target: poses (*batch), as read.
        angle: (*batch) [rad] of the held joint.
        q0: (*batch, nq) solutions are sorted by distance from here, the held joint aside.
        device: "cpu" or "cuda".
        threads: CPU threads.
    """
    start, x = np.asarray(q0, float), np.asarray(angle, float)
    batch = np.broadcast_shapes(target.numbers.shape[:-1], x.shape, start.shape[:-1])
    x = np.broadcast_to(x, batch)
    start = np.array(np.broadcast_to(start, (*batch, model.nq)))
    start[..., arm.column] = x
    numbers = target.numbers if arm.value is not None else _held_target(arm, target.numbers, x)
    given = None if target.given is None else np.broadcast_to(target.given, (*batch, 4, 4))
    asked = Target(target.task, target.kind, np.broadcast_to(target.numbers, (*batch, 12)), given)
    found = solve_six(
        model, arm.six, Target(target.task, target.kind, numbers, target.given), start, device=device, threads=threads
    )
    allowed = (model.q_min[arm.column] <= x) & (x <= model.q_max[arm.column])
    reason = found.reason

    def why(result: IKSolutions, index: tuple[int, ...]) -> str:
        if result.count[index] and not allowed[index]:
            low, high = model.q_min[arm.column], model.q_max[arm.column]
            return f"{arm.name} is held at {float(x[index]):.6g} rad, outside its limits ({low:.4g} to {high:.4g})."
        assert reason is not None
        return f"with {arm.name} at {float(x[index]):.6g} rad: {reason(result, index)}"

    return replace(
        found, target=asked, in_limits=found.in_limits & allowed[..., None], reason=why,
        free=FreeParameter("angle", arm.name, x), method=f"{arm.name} held, {method_words(arm.six)}",
    )  # fmt: skip


def _held_target(arm: LockedArm, numbers: Array, x: Array) -> Array:
    """The pose that the other six must give: E1(-x) X, or X with the last joint turned back in the tool."""
    R, p = numbers[..., :9].reshape(*numbers.shape[:-1], 3, 3), numbers[..., 9:]
    u, c = arm.axes.u[arm.joint], arm.axes.c[arm.joint]
    turn = rotation_about(u, -x)
    if arm.joint == 0:
        made, place = turn @ R, (turn @ (p - c)[..., None])[..., 0] + c
    else:
        R0, p0 = arm.axes.X_WF[:3, :3], arm.axes.X_WF[:3, 3]
        A = R0.T @ turn @ R0  # M^-1 E7(-x) M
        b = (R0.T @ ((turn @ (p0 - c)[..., None])[..., 0] + c - p0)[..., None])[..., 0]
        made, place = R @ A, (R @ b[..., None])[..., 0] + p
    return np.concatenate([made.reshape(*made.shape[:-2], 9), place], axis=-1)


def asked_lock(model: Model, frame: str | None, locked: Any) -> tuple[LockedArm, Array]:
    """The arm and the angles (*batch) that `locked={joint: angle}` asks for, or one clear sentence."""
    axes = chain_axes(model, frame)
    if not isinstance(locked, Mapping) or len(locked) != 1:
        raise InputError(f"locked must be one joint and its angle, as {{'{axes.names[-1]}': 0.3}}; got {locked!r:.60}.")
    ((name, value),) = locked.items()
    if name not in axes.names:
        raise unknown_name("joint of the arm", name, axes.names)
    if not axes.all_revolute or len(axes.u) != 7 or tied_chain(model, frame) is not None:
        raise InputError(
            f"locked belongs to arms with seven free revolute joints; '{axes.frame}' has {len(axes.u)} joints."
        )
    angle = np.asarray(value)
    if angle.dtype.kind not in "fiu" or not np.isfinite(angle).all():
        raise InputError(f"the angle of {name} must be finite numbers [rad]; got {value!r:.60}.")
    angle = angle.astype(float)
    k = axes.names.index(name)
    if k in (0, 6):
        arm = locked_arm(model, frame, name)
    elif angle.ndim:
        ends = f"{axes.names[0]} or {axes.names[-1]}"
        raise InputError(f"{name} can be held at one angle for all poses; one for each pose suits {ends}.")
    else:
        arm = _held_inside(model, frame, k, float(angle))
    if arm is None:
        raise InputError(f"with {name} held the six other joints leave a freedom without effect.")
    return arm, angle


@functools.lru_cache(maxsize=64)
def _held_inside(model: Model, frame: str | None, k: int, angle: float) -> LockedArm | None:
    axes = chain_axes(model, frame)
    six = six_class(without(axes, k, angle))
    return None if six is None else LockedArm(axes, k, six, angle)
