"""A found path in time: the fastest blends that stay free, within limits of speed, acceleration and jerk."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from carpal.contact import collides, sweep
from carpal.errors import InputError
from carpal.planning.planners.lane_planner import LanePlanner, lane_planner
from carpal.planning.planners.planned_ties import planned_ties
from carpal.planning.trajectories.jerk_limits import jerk_values, joined, limit_jerk
from carpal.planning.trajectories.joint_blends import joint_trajectory
from carpal.planning.trajectories.joint_path import JointPath
from carpal.planning.trajectories.time_optimal import retime
from carpal.planning.trajectories.trajectory import Trajectory
from carpal.spatial import Array

if TYPE_CHECKING:
    from carpal.planning.planners.plan_result import PlanResult

DEVIATIONS = (None, 0.1, 0.05, 0.02, 0.01, 0.005)
"""[rad, m] Blends that are tried, the fastest first."""
CHORD = 2e-4
"""[m] How far any point of the robot may be from where it is on the chords that are swept instead of a curve."""
CONSTRAINED = 0.01  # [s] between points at which a motion is shown to keep constraints
_MOST_CHORDS = 512  # of a piece


def timed_path(
    result: PlanResult,
    v_max: ArrayLike | None,
    vdot_max: ArrayLike | None,
    jerk_max: ArrayLike | None,
    dt: float,
) -> Trajectory:
    """See `PlanResult.trajectory`."""
    model, path = result.model, result.path
    if not result.cost > 0:
        raise InputError("start and goal are the same configuration: there is nothing to move.")
    jerk = None if jerk_max is None else jerk_values(jerk_max, model.joint_names)

    def within(waypoints: Array, deviation: float | None = None) -> Trajectory:
        motion = joint_trajectory(model, waypoints, v_max=v_max, vdot_max=vdot_max, deviation=deviation)
        return motion if jerk is None else limit_jerk(motion, jerk)

    # with a payload only the planned edges themselves are known to be free: no blends
    blends = [within(path, deviation) for deviation in DEVIATIONS] if result.carried is None else []
    rests: Trajectory | None = None
    if jerk is not None:  # averaged over a window, small blends may last longer than rests
        legs = [path[i : i + 2] for i in np.flatnonzero(np.abs(np.diff(path, axis=0)).max(axis=1) > 0)]
        rests = joined([within(leg) for leg in legs], "motion along straight edges with rests, jerk limited,")
        shorter = [motion for motion in blends if motion.duration < rests.duration or len(legs) == 1]
        blends = sorted(shorter, key=lambda motion: motion.duration)
    for motion in blends:
        free, how = _free(result, motion, dt)
        if free:
            return dataclasses.replace(motion, kind=f"{motion.kind}, {how},")
    if rests is not None:
        return rests
    lengths = np.linalg.norm(np.diff(path, axis=0), axis=1)
    coefficients = np.zeros((len(lengths), 4, model.nq))
    coefficients[:, 0], coefficients[:, 1] = path[:-1], np.diff(path, axis=0) / lengths[:, None]
    knots = np.concatenate([[0.0], np.cumsum(lengths)])
    return retime(model, JointPath.of(knots, coefficients, model.joint_names), v_max=v_max, vdot_max=vdot_max)


def _free(result: PlanResult, motion: Trajectory, dt: float) -> tuple[bool, str]:
    """Whether a motion keeps the margin, and how that was found: swept where the path was, else every `dt`."""
    tables, margin = result.tables, result.margin
    if result.constraints and not _kept(result, motion):
        return False, ""
    planner = lane_planner(tables, margin)
    if result.proven and planner is not None and not planned_ties(result.model).bent:
        points, away = chords(motion, planner)
        if planner.proven(points, away):
            return True, "swept without gaps"
        if not planner.lanes.exact and not collides(tables, points, margin=margin):
            swept = sweep(tables, points[:-1], points[1:], tolerance=max(1e-4, margin) + away)
            return bool(swept.ok.all()), "swept without gaps"
        return False, ""
    step = max(dt, motion.duration / 1e5)
    return not collides(tables, motion.sample(step)[0], margin=margin), f"checked every {1000 * step:.3g} ms"


def _kept(result: PlanResult, motion: Trajectory) -> bool:
    """Whether bounds show that a motion keeps the path's constraints, between samples too."""
    model = result.model
    counts = np.maximum(1, np.ceil(np.diff(motion.times) / CONSTRAINED).astype(np.int64))
    points, bends = _bends(motion, counts)
    steps = np.abs(np.diff(points, axis=0))
    for constraint in result.constraints:
        norms = np.linalg.norm(constraint.residual(model, points), axis=-1)
        # on the chord, and from there to the curve: bends move the frame by no more than an edge as long as they are
        away = constraint.bends(model, steps) + constraint.steepest(model, bends)
        if (np.maximum(norms[:-1], norms[1:]) + away > constraint.limit).any():
            return False
    return True


