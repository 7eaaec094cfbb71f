"""Plans on the exact shapes to one of many configurations: goal by goal in turns, the nearest first."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator, Sequence

import numpy as np

from carpal.contact import collides
from carpal.planning.planners.exact_plans import FIRST, Queries, exact_plans
from carpal.planning.planners.failures import ends_sentence
from carpal.planning.planners.goal_set import GoalSet
from carpal.planning.planners.plan_options import MOST_SAMPLES, PlanOptions
from carpal.planning.planners.plan_result import PlanResult
from carpal.planning.planners.planned_scene import PlannedScene
from carpal.planning.planners.restarts import attempt_sizes
from carpal.planning.planners.search_budget import SearchBudget
from carpal.spatial import Array

ROUNDS = 12
"""Rounds of configurations without a free one after which a goal counts as unreachable."""


def set_plans(
    scene: PlannedScene,
    options: PlanOptions,
    queries: Queries,
    goals: Sequence[GoalSet],
    *,
    device: str = "cpu",
    threads: int | None = None,
) -> list[PlanResult]:
    """One result per query; goals of one configuration each are searched together."""
    if all(goal.single is not None for goal in goals):
        return exact_plans(scene, options, queries, device=device, threads=threads)
    return [set_plan(scene, options, queries.take([i]), goal, device=device) for i, goal in enumerate(goals)]


def set_plan(
    scene: PlannedScene,
    options: PlanOptions,
    query: Queries,
    goals: GoalSet,
    *,
    device: str = "cpu",
    budget: SearchBudget | None = None,
    first: int = FIRST,
) -> PlanResult:
    """A plan of one query to any configuration of a set."""
    if goals.single is not None:
        return exact_plans(scene, options, query, device=device, threads=1, budget=budget, first=first)[0]
    if budget is None:
        limited = options.time_limit is not None or options.max_samples is not None
        most = MOST_SAMPLES if scene.carried is not None and not limited else options.max_samples
        budget = SearchBudget.of(options.time_limit, most)
    configurations = _Configurations(scene, query.starts[0], int(query.seeds[0]), goals)
    result: PlanResult | None = None
    samples = checks = 0
    for size, goal in zip(attempt_sizes(first), configurations, strict=False):
        most = min(size, budget.left(samples))
        if result is not None and (most == 0 or budget.out_of_time()):
            break
        part = SearchBudget(budget.seconds, max(most, 1), budget.begun)
        result = exact_plans(
            scene, options, query._replace(goals=goal[None]), device=device, threads=1, budget=part, first=max(most, 1)
        )[0]
        samples, checks = samples + result.samples, checks + result.checks
        if result.ok or (result.ended_by == "ends" and bool(_touches(scene, query.starts)[0])):
            break
    if result is None:
        return configurations.failure(options, budget.spent)
    return dataclasses.replace(
        result, samples=samples, checks=checks, seconds=budget.spent,
        goal_index=goals.reached(result.path[-1]) if result.ok else 0,
    )  # fmt: skip


def no_goal(scene: PlannedScene, options: PlanOptions, why: str, seed: int, seconds: float) -> PlanResult:
    """The result where no configuration reaches the goal."""
    return _nothing(
        scene, options, f"no configuration of the joints that move reaches the goal: {why}", seed, seconds, "goal"
    )


class _Configurations:
    """The free configurations of a set, round after round; ends after some rounds without any."""

    def __init__(self, scene: PlannedScene, start: Array, seed: int, goals: GoalSet) -> None:
        self.scene, self.start, self.seed, self.goals = scene, start, seed, goals
        self.why, self.blocked = "", np.zeros((0, len(start)))

    def __iter__(self) -> Iterator[Array]:
        empty = 0
        for turn in itertools.count():
            q, why = self.goals.roots(self.start, self.seed, 0 if self.goals.fixed else turn)
            self.why = self.why or why
            touches = _touches(self.scene, q)
            self.blocked = q[touches] if touches.any() else self.blocked
            yield from q[~touches]
            empty = 0 if len(q) > touches.sum() else empty + 1
            if empty == (1 if self.goals.fixed else ROUNDS):
                return

    def failure(self, options: PlanOptions, seconds: float) -> PlanResult:
        """Why there is no configuration to plan to."""
        if not len(self.blocked):
            return no_goal(self.scene, options, self.why, self.seed, seconds)
        nearest = ends_sentence(self.scene.tables, "goal", self.blocked[0], self.scene.margin, 0.0)
        status = f"all configurations of the goal that were found touch; of the nearest: {nearest}"
        return _nothing(self.scene, options, status, self.seed, seconds, "ends")


def _touches(scene: PlannedScene, q: Array) -> np.ndarray:
    """(n) bool; with a payload the search itself checks its ends."""
    if scene.carried is not None or not len(q):
        return np.zeros(len(q), bool)
    return np.asarray(collides(scene.tables, q, margin=scene.margin).hit)


def _nothing(
    scene: PlannedScene, options: PlanOptions, status: str, seed: int, seconds: float, ended_by: str
) -> PlanResult:
    return PlanResult(
        ok=False, status=status, path=np.zeros((0, scene.model.nq)), planner=options.planner or "portfolio", seed=seed,
        samples=0, checks=0, tree_sizes=(0, 0), cost_found=0.0, cost=0.0, deleted=0, deletions_left=0,
        resolution=options.resolution, margin=scene.margin, proven=False, seconds=seconds, tables=scene.tables,
        carried=scene.carried, ended_by=ended_by,
    )  # fmt: skip
