"""Motions with limited jerk: the moving average of a motion over a window.

Averaging keeps limits of speed and acceleration, since an average is never beyond what it averages, and turns jumps of the
acceleration into ramps that last one window (filters of this kind: Biagiotti, Melchiorri 2012). A motion of polynomials stays
one, of one degree more, so the answer is exact; it lasts one window longer.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import InputError
from carpal.model import real_array
from carpal.planning.trajectories.trajectory import Trajectory
from carpal.spatial import Array

SHARES = np.linspace(0.5, 1.0, 11)  # of the longest window that can be needed, tried in this order
_SAME = 1e-12  # of the duration: breakpoints nearer than this are one


def limit_jerk(trajectory: Trajectory, jerk_max: ArrayLike) -> Trajectory:
    """The same motion averaged over the shortest of some windows for which no joint's jerk is beyond its limit.

    Speeds and accelerations stay within those of the given motion; the path cuts its bends, inside the convex hull of what it
    passes within a window. Straight motions from rest to rest stay on their line.

    Args:
        trajectory: a motion whose accelerations are constant on every piece, such as `joint_trajectory` gives.
        jerk_max: one number or (nq) [rad/s3, m/s3].

    Example:
        >>> smooth = limit_jerk(joint_trajectory(arm, waypoints), 50.0)
        >>> print(smooth.check(arm, jerk_max=50.0))
    """
    limit = jerk_values(jerk_max, trajectory.joint_names)
    lasts = np.diff(trajectory.times)
    if np.any(
        trajectory.coefficients[:, 3:] * lasts[:, None, None] ** np.arange(3, trajectory.coefficients.shape[1])[:, None]
    ):
        raise InputError(
            "limit_jerk takes motions whose accelerations are constant on every piece, such as parabolic blends."
        )
    a = (
        np.zeros((len(lasts), trajectory.nq))
        if trajectory.coefficients.shape[1] < 3
        else 2.0 * trajectory.coefficients[:, 2]
    )
    spread = np.maximum(a.max(axis=0), 0.0) - np.minimum(a.min(axis=0), 0.0)
    longest = float((spread / limit).max())
    if longest == 0.0:
        return trajectory
    for share in SHARES:
        made = averaged(trajectory, share * longest)
        if (np.abs(6.0 * made.coefficients[:, 3]) <= limit * (1 + 1e-9)).all():
            return made
    return averaged(trajectory, longest * (1 + 1e-9))


def averaged(trajectory: Trajectory, window: float) -> Trajectory:
    """q(t) = 1/window of the integral of the given motion from t - window to t; at rest before and after."""
    t, c, nq = trajectory.times, trajectory.coefficients, trajectory.nq
    knots = np.unique(np.concatenate([t, t + window]))
    knots = knots[np.append(True, np.diff(knots) > _SAME * knots[-1])]
    last = np.diff(knots)
    middle = knots[:-1] + 0.5 * last
    rate = (
        _expanded(trajectory, knots[:-1], middle) - _expanded(trajectory, knots[:-1] - window, middle - window)
    ) / window
    out = np.zeros((len(last), c.shape[1] + 1, nq))
    powers = np.arange(1, c.shape[1] + 1)
    out[:, 1:] = rate / powers[:, None]
    gains = (out[:, 1:] * last[:, None, None] ** powers[:, None]).sum(axis=1)
    out[:, 0] = trajectory.q_start + np.concatenate([np.zeros((1, nq)), np.cumsum(gains, axis=0)[:-1]])
    passing = trajectory.passing + 0.5 * window if len(trajectory.passing) else trajectory.passing
    if len(passing):
        passing[0], passing[-1] = 0.0, knots[-1]
    return Trajectory(knots, out, trajectory.joint_names, f"{trajectory.kind}, jerk limited", passing, np.zeros(0))


def joined(motions: Sequence[Trajectory], kind: str) -> Trajectory:
    """Motions one after the other, each from rest to rest."""
    degree = max(motion.coefficients.shape[1] for motion in motions)
    parts = [
        np.pad(motion.coefficients, ((0, 0), (0, degree - motion.coefficients.shape[1]), (0, 0))) for motion in motions
    ]
    ends = np.concatenate([[0.0], np.cumsum([motion.duration for motion in motions])])
    times = np.concatenate([[0.0], *(end + motion.times[1:] for end, motion in zip(ends, motions, strict=False))])
    return Trajectory(times, np.concatenate(parts), motions[0].joint_names, kind, ends, np.zeros(0))


def jerk_values(given: ArrayLike, joint_names: Sequence[str]) -> Array:
    """(nq) limits, each above zero and finite, or one sentence."""
    values = real_array(given, "jerk_max")
    if values.shape not in ((), (len(joint_names),)) or not (values > 0).all() or not np.isfinite(values).all():
        raise InputError(
            f"jerk_max must be one finite number above zero or {len(joint_names)} of them [rad/s3, m/s3]; got {given!r:.80}."
        )
    return np.array(np.broadcast_to(values, (len(joint_names),)))


def _expanded(trajectory: Trajectory, at: Array, inside: Array) -> Array:
    """(n, degree + 1, nq) coefficients about the times `at` of the pieces that hold the times `inside`; constants outside."""
    t, c = trajectory.times, trajectory.coefficients
    piece = np.clip(np.searchsorted(t, inside, side="right") - 1, 0, len(t) - 2)
    x = (at - t[piece])[:, None]
    out = np.array(c[piece])
    degree = c.shape[1] - 1
    for i in range(degree):  # Taylor shift by repeated synthetic division
        for k in range(degree - 1, i - 1, -1):
            out[:, k] += x * out[:, k + 1]
    for rows, q in ((inside < 0.0, trajectory.q_start), (inside > t[-1], trajectory.q_end)):
        out[rows] = 0.0
        out[rows, 0] = q
    return out
