"""Why a 5-joint arm has no answer for a point and a direction, in one sentence."""

from __future__ import annotations

import numpy as np

from carpal.kinematics.inverse.arm_class import PointingArm
from carpal.kinematics.inverse.kernels.branches import (
    AMOUNT,
    BEYOND,
    CONE,
    HELD,
    HOLLOW,
    INEXACT,
    OUT_OF_PLANE,
    REASON,
    TOO_FAR,
    TOO_NEAR,
)
from carpal.kinematics.inverse.solutions import IKSolutions, Index
from carpal.model import Model
from carpal.spatial import Array


def pointing_reason(solutions: IKSolutions, index: Index, arm: PointingArm, summary: Array) -> str:
    """The sentence for the target at a batch index, which has no solution inside the limits.

    Args:
        solutions: the result.
        index: of the target.
        arm: its geometry.
        summary: (*batch, 5) as the kernel wrote it.
    """
    if int(solutions.count[index]):
        return limits_reason(solutions, index, arm.axes.names, arm.axes.columns)
    code, amount = int(summary[index][REASON]), float(summary[index][AMOUNT])
    names = arm.axes.names
    if code == INEXACT:
        return (
            f"the nearest solution misses by {amount:.3g} (m or rad): the arm's axes are {arm.slack:.2g} away from those of its "
            "class, and what that class reaches exactly this arm does not."
        )
    if arm.shape == "offset elbow":
        return {
            TOO_FAR: f"too far: with this direction the wrist would have to be {_m(amount)} farther out than it reaches.",
            TOO_NEAR: f"too near: with this direction the wrist would have to be {_m(amount)} nearer to the shoulder "
            "than it folds.",
            HOLLOW: f"inside the hollow around the axis of {names[0]}: at its distance from the shoulder the wrist is "
            f"{_m(amount)} too far along that axis.",
            CONE: f"the direction is {_deg(amount)} outside what {names[3]} and {names[4]} can point at from there.",
        }[code]
    if arm.shape != "planar":
        return _searched(code, amount, arm)
    held = float(summary[index][HELD])
    roll = f" with {names[4]} at {held:.4g} rad" if np.isfinite(held) and arm.roll_offset else ""
    return {
        TOO_FAR: f"too far: with this direction{roll} the axis of {names[3]} would have to be {_m(amount)} farther from that of "
        f"{names[1]} than the arm is long.",
        TOO_NEAR: f"too near: with this direction{roll} the axis of {names[3]} would have to be {_m(amount)} nearer to that of "
        f"{names[1]} than the arm folds.",
        HOLLOW: f"inside the hollow around the axis of {names[0]}: the point is {_m(amount)} too near to that axis{roll}.",
        BEYOND: f"too far: the point is at least {_m(amount)} out of reach, whatever the direction.",
        OUT_OF_PLANE: f"the direction points out of the arm's plane by {_deg(amount)}: at that point the roll axis can only lie "
        "in the plane through it.",
    }[code]


def _searched(code: int, amount: float, arm: PointingArm) -> str:
    rolled = "however the tool is rolled."
    far = f"too far: the wrist would have to be at least {_m(amount)} farther out than it reaches, {rolled}"
    near = f"too near: the wrist would have to be at least {_m(amount)} nearer to the shoulder than it folds, {rolled}"
    none = (
        f"the tool lies off its line, and no roll about the direction lets {arm.axes.names[3]} and {arm.axes.names[4]} "
        "point there: all roots of the roll equation were examined."
    )
    return {TOO_FAR: far, TOO_NEAR: near}.get(code, none)


def limits_reason(solutions: IKSolutions, index: Index, names: tuple[str, ...], columns: np.ndarray) -> str:
    """Which limits the least bad of the solutions breaks, and by how much."""
    model: Model = solutions.model
    count = int(solutions.count[index])
    q = solutions.q[index][:count][:, columns]
    low, high = model.q_min[columns], model.q_max[columns]
    beyond = np.maximum(np.maximum(low - q, q - high), 0.0)
    best = int(np.argmin(beyond.max(axis=1)))
    broken = [
        f"{names[k]} would have to go {beyond[best, k]:.4g} rad beyond its {'q_min' if q[best, k] < low[k] else 'q_max'} "
        f"({low[k] if q[best, k] < low[k] else high[k]:.4g})"
        for k in np.argsort(-beyond[best])
        if beyond[best, k] > 0
    ]
    solution = "1 solution is" if count == 1 else f"{count} solutions are"
    least = "" if count == 1 else ", in the least bad of them"
    return f"outside the limits: {solution} not allowed{least} {' and '.join(broken)}."


def _m(metres: float) -> str:
    return f"{metres:.4g} m" if metres >= 0.01 else f"{1000 * metres:.4g} mm"


def _deg(radians: float) -> str:
    return f"{np.degrees(radians):.4g} deg"
