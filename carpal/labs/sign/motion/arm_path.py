"""The arm's path through the poses of a word: continuous arm angle, no flip, the elbow far from the receiver.

Arms with seven revolute joints follow the intervals of feasible arm angles (closed form if shoulder and wrist are spherical,
Prabhu 2018, 5.1 to 5.3); the start is the feasible elbow that is farthest from the receiver. Other arms follow numerically.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from carpal.errors import UnreachableError
from carpal.kinematics import (
    PosePath,
    arm_angle_band,
    arm_angle_intervals,
    chain_axes,
    elbow_position,
    follow,
    ik,
    ik_all,
    srs_geometry,
)
from carpal.model import Model
from carpal.spatial import Array

STARTS = 4
"""Elbow positions from which a path is tried, the one farthest from the receiver first."""
MARGIN = 0.2
"""[rad] that a start keeps from its joints' limits."""
CLEARANCE = 0.05
"""[rad] that the whole path keeps from them."""
LARGEST_STEP = 0.15
"""[rad] between neighbouring samples: more is a flip."""


@dataclass(frozen=True, eq=False)
class ArmPath:
    """A joint path through poses.

    Args:
        status: one true sentence.
        legs: for each pair of neighbouring poses the samples (k, nq), ends included.
        largest_step: [rad] of any joint between two samples.
        joint_margin: [rad] distance of the nearest joint limit.
    """

    status: str
    legs: tuple[Array, ...]
    largest_step: float
    joint_margin: float

    def __str__(self) -> str:
        return self.status


def plan_arm_path(arm: Model, poses: Array, receiver: float, start: Array | None = None) -> ArmPath:
    """Joint samples that bring the arm's tool through poses (n, 4, 4), n at least 1.

    Args:
        arm: its tool is what follows the poses.
        poses: neighbours differ.
        receiver: [m] along x, from which the elbow keeps away.
        start: (nq) current configuration, at the first pose; by default the start with the largest margins.
    """
    if arm.nq == 0:
        return ArmPath("the hand stands without an arm.", (np.zeros((1, 0)),), 0.0, np.inf)
    X = np.concatenate([poses, poses[-1:]]) if len(poses) == 1 else poses
    time = np.arange(len(X), dtype=float)
    path = PosePath.of(X, time)
    axes = chain_axes(arm, arm.tool)
    if len(axes.u) == 7 and axes.all_revolute:
        t, q, status = _by_bands(arm, path, receiver, start)
    else:
        t, q, status = _numeric(arm, path, start)
    legs = []
    for i in range(len(X) - 1):
        inside = (t >= i - 1e-9) & (t <= i + 1 + 1e-9)
        legs.append(q[inside])
    step = float(np.abs(np.diff(q, axis=0)).max(initial=0.0))
    margin = float(np.minimum(q - arm.q_min, arm.q_max - q).min())
    return ArmPath(status, tuple(legs), step, margin)


def _by_bands(arm: Model, path: PosePath, receiver: float, start: Array | None) -> tuple[Array, Array, str]:
    why = ""
    for q0 in (*_starts(arm, path.X_WT, receiver), None) if start is None else (start,):
        band = arm_angle_band(arm, path, q0=q0, prefer="speed", clearance=CLEARANCE, max_step=LARGEST_STEP)
        if band:
            return np.array(band.time), np.array(band.q), str(band)
        why = why or str(band)
    raise UnreachableError(f"'{arm.name}' has no path through the poses of this text: {why}")


def _starts(arm: Model, poses: Array, receiver: float) -> list[Array]:
    """Configurations at the first pose, the farthest elbow from the receiver first.

    They lie in the middles of the arm angles that all poses share on one branch, so that the elbow can stay where it is; then
    in the middles of the first pose's own.
    """
    if srs_geometry(arm, arm.tool) is None:
        return []
    own = [
        (interval.branch, float(interval.low), float(interval.high)) for interval in arm_angle_intervals(arm, poses[0])
    ]
    shared = own
    different = [poses[0]]
    for X in poses[1:]:
        if all(np.abs(X - other).max() > 1e-9 for other in different):
            different.append(X)
            shared = _overlaps(shared, arm, X)
    return [*_middles(arm, poses[0], shared, receiver), *_middles(arm, poses[0], own, receiver)][:STARTS]


def _overlaps(ours: list[tuple[Any, float, float]], arm: Model, X: Array) -> list[tuple[Any, float, float]]:
    """The parts of arm-angle intervals that are feasible at another pose too, on the same branch."""
    out = []
    for branch, low, high in ours:
        for interval in arm_angle_intervals(arm, X):
            for turn in (-2 * np.pi, 0.0, 2 * np.pi):
                a, b = max(low, interval.low + turn), min(high, interval.high + turn)
                if interval.branch == branch and b - a > 2 * MARGIN:
                    out.append((branch, a, b))
    return out


def _middles(arm: Model, X: Array, intervals: list[tuple[Any, float, float]], receiver: float) -> list[Array]:
    found: list[tuple[float, Array]] = []
    for _, low, high in intervals:
        for q in np.atleast_2d(ik_all(arm, X, arm_angle=0.5 * (low + high)).q):
            good = np.isfinite(q).all() and np.minimum(q - arm.q_min, arm.q_max - q).min() > MARGIN
            if good and not any(np.abs(q - other).max() < 1e-6 for _, other in found):
                found.append((receiver - float(elbow_position(arm, q)[0]), q))
    found.sort(key=lambda pair: -pair[0])
    return [q for _, q in found]


def _numeric(arm: Model, path: PosePath, start: Array | None) -> tuple[Array, Array, str]:
    dense = path.denser()
    first = ik(arm, dense.X_WT[0], arm.q_home if start is None else start)
    if not first:
        raise UnreachableError(f"'{arm.name}' cannot bring the hand to where it signs: {first.status}")
    followed = follow(arm, dense.X_WT, first.q)
    if not followed:
        raise UnreachableError(f"'{arm.name}' cannot turn the hand as this text needs: {followed.status}")
    step = float(np.abs(np.diff(followed.q, axis=0)).max(initial=0.0))
    if step > LARGEST_STEP:
        raise UnreachableError(f"'{arm.name}' would flip: a joint jumps by {step:.2g} rad between neighbouring poses.")
    return np.array(dense.time), np.array(followed.q), f"{len(followed.q)} poses followed numerically."
