"""Straight tool lines through waypoints: chamfered corners, attitude in step with the travel (Leutenegger 2008, 5.3 to 5.6).

From there: lines, free roll of 5-joint arms, rotation coupled to travel (5.8, erratum E11), chamfers (5.9, E13), the
speed at a corner bounded by what the joints can change there (5.10: its right side is the joint's acceleration limit, E12), a
full braking manoeuvre tested at every step, and the drift of integrated rates corrected. Here nodes are solved exactly, so
nothing drifts; at each vertex a short cubic rounds the joints' change of direction; and the pace is the fastest that can
still brake everywhere (`retime`). The motion is continuous, so any period, 33 ms included, samples one and the same motion.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import InputError
from carpal.kinematics import reach_bound
from carpal.model import Model, real_array
from carpal.planning.trajectories.chamfers import Polygon, between, chamfered
from carpal.planning.trajectories.kernels import line_following as lines
from carpal.planning.trajectories.line_refusal import LineEnd, refused_line, refused_start
from carpal.planning.trajectories.rounded_legs import rounded_path
from carpal.planning.trajectories.start_postures import start_postures
from carpal.planning.trajectories.time_optimal import retime
from carpal.planning.trajectories.trajectory import Trajectory
from carpal.planning.trajectories.waypoint_checks import plain_model
from carpal.spatial import Array

PERIOD = 0.033  # [s] of Leutenegger's controller
MOST_NODES = 4000
TOLERANCE = 1e-10  # [m], [rad] to which nodes are solved
STEADY = 0.99  # share of the tool's speed that is used: between nodes it wavers by some tenths of a per cent
CUT = 0.8  # share of the allowed distance that a chamfer takes; the rest is for the rounding of its two ends


def tool_trajectory(
    model: Model,
    waypoints: ArrayLike | tuple[ArrayLike, ArrayLike],
    q0: ArrayLike | None = None,
    *,
    frame: str | None = None,
    corner: float = 0.01,
    corner_angle: float = 0.1,
    speed: float | None = None,
    v_max: ArrayLike | None = None,
    vdot_max: ArrayLike | None = None,
    torques: bool = False,
    tolerance: float = 1e-5,
    seed: int = 0,
) -> Trajectory:
    """Move the tool along straight lines between waypoints, at rest at both ends.

    Args:
        model: the robot.
        waypoints: poses X_WT (n, 4, 4); a tuple (points, directions), each (n, 3), of the tool and its `tool_axis` (roll is
            free: what a 5-joint arm can do); or points (n, 3) [m].
        q0: (nq) the posture to start with, its tool at the first waypoint; by default every posture found there is
            tried, the nearest to `q_home` first.
        frame: the frame that moves along the lines; None is the tool.
        corner: how far from an inner waypoint the tool may pass [m]; 0 stops at every waypoint.
        corner_angle: how far from its attitude there [rad].
        speed: of the tool along the lines at most [m/s].
        v_max, vdot_max, torques: as of `retime`.
        tolerance: how far the tool may be from its line [m] (and 10 rad/m times that from its attitude).
        seed: of the postures tried, where there is no closed form.

    Raises:
        LineRefusedError: no posture follows the lines; it says where, and which joint stops it.

    Example:
        >>> arm = carpal.load("k10")
        >>> motion = tool_trajectory(arm, ([[0.4, 0, 0.2], [0.4, 0.2, 0.2]], [[0, 0, -1], [0, 0, -1]]))
        >>> q, v, vdot = motion.sample(0.033)
    """
    plain_model(model, "tool_trajectory")
    task, targets = _targets(waypoints)
    near, turn = _not_negative("corner", corner), _not_negative("corner_angle", corner_angle)
    fine = _not_negative("tolerance", tolerance)
    if fine == 0.0:
        raise InputError("tolerance must be above zero [m]; got 0.")
    if speed is not None and _not_negative("speed", speed) == 0.0:
        raise InputError("speed must be above zero [m/s], or None; got 0: the tool could never move.")
    polygon = chamfered(task, targets, CUT * near, CUT * turn)
    follower = _LineFollower(model, frame, task, fine)
    nodes = _followed(follower, polygon, targets, q0, seed)
    rounded = rounded_path(model, follower.frame, polygon, nodes, near, turn)
    x_max = None if speed is None else (STEADY * float(speed) / np.maximum(rounded.tool_rate, 1e-300)) ** 2
    motion = retime(
        model, rounded.path, v_max=v_max, vdot_max=vdot_max, torques=torques, x_max=x_max, marks=rounded.marks
    )
    bound = rounded.bound + fine
    bound[[0, -1]] = fine
    return dataclasses.replace(motion, kind="straight tool lines", corner_bound=bound)


class _LineFollower:
    """The constants of the following kernel for one robot, frame and task."""

    def __init__(self, model: Model, frame: str | None, task: int, tolerance: float) -> None:
        row = model.frame_index(frame)
        self.model, self.task = model, task
        self.frame = str(model.tool if frame is None else frame)
        tables = model.tables
        chain = tables.chains[row]
        if not len(chain):
            raise InputError(f"no joint of model '{model.name}' moves frame '{self.frame}'.")
        numbers = np.zeros(17)
        bound = reach_bound(model, self.frame)
        weight = 0.2 if bound is None else max(bound.tool_length, 1e-3) / 6.0
        numbers[:9] = TOLERANCE, TOLERANCE, weight, *model.tool_axis, 0.01, 1.0, 0.0
        n = len(chain)
        wide = max(n, 6)
        shapes = [
            (12,),
            (model.nq,),
            (model.nq,),
            (6, n),
            (n, n),
            (wide, wide),
            (wide,),
            (n,),
            (len(tables.joints), 12),
        ]
        arm = lines.Arm(tables.joints, tables.bodies, tables.frames, row, chain, model.q_min.copy(), model.q_max.copy())
        self.constants = arm, task, numbers, tolerance
        target, *work = (np.empty((1, *shape)) for shape in shapes)
        self.scratch = lines.LinesScratch(target, lines.Work(*work))
        self.nodes = np.empty((1, MOST_NODES, 2 + 2 * model.nq))
        self.report = np.empty((1, lines.REPORT))

    def run(self, vertices: Array, q0: Array) -> Array:
        """Follow the polygon from one posture; returns the report (5)."""
        given = lines.LinesInput(np.ascontiguousarray(vertices.reshape(1, -1)), np.array(q0, np.float64, ndmin=2))
        found = lines.LinesOutput(self.nodes, self.report)
        lines.follow_lines_batch(*self.constants, given, found, self.scratch, 0, 1, 1, 0)
        return self.report[0].copy()


def _followed(follower: _LineFollower, polygon: Polygon, targets: Array, q0: ArrayLike | None, seed: int) -> Array:
    """Nodes (n, 2 + 2 nq) of the first posture that follows all legs."""
    model = follower.model
    postures = start_postures(model, follower.frame, follower.task, targets[0], q0, seed)
    ends = []
    for q in postures:
        report = follower.run(polygon.vertices, q)
        outcome, count = int(report[lines.OUTCOME]), int(report[lines.NODES])
        if outcome == lines.DONE:
            return follower.nodes[0, :count].copy()
        if outcome == lines.START_AWAY:
            continue
        leg, share = int(report[lines.LEG]), float(report[lines.SHARE])
        a, b = polygon.vertices[leg : leg + 2]
        joint = None if report[lines.JOINT] < 0 else model.joint_names[int(report[lines.JOINT])]
        here = follower.nodes[0, count, 2 : 2 + model.nq].copy()
        waypoint = min(int(polygon.waypoint[leg]), len(targets) - 2)
        ends.append(LineEnd(waypoint, share, between(follower.task, a, b, share), b, joint, here))
    raise refused_line(ends) if ends else refused_start(targets[0, 9:])


def _targets(waypoints: Any) -> tuple[int, Array]:
    """(task, targets (n, 12)) of poses, points with directions, or points; checked."""
    if isinstance(waypoints, tuple) and len(waypoints) == 2:
        p, d = real_array(waypoints[0], "points"), real_array(waypoints[1], "directions")
        d = np.broadcast_to(d, p.shape) if d.shape == (3,) and p.ndim == 2 else d
        if p.ndim != 2 or p.shape[-1] != 3 or d.shape != p.shape:
            raise InputError(f"points and directions must both be (n, 3); got {p.shape} and {d.shape}.")
        size = np.linalg.norm(d, axis=1)
        if (size < 1e-9).any():
            raise InputError(f"direction {int(np.argmin(size))} is zero; a direction needs a length.")
        out = np.zeros((len(p), 12))
        out[:, :3], out[:, 9:] = d / size[:, None], p
        task = lines.TASKS["point and direction"]
    else:
        X = real_array(waypoints, "waypoints")
        if X.ndim == 3 and X.shape[1:] == (4, 4):
            R = X[:, :3, :3]
            off = np.abs(R @ R.swapaxes(1, 2) - np.eye(3)).max(axis=(1, 2)) + (np.linalg.det(R) < 0)
            if (~(off < 1e-6)).any() and np.isfinite(X).all():
                raise InputError(f"waypoint {int(np.argmax(off))} is no pose: its 3x3 block is not a rotation.")
            out = np.concatenate([R.reshape(-1, 9), X[:, :3, 3]], axis=1)
            task = lines.TASKS["pose"]
        elif X.ndim == 2 and X.shape[1] == 3:
            out = np.zeros((len(X), 12))
            out[:, 9:] = X
            task = lines.TASKS["point"]
        else:
            raise InputError(
                f"waypoints are poses (n, 4, 4), points (n, 3), or a tuple (points, directions); got shape {X.shape}."
            )
    if len(out) < 2:
        raise InputError(f"a motion needs two waypoints or more, where it starts and where it ends; got {len(out)}.")
    if not np.isfinite(out).all():
        raise InputError(f"waypoint {int(np.argwhere(~np.isfinite(out))[0, 0])} has a number that is not finite.")
    same = np.flatnonzero(np.abs(np.diff(out, axis=0)).max(axis=1) <= 1e-9)
    if len(same):
        raise InputError(f"waypoints {same[0]} and {same[0] + 1} are equal; leave one out.")
    return task, out


def _not_negative(name: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | np.floating) or not 0 <= value < np.inf:
        raise InputError(f"{name} must be a number, zero or above; got {value!r:.60}.")
    return float(value)
