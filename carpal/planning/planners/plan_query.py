"""A way from one configuration to another around everything in a scene."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.work_clock import work_seconds
from carpal.contact import CollisionChecker, ContactTables, collision_checker
from carpal.errors import InputError
from carpal.model import Model, Scene, TriangleMesh, real_array
from carpal.planning.payload.payload import Payload
from carpal.planning.payload.payload_scene import PayloadScene, prepare_payload
from carpal.planning.planners.failures import plan_sentence
from carpal.planning.planners.kernels import run
from carpal.planning.planners.plan_options import PlanOptions
from carpal.planning.planners.plan_result import PlanResult
from carpal.planning.planners.restarts import search_again
from carpal.planning.planners.search_run import run_search
from carpal.planning.trajectories import waypoint_checks
from carpal.spatial import Array

FINER = 5  # how often the resolution is halved where a proof meets something between two looks


def plan(
    scene: Scene | Model | CollisionChecker | PayloadScene,
    start: ArrayLike,
    goal: ArrayLike,
    *,
    planner: str | None = None,
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
    payload: Payload | None = None,
    angle: float = 0.0,
    spread: float = 0.02,
) -> PlanResult:
    """Find a way that touches nothing; same seed, same way, bit for bit.

    Args:
        scene: a scene or model; or a collision checker, which is prepared once and asked many times.
        start, goal: (nq) of the joints that move [rad, m].
        planner: "rrt_connect", by default; "sbl" (lazy, as in thesis 3), with a payload by default; or "est".
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
        payload: what the gripper holds and may turn in it. The way is then free for every angle that it may have, proven
            between looks too, and ends where its angle is known; trees grow forward in time, SBL stays lazy.
        angle, spread: of the payload at the start, and its uncertainty [rad].

    Returns:
        A `PlanResult`; `print` it for one true sentence.

    Example:
        >>> result = carpal.plan(scene, q_start, q_goal)
        >>> motion = result.trajectory(vdot_max=5.0)
    """
    asked = _asked(scene, payload, joints, held, exclude, margin, sheets)
    options = _options(asked, planner, resolution, max_samples, forward, simplify, neighbourhood, gain)
    ends = tuple(_configuration(asked.model, name, q) for name, q in (("start", start), ("goal", goal)))
    _check_seed(seed)
    grasp = _grasps(angle, spread, 1)
    if asked.carried is not None:
        result = _solve(asked, options, ends[0][None], ends[1][None], [int(seed)], grasp, None)[0]
        return result
    tables, margin = asked.tables, asked.margin
    spent = 0.0
    for _ in range(FINER + 1):
        result = _solve(asked, options, ends[0][None], ends[1][None], [int(seed)], grasp, None)[0]
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
    scene: Scene | Model | CollisionChecker | PayloadScene,
    starts: ArrayLike,
    goals: ArrayLike,
    *,
    seeds: ArrayLike = 0,
    planner: str | None = None,
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
    payload: Payload | None = None,
    angles: ArrayLike = 0.0,
    spreads: ArrayLike = 0.02,
    device: str = "cpu",
    threads: int | None = None,
) -> list[PlanResult]:
    """Many plans in one scene, in parallel; each is bit for bit the one that `plan` gives alone.

    Args:
        starts, goals: (n, nq), or (nq) for all.
        seeds: one number or (n).
        angles, spreads: of a payload at the starts, one number or (n) [rad].
        device, threads: "cpu" or "cuda"; CPU threads, all cores by default.
        others: as of `plan`.
    """
    asked = _asked(scene, payload, joints, held, exclude, margin, sheets)
    options = _options(asked, planner, resolution, max_samples, forward, simplify, neighbourhood, gain)
    given = [real_array(q, name) for name, q in (("starts", starts), ("goals", goals))]
    nq = asked.model.nq
    try:
        a, b = np.broadcast_arrays(*(q.reshape(-1, nq) for q in given))
    except ValueError:
        shapes = " and ".join(str(q.shape) for q in given)
        raise InputError(f"starts and goals must be (n, {nq}), or ({nq}) for all; got {shapes}.") from None
    each = np.broadcast_to(np.asarray(seeds), (len(a),))
    for seed in each.tolist():
        _check_seed(seed)
    for i in range(len(a)):
        _configuration(asked.model, f"start {i}", a[i])
        _configuration(asked.model, f"goal {i}", b[i])
    grasps = _grasps(angles, spreads, len(a))
    return _solve(asked, options, a, b, [int(seed) for seed in each], grasps, threads, device)


class Asked(NamedTuple):
    """A scene as planners take it: what moves, contact tables, the margin [m], and a payload with a set of angles."""

    model: Model
    tables: ContactTables
    margin: float
    carried: PayloadScene | None


def _asked(
    scene: Any,
    payload: Payload | None,
    joints: Sequence[str] | None,
    held: Mapping[str, Any] | None,
    exclude: Iterable[object],
    margin: float,
    sheets: bool,
) -> Asked:
    if payload is None and not isinstance(scene, PayloadScene):
        tables, margin = prepared_scene(scene, joints, held, exclude, margin, sheets)
        return Asked(tables.model, tables, margin, None)
    if isinstance(scene, PayloadScene):
        if payload is not None or joints is not None or held or tuple(exclude) or margin:
            raise InputError(
                "payload, joints, held, exclude and margin belong to prepare_payload(); this scene is prepared."
            )
        ready = scene
    elif isinstance(scene, CollisionChecker):
        raise InputError(
            "a collision checker knows no payload: pass the scene itself, or prepare_payload(scene, payload)."
        )
    else:
        ready = prepare_payload(scene, payload, joints=joints, held=held, exclude=exclude, margin=margin)  # type: ignore[arg-type]
    check_model(ready.tables.model, sheets)
    return Asked(ready.model, ready.tables, ready.margin, ready)


def _options(
    asked: Asked, planner: str | None, resolution: float, most: int, forward: bool, *others: Any
) -> PlanOptions:
    """With a payload trees grow forward, SBL's excepted, which is lazy."""
    held = asked.carried is not None
    chosen = planner if planner is not None else "sbl" if held else "rrt_connect"
    return PlanOptions.of(chosen, resolution, most, forward or (held and chosen != "sbl"), *others)


