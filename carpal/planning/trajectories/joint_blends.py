"""Joint-space motion through waypoints: straight lines, blended by parabolas (Leutenegger 2008, section 5.5)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import InputError
from carpal.model import Model, real_array
from carpal.planning.trajectories.kernels.parabolic_blends import blends_batch
from carpal.planning.trajectories.trajectory import Trajectory
from carpal.planning.trajectories.waypoint_checks import joint_waypoints, limit_values, plain_model
from carpal.spatial import Array


def joint_trajectory(
    model: Model,
    waypoints: ArrayLike,
    *,
    v_max: ArrayLike | None = None,
    vdot_max: ArrayLike | None = None,
    deviation: ArrayLike | None = None,
) -> Trajectory:
    """Move through waypoints in joint space, at rest at both ends, no joint beyond its speed or acceleration.

    Inner waypoints are passed without stopping, at a distance that `corner_bound` states; the first and the last are reached.
    The path never leaves the box around the waypoints, so position limits are kept.

    Args:
        model: the robot.
        waypoints: (n, nq) [rad, m].
        v_max, vdot_max: one number or (nv) [rad/s, m/s] and their rates; by default the model's.
        deviation: how far any joint may pass from an inner waypoint at most, one number or (nq) [rad, m]; by default
            what the fastest blends give, never more than a quarter of the two lines beside it together.

    Example:
        >>> arm = carpal.load("k10")
        >>> motion = joint_trajectory(arm, [[0] * 5, [0.4, -0.5, 0.6, 0, 0.3], [1, -1, 1, 0.5, 0]])
        >>> q, v, vdot = motion.sample(0.033)
    """
    plain_model(model, "joint_trajectory")
    q = joint_waypoints(model, waypoints)
    speed, hard = limit_values(model, "v_max", v_max, needed=False), limit_values(model, "vdot_max", vdot_max)
    near = np.full(model.nq, np.inf)
    if deviation is not None:
        near = real_array(deviation, "deviation")
        if near.shape not in ((), (model.nq,)) or not (near > 0).all():
            raise InputError(f"deviation must be one number above zero or {model.nq} of them; got {deviation!r:.80}.")
        near = np.array(np.broadcast_to(near, (model.nq,)))
    lasts, blends = np.empty((1, len(q) - 1)), np.empty((1, len(q)))
    if blends_batch(speed, hard, near, q.reshape(1, -1), lasts, blends, 0, 1, 1, 0):
        raise InputError(
            "these waypoints could not be timed: the smallest step between two of them is "
            f"{np.abs(np.diff(q, axis=0)).max(axis=1).min():.2g}; leave out waypoints that almost coincide."
        )
    return _assembled(model, q, lasts[0], blends[0])


def _assembled(model: Model, q: Array, lasts: Array, blends: Array) -> Trajectory:
    """Parabola, line, parabola, ...: the pieces between the blends' ends."""
    n = len(q)
    passing = 0.5 * blends[0] + np.concatenate([[0.0], np.cumsum(lasts)])
    v = np.diff(q, axis=0) / lasts[:, None]
    before, after = np.vstack([np.zeros(q.shape[1]), v]), np.vstack([v, np.zeros(q.shape[1])])
    times = np.stack([passing - 0.5 * blends, passing + 0.5 * blends], axis=1).ravel()
    c = np.zeros((2 * n - 1, 3, q.shape[1]))
    half = 0.5 * blends[:, None]
    c[0::2, 0] = q - half * before
    c[0::2, 1] = before
    c[0::2, 2] = 0.5 * (after - before) / np.where(blends > 0, blends, 1.0)[:, None]
    c[1::2, 0] = q[:-1] + half[:-1] * v
    c[1::2, 1] = v
    times[0] = 0.0
    times = np.maximum.accumulate(times)
    last = np.diff(times)
    keep = last > 1e-12 * times[-1]  # a line that its blends fill, and a waypoint without a bend, have no piece
    corner = 0.125 * blends * np.abs(after - before).max(axis=1)
    corner[0] = corner[-1] = 0.0
    starts = times[:-1][keep]
    return Trajectory(
        np.append(starts, times[-1]), c[keep], model.joint_names, "joint-space motion with parabolic blends",
        np.concatenate([[0.0], passing[1:-1], [times[-1]]]), corner,
    )  # fmt: skip
