"""Reaction-aware motion: the same tool point in the same time, with the least push on the mount.

Alkire (2020) cancels the arm's reaction; it does not choose the arm's motion so that there is less to cancel.
An arm with joints to spare can choose: where the joints end, which path they take and how fast. With seven joints, three
held by the tool's point at the end and two by the centre of mass, motions exist that hardly push at all; speed limits
decide how near they come. Related: reaction null-space motion of free-floating robots, Nenchev, Umetani and Yoshida
(1992); here the whole motion is optimised, because only the peak counts and only the end is prescribed.

Search: end postures are sampled; from the most promising ones `least_peak` improves coarse splines, the best are refined.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import InputError, ModelError, unknown_name
from carpal.kinematics import fk, quintic_time
from carpal.model import Model, need_model
from carpal.planning.reaction.least_peak import Family, MoveProblem, Progress, least_peak
from carpal.planning.reaction.mount_reaction import FORCE_WEIGHTS, KINDS, MountReaction
from carpal.planning.reaction.move_families import free_family, free_numbers, posture_family, refined, timing_family
from carpal.planning.reaction.nearest_posture import nearest_posture_to, postures_at
from carpal.planning.reaction.reaction_move import MoveVariant, ReactionMove
from carpal.planning.reaction.rest_to_rest import JointSpline, quintic_spline, quintic_weights, spline_basis
from carpal.spatial import Array

GRID = 1e-3  # [s] on which limits and peaks are judged
SPANS = (6, 12, 24)
APART = 0.7  # [rad] between end postures that count as different
EASE = 5e-4  # what spares the joints that hardly matter, in the last search of each kind


def least_reaction_move(
    model: Model,
    point: ArrayLike,
    *,
    q0: ArrayLike | None = None,
    duration: float,
    minimise: str = "force",
    weights: Sequence[float] = FORCE_WEIGHTS,
    vdot_max: ArrayLike | None = None,
    seed: int = 0,
    starts: int = 9,
    progress: Progress | None = None,
) -> ReactionMove:
    """The joint motion, at rest at both ends, that brings the tool to a point in a given time with the least peak reaction.

    Args:
        model: an arm of revolute and prismatic joints, with inertias.
        point: where the tool must be at the end (3) [m].
        q0: where the joints start (nq); the home configuration by default.
        duration: [s].
        minimise: "force", the largest horizontal force [N] on a held mount; "displacement", the largest horizontal shift
            [m] of a free table without mass; or "wrench", the largest weighted force and moment on a held mount.
        weights: of "wrench", on (fx, fy, fz, mx, my, mz) at the mount [1/N, 1/(N m)]; all of the force by default.
        vdot_max: joint acceleration limits, one number or (nq) [rad/s^2, m/s^2]; the model's own by default.
        seed: of the sampled end postures. Same seed, same motion.
        starts: end postures from which a search begins; more take longer and may find better.
        progress: called as progress(search, iteration, peak) after every linear programme.

    Returns:
        A `ReactionMove`; `print` it for one sentence.

    Example:
        >>> arm = carpal.load("sawyer")
        >>> move = least_reaction_move(arm, (0.6, 0.6, 0.6), duration=1.5, vdot_max=10.0)
        >>> q, v, vdot = move.sample(0.001)
    """
    need_model(model, "least_reaction_move")
    problem = _problem(model, point, q0, duration, minimise, weights, vdot_max)
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise InputError(f"seed must be a whole number, zero or above; got {seed!r}.")
    if isinstance(starts, bool) or not isinstance(starts, int | np.integer) or starts < 1:
        raise InputError(f"starts must be a whole number, 1 or above; got {starts!r}.")
    start = problem.reaction.q0
    postures = postures_at(model, problem.point, start, seed=int(seed))
    nearest = nearest_posture_to(model, problem.point, start, postures)
    _check_duration(problem, np.concatenate([nearest[None], postures]), nearest)
    counted = _Counted(progress)
    quintic = quintic_spline(start, nearest, problem.duration)
    baseline = _variant(problem, "baseline", quintic)
    scale = baseline.peak if baseline.peak > 1e-9 else 1.0
    picks = _promising(problem, np.concatenate([nearest[None], postures]), int(starts))

    spans = SPANS[-1]
    timing = _improve(
        problem,
        timing_family(start, nearest, spans),
        quintic_weights(spans)[3:-3],
        scale,
        counted,
        "timing only",
        60,
        1e-5,
    )
    posture = _posture_only(problem, picks, scale, counted)
    found = _reaction_aware(problem, [posture.motion.control[-1], *picks], scale, counted)
    # the whole family holds both parts: were one of them better, the search would have stopped short
    best = min([found, posture, timing, baseline], key=_rank)
    _refuse_if_too_short(problem, best, nearest)
    best = MoveVariant("reaction-aware", **{k: v for k, v in vars(best).items() if k != "name"})
    shift = MountReaction(model, "displacement", start).peak(*(best.q1[None],) * 3)
    least = 4.0 * model.mass * shift / problem.duration**2
    floor = {"force": least, "displacement": shift, "wrench": 0.0}[minimise]
    return ReactionMove(
        model, problem.point, problem.duration, minimise, problem.reaction.weights, best, baseline, timing, posture, floor,
        counted.programmes,
    )  # fmt: skip


class _Counted:
    """Counts linear programmes and passes them on."""

    def __init__(self, progress: Progress | None) -> None:
        self.programmes = 0
        self.progress = progress

    def __call__(self, name: str, iteration: int, value: float) -> None:
        self.programmes += 1
        if self.progress is not None:
            self.progress(name, iteration, value)


def _problem(
    model: Model, point: Any, q0: Any, duration: Any, minimise: str, weights: Any, vdot_max: Any
) -> MoveProblem:
    """Everything that was asked, checked."""
    model.require_inertia()
    for body in model.bodies:
        if body.joint.kind in ("ball", "free"):
            raise ModelError(
                f"reaction-aware motion needs an arm of revolute and prismatic joints on a fixed base; joint "
                f"'{body.joint.name}' of model '{model.name}' is {body.joint.kind}."
            )
    if minimise not in KINDS:
        raise unknown_name("quantity to minimise", minimise, KINDS)
    target = _numbers("point", point, (3,))
    start = _numbers("q0", model.q_home if q0 is None else q0, (model.nq,))
    outside = np.flatnonzero((start < model.q_min) | (start > model.q_max))
    if len(outside):
        j = int(outside[0])
        raise InputError(
            f"q0[{j}] = {start[j]:.6g} is outside the limits of joint '{model.joint_names[j]}': "
            f"{model.q_min[j]:.6g} to {model.q_max[j]:.6g}."
        )
    if isinstance(duration, bool) or not isinstance(duration, int | float | np.floating | np.integer):
        raise InputError(f"duration must be a number of seconds above zero; got {duration!r}.")
    if not np.isfinite(duration) or duration <= 0:
        raise InputError(f"duration must be a number of seconds above zero; got {duration!r}.")
    limit = np.asarray(model.vdot_max if vdot_max is None else vdot_max)
    if limit.dtype.kind not in "fiu" or limit.shape not in ((), (model.nv,)) or not (limit > 0).all():
        raise InputError(f"vdot_max must be one number above zero or {model.nv} of them; got {vdot_max!r}.")
    limit = np.broadcast_to(limit, (model.nv,)).astype(float)
    reaction = MountReaction(model, minimise, start, weights)
    v_max = np.asarray(model.v_max, float)
    return MoveProblem(reaction, target, float(duration), model.q_min, model.q_max, v_max, limit)


def _numbers(name: str, value: Any, shape: tuple[int, ...]) -> Array:
    try:
        array = np.asarray(value)
    except ValueError:
        array = np.empty(0)
    if array.dtype.kind not in "fiu" or array.shape != shape:
        raise InputError(f"{name} must be {shape[0]} real numbers; got {value!r}.")
    wrong = np.flatnonzero(~np.isfinite(array))
    if len(wrong):
        raise InputError(f"{name}[{wrong[0]}] is {array[wrong[0]]}; all numbers must be finite.")
    return array.astype(float)


def _check_duration(problem: MoveProblem, postures: Array, nearest: Array) -> None:
    """Refuse at once what is far too short; nearly long enough is left to the search."""
    distance = np.abs(postures - problem.reaction.q0)
    v, a = problem.v_max, problem.vdot_max
    with np.errstate(invalid="ignore", divide="ignore"):
        # full acceleration, perhaps a stretch at full speed, full braking
        quick = np.where(distance * a > v * v, distance / v + v / a, 2.0 * np.sqrt(distance / a))
    quickest = float(np.nan_to_num(quick).max(1).min())
    if problem.duration < 0.7 * quickest:
        raise InputError(
            f"a duration of {problem.duration:.4g} s is too short for the joint limits: of {len(postures)} end postures the "
            f"quickest takes {quickest:.4g} s; the quintic to the nearest one takes {_quintic_time(problem, nearest):.4g} s."
        )


def _quintic_time(problem: MoveProblem, q1: Array) -> float:
    return quintic_time(problem.reaction.q0, q1, problem.v_max, problem.vdot_max)


def _refuse_if_too_short(problem: MoveProblem, best: MoveVariant, nearest: Array) -> None:
    if not best.in_limits:
        raise InputError(
            f"no motion was found that keeps the joint limits in {problem.duration:.4g} s; "
            f"the quintic to the nearest end posture takes {_quintic_time(problem, nearest):.4g} s."
        )


def _variant(problem: MoveProblem, name: str, motion: JointSpline) -> MoveVariant:
    """A motion judged on the fine grid."""
    sampled = motion.sample(min(GRID, problem.duration / 100))
    reaction = problem.reaction
    peaks = {kind: MountReaction(reaction.model, kind, reaction.q0, reaction.weights).peak(*sampled) for kind in KINDS}
    miss = float(np.linalg.norm(fk(reaction.model, motion.control[-1])[:3, 3] - problem.point))
    inside = bool(problem.excess(*sampled) <= 0.0)
    return MoveVariant(name, motion, peaks[reaction.kind], peaks["force"], peaks["displacement"], inside, miss)


def _rank(variant: MoveVariant) -> tuple[bool, float]:
    return not variant.in_limits, variant.peak


def _promising(problem: MoveProblem, postures: Array, count: int) -> list[Array]:
    """End postures that differ: two thirds with the centre of mass shifted little, one third with a low quintic peak."""
    s = np.linspace(0.0, 1.0, 41)
    start = problem.reaction.q0
    control = start + quintic_weights(1)[:, None] * (postures - start)[:, None, :]
    motions = [spline_basis(s, 1, k) @ control / problem.duration**k for k in range(3)]
    over = 100.0 * np.maximum(problem.excess(*motions) - 0.05, 0.0)  # a quintic a little too fast can be mended
    reaction = problem.reaction
    peak = np.linalg.norm(reaction.values(*motions), axis=-1).max(-1)
    shift = np.linalg.norm(MountReaction(reaction.model, "displacement", start).values(*(postures,) * 3), axis=-1)
    picks: list[int] = []
    for score, upto in ((shift / max(shift.max(), 1e-12), count - count // 3), (peak / max(peak.max(), 1e-12), count)):
        for i in np.argsort(score + over, kind="stable"):
            if len(picks) >= upto:
                break
            if all(np.linalg.norm(postures[i] - postures[j]) > APART for j in picks):
                picks.append(int(i))
    return [postures[i] for i in picks]


def _improve(
    problem: MoveProblem,
    family: Family,
    x: Array,
    scale: float,
    counted: _Counted,
    name: str,
    iterations: int,
    tolerance: float,
) -> MoveVariant:
    """Search in one family; where the fine grid shows a limit exceeded between samples, the margin is widened."""
    shrink = 1e-3
    for _ in range(4):
        x, _ = least_peak(
            problem,
            family,
            x,
            scale=scale,
            shrink=shrink,
            iterations=iterations,
            tolerance=tolerance,
            ease=EASE,
            progress=counted,
            name=name,
        )
        made = _variant(problem, name, JointSpline(family.control(x), problem.duration))
        if made.in_limits:
            break
        sampled = made.motion.sample(min(GRID, problem.duration / 100))
        shrink += 1.5 * float(problem.excess(*sampled)) + 1e-4
        if shrink > 0.2:  # no margin mends a motion that does not fit
            break
    return made


def _posture_only(problem: MoveProblem, picks: list[Array], scale: float, counted: _Counted) -> MoveVariant:
    family = posture_family(problem.reaction.q0)
    made = [_improve(problem, family, q, scale, counted, "posture only", 40, 1e-4) for q in picks]
    return min(made, key=_rank)


def _reaction_aware(problem: MoveProblem, ends: list[Array], scale: float, counted: _Counted) -> MoveVariant:
    """Coarse splines to every end posture, the best of them refined."""
    start, duration = problem.reaction.q0, problem.duration
    coarse = []
    for k, q1 in enumerate(ends):
        family = free_family(start, SPANS[0])
        x = free_numbers(quintic_spline(start, q1, duration, SPANS[0]))
        name = f"coarse {k + 1} of {len(ends)}"
        x, merit = least_peak(problem, family, x, scale=scale, iterations=25, progress=counted, name=name)
        coarse.append((merit, k, JointSpline(family.control(x), duration)))
    coarse.sort(key=lambda row: row[:2])
    middle = []
    for merit, k, motion in coarse[: 1 + len(ends) // 4]:
        family = free_family(start, SPANS[1])
        x = free_numbers(refined(motion, SPANS[1]))
        x, merit = least_peak(problem, family, x, scale=scale, iterations=40, progress=counted, name=f"finer {k + 1}")
        middle.append((merit, k, JointSpline(family.control(x), duration)))
    motion = min(middle, key=lambda row: row[:2])[2]
    x = free_numbers(refined(motion, SPANS[2]))
    return _improve(problem, free_family(start, SPANS[2]), x, scale, counted, "reaction-aware", 25, 2e-4)
