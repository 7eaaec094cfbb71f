"""Plans on the exact shapes: searches with restarts, and the proof that nothing is met between two checks."""

from __future__ import annotations

import dataclasses
from typing import NamedTuple

import numpy as np

from carpal._core.work_clock import work_seconds
from carpal.contact import ContactTables
from carpal.planning.planners.failures import plan_sentence
from carpal.planning.planners.kernels import run
from carpal.planning.planners.plan_options import PlanOptions
from carpal.planning.planners.plan_result import PlanResult
from carpal.planning.planners.planned_scene import PlannedScene
from carpal.planning.planners.planned_ties import check_held, held_columns
from carpal.planning.planners.restarts import FIRST as RESTART
from carpal.planning.planners.restarts import search_with_restarts
from carpal.planning.planners.search_budget import SearchBudget
from carpal.planning.planners.search_settings import SearchSettings
from carpal.planning.planners.tied_paths import kept_ties
from carpal.planning.planners.turning_joints import nearest_turns
from carpal.spatial import Array

FIRST = 5000  # samples of the first two attempts; later ones have twice as many, two and two
HALVINGS = 5  # of the resolution, where a proof finds a collision between two checks
WIDER = 0.001  # [m] further away in a search after such a proof


class Queries(NamedTuple):
    """Starts and goals (n, nq), seeds (n), and a payload's angle and uncertainty at the start (n, 2) [rad]."""

    starts: Array
    goals: Array
    seeds: Array
    grasps: Array

    def take(self, rows: list[int]) -> Queries:
        """Some of them."""
        return Queries(*(column[rows] for column in self))


def exact_plans(
    scene: PlannedScene,
    options: PlanOptions,
    queries: Queries,
    *,
    device: str = "cpu",
    threads: int | None = None,
    budget: SearchBudget | None = None,
    first: int = FIRST,
) -> list[PlanResult]:
    """One result per query; with `proof` only edges that a sweep found free.

    budget: of all queries together; by default of the options. first: samples of the first two attempts.
    """
    settings = options.settings(with_payload=scene.carried is not None)
    if budget is None:
        limited = options.time_limit is not None or options.max_samples is not None
        most = settings.max_samples if scene.carried is not None and not limited else options.max_samples
        budget = SearchBudget.of(options.time_limit, most)
        first = max(first, options.max_samples or 0)  # a number of samples is one search
    where = _Run(device, threads, budget, RESTART if scene.carried is not None else first)
    results = _search(scene, settings, queries, where)
    if not options.proof or scene.carried is not None:  # with a payload the search itself proves its edges
        return results
    pending = _proven(results, range(len(results)), results, scene.margin)
    for _ in range(HALVINGS):
        if not pending:
            break
        settings = dataclasses.replace(settings, resolution=0.5 * settings.resolution)
        again = _search_wider(scene, settings, queries.take(pending), where)
        before = [results[i].seconds for i in pending]
        again = [dataclasses.replace(r, seconds=r.seconds + s) for r, s in zip(again, before, strict=True)]
        pending = _proven(results, pending, again, scene.margin)
    for i in pending:
        result = results[i]
        results[i] = dataclasses.replace(
            result, ok=False, path=result.path[:0], ended_by="proof",
            status=(
                f"a path was found, but at a resolution of {result.resolution:.2g} it still collides between two checks: "
                "a margin of some millimetres would help."
            ),
        )  # fmt: skip
    return results


def _search_wider(scene: PlannedScene, settings: SearchSettings, queries: Queries, where: _Run) -> list[PlanResult]:
    """The searches a little further away from everything, or as near as asked where an end is nearer than that."""
    results = _search(scene._replace(margin=scene.margin + WIDER), settings, queries, where)
    rows = [i for i, result in enumerate(results) if not result.ok]
    for i, result in zip(rows, _search(scene, settings, queries.take(rows), where) if rows else [], strict=True):
        results[i] = result
    return [dataclasses.replace(result, margin=scene.margin) for result in results]


