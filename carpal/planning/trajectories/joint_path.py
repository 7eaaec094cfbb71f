"""A joint path without time: cubic pieces over a parameter, smooth but for corners where a motion must stop."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import InputError
from carpal.model import Model, real_array
from carpal.planning.trajectories.trajectory import Trajectory
from carpal.planning.trajectories.waypoint_checks import joint_waypoints, plain_model
from carpal.spatial import Array

SMOOTH = 1e-6  # a direction that jumps by no more than this, relative to its size, is no corner


def _no_corners() -> np.ndarray:
    return np.zeros(0, np.int64)


@dataclass(frozen=True, eq=False)
class JointPath:
    """Where a robot is to go.

    Args:
        knots: (n + 1) parameter at which pieces begin and end, rising from 0.
        coefficients: (n, 4, nq); on piece i, q = sum over k of coefficients[i, k] (s - knots[i])^k [rad, m].
        joint_names: (nq).
        corners: indices into `knots` of inner places where the direction jumps; found by `JointPath.of`.
    """

    knots: Array
    coefficients: Array
    joint_names: tuple[str, ...]
    corners: np.ndarray = field(default_factory=_no_corners)

    @staticmethod
    def of(knots: Array, coefficients: Array, joint_names: tuple[str, ...]) -> JointPath:
        """The path of these pieces, its corners found."""
        last = np.diff(knots)[:, None]
        c = coefficients
        ends = c[:, 1] + last * (2.0 * c[:, 2] + last * 3.0 * c[:, 3])
        jump = np.abs(c[1:, 1] - ends[:-1]).max(axis=1)
        size = np.maximum(np.abs(c[1:, 1]).max(axis=1), np.abs(ends[:-1]).max(axis=1))
        return JointPath(knots, c, joint_names, 1 + np.flatnonzero(jump > SMOOTH * size))

    @staticmethod
    def of_trajectory(trajectory: Trajectory) -> JointPath:
        """The path of a trajectory of degree three or less, its time as the parameter."""
        n, width, nq = trajectory.coefficients.shape
        if width > 4:
            raise InputError(
                f"the path of a trajectory of degree {width - 1} is not kept as a path; 3 is the most: retime its path instead."
            )
        c = np.zeros((n, 4, nq))
        c[:, :width] = trajectory.coefficients
        return JointPath.of(np.array(trajectory.times), c, trajectory.joint_names)

    @property
    def nq(self) -> int:
        """How many joints move."""
        return int(self.coefficients.shape[2])

    @property
    def length(self) -> float:
        """Largest parameter."""
        return float(self.knots[-1])

    def at(self, s: ArrayLike) -> tuple[Array, Array, Array]:
        """(q, dq/ds, d2q/ds2), each (*batch, nq), at parameters (*batch)."""
        x = np.clip(np.asarray(s, np.float64), 0.0, self.knots[-1])
        piece = np.clip(np.searchsorted(self.knots, x, side="right") - 1, 0, len(self.knots) - 2)
        return self.on(piece, x - self.knots[piece])

    def on(self, piece: np.ndarray, x: Array) -> tuple[Array, Array, Array]:
        """The same on chosen pieces, x from where each begins: at a knot, from the side that is meant."""
        c0, c1, c2, c3 = np.moveaxis(self.coefficients[piece], -2, 0)
        x = x[..., None]
        q = c0 + x * (c1 + x * (c2 + x * c3))
        return q, c1 + x * (2.0 * c2 + x * 3.0 * c3), 2.0 * c2 + 6.0 * x * c3


def spline_path(model: Model, waypoints: ArrayLike, knots: ArrayLike | None = None) -> JointPath:
    """The cubic spline through waypoints (n, nq) [rad, m], smooth to its second derivative (scipy, not-a-knot ends).

    Args:
        model: the robot.
        waypoints: two or more, inside the limits.
        knots: (n) parameter at each, rising from 0; by default the joint distances, added up.
    """
    from scipy.interpolate import CubicSpline

    plain_model(model, "spline_path")
    q = joint_waypoints(model, waypoints)
    if knots is None:
        s = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(q, axis=0), axis=1))])
    else:
        s = real_array(knots, "knots")
        if s.shape != (len(q),) or s[0] != 0.0 or not np.isfinite(s).all() or not (np.diff(s) > 0).all():
            raise InputError(f"knots must be {len(q)} finite numbers that rise from 0; got {s.tolist()!r:.80}.")
    spline = CubicSpline(s, q)
    c = np.ascontiguousarray(spline.c[::-1].swapaxes(0, 1))  # scipy counts pieces second and powers down
    full = np.zeros((len(s) - 1, 4, model.nq))
    full[:, : c.shape[1]] = c
    return JointPath(s, full, model.joint_names)
