"""Collision-free paths from one configuration to another in a scene."""

from __future__ import annotations

import dataclasses
from typing import NamedTuple, Unpack

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.work_clock import work_seconds
from carpal.contact import CollisionChecker, ContactTables
from carpal.errors import InputError
from carpal.model import Model, Scene, real_array
from carpal.planning.payload.payload_scene import PayloadScene
from carpal.planning.planners.failures import plan_sentence
from carpal.planning.planners.kernels import run
from carpal.planning.planners.plan_options import PlanKeywords, PlanOptions, merged_options
from carpal.planning.planners.plan_result import PlanResult
from carpal.planning.planners.planned_scene import PlannedScene, planned_scene
from carpal.planning.planners.planned_ties import bent_path, check_held, held_columns, planned_ties, satisfied_end
from carpal.planning.planners.restarts import search_with_restarts
from carpal.planning.planners.search_run import run_search
from carpal.planning.planners.search_settings import SearchSettings
from carpal.spatial import Array

HALVINGS = 5  # of the resolution, where a proof finds a collision between two checks


def plan(
    scene: Scene | Model | CollisionChecker | PayloadScene,
    start: ArrayLike,
    goal: ArrayLike,
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
        start, goal: (nq) of the joints that move [rad, m]. They satisfy couplings and loops, and so does every configuration of
            the path; joints of loops are held still.
        options: a `PlanOptions`; the defaults where None.
        seed: of the random numbers.
        angle, spread: of the payload at the start, and its uncertainty [rad].
        keywords: fields of `PlanOptions` (planner, joints, held, exclude, margin, resolution, max_samples, forward, simplify,
            neighbourhood, gain, proof, sheets, payload); they override those of `options`.

    Returns:
        A `PlanResult`; `print` it for a one-sentence summary.

    Example:
        >>> result = carpal.plan(scene, q_start, q_goal, planner="sbl")
        >>> motion = result.trajectory(vdot_max=5.0)
    """
    chosen = merged_options(options, keywords)
    ready = planned_scene(scene, chosen, "plan")
    ends = [_configuration(ready.model, name, q)[None] for name, q in (("start", start), ("goal", goal))]
    queries = Queries(ends[0], ends[1], _seeds(seed, 1), _grasps(angle, spread, 1))
    return _plan_all(ready, chosen, queries, "cpu", None)[0]


def plan_each(
    scene: Scene | Model | CollisionChecker | PayloadScene,
    starts: ArrayLike,
    goals: ArrayLike,
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
        starts, goals: (n, nq), or (nq) for all.
        seed: one number or (n).
        angle, spread: of a payload at the starts, one number or (n) [rad].
        device: "cpu" or "cuda".
        threads: CPU threads; all cores by default. The result does not depend on it.
    """
    chosen = merged_options(options, keywords)
    ready = planned_scene(scene, chosen, "plan_each")
    nq = ready.model.nq
    given = [real_array(q, name) for name, q in (("starts", starts), ("goals", goals))]
    try:
        a, b = np.broadcast_arrays(*(q.reshape(-1, nq) for q in given))
    except ValueError:
        shapes = " and ".join(str(q.shape) for q in given)
        raise InputError(f"starts and goals must be (n, {nq}), or ({nq}) for all; got {shapes}.") from None
    seeds = _seeds(seed, len(a))
    a = np.array([_configuration(ready.model, f"start {i}", q) for i, q in enumerate(a)]).reshape(-1, nq)
    b = np.array([_configuration(ready.model, f"goal {i}", q) for i, q in enumerate(b)]).reshape(-1, nq)
    queries = Queries(a, b, seeds, _grasps(angle, spread, len(a)))
    return _plan_all(ready, chosen, queries, device, threads)


class Queries(NamedTuple):
    """Starts and goals (n, nq), seeds (n), and a payload's angle and uncertainty at the start (n, 2) [rad]."""

    starts: Array
    goals: Array
    seeds: Array
    grasps: Array

    def take(self, rows: list[int]) -> Queries:
        """Some of them."""
        return Queries(*(column[rows] for column in self))


def _plan_all(
    scene: PlannedScene, options: PlanOptions, queries: Queries, device: str, threads: int | None
) -> list[PlanResult]:
    """One result per query; with `proof` only edges that a sweep found free."""
    settings = options.settings(with_payload=scene.carried is not None)
    results = _search(scene, settings, queries, device, threads)
    if not options.proof or scene.carried is not None:  # with a payload the search itself proves its edges
        return results
    pending = _proven(results, range(len(results)), results, scene.margin)
    for _ in range(HALVINGS):
        if not pending:
            break
        settings = dataclasses.replace(settings, resolution=0.5 * settings.resolution)
        again = _search(scene, settings, queries.take(pending), device, threads)
        before = [results[i].seconds for i in pending]
        again = [dataclasses.replace(r, seconds=r.seconds + s) for r, s in zip(again, before, strict=True)]
        pending = _proven(results, pending, again, scene.margin)
    for i in pending:
        result = results[i]
        results[i] = dataclasses.replace(
            result, ok=False, path=result.path[:0],
            status=(
                f"a path was found, but at a resolution of {result.resolution:.2g} it still collides between two checks: "
                "a margin of some millimetres would help."
            ),
        )  # fmt: skip
    return results


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


def _search(
    scene: PlannedScene, settings: SearchSettings, queries: Queries, device: str, threads: int | None
) -> list[PlanResult]:
    starts, goals, seeds, grasps = queries
    check_held(scene.model, starts, goals)
    goals = np.array(goals)
    goals[:, held_columns(scene.model)] = starts[:, held_columns(scene.model)]
    bent = scene.carried is None and planned_ties(scene.model, np.zeros(len(held_columns(scene.model)))).bent
    clock = work_seconds()
    numbers = np.concatenate([seeds.astype(np.float64)[:, None], grasps], axis=1)
    where = scene.tables, settings, scene.margin, starts, goals, numbers
    if scene.carried is None:
        paths, reports, blame, _ = run_search(*where, device=device, threads=threads)
    else:
        paths, reports, blame = search_with_restarts(*where, scene.carried, device=device, threads=threads)
    seconds = work_seconds() - clock
    results = []
    for i, seed in enumerate(seeds.tolist()):
        payload = None if scene.carried is None else scene.carried.payload.name
        result = make_result(
            scene.tables, settings, settings.planner, scene.margin, seed, paths[i], reports[i], blame[i],
            (starts[i], goals[i]), seconds, payload,
        )  # fmt: skip
        if bent and result.ok:
            result = dataclasses.replace(result, path=bent_path(scene.model, result.path, settings.resolution))
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
    )


def _configuration(model: Model, name: str, given: ArrayLike) -> Array:
    q = real_array(given, name)
    if q.shape != (model.nq,):
        raise InputError(
            f"the {name} needs {model.nq} numbers ({', '.join(model.joint_names[:12])}); got shape {q.shape}."
        )
    if not np.isfinite(q).all():
        j = int(np.argmin(np.isfinite(q)))
        raise InputError(f"the {name} is not finite: joint '{model.joint_names[j]}' is {q[j]}.")
    beyond = np.maximum(q - model.q_max, model.q_min - q)
    if (beyond > 0).any():
        j = int(np.argmax(beyond))
        raise InputError(
            f"the {name} is out of limits: joint '{model.joint_names[j]}' at {q[j]:.6g} is outside "
            f"[{model.q_min[j]:.6g}, {model.q_max[j]:.6g}]; move it inside."
        )
    return satisfied_end(model, name, np.asarray(q, np.float64))


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
