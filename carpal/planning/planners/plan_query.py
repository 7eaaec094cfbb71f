"""Collision-free paths from one configuration to another in a scene."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.batch import DEVICES
from carpal.contact import CollisionChecker
from carpal.errors import InputError, unknown_name
from carpal.model import Model, Scene, real_array
from carpal.planning.payload.payload_scene import PayloadScene
from carpal.planning.planners.constrained_plans import constrained_plans
from carpal.planning.planners.exact_plans import Queries
from carpal.planning.planners.goal_set import GoalSet
from carpal.planning.planners.plan_ends import configuration, each_goal, goal_set, singles
from carpal.planning.planners.plan_options import SPHERES, PlanKeywords, PlanOptions, merged_options
from carpal.planning.planners.plan_result import PlanResult
from carpal.planning.planners.planned_scene import PlannedScene, planned_scene
from carpal.planning.planners.portfolio import portfolio_plans
from carpal.planning.planners.pose_goal import PoseGoal
from carpal.planning.planners.set_plans import set_plans
from carpal.spatial import Array


def plan(
    scene: Scene | Model | CollisionChecker | PayloadScene,
    start: ArrayLike,
    goal: ArrayLike | PoseGoal | Sequence[ArrayLike | PoseGoal],
    *,
    options: PlanOptions | None = None,
    seed: int = 0,
    angle: float = 0.0,
    spread: float = 0.02,
    **keywords: Unpack[PlanKeywords],
) -> PlanResult:
    """Find a collision-free path; the same seed gives the same path, bit for bit.

    Args:
        scene: a scene or model; or a collision checker or `prepare_payload` scene, which is prepared once for many plans.
        start: (nq) of the joints that move [rad, m]; up to 1e-6 outside a limit it is clamped.
        goal: the same; or configurations (n, nq), a `PoseGoal`, or a list of such: the path ends at any of them
            (`result.goal_index`). The path of a continuous joint ends at the goal or whole turns from it. Start and goal satisfy
            couplings and loops, and so does every configuration of the path; with a payload the joints of loops are held still.
        options: a `PlanOptions`; the defaults where None.
        seed: of the random numbers.
        angle, spread: of the payload at the start, and its uncertainty [rad].
        keywords: fields of `PlanOptions` (planner, joints, held, exclude, margin, resolution, time_limit, max_samples, forward,
            simplify, neighbourhood, gain, proof, sheets, constraints, payload); they override those of `options`.

    Returns:
        A `PlanResult`; `print` it for a one-sentence summary.

    Example:
        >>> result = carpal.plan(scene, q_start, q_goal, planner="sbl")
        >>> motion = result.trajectory(vdot_max=5.0)
    """
    chosen = merged_options(options, keywords)
    ready = planned_scene(scene, chosen, "plan")
    a = configuration(ready.model, "start", start)
    ends = goal_set(ready.model, "goal", goal)
    queries = Queries(a[None], singles([ends], a[None]), _seeds(seed, 1), _grasps(angle, spread, 1))
    return _plan_all(ready, chosen, queries, [ends], "cpu", None)[0]


def plan_each(
    scene: Scene | Model | CollisionChecker | PayloadScene,
    starts: ArrayLike,
    goals: ArrayLike | PoseGoal | Sequence[Any],
    *,
    options: PlanOptions | None = None,
    seed: ArrayLike = 0,
    angle: ArrayLike = 0.0,
    spread: ArrayLike = 0.02,
    device: str = "cpu",
    threads: int | None = None,
    **keywords: Unpack[PlanKeywords],
) -> list[PlanResult]:
    """Plan many paths in one scene, in parallel; each is bit for bit the one that `plan` finds alone.

    Args:
        scene, options, keywords: as in `plan`.
        starts, goals: (n, nq), or (nq) for all. goals may also be a `PoseGoal` for all, or a list with one entry for each plan,
            at least one of them a `PoseGoal`, several configurations or a list, as `plan` takes them.
        seed: one number or (n).
        angle, spread: of a payload at the starts, one number or (n) [rad].
        device: "cpu" or "cuda".
        threads: CPU threads; all cores by default. The result does not depend on it.
    """
    chosen = merged_options(options, keywords)
    ready = planned_scene(scene, chosen, "plan_each")
    given = real_array(starts, "starts")
    ends = each_goal(ready.model, goals)
    nq, rows = ready.model.nq, 1 if given.ndim < 2 else len(given)
    if given.shape[-1:] != (nq,) or given.ndim > 2 or (len(ends) != rows and 1 not in (len(ends), rows)):
        raise InputError(
            f"starts and goals must be (n, {nq}), or ({nq}) for all; got starts {given.shape} and {len(ends)} goals."
        )
    count = rows if len(ends) == 1 else len(ends)
    a = np.broadcast_to(given, (count, nq))
    a = np.array([configuration(ready.model, f"start {i}", q) for i, q in enumerate(a)]).reshape(-1, nq)
    ends = ends * count if len(ends) == 1 else ends
    queries = Queries(a, singles(ends, a), _seeds(seed, count), _grasps(angle, spread, count))
    return _plan_all(ready, chosen, queries, ends, device, threads)


def _plan_all(
    scene: PlannedScene, options: PlanOptions, queries: Queries, goals: list[GoalSet], device: str, threads: int | None
) -> list[PlanResult]:
    """One result per query."""
    if device not in DEVICES:
        raise unknown_name("device", device, DEVICES)
    if options.constraints:
        if device != "cpu":
            raise InputError("constraints= works on device='cpu'.")
        return constrained_plans(scene, options, queries, goals)
    if options.on_spheres and scene.carried is None and device == "cpu":
        return portfolio_plans(scene, options, queries, goals, threads)
    if options.planner in SPHERES:
        raise InputError(
            f"planner '{options.planner}' works on device='cpu', without payload and without forward=True."
        )
    return set_plans(scene, options, queries, goals, device=device, threads=threads)


def _seeds(seed: ArrayLike, count: int) -> Array:
    """(count) whole numbers."""
    seeds = np.asarray(seed)
    whole = seeds.dtype.kind in "iu" and seeds.shape in ((), (count,))
    if not whole or not ((seeds >= 0) & (seeds < 2**53)).all():
        raise InputError(f"seed must be a whole number from 0 to 2^53; got {seed!r}.")
    return np.broadcast_to(seeds, (count,))


def _grasps(angle: ArrayLike, spread: ArrayLike, count: int) -> Array:
    """(count, 2) angles and uncertainties [rad], or one clear sentence."""
    columns = []
    for name, values in (("the payload's angle", angle), ("its spread", spread)):
        column = real_array(values, name)
        if column.shape not in ((), (count,)) or not np.isfinite(column).all():
            raise InputError(f"{name} must be finite [rad], one number or {count}; got {values!r:.60}.")
        columns.append(np.broadcast_to(column, (count,)))
    if (columns[1] < 0).any():
        raise InputError(f"its spread must be zero or above [rad]; got {float(columns[1].min()):g}.")
    return np.stack(columns, axis=1)