class _Run(NamedTuple):
    """Where searches run, until when, and how long their first attempts are."""

    device: str
    threads: int | None
    budget: SearchBudget
    first: int


def _proven(results: list[PlanResult], rows: range | list[int], found: list[PlanResult], margin: float) -> list[int]:
    """Put `found` into the rows of `results`, marked as proven where a sweep finds it free; returns the rows that collide."""
    colliding = []
    for i, result in zip(rows, found, strict=True):
        results[i] = result
        if not result.ok:
            continue
        if len(result.path) < 2 or result.sweep(tolerance=max(1e-4, margin)).ok.all():
            status = result.status.rstrip(".") + "; every edge was swept without gaps."
            results[i] = dataclasses.replace(result, proven=True, status=status)
        else:
            colliding.append(i)
    return colliding


def _search(scene: PlannedScene, settings: SearchSettings, queries: Queries, where: _Run) -> list[PlanResult]:
    starts, goals, seeds, grasps = queries
    goals = nearest_turns(scene.model, starts, goals)
    if scene.carried is not None:
        check_held(scene.model, starts, goals)
        goals[:, held_columns(scene.model)] = starts[:, held_columns(scene.model)]
    clock = work_seconds()
    numbers = np.concatenate([seeds.astype(np.float64)[:, None], grasps], axis=1)
    paths, reports, blame = search_with_restarts(
        scene.tables, settings, scene.margin, starts, goals, numbers, where.budget,
        first=where.first, carried=scene.carried, device=where.device, threads=where.threads,
    )  # fmt: skip
    seconds = work_seconds() - clock
    results = []
    for i, seed in enumerate(seeds.tolist()):
        payload = None if scene.carried is None else scene.carried.payload.name
        result = make_result(
            scene.tables, settings, settings.planner, scene.margin, seed, paths[i], reports[i], blame[i],
            (starts[i], goals[i]), seconds, payload,
        )  # fmt: skip
        if result.ended_by == "samples" and where.budget.out_of_time():
            result = dataclasses.replace(result, ended_by="time")
        if result.ok and scene.carried is None:
            result = kept_ties(result)
        if scene.carried is not None:
            path = result.path
            if (
                result.ok
            ):  # a tree that follows the guiding one may pass a place where it was before: an edge of length zero
                path = path[np.append(True, (np.abs(np.diff(path, axis=0)) > 1e-12).any(axis=1))]
            grasp = float(grasps[i, 0]), float(grasps[i, 1])
            result = dataclasses.replace(result, path=path, carried=scene.carried, grasp=grasp, proven=result.ok)
        results.append(result)
    return results


def make_result(
    tables: ContactTables,
    settings: SearchSettings,
    planner: str,
    margin: float,
    seed: int,
    path: Array,
    report: Array,
    blame: Array,
    ends: tuple[Array, Array],
    seconds: float,
    payload: str | None = None,
) -> PlanResult:
    """A report of the kernels as a result."""
    ok = int(report[run.OUTCOME]) == run.FOUND
    return PlanResult(
        ok=ok,
        status=plan_sentence(tables, planner, report, blame, ends, margin, payload),
        path=path[: int(report[run.PATH])].copy() if ok else np.zeros((0, path.shape[1])),
        planner=planner,
        seed=seed,
        samples=int(report[run.SAMPLE_COUNT]),
        checks=int(report[run.CHECK_COUNT]),
        tree_sizes=(int(report[run.START_NODES]), int(report[run.GOAL_NODES])),
        cost_found=float(report[run.COST_BEFORE]),
        cost=float(report[run.COST_AFTER]),
        deleted=int(report[run.DELETED]),
        deletions_left=int(report[run.DELETIONS_LEFT]),
        resolution=settings.resolution,
        margin=margin,
        proven=False,
        seconds=seconds,
        tables=tables,
        ended_by=_ENDED.get(int(report[run.OUTCOME]), "ends"),
    )


_ENDED = {run.FOUND: "path", run.EXHAUSTED: "samples", run.FULL: "samples", run.TOO_LONG: "samples"}
