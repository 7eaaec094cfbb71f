"""Starts and goals as they are given to `plan` and `plan_each`, checked."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import InputError
from carpal.model import Model, real_array
from carpal.planning.planners.goal_set import GoalSet
from carpal.planning.planners.planned_ties import satisfied_end
from carpal.planning.planners.pose_goal import PoseGoal
from carpal.planning.trajectories.waypoint_checks import inside_limits
from carpal.spatial import Array


def configuration(model: Model, name: str, given: ArrayLike) -> Array:
    """(nq) finite, inside the limits, with its dependent joints in place."""
    q = real_array(given, name)
    if q.shape != (model.nq,):
        raise InputError(
            f"the {name} needs {model.nq} numbers ({', '.join(model.joint_names[:12])}); got shape {q.shape}."
        )
    if not np.isfinite(q).all():
        j = int(np.argmin(np.isfinite(q)))
        raise InputError(f"the {name} is not finite: joint '{model.joint_names[j]}' is {q[j]}.")
    q = inside_limits(model, q, f"the {name}")
    return satisfied_end(model, name, np.asarray(q, np.float64))


def goal_set(model: Model, name: str, given: Any) -> GoalSet:
    """One goal in any of its forms."""
    if isinstance(given, PoseGoal):
        return GoalSet(model, [given])
    if isinstance(given, list | tuple) and any(isinstance(part, PoseGoal) for part in given):
        entries = [goal_set(model, f"{name}'s entry {i}", part).entries for i, part in enumerate(given)]
        return GoalSet(model, [entry for part in entries for entry in part])
    rows = real_array(given, f"the {name}")
    if rows.ndim == 2 and rows.shape[1] == model.nq and len(rows):
        return GoalSet(model, [configuration(model, f"{name}, row {i}", q) for i, q in enumerate(rows)])
    return GoalSet(model, [configuration(model, name, rows)])


def each_goal(model: Model, given: Any) -> list[GoalSet]:
    """One goal for every plan; a list of length one where all have the same."""
    if isinstance(given, PoseGoal):
        return [goal_set(model, "goal", given)]
    nested = isinstance(given, list | tuple) and any(
        isinstance(p, PoseGoal | list | tuple) or np.ndim(p) == 2 for p in given
    )
    rows = given if nested else real_array(given, "goals")
    if not nested and (rows.ndim not in (1, 2) or rows.shape[-1] != model.nq):
        raise InputError(f"goals must be (n, {model.nq}), or ({model.nq}) for all; got {rows.shape}.")
    if not nested:
        rows = rows.reshape(-1, model.nq)
    return [goal_set(model, f"goal {i}", part) for i, part in enumerate(rows)]


def singles(goals: list[GoalSet], starts: Array) -> Array:
    """(n, nq) goals that are one configuration; the start elsewhere, which then counts as nothing."""
    return np.array([a if goal.single is None else goal.single for goal, a in zip(goals, starts, strict=True)]).reshape(
        starts.shape
    )
