"""The fastest motion along a path under speed, acceleration and torque limits."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import InputError
from carpal.model import Model
from carpal.planning.trajectories.joint_path import JointPath, spline_path
from carpal.planning.trajectories.kernels.reachability import DONE, MISSED, NO_START, OUTCOME, PLACE, REPORT, pace_batch
from carpal.planning.trajectories.limit_check import dense_samples
from carpal.planning.trajectories.trajectory import Trajectory
from carpal.planning.trajectories.waypoint_checks import limit_values, plain_model
from carpal.spatial import Array

STEPS = 22  # grid steps for a piece of the path
FEWEST, MOST = 150, 400
UNLIMITED = 1e9  # [rad/s^2, m/s^2] stands for no acceleration limit
INSIDE = np.array([0.0, 0.25, 0.5, 0.75, 1.0])


def retime(
    model: Model,
    path: JointPath | Trajectory | ArrayLike,
    *,
    v_max: ArrayLike | None = None,
    vdot_max: ArrayLike | None = None,
    torques: bool = False,
    x_max: Array | None = None,
    marks: Array | None = None,
    grid: int | None = None,
) -> Trajectory:
    """The fastest motion along a path that keeps every limit, at rest at both ends and at corners.

    Args:
        model: the robot.
        path: a `JointPath`, a trajectory whose path is taken, or waypoints (n, nq) for a spline through them.
        v_max, vdot_max: one number or (nv) [rad/s, m/s] and their rates; by default the model's.
        torques: keep the model's `tau_max` as well; it needs masses. Accelerations may then be unlimited.
        x_max: (pieces of the path) further bounds on the squared rate of the parameter, for other limits such as a tool's speed.
        marks: (m) parameters of the path; when each is passed becomes the motion's `passing`.
        grid: about how many steps the path is cut into, its knots always among them; by default 22 a piece, from 150 to
            400. Limits are also checked between grid points: steps that miss them are tightened, and what is left is
            slowed away, so that the answer keeps them.
    """
    plain_model(model, "retime")
    if isinstance(path, Trajectory):
        path = JointPath.of_trajectory(path)
    elif not isinstance(path, JointPath):
        path = spline_path(model, path)
    if path.nq != model.nq:
        raise InputError(f"a path of {path.nq} joints does not fit model '{model.name}' with {model.nq}.")
    if grid is None:
        grid = min(max(STEPS * (len(path.knots) - 1), FEWEST), MOST)
    if isinstance(grid, bool) or not isinstance(grid, int | np.integer) or not 2 <= grid <= 100_000:
        raise InputError(f"grid must be a whole number from 2 to 100,000; got {grid!r}.")
    speed = limit_values(model, "v_max", v_max, needed=False)
    hard = np.minimum(limit_values(model, "vdot_max", vdot_max, needed=not torques), UNLIMITED)
    if torques:
        _check_torques(model)
    rows = _rows(model, path, speed, hard, torques, x_max, int(grid))
    x, missed = _pace(rows, path)
    if missed > 1.0:
        x /= missed * (1.0 + 1e-10)  # the squared rate: everything is slower by the root
    motion = _composed(path, rows, x, np.zeros(0) if marks is None else marks)
    if torques:
        missed = _missed_torques(model, motion)
        if missed > 1.0:
            return motion.slowed(np.sqrt(missed) * (1.0 + 1e-10))
    return motion


class _Rows(NamedTuple):
    """The linear rows of all steps, and the grid that they belong to."""

    piece: np.ndarray
    start: Array
    steps: Array
    arguments: tuple[Array | int, ...]


def _check_torques(model: Model) -> None:
    model.require_inertia()
    for joint, value in zip(model.joint_names, model.tau_max, strict=True):
        if not 0.0 < value < np.inf:
            raise InputError(
                f"torques were to be kept, but joint '{joint}' of '{model.name}' has tau_max {value:g}; it must be above zero "
                "and finite."
            )


def _rows(
    model: Model, path: JointPath, speed: Array, hard: Array, torques: bool, x_max: Array | None, grid: int
) -> _Rows:
    lengths = np.diff(path.knots)
    parts = np.maximum(1, np.ceil(grid * lengths / path.knots[-1] - 1e-9)).astype(np.int64)
    resting = np.concatenate([[0, len(parts) - 1], path.corners, path.corners - 1]).astype(np.int64)
    parts[resting] = np.maximum(parts[resting], 2)  # a single step from rest to rest would take for ever
    piece = np.repeat(np.arange(len(lengths)), parts)
    within = np.arange(len(piece)) - np.repeat(np.cumsum(parts) - parts, parts)
    steps = (lengths / parts)[piece]
    start = within * steps
    # both ends of all steps at once: small arrays cost by the call
    both = path.on(np.concatenate([piece, piece]), np.concatenate([start, start + steps]))
    (q0, q1), (d0, d1), (dd0, dd1) = ((x[: len(piece)], x[len(piece) :]) for x in both)
    a0, b0, a1, b1 = d0, dd0, d1, dd1
    low, high = np.broadcast_to(-hard, d0.shape), np.broadcast_to(hard, d0.shape)
    low1, high1 = low, high
    if torques:
        from carpal.dynamics import inverse_dynamics

        still = np.zeros_like(d0)
        tau = np.asarray(model.tau_max)
        sides = []
        for q, d, dd in ((q0, d0, dd0), (q1, d1, dd1)):
            gravity = inverse_dynamics(model, q, still, still)
            sides.append(
                (inverse_dynamics(model, q, still, d) - gravity, inverse_dynamics(model, q, d, dd) - gravity, gravity)
            )
        a0, a1 = (np.hstack([d, side[0]]) for d, side in ((d0, sides[0]), (d1, sides[1])))
        b0, b1 = (np.hstack([dd, side[1]]) for dd, side in ((dd0, sides[0]), (dd1, sides[1])))
        low, low1 = (np.hstack([low, -tau - side[2]]) for side in sides)
        high, high1 = (np.hstack([high, tau - side[2]]) for side in sides)
    with np.errstate(divide="ignore"):
        fast0 = np.min((speed / np.abs(d0)) ** 2, axis=1)
        fast1 = np.min((speed / np.abs(d1)) ** 2, axis=1)
    if x_max is not None:
        fast0, fast1 = np.minimum(fast0, x_max[piece]), np.minimum(fast1, x_max[piece])
    most = np.minimum(np.append(fast0, np.inf), np.concatenate([[np.inf], fast1]))
    most = np.minimum(most, 1e12)
    firsts = np.cumsum(parts) - parts
    most[firsts[path.corners]] = 0.0
    wide = (np.ascontiguousarray(x)[None] for x in (a0, b0, a1, b1, low, high, low1, high1))
    # where the path itself begins or ends at rest (a motion's path over its own time), any rate of the parameter is rest
    ends = np.array([[-1.0 if np.abs(d).max() <= 1e-12 else 0.0 for d in (d0[0], d1[-1])]])
    arguments = (*wide, steps[None], np.ones((1, len(steps))), most[None], model.nq, speed, ends)
    return _Rows(piece, start, steps, arguments)


def _pace(rows: _Rows, path: JointPath) -> tuple[Array, float]:
    """The squared rate x at every grid point, and by how much limits are still missed between them; or one clear sentence."""
    n = len(rows.steps)
    x, report = np.zeros((1, n + 1)), np.empty((1, REPORT))
    pace_batch(*rows.arguments, np.empty((1, n + 1, 2)), x, report, 0, 1, 1, 0)
    if report[0, OUTCOME] != DONE:
        at = min(int(report[0, PLACE]), n - 1)
        share = (path.knots[rows.piece[at]] + rows.start[at]) / path.knots[-1]
        never = report[0, OUTCOME] == NO_START
        why = "it cannot begin or end there at rest" if never else "no pace keeps the limits there"
        raise InputError(
            f"this path cannot be timed: {why}, at {100 * share:.3g} % of it; "
            "torque limits that do not even hold the arm still do this."
        )
    return x[0], float(report[0, MISSED])


def _composed(path: JointPath, rows: _Rows, x: Array, marks: Array) -> Trajectory:
    """Cubic in s and parabola in t: degree six in t, exactly."""
    root = np.sqrt(x)
    lasts = 2.0 * rows.steps / (root[:-1] + root[1:])
    rate, half = root[:-1], 0.25 * (x[1:] - x[:-1]) / rows.steps  # s = start + rate t + half t^2
    c = path.coefficients[rows.piece]
    s = rows.start[:, None]
    # the cubic seen from where the step begins
    k0 = c[:, 0] + s * (c[:, 1] + s * (c[:, 2] + s * c[:, 3]))
    k1 = c[:, 1] + s * (2.0 * c[:, 2] + 3.0 * s * c[:, 3])
    k2, k3 = c[:, 2] + 3.0 * s * c[:, 3], c[:, 3]
    r, h = rate[:, None], half[:, None]
    rr, rh, hh = r * r, r * h, h * h
    out = np.empty((len(c), 7, c.shape[2]))
    out[:, 0] = k0
    out[:, 1] = k1 * r
    out[:, 2] = k1 * h + k2 * rr
    out[:, 3] = 2.0 * k2 * rh + k3 * (rr * r)
    out[:, 4] = k2 * hh + 3.0 * k3 * (rr * h)
    out[:, 5] = 3.0 * k3 * (r * hh)
    out[:, 6] = k3 * (h * hh)
    times = np.concatenate([[0.0], np.cumsum(lasts)])
    places = np.append(path.knots[rows.piece] + rows.start, path.knots[-1])
    at = np.clip(np.searchsorted(places, marks, side="right") - 1, 0, len(lasts) - 1)
    beyond = np.maximum(marks - places[at], 0.0)
    rest = rate[at] + np.sqrt(np.maximum(rate[at] ** 2 + 4.0 * half[at] * beyond, 0.0))
    passing = times[at] + np.where(beyond > 0, 2.0 * beyond / np.where(rest > 0, rest, 1.0), 0.0)
    return Trajectory(times, out, path.joint_names, "fastest motion along a path", np.minimum(passing, times[-1]))


def _missed_torques(model: Model, motion: Trajectory) -> float:
    """By how much the torques beside gravity's are missed between grid points: they go with the square of the pace."""
    from carpal.dynamics import inverse_dynamics

    _, q, v, a = dense_samples(motion, INSIDE)
    still = np.zeros_like(v)
    gravity = inverse_dynamics(model, q, still, still)
    moving = inverse_dynamics(model, q, v, a) - gravity
    room = np.where(moving > 0, model.tau_max - gravity, model.tau_max + gravity)
    return float(np.max(np.abs(moving) / np.maximum(room, 1e-300)))
