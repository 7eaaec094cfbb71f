"""The default planner: RRT-Connect on covering spheres, and SBL on the exact shapes where these are too coarse, by turns."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Sequence

import numpy as np

from carpal._core.cpu_pool import cpu_threads, map_on_threads
from carpal.contact import collides
from carpal.planning.planners.better_path import improved
from carpal.planning.planners.disconnection import shown_apart
from carpal.planning.planners.exact_plans import Queries
from carpal.planning.planners.failures import apart_sentence, ends_sentence, search_sentence
from carpal.planning.planners.goal_set import GoalSet, Roots
from carpal.planning.planners.kernels import lane_run
from carpal.planning.planners.lane_planner import FIRST, LaneAttempt, LanePlanner, lane_planner
from carpal.planning.planners.plan_options import PlanOptions
from carpal.planning.planners.plan_result import PlanResult
from carpal.planning.planners.planned_scene import PlannedScene
from carpal.planning.planners.restarts import attempt_sizes, seed_of
from carpal.planning.planners.search_budget import SearchBudget
from carpal.planning.planners.set_plans import ROUNDS, no_goal, set_plan, set_plans
from carpal.planning.planners.tied_paths import kept_ties
from carpal.spatial import Array

TURNS_ALONE = 2, 6
"""Searches on spheres before SBL takes turns with them: where spheres stick out of the shapes, and where they do not."""
SHARE = 4  # an SBL search has this part of the samples, which are dearer


def portfolio_plans(
    scene: PlannedScene, options: PlanOptions, queries: Queries, goals: Sequence[GoalSet], threads: int | None = None
) -> list[PlanResult]:
    """One result per query; each is the same alone, in a batch and on any number of threads."""
    planner = lane_planner(scene.tables, scene.margin)
    if planner is None:  # loops close in the exact searches only
        exact = dataclasses.replace(options, planner="sbl") if options.planner == "spheres" else options
        return set_plans(scene, exact, queries, goals, threads=threads)
    count = len(queries.seeds)
    threads = min(threads or cpu_threads(), count)

    def one(i: int) -> PlanResult:
        return _Query(scene, options, planner, queries.take([i]), goals[i]).result()

    return map_on_threads(one, count, threads)


class _InsideError(Exception):
    """An end is inside a mesh."""


class _Query:
    """One query and what was tried for it."""

    def __init__(
        self, scene: PlannedScene, options: PlanOptions, planner: LanePlanner, queries: Queries, goals: GoalSet
    ) -> None:
        self.scene, self.options, self.planner, self.queries, self.goals = scene, options, planner, queries, goals
        self.budget = SearchBudget.of(options.time_limit, options.max_samples)
        self.start, self.seed = queries.starts[0], int(queries.seeds[0])
        self.roots, self.turn = Roots(np.zeros((0, len(self.start))), ""), 0
        self.samples = self.checks = self.searches = self.exact_samples = 0

    def result(self) -> PlanResult:
        """Searches by turns until one finds a path or the budget ends."""
        last: LaneAttempt | None = None
        for attempt, size in enumerate(attempt_sizes(FIRST)):
            most = min(size, self.budget.left(self.samples + self.exact_samples))
            if most == 0 or (attempt > 0 and self.budget.out_of_time()):
                break
            seed = int(seed_of(self.seed, attempt))
            try:
                last = self._attempt(seed, most)
            except _InsideError:
                return self._exact(1)
            if last is None:
                return no_goal(self.scene, self.options, self.roots.why, self.seed, self.budget.spent)
            if last.outcome == lane_run.FOUND:
                return self._found(last)
            if last.outcome in (lane_run.START_TOUCHES, lane_run.GOAL_TOUCHES):
                return self._end_touches(last)
            if attempt == 0 and self.goals.fixed:
                cells = shown_apart(self.scene, self.planner.lanes, self.start, self.roots.q)
                if cells:
                    return self._made(last, False, apart_sentence(cells, self.samples), "proof that none exists")
            if self.options.planner != "spheres" and attempt + 1 >= TURNS_ALONE[self.planner.lanes.exact]:
                most = min(size // SHARE, self.budget.left(self.samples + self.exact_samples))
                exact = self._exact(most) if most and not self.budget.out_of_time() else None
                if exact is not None:
                    self.exact_samples += exact.samples
                    self.checks += exact.checks
                    if exact.ok:
                        return dataclasses.replace(exact, samples=self.samples + self.exact_samples, checks=self.checks)
        return self._failed(last)

    def _attempt(self, seed: int, most: int) -> LaneAttempt | None:
        """A search towards configurations of the goal; of poses others in each, until one is free. None where there are none."""
        last = None
        for turn in range(self.turn, self.turn + ROUNDS):
            if turn == 0 or not self.goals.fixed:
                self.roots = self.goals.roots(self.start, self.seed, turn)
            self.turn = turn + 1
            if len(self.roots.q) and turn == 0 and not self.planner.lanes.solid:
                self._drop_inside()
            if len(self.roots.q):
                last = self.planner.search(
                    self.start, self.roots.q, seed, most,
                    shorten=self.options.simplify, out_of_time=self.budget.out_of_time,
                )  # fmt: skip
                self.searches += 1
                self.samples, self.checks = self.samples + last.samples, self.checks + last.checks
                if self.goals.fixed or last.outcome != lane_run.GOAL_TOUCHES:
                    return last
            elif self.goals.fixed:
                break
        return last

    def _drop_inside(self) -> None:
        """A mesh counts by its surface in lanes: where an end is inside one, the exact shapes say so."""
        margin, tables = self.scene.margin, self.scene.tables
        free = ~np.asarray(collides(tables, self.roots.q, margin=margin).hit)
        if not free.any() or bool(collides(tables, self.start, margin=margin)):
            raise _InsideError
        self.roots = Roots(self.roots.q[free], "")

    def _exact(self, samples: int | None) -> PlanResult:
        """A search on the exact shapes; None: until the budget ends."""
        budget = self.budget if samples is None else SearchBudget(self.budget.seconds, samples, self.budget.begun)
        options = dataclasses.replace(self.options, planner="portfolio")
        first = FIRST // SHARE if samples is None else samples
        found = set_plan(self.scene, options, self.queries, self.goals, budget=budget, first=first)
        return dataclasses.replace(found, seconds=self.budget.spent)

    def _end_touches(self, last: LaneAttempt) -> PlanResult:
        """The spheres touch at an end: the exact shapes may not."""
        if self.options.planner != "spheres":
            return self._exact(None)
        which, q = ("start", self.start) if last.outcome == lane_run.START_TOUCHES else ("goal", self.roots.q[0])
        status = ends_sentence(self.scene.tables, which, q, self.scene.margin, self.planner.lanes.excess)
        if which == "goal" and len(self.roots.q) > 1:
            status = f"all {len(self.roots.q)} configurations of the goal touch; of the nearest: {status}"
        return self._made(last, False, status, "ends")

    def _found(self, last: LaneAttempt) -> PlanResult:
        self.history = np.array([[self.budget.spent, self.samples, self._cost(last.path)]])
        if self.options.planner == "prm_star":
            better = improved(self.planner, last, self.start, self.roots.q, self.seed, self.budget, self.samples)
            self.samples, self.checks = better.samples, self.checks + better.checks
            self.history = np.concatenate([self.history, better.history])
            last = dataclasses.replace(last, path=better.path)
        edges = len(last.path) - 1
        how = (
            f"by rrt_connect on spheres after {self.samples:,} samples"
            if self.samples
            else "at once, the straight edge is free"
        )
        status = (
            f"a path of {edges} straight edge{'s' if edges != 1 else ''} was found {how} ({self.checks:,} collision checks); "
            "every edge was swept without gaps."
        )
        made = self._made(last, True, status, "path")
        if self.options.planner == "prm_star":
            saved = 1.0 - made.cost / max(self.history[0, 2], 1e-300)
            status = f"{status.rstrip('.')}; prm_star made it {100 * saved:.3g} % cheaper."
        made = dataclasses.replace(
            made, status=status, history=self.history, goal_index=self.goals.reached(made.path[-1])
        )
        return kept_ties(made)

    def _failed(self, last: LaneAttempt | None) -> PlanResult:
        if last is None:
            return no_goal(self.scene, self.options, self.roots.why, self.seed, self.budget.spent)
        over = self.budget.left(self.samples + self.exact_samples) == 0
        status = search_sentence(self.searches, self.samples, self.exact_samples, self.checks, self.budget, over)
        return self._made(last, False, status, "samples" if over else "time")

    def _made(self, last: LaneAttempt, ok: bool, status: str, ended_by: str) -> PlanResult:
        path: Array = last.path
        if ok and len(path) > 1:
            path[0] = self.start  # its own bits; the other end may be whole turns away
        return PlanResult(
            ok=ok, status=status, path=path, planner="spheres", seed=self.seed, samples=self.samples, checks=self.checks,
            tree_sizes=last.sizes, cost_found=last.cost_found, cost=self._cost(path), deleted=0, deletions_left=0,
            resolution=self.options.resolution, margin=self.scene.margin, proven=ok, seconds=self.budget.spent,
            tables=self.scene.tables, ended_by=ended_by,
        )  # fmt: skip

    def _cost(self, path: Array) -> float:
        legs = (self.planner.cost * (b - a) for a, b in itertools.pairwise(path))
        return float(sum(np.linalg.norm(leg) for leg in legs))