def _grasps(angles: ArrayLike, spreads: ArrayLike, count: int) -> Array:
    """(count, 2) angles and uncertainties [rad], or one clear sentence."""
    columns = []
    for name, values in (("the payload's angle", angles), ("its spread", spreads)):
        column = real_array(values, name)
        if column.shape not in ((), (count,)) or not np.isfinite(column).all():
            raise InputError(f"{name} must be finite [rad], one number or {count}; got {values!r:.60}.")
        columns.append(np.broadcast_to(column, (count,)))
    if (columns[1] < 0).any():
        raise InputError(f"its spread must be zero or above [rad]; got {float(columns[1].min()):g}.")
    return np.stack(columns, axis=1)


def _solve(
    asked: Asked,
    options: PlanOptions,
    starts: Array,
    goals: Array,
    seeds: list[int],
    grasps: Array,
    threads: int | None,
    device: str = "cpu",
) -> list[PlanResult]:
    begun = work_seconds()
    numbers = np.concatenate([np.array(seeds, np.float64)[:, None], grasps], axis=1)
    more: dict[str, Any] = {"threads": threads, "device": device}
    where = asked.tables, options, asked.margin, starts, goals, numbers
    if asked.carried is None:
        paths, reports, blame, _ = run_search(*where, **more)
    else:
        paths, reports, blame = search_again(*where, asked.carried, **more)
    spent = work_seconds() - begun
    results = []
    for i, seed in enumerate(seeds):
        outcome = paths[i], reports[i], blame[i]
        result = make_result(
            asked.tables, options, options.planner, asked.margin, seed, *outcome, (starts[i], goals[i]), spent,
            None if asked.carried is None else asked.carried.payload.name,
        )  # fmt: skip
        if asked.carried is not None:
            grasp = float(grasps[i, 0]), float(grasps[i, 1])
            # a tree that follows the guiding one may pass a place where it was before: an edge without length
            moved = (
                np.append(True, (np.abs(np.diff(result.path, axis=0)) > 1e-12).any(axis=1))
                if result.ok
                else slice(None)
            )
            way = result.path[moved]
            result = dataclasses.replace(result, path=way, carried=asked.carried, grasp=grasp, proven=result.ok)
        results.append(result)
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
        check_model(scene.model, sheets)
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
    check_model(checker.model, sheets)
    return checker.tables, checker.margin


def check_model(model: Model, sheets: bool) -> None:
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
