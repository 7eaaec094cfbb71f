"""A way from one configuration to another around everything in a scene."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carpal.contact import CollisionChecker, ContactTables, collision_checker
from carpal.errors import InputError
from carpal.model import Model, Scene, TriangleMesh, real_array
from carpal.planning.planners.failures import plan_sentence
from carpal.planning.planners.kernels import run
from carpal.planning.planners.plan_options import PlanOptions
from carpal.planning.planners.plan_result import PlanResult
from carpal.planning.planners.search_run import run_search
from carpal.planning.trajectories import waypoint_checks
from carpal.spatial import Array

FINER = 5  # how often the resolution is halved where a proof meets something between two looks


def plan(
    scene: Scene | Model | CollisionChecker,
    start: ArrayLike,
    goal: ArrayLike,
    *,
    planner: str = "rrt_connect",
    seed: int = 0,
    joints: Sequence[str] | None = None,
    held: Mapping[str, Any] | None = None,
    exclude: Iterable[object] = (),
    margin: float = 0.0,
    resolution: float = 0.02,
    max_samples: int = 20_000,
    forward: bool = False,
    simplify: bool = True,
    neighbourhood: float | None = None,
    gain: float = 0.01,
    proof: bool = False,
    sheets: bool = False,
) -> PlanResult:
    """Find a way that touches nothing; same seed, same way, bit for bit.

    Args:
        scene: a scene or model; or a collision checker, which is prepared once and asked many times.
        start, goal: (nq) of the joints that move [rad, m].
        planner: "rrt_connect"; "sbl" (lazy, as in thesis 3); or "est".
        seed: of the random numbers.
        joints: the joints that move, by name or by a robot's name; by default all that turn or slide. The rest stays where
            the scene begins.
        held: objects that are carried, as of `collides`.
        exclude: pairs of names that may touch, as of `collides`.
        margin: pairs at most this near [m] count as touching.
        resolution: largest step of any joint between two looks [rad, m].
        max_samples: when to give up.
        forward: grow only the start's tree, in time order ("est" and "rrt_connect").
        simplify: shorten the way (lazy Dijkstra, thesis 3, section 7.7).
        neighbourhood: size of a step, a share of the joints' ranges; by default the planner's own.
        gain: shortening goes on while a round saves more than this share.
        proof: sweep every edge without gaps; where something is met between two looks, plan again at half the resolution.
        sheets: triangle meshes with holes are meant as sheets, such as terrain; else they are refused.

    Returns:
        A `PlanResult`; `print` it for one true sentence.

    Example:
        >>> result = carpal.plan(scene, q_start, q_goal)
        >>> motion = result.trajectory(vdot_max=5.0)
    """
    tables, margin = prepared_scene(scene, joints, held, exclude, margin, sheets)
    options = PlanOptions.of(planner, resolution, max_samples, forward, simplify, neighbourhood, gain)
    ends = tuple(_configuration(tables.model, name, q) for name, q in (("start", start), ("goal", goal)))
    _check_seed(seed)
    spent = 0.0
    for _ in range(FINER + 1):
        result = _solve(tables, options, margin, ends[0][None], ends[1][None], [int(seed)], None)[0]
        spent += result.seconds
        if not proof or not result.ok:
            break
        if len(result.path) < 2 or result.sweep(tolerance=max(1e-4, margin)).ok.all():
            return dataclasses.replace(result, proven=True, seconds=spent, status=_proven(result))
        options = dataclasses.replace(options, resolution=0.5 * options.resolution)
    else:
        return dataclasses.replace(
            result, ok=False, path=np.zeros((0, tables.model.nq)), seconds=spent,
            status=(
                f"a way was found, but at a resolution of {2 * options.resolution:.2g} it still touches something between two "
                "looks: a margin of some millimetres would help."
            ),
        )  # fmt: skip
    return dataclasses.replace(result, seconds=spent)


def plan_each(
    scene: Scene | Model | CollisionChecker,
    starts: ArrayLike,
    goals: ArrayLike,
    *,
    seeds: ArrayLike = 0,
    planner: str = "rrt_connect",
    joints: Sequence[str] | None = None,
    held: Mapping[str, Any] | None = None,
    exclude: Iterable[object] = (),
    margin: float = 0.0,
    resolution: float = 0.02,
    max_samples: int = 20_000,
    forward: bool = False,
    simplify: bool = True,
    neighbourhood: float | None = None,
    gain: float = 0.01,
    sheets: bool = False,
    device: str = "cpu",
    threads: int | None = None,
) -> list[PlanResult]:
    """Many plans in one scene, in parallel; each is bit for bit the one that `plan` gives alone.

    Args:
        starts, goals: (n, nq), or (nq) for all.
        seeds: one number or (n).
        device, threads: "cpu" or "cuda"; CPU threads, all cores by default.
        others: as of `plan`.
    """
    tables, margin = prepared_scene(scene, joints, held, exclude, margin, sheets)
    options = PlanOptions.of(planner, resolution, max_samples, forward, simplify, neighbourhood, gain)
    given = [real_array(q, name) for name, q in (("starts", starts), ("goals", goals))]
    nq = tables.model.nq
    try:
        a, b = np.broadcast_arrays(*(q.reshape(-1, nq) for q in given))
    except ValueError:
        shapes = " and ".join(str(q.shape) for q in given)
        raise InputError(f"starts and goals must be (n, {nq}), or ({nq}) for all; got {shapes}.") from None
    each = np.broadcast_to(np.asarray(seeds), (len(a),))
    for seed in each.tolist():
        _check_seed(seed)
    for i in range(len(a)):
        _configuration(tables.model, f"start {i}", a[i])
        _configuration(tables.model, f"goal {i}", b[i])
    return _solve(tables, options, margin, a, b, [int(seed) for seed in each], threads, device)


def _solve(
    tables: ContactTables,
    options: PlanOptions,
    margin: float,
    starts: Array,
    goals: Array,
    seeds: list[int],
    threads: int | None,
    device: str = "cpu",
) -> list[PlanResult]:
    begun = time.perf_counter()
    numbers = np.array(seeds, np.float64)[:, None]
    paths, reports, blame = run_search(tables, options, margin, starts, goals, numbers, threads=threads, device=device)
    spent = time.perf_counter() - begun
    results = []
    for i, seed in enumerate(seeds):
        outcome = paths[i], reports[i], blame[i]
        results.append(
            make_result(tables, options, options.planner, margin, seed, *outcome, (starts[i], goals[i]), spent)
        )
    return results


def make_result(
    tables: ContactTables,
    options: PlanOptions,
    planner: str,
    margin: float,
    seed: int,
    path: Array,
    report: Array,
    blame: Array,
    ends: tuple[Array, Array],
    seconds: float,
) -> PlanResult:
    """A report of the kernels as a result."""
    ok = int(report[run.OUTCOME]) == run.FOUND
    return PlanResult(
        ok=ok,
        status=plan_sentence(tables, planner, report, blame, ends, margin),
        path=path[: int(report[run.PATH])].copy() if ok else np.zeros((0, tables.model.nq)),
        planner=planner,
        seed=seed,
        samples=int(report[run.TRIED]),
        checks=int(report[run.LOOKS]),
        tree_sizes=(int(report[run.START_NODES]), int(report[run.GOAL_NODES])),
        cost_found=float(report[run.COST_BEFORE]),
        cost=float(report[run.COST_AFTER]),
        deleted=int(report[run.DELETED]),
        deletions_left=int(report[run.LEFT]),
        resolution=options.resolution,
        margin=margin,
        proven=False,
        seconds=seconds,
        tables=tables,
    )


def prepared_scene(
    scene: Scene | Model | CollisionChecker,
    joints: Sequence[str] | None,
    held: Mapping[str, Any] | None,
    exclude: Iterable[object],
    margin: float,
    sheets: bool,
) -> tuple[ContactTables, float]:
    """Tables of a scene whose joints all turn or slide, and the margin."""
    if isinstance(scene, CollisionChecker):
        if joints is not None or held or tuple(exclude) or margin:
            raise InputError(
                "joints, held, exclude and margin belong to collision_checker(); this one is prepared already."
            )
        _check_model(scene.model, sheets)
        return scene.tables, scene.margin
    if not isinstance(scene, Scene | Model):
        raise InputError(f"plan needs a Scene, a Model or a CollisionChecker; got {type(scene).__name__}.")
    model = scene.build() if isinstance(scene, Scene) else scene
    if isinstance(joints, str):
        joints = [joints]
    if joints is None and any(kind in ("ball", "free") for kind, _ in model.joint_slices()):
        kinds = [kind for kind, _ in model.joint_slices()]
        joints = [
            name for name, kind in zip(model.joint_names, kinds, strict=True) if kind in ("revolute", "prismatic")
        ]
    checker = collision_checker(scene, joints=joints, held=held, exclude=exclude, margin=margin)
    _check_model(checker.model, sheets)
    return checker.tables, checker.margin


def _check_model(model: Model, sheets: bool) -> None:
    """Joints that a planner can move, and shapes of which it can tell the inside."""
    waypoint_checks.plain_model(model, "plan")
    for shape in model.shapes:
        holes = shape.shape.open_edges if isinstance(shape.shape, TriangleMesh) else 0
        if shape.collides and holes and not sheets:
            raise InputError(
                f"'{shape.name}' is a triangle mesh with holes ({holes} open edges): its inside cannot be told; close it, "
                "or pass sheets=True where it is meant as a sheet, such as terrain."
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
    return np.asarray(q, np.float64)


def _check_seed(seed: object) -> None:
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or not 0 <= seed < 2**53:
        raise InputError(f"seed must be a whole number from 0 to 2^53; got {seed!r}.")


def _proven(result: PlanResult) -> str:
    return result.status.rstrip(".") + "; every edge was swept without gaps."
