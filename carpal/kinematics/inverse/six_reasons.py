"""Why a pose of six joints has no solution, and what a singular pose leaves open, in one sentence."""

from __future__ import annotations

import numpy as np

from carpal.kinematics.inverse.kernels.branches import AMOUNT, CONE, COUNT, FREE, HOLLOW, REASON, TOO_FAR, TOO_NEAR
from carpal.kinematics.inverse.kernels.three_axes import MEET_12
from carpal.kinematics.inverse.pointing_reasons import limits_reason
from carpal.kinematics.inverse.six_class import ANY, SPHERICAL, SixArm
from carpal.kinematics.inverse.solutions import IKSolutions, Index
from carpal.kinematics.reach import reach_bound
from carpal.spatial import Array


def six_reason(solutions: IKSolutions, index: Index, arm: SixArm, summary: Array) -> str:
    """Why the target at a batch index has no solution inside the limits."""
    if int(solutions.count[index]):
        return limits_reason(solutions, index, arm.axes.names, arm.axes.columns)
    code, amount = int(summary[index][REASON]), float(summary[index][AMOUNT])
    if arm.shape == ANY or code == 0:
        bound = reach_bound(solutions.model, solutions.frame)
        short = 0.0
        if bound is not None:
            R = solutions.target.R_WT
            short = float(bound.shortfall(solutions.target.position[index], None if R is None else R[index]))
        if bound is not None and short > 1e-9 * bound.tool_length:
            return f"out of reach by {_m(short)} for certain: no configuration brings {solutions.frame} there."
        return "no solution: all roots were examined, and none is an arm with real angles."
    return (_spherical if arm.shape == SPHERICAL else _parallel)(code, amount, arm)


def _spherical(code: int, amount: float, arm: SixArm) -> str:
    names = arm.names
    wrist = "the meeting point of the first three axes, seen from the tool," if arm.reversed else "the wrist"
    meets = int(arm.geo[49]) == MEET_12
    return {
        TOO_FAR: f"too far: {wrist} would have to be {_m(amount)} nearer than {names[2] if meets else names[1]} lets it be.",
        TOO_NEAR: f"too near: {wrist} would have to be {_m(amount)} farther away than {names[2] if meets else names[1]} folds.",
        HOLLOW: f"inside the hollow around the axis of {names[0]}: {wrist} is {_m(amount)} too near it or too far along it.",
        CONE: f"the attitude is {np.degrees(amount):.4g} deg outside what {names[3]}, {names[4]} and {names[5]} can give there.",
    }[code]


def _parallel(code: int, amount: float, arm: SixArm) -> str:
    three = arm.kind.removesuffix(" are parallel")
    return {
        TOO_FAR: f"too far: the planar arm of {three} is {_m(amount)} too short.",
        TOO_NEAR: f"too near: the planar arm of {three} does not fold by {_m(amount)} more.",
        HOLLOW: f"inside the hollow: along {three} the wrist is {_m(amount)} beyond what the first of the other joints can give.",
        CONE: f"the attitude is {np.degrees(amount):.4g} deg outside what the joints beside {three} can give there.",
    }[code]


def six_note(index: Index, arm: SixArm, summary: Array) -> str:
    """What a pose leaves open beside the wrist's angle; empty where nothing."""
    if arm.shape != SPHERICAL or not summary[index][COUNT]:
        return ""
    said = []
    value = int(summary[index][FREE])
    if value % 2:
        a, b = arm.names[3], arm.names[5]
        said.append(f"axes of {a} and {b} are in line in some solutions, so only the two together are fixed there")
    joint = value // 2 - 1
    if joint >= 0:
        said.append(f"the wrist is on the axis of {arm.names[joint]}, which keeps the angle of q0")
    return "; ".join(said)


def _m(metres: float) -> str:
    return f"{metres:.4g} m" if metres >= 0.01 else f"{1000 * metres:.4g} mm"