def chords(motion: Trajectory, planner: LanePlanner) -> tuple[Array, float]:
    """Points (n, nq) on a motion, and how far [m] a point of the robot is at most from its place on the chords between them."""
    counts = np.ones(len(motion.times) - 1, np.int64)
    while True:
        points, bends = _bends(motion, counts)
        away = planner.lanes.displacement(bends)
        far = away > CHORD
        if not far.any() or (counts >= _MOST_CHORDS).all():
            return points, float(away.max(initial=0.0))
        pieces = np.repeat(np.arange(len(counts)), counts)
        worst = np.zeros(len(counts))
        np.maximum.at(worst, pieces, away)
        more = np.ceil(counts * np.sqrt(worst / CHORD) * 1.01).astype(np.int64)
        grown = np.minimum(np.maximum(more, counts), _MOST_CHORDS)
        if (grown == counts).all():
            return points, float(away.max(initial=0.0))
        counts = grown


def _bends(motion: Trajectory, counts: np.ndarray) -> tuple[Array, Array]:
    """Points (n + 1, nq) at equal times inside each piece, and a bound (n, nq) on each joint's distance from the chords.

    A motion along its chord does not leave it, at whatever pace; across it, the distance is at most h2/8 of the second
    derivative. That is of degree one or less: its ends bound it.
    """
    lasts = np.diff(motion.times)
    pieces = np.repeat(np.arange(len(counts)), counts)
    first = np.arange(len(pieces)) - np.repeat(np.cumsum(counts) - counts, counts)
    h = lasts[pieces] / counts[pieces]
    ends = [_at(motion, pieces, (first + k) * h) for k in (0, 1)]
    (q0, v0, a0), (q1, v1, a1) = ends
    u = q1 - q0
    length = np.linalg.norm(u, axis=1, keepdims=True)
    u = u / np.where(length > 0, length, 1.0)
    # its speed along the chord is a parabola at most: where neither end nor the tangents' crossing is negative, it never is
    slope = (v0 * u).sum(axis=1), (v1 * u).sum(axis=1), ((v0 + 0.5 * h[:, None] * a0) * u).sum(axis=1)
    ahead = (np.minimum(np.minimum(slope[0], slope[1]), slope[2]) >= -1e-12)[:, None]
    across = [np.abs(a - np.where(ahead, (a * u).sum(axis=1, keepdims=True), 0.0) * u) for a in (a0, a1)]
    bound = 0.125 * h[:, None] ** 2 * np.maximum(*across) + 1e-12
    return np.vstack([q0, q1[-1:]]), bound


def _at(motion: Trajectory, pieces: np.ndarray, x: Array) -> tuple[Array, Array, Array]:
    """(q, v, vdot) at times x after the beginnings of pieces."""
    c, x = motion.coefficients[pieces], x[:, None]
    q, v, a = (np.zeros((len(pieces), motion.nq)) for _ in range(3))
    for k in range(c.shape[1] - 1, -1, -1):
        a = a * x + 2.0 * v
        v = v * x + q
        q = q * x + c[:, k]
    return q, v, a
