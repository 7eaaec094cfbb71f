"""Paths that couplings and loops hold at every point, as the kernels checked them."""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np

from carpal.contact import collides
from carpal.kinematics import satisfy_constraints
from carpal.model import Model
from carpal.planning.planners.kernels.search_state import CLOSED, CLOSING_STEPS
from carpal.planning.planners.plan_result import PlanResult
from carpal.planning.planners.planned_ties import planned_ties
from carpal.spatial import Array


def kept_ties(result: PlanResult) -> PlanResult:
    """A path that was found, with so many points that couplings and loops hold all along; where loops close, checked once more.

    Points are those that the kernels checked. A path is not ok where a point collides, a loop is open by more than 1e-9 or a
    joint moves more than the resolution between two points.
    """
    model = result.model
    if not model.is_constrained or len(result.path) < 2:
        return result
    ties = planned_ties(model)
    if not ties.bent:
        return result
    path, residual = bent_path(model, result.path, result.resolution / ties.steepest)
    if model.loops:
        farthest = float(np.abs(np.diff(path, axis=0)).max())
        wrong = None
        if residual > CLOSED:
            wrong = f"a loop is open by {residual:.2g} on its way"
        elif farthest > result.resolution * (1 + 1e-9):
            wrong = f"a joint moves {farthest:.2g} between two points of it"
        elif collides(result.tables, path, margin=result.margin):
            wrong = "it collides where its loops are closed"
        if wrong is not None:
            status = f"a path was found by {result.planner}, but {wrong}: another seed or a finer resolution may help."
            return dataclasses.replace(result, ok=False, path=path[:0], status=status)
    return dataclasses.replace(result, path=path)


def bent_path(model: Model, path: Array, resolution: float) -> tuple[Array, float]:
    """A path (n, nq) with points at most a resolution apart before couplings and loops are satisfied; the largest residual."""
    points = [path[:1]]
    for a, b in itertools.pairwise(path):
        parts = max(1, int(np.ceil(np.abs(b - a).max() / resolution)))
        s = np.arange(1, parts + 1)[:, None] / parts
        points.append(a + s * (b - a))
    dense = np.concatenate(points)
    closed = satisfy_constraints(model, dense, steps=CLOSING_STEPS)
    out = closed.q
    out[0], out[-1] = path[0], path[-1]
    return out, float(np.max(closed.residual))
