"""Corners of a tool's polygon cut off, so that it need not stop there (Leutenegger 2008, section 5.6.2, equation 5.9).

With interior angle b at a corner (erratum E13), cutting C off both legs leaves a chamfer of 2 C sin(b/2). Leutenegger makes it
as long as what is left of the leg: C = l / (2 + 2 sin(b/2)), or l / (1 + 2 sin(b/2)) on the first and the last leg, which are
cut once. The smaller of the two legs' values is taken, and less where the cut would pass the corner at more than the
allowed distance C cos(b/2), or turn the tool away from its attitude there by more than allowed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from carpal.planning.trajectories.kernels.line_following import POINTING, POSE
from carpal.spatial import Array, rotation_about, rotation_vector

SHARP = np.radians(20.0)  # sharper corners are turned back at: a chamfer would only shorten the path


@dataclass(frozen=True, eq=False)
class Polygon:
    """Straight legs between vertices, after chamfering.

    Args:
        vertices: (n, 12) as the kernels read targets: rotation (or direction) and position.
        waypoint: (n) the waypoint that a vertex is, or beside whose corner it lies.
        away: (n) bound on the distance [m] of the polygon from that waypoint there.
        turned: (n) the same for the attitude [rad].
    """

    vertices: Array
    waypoint: np.ndarray
    away: Array
    turned: Array


def turn_of(task: int, a: Array, b: Array) -> Array:
    """Rotation vector (3) [rad] from one target's attitude to another's: of the frame, of the direction, or none."""
    if task == POSE:
        return rotation_vector(b[:9].reshape(3, 3) @ a[:9].reshape(3, 3).T)
    if task != POINTING:
        return np.zeros(3)
    u, w = a[:3], b[:3]
    axis = np.cross(u, w)
    s, c = np.linalg.norm(axis), float(u @ w)
    if s < 1e-12:  # erratum E11: parallel ones need no turn, opposite ones any axis across
        if c > 0:
            return np.zeros(3)
        across = np.cross(u, np.eye(3)[np.argmin(np.abs(u))])
        return np.pi * across / np.linalg.norm(across)
    return np.arctan2(s, c) * axis / s


def between(task: int, a: Array, b: Array, share: float) -> Array:
    """The target (12) at a share of the straight leg from a to b; attitude turns in step with the travel."""
    out = np.zeros(12)
    out[9:] = a[9:] + share * (b[9:] - a[9:])
    turn = turn_of(task, a, b)
    angle = float(np.linalg.norm(turn))
    R = rotation_about(turn / angle, share * angle) if angle > 0 else np.eye(3)
    if task == POSE:
        out[:9] = (R @ a[:9].reshape(3, 3)).ravel()
    elif task == POINTING:
        out[:3] = R @ a[:3]
    return out


def chamfered(task: int, targets: Array, corner: float, corner_angle: float) -> Polygon:
    """The polygon through targets (n, 12) with its corners cut.

    Args:
        task: the kernels' code of what a target asks.
        targets: two or more.
        corner: how far from an inner waypoint the tool may pass [m]; zero leaves the corner as it is.
        corner_angle: how far from its attitude [rad].
    """
    n = len(targets)
    legs = np.diff(targets[:, 9:], axis=0)
    length = np.linalg.norm(legs, axis=1)
    turns = np.array([np.linalg.norm(turn_of(task, targets[i], targets[i + 1])) for i in range(n - 1)])
    vertices, waypoint, away, turned = [targets[0]], [0], [0.0], [0.0]
    for i in range(1, n - 1):
        cut, depth = 0.0, 0.0
        if corner > 0 and min(length[i - 1], length[i]) > 1e-9:
            cosine = float(np.clip(-legs[i - 1] @ legs[i] / (length[i - 1] * length[i]), -1.0, 1.0))
            half = 0.5 * float(np.arccos(cosine))
            if SHARP < 2.0 * half < np.pi - 1e-6:
                once = (1.0 if i == 1 else 2.0, 1.0 if i == n - 2 else 2.0)
                sizes = [length[k] / (m + 2.0 * np.sin(half)) for k, m in zip((i - 1, i), once, strict=True)]
                cut = min(*sizes, corner / np.cos(half))
                fastest = max(turns[i - 1] / length[i - 1], turns[i] / length[i])
                if fastest > 0:
                    cut = min(cut, corner_angle / fastest)
                depth = cut * np.cos(half)
        if cut <= 1e-9:
            vertices.append(targets[i])
            waypoint.append(i)
            away.append(0.0)
            turned.append(0.0)
            continue
        vertices.append(between(task, targets[i - 1], targets[i], 1.0 - cut / length[i - 1]))
        vertices.append(between(task, targets[i], targets[i + 1], cut / length[i]))
        waypoint += [i, i]
        away += [depth, depth]
        turned += [cut * max(turns[i - 1] / length[i - 1], turns[i] / length[i])] * 2
    vertices.append(targets[-1])
    return Polygon(np.array(vertices), np.array([*waypoint, n - 1]), np.array([*away, 0.0]), np.array([*turned, 0.0]))
