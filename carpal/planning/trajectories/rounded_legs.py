"""From nodes along straight legs to one joint path: cubics through the nodes, and a short cubic round every vertex.

At a vertex the joints change their direction at once. A cubic with the legs' tangents at both its ends replaces a stretch of
equal joint length on both sides; it is shortened until the tool at its middle is as near to the vertex as allowed.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from carpal.kinematics import fk
from carpal.model import Model
from carpal.planning.trajectories.chamfers import Polygon
from carpal.planning.trajectories.joint_path import JointPath
from carpal.spatial import Array

MOST = 0.4  # share of a leg that a rounding may take at each end
ROUNDED = 0.2  # share of the allowed distance for the two roundings of a chamfer
ROUNDS = 12
PLACES = np.linspace(0.0, 1.0, 9)  # where a rounding is checked


@dataclass(frozen=True, eq=False)
class Rounded:
    """The path and what is to be known about it.

    Args:
        path: of the joints.
        tool_rate: (pieces) bound on the tool's travel [m] for a unit of the parameter.
        marks: (waypoints) parameter where each is passed.
        bound: (waypoints) how far from it the tool passes at most [m].
    """

    path: JointPath
    tool_rate: Array
    marks: Array
    bound: Array


def rounded_path(
    model: Model, frame: str, polygon: Polygon, nodes: Array, corner: float, corner_angle: float
) -> Rounded:
    """Put the legs of followed nodes (n, 2 + 2 nq) together."""
    nq = model.nq
    legs = len(polygon.vertices) - 1
    paths = []
    for leg in range(legs):
        rows = nodes[nodes[:, 0] == leg]
        share, q, dq = rows[:, 1], rows[:, 2 : 2 + nq], rows[:, 2 + nq :]
        size = max(float(np.linalg.norm(np.diff(q, axis=0), axis=1).sum()), 1e-12)
        paths.append(hermite_path(share * size, q, dq / size, model.joint_names))
    cut = np.zeros(legs + 1)
    reached = np.zeros(legs + 1)
    if corner > 0.0 and legs > 1:
        cut, reached = _cuts(model, frame, polygon, paths, corner, corner_angle)
    knots, pieces, rate, starts = [0.0], [], [], []
    travel = np.linalg.norm(np.diff(polygon.vertices[:, 9:], axis=0), axis=1)
    speed = [travel[leg] / paths[leg].length for leg in range(legs)]
    for leg, path in enumerate(paths):
        starts.append(knots[-1] - cut[leg])  # where this leg's own parameter is zero
        s, c = shortened(path, cut[leg], path.length - cut[leg + 1])
        pieces.append(c)
        rate += [speed[leg]] * len(c)
        knots += list(knots[-1] + (s[1:] - s[0]))
        if leg + 1 < legs and cut[leg + 1] > 0.0:
            pieces.append(_rounding(path, paths[leg + 1], cut[leg + 1]))
            rate.append(max(speed[leg], speed[leg + 1]))
            knots.append(knots[-1] + 2.0 * cut[leg + 1])
    whole = JointPath.of(np.array(knots), np.concatenate(pieces), model.joint_names)
    count = int(polygon.waypoint[-1]) + 1
    marks, bound = np.zeros(count), np.zeros(count)
    for w in range(1, count - 1):
        at = np.flatnonzero(polygon.waypoint == w)
        if len(at) == 2:  # the chamfer's middle, which no rounding touches
            marks[w] = starts[at[0]] + 0.5 * paths[at[0]].length
            bound[w] = polygon.away[at[0]]
        else:
            marks[w] = starts[at[0]]
            bound[w] = reached[at[0]]
    marks[-1] = whole.length
    return Rounded(whole, np.array(rate), marks, bound)


def hermite_path(s: Array, q: Array, d: Array, names: tuple[str, ...]) -> JointPath:
    """The path through q (n, nq) at parameters s (n) with tangents d (n, nq): smooth."""
    h = np.diff(s)[:, None]
    slope = np.diff(q, axis=0) / h
    c2 = (3.0 * slope - 2.0 * d[:-1] - d[1:]) / h
    c3 = (d[:-1] + d[1:] - 2.0 * slope) / (h * h)
    return JointPath(s, np.stack([q[:-1], d[:-1], c2, c3], axis=1), names)


def shortened(path: JointPath, first: float, last: float) -> tuple[Array, Array]:
    """Knots and coefficients of the part of a path between two parameters."""
    inner = path.knots[(path.knots > first + 1e-9 * path.length) & (path.knots < last - 1e-9 * path.length)]
    s = np.concatenate([[first], inner, [last]])
    piece = np.clip(np.searchsorted(path.knots, 0.5 * (s[:-1] + s[1:]), side="right") - 1, 0, len(path.knots) - 2)
    x = (s[:-1] - path.knots[piece])[:, None]
    c = path.coefficients[piece]
    moved = np.stack(
        [
            c[:, 0] + x * (c[:, 1] + x * (c[:, 2] + x * c[:, 3])),
            c[:, 1] + x * (2.0 * c[:, 2] + 3.0 * x * c[:, 3]),
            c[:, 2] + 3.0 * x * c[:, 3],
            c[:, 3],
        ],
        axis=1,
    )
    return s, moved


def _rounding(before: JointPath, after: JointPath, cut: float) -> Array:
    """Coefficients (1, 4, nq) of the cubic from `cut` before the vertex to `cut` after it."""
    qa, da, _ = before.at(before.length - cut)
    qb, db, _ = after.at(cut)
    return hermite_path(np.array([0.0, 2.0 * cut]), np.stack([qa, qb]), np.stack([da, db]), ()).coefficients


def _cuts(
    model: Model, frame: str, polygon: Polygon, paths: list[JointPath], corner: float, corner_angle: float
) -> tuple[Array, Array]:
    """How much of the legs each inner vertex's rounding takes, and how far from the vertex the tool then is [m]."""
    inner = np.arange(1, len(paths))
    alone = polygon.away[inner] == 0.0  # a vertex that is a waypoint itself may use all of the distance
    near = np.where(alone, 1.0, ROUNDED) * corner
    turn = np.where(alone, 1.0, ROUNDED) * corner_angle
    cut = np.array([MOST * min(paths[i - 1].length, paths[i].length) for i in inner])
    at_vertex = fk(model, np.array([paths[i].at(0.0)[0] for i in inner]), frame)
    axis = np.asarray(model.tool_axis)
    middle = len(PLACES) // 2
    away = np.zeros(len(inner))
    for _ in range(ROUNDS):
        q = np.array([_on_rounding(paths[i - 1], paths[i], cut[k]) for k, i in enumerate(inner)])
        X = fk(model, q, frame)
        away = np.linalg.norm(X[:, middle, :3, 3] - at_vertex[:, :3, 3], axis=1)
        bent = np.linalg.norm((X[:, middle, :3, :3] - at_vertex[:, :3, :3]) @ axis, axis=1)
        off = np.array([_off_legs(X[k, :, :3, 3], polygon.vertices[i - 1 : i + 2, 9:]) for k, i in enumerate(inner)])
        over = np.maximum(np.maximum(away, off) / near, bent / turn if corner_angle > 0 else 0.0)
        beyond = np.array(
            [_beyond(model, _rounding(paths[i - 1], paths[i], cut[k]), cut[k]) for k, i in enumerate(inner)]
        )
        over = np.where(beyond > 1e-10, np.maximum(over, 2.0), over)
        if (over <= 1.0).all():
            break
        cut = np.where(over > 1.0, cut * np.maximum(0.8 / over, 0.05), cut)
    out, reached = np.zeros(len(paths) + 1), np.zeros(len(paths) + 1)
    settled = over <= 1.0  # what no rounding fits stays a corner, where the motion stops
    out[inner], reached[inner] = np.where(settled, cut, 0.0), np.where(settled, away, 0.0)
    return out, reached


