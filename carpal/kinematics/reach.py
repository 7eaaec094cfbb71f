"""How far a chain can possibly reach: a bound that no configuration exceeds, whatever the limits.

A point of a revolute axis belongs to both bodies that the joint connects. So the distance from a point P1 of the first axis
to the tool is at most the sum of |P1 P2|, |P2 P3|, ..., |Pn T|, each measured on one rigid body, for *any* choice of points
on the axes. The choice with the least sum (a convex problem) gives the tightest such bound; for most arms it is attained.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np

from carpal.model import Model, need_model
from carpal.spatial import Array, inverse


@dataclass(frozen=True, eq=False)
class ReachBound:
    """No configuration brings the tool farther than `tool_length` from `center`, or the wrist point farther than `wrist_length`.

    Args:
        center: (3) a point of the first axis, in the world.
        tool_length: [m].
        wrist_in_tool: (3) a point of the last axis, in the tool frame: a full pose fixes it.
        wrist_length: [m].
    """

    center: Array
    tool_length: float
    wrist_in_tool: Array
    wrist_length: float

    def shortfall(self, position: Array, R_WT: Array | None) -> Array:
        """By how much (*batch) [m] targets are out of reach for certain; zero or below says nothing."""
        short = np.linalg.norm(position - self.center, axis=-1) - self.tool_length
        if R_WT is not None:
            wrist = position + R_WT @ self.wrist_in_tool
            short = np.maximum(short, np.linalg.norm(wrist - self.center, axis=-1) - self.wrist_length)
        return short


def reach_bound(model: Model, frame: str | None = None) -> ReachBound | None:
    """The bound of a frame's chain; None where there is none (a free joint, an unlimited slide, nothing that moves)."""
    need_model(model, "reach_bound")
    return _reach_bound(model, str(model.tool if frame is None else frame))


@functools.lru_cache(maxsize=64)
def _reach_bound(model: Model, frame: str) -> ReachBound | None:
    tables = model.tables
    row = model.frame_index(frame)
    X_WK = np.eye(4)
    points, axes, slack = [], [], 0.0
    for body in tables.chains[row]:
        X_WK = X_WK @ _pose(tables.bodies[body])
        kind, first = int(tables.joints[body, 0]), int(tables.joints[body, 2])
        if kind == 4:
            return None
        if kind == 2:  # a slide lengthens the chain by its travel at most
            slack += max(abs(model.q_min[first]), abs(model.q_max[first]))
            continue
        points.append(X_WK[:3, 3])
        axes.append(X_WK[:3, 2] if kind == 1 else np.zeros(3))  # a ball has one common point only
    if not points or not np.isfinite(slack):
        return None
    X_WT = X_WK @ _pose(tables.frames[row])
    whole = _shortest(np.array([*points, X_WT[:3, 3]]), np.array([*axes, np.zeros(3)]))
    sides = np.linalg.norm(np.diff(whole, axis=0), axis=1)
    wrist = (inverse(X_WT) @ np.append(whole[-2], 1.0))[:3]
    return ReachBound(whole[0], float(sides.sum() + slack), wrist, float(sides[:-1].sum() + slack))


def rotation_weight(model: Model, frame: str) -> float:
    """Metres that a radian of attitude error counts as in searches: a sixth of the arm's length."""
    bound = reach_bound(model, frame)
    return 0.2 if bound is None else max(bound.tool_length, 1e-3) / 6.0


def _pose(twelve: Array) -> Array:
    X = np.eye(4)
    X[:3, :3] = twelve[:9].reshape(3, 3)
    X[:3, 3] = twelve[9:12]
    return X


def _shortest(points: Array, axes: Array) -> Array:
    """Slide each point along its axis so that the polygon through them is shortest (iteratively reweighted least squares).

    Any result is a valid bound; more iterations only tighten it.
    """
    n = len(points)
    s = np.zeros(n)
    moving = np.linalg.norm(axes, axis=1) > 0
    D = np.zeros((n - 1, 3, n))  # side i = points[i + 1] - points[i] + D[i] s
    for i in range(n - 1):
        D[i, :, i] = -axes[i]
        D[i, :, i + 1] = axes[i + 1]
    D = D[:, :, moving]
    sides = np.diff(points, axis=0)
    for _ in range(200):
        weights = 1.0 / np.maximum(np.linalg.norm(sides + D @ s[moving], axis=1), 1e-6)
        A = np.einsum("ikn,i,ikm->nm", D, weights, D)
        b = -np.einsum("ikn,i,ik->n", D, weights, sides)
        s[moving] = np.linalg.lstsq(A + 1e-12 * np.eye(len(A)), b, rcond=None)[0]
    return points + axes * s[:, None]