def _on_rounding(before: JointPath, after: JointPath, cut: float) -> Array:
    """Configurations (places, nq) along a rounding."""
    piece = JointPath(np.array([0.0, 2.0 * cut]), _rounding(before, after, cut), ())
    return piece.at(2.0 * cut * PLACES)[0]


def _beyond(model: Model, coefficients: Array, cut: float) -> float:
    """How far a rounding's cubic leaves the position limits at most, at its ends and wherever a joint turns round."""
    c = coefficients[0]
    with np.errstate(divide="ignore", invalid="ignore"):
        root = np.sqrt(c[2] ** 2 - 3.0 * c[1] * c[3])
        turns = np.stack([(-c[2] + root) / (3.0 * c[3]), (-c[2] - root) / (3.0 * c[3]), -0.5 * c[1] / c[2]])
    s = np.clip(np.nan_to_num(np.vstack([turns, np.zeros_like(c[:1]), np.full_like(c[:1], 2.0 * cut)])), 0.0, 2.0 * cut)
    q = c[0] + s * (c[1] + s * (c[2] + s * c[3]))
    return float(np.maximum(q - model.q_max, model.q_min - q).max())


def _off_legs(p: Array, corners: Array) -> float:
    """The largest distance of points (n, 3) from the two legs between three corners (3, 3)."""
    nearest = np.full(len(p), np.inf)
    for a, b in itertools.pairwise(corners):
        leg = b - a
        share = np.clip((p - a) @ leg / max(float(leg @ leg), 1e-300), 0.0, 1.0)
        nearest = np.minimum(nearest, np.linalg.norm(p - a - share[:, None] * leg, axis=1))
    return float(nearest.max())
