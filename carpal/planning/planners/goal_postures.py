"""Configurations that reach a pose goal: all branches of closed forms, redundancy sampled; searched where there is none."""

from __future__ import annotations

import numpy as np

from carpal.errors import InputError
from carpal.kinematics import ChainAxes, chain_axes, ik, ik_all, random_configurations
from carpal.model import Model
from carpal.planning.planners.pose_goal import PoseGoal
from carpal.planning.planners.turning_joints import TURN
from carpal.spatial import Array

REACHED = 1e-6
"""How far [m, rad] a configuration may be outside of a goal's region."""
REGION = 8  # poses of a region in the first round
HELD = 8  # angles at which the last of seven joints is held in the first round
MORE = 3  # times as many in later rounds
STARTS = 48  # of numeric searches in a round
_SOLVED = 1e-9


def goal_postures(
    model: Model, goal: PoseGoal, start: Array, rng: np.random.Generator, *, first: bool
) -> tuple[Array, str]:
    """Configurations (n, nq) inside the limits that reach a goal, and where there is none, why.

    Args:
        model: whose joints move; those that do not carry the frame stay where the start has them.
        goal: what is to be reached.
        start: (nq) the branches are turned as near to it as limits allow.
        rng: of the poses inside a region, held angles and starts of searches.
        first: whether to begin with the middle of a region and the start's own angles; else all of it is random.
    """
    chain = chain_axes(model, goal.frame)
    if not len(chain.columns):
        raise InputError(f"no joint that moves carries the goal's frame '{chain.frame}'.")
    found, why = _closed_form(model, chain, goal, start, rng, first)
    if found is not None:
        q = _kept(model, chain, goal, found, start, rng, first)
        if len(q) or (len(chain.columns) < 7 and not goal.is_region):
            outside = (
                f"{len(found)} solutions bring frame '{chain.frame}' there, all of them outside of the joint limits."
            )
            return q, why or outside
    found, why = _searched(model, chain, goal, start, rng, first)
    return _kept(model, chain, goal, found, start, rng, first), why


def _kept(
    model: Model, chain: ChainAxes, goal: PoseGoal, q: Array, start: Array, rng: np.random.Generator, first: bool
) -> Array:
    """Those that are inside the limits, perhaps whole turns away, and reach the goal."""
    q = _turned(model, chain, q, start, rng, first)
    inside = ((q >= model.q_min - _SOLVED) & (q <= model.q_max + _SOLVED)).all(axis=1)
    q = np.clip(q[inside], model.q_min, model.q_max)
    if not len(q):
        return q
    far, off = goal.miss(model, q)
    return np.asarray(q[(far <= REACHED) & (off <= REACHED)])


def _closed_form(
    model: Model, chain: ChainAxes, goal: PoseGoal, start: Array, rng: np.random.Generator, first: bool
) -> tuple[Array | None, str]:
    """All branches for some poses of the goal; None where the arm has no closed form for this kind of goal."""
    joints = len(chain.columns)
    kinds = {5: "point and direction", 6: "pose", 7: "pose"}
    if not chain.all_revolute or kinds.get(joints) != goal.kind:
        return None, ""
    count = HELD if joints == 7 else REGION if goal.is_region else 1
    count = count if first or count == 1 else MORE * count
    targets = goal.targets(count, rng, middle=first)
    if joints == 7 and first:  # the middle of a region with several held angles
        targets[: count // 2] = targets[0]
    locked = None
    if joints == 7:
        last = int(chain.columns[-1])
        low, high = max(model.q_min[last], -np.pi), min(model.q_max[last], np.pi)
        angles = low + (high - low) * (rng.permutation(count) + rng.random(count)) / count  # one in each part
        if first:
            angles[0] = np.clip(start[last], low, high)
        locked = {chain.names[-1]: angles}
    try:
        solved = ik_all(
            model, targets, q0=np.broadcast_to(start, (count, model.nq)), locked=locked, frame=goal.frame, threads=1
        )
    except InputError:
        return None, ""
    rows = np.arange(solved.q.shape[1]) < np.asarray(solved.count)[:, None]
    return np.asarray(solved.q[rows]), "" if rows.any() else solved.explain((0,))


def _searched(
    model: Model, chain: ChainAxes, goal: PoseGoal, start: Array, rng: np.random.Generator, first: bool
) -> tuple[Array, str]:
    """What numeric searches from the start and from random configurations find."""
    starts = np.tile(start, (STARTS, 1))
    random = random_configurations(model, STARTS, seed=int(rng.integers(2**31)))
    starts[:, chain.columns] = random[:, chain.columns]
    if first:
        starts[0] = start
    targets = goal.targets(STARTS, rng, middle=first)
    solved = ik(
        model, targets, starts, frame=goal.frame, attempts=1, position_tolerance=_SOLVED, angle_tolerance=_SOLVED, threads=1
    )  # fmt: skip
    ok = np.asarray(solved.ok)
    if ok.any():
        return np.asarray(solved.q[ok]), ""
    nearest = int(np.argmin(np.asarray(solved.position_error) + np.asarray(solved.angle_error)))
    return np.zeros(
        (0, model.nq)
    ), f"none of {STARTS} searches reached it; of the nearest: {solved.explain((nearest,))}"


def _turned(model: Model, chain: ChainAxes, q: Array, start: Array, rng: np.random.Generator, first: bool) -> Array:
    """Joints of the chain moved by whole turns into their limits: nearest to the start at `first`, else any turn that fits."""
    out = np.array(q)
    revolute = np.array([kind == "revolute" for kind, _ in model.joint_slices()])
    for j in chain.columns[revolute[chain.columns]]:
        low, high = model.q_min[j], model.q_max[j]
        if not (np.isfinite(low) and np.isfinite(high)):
            continue
        least, most = np.ceil((low - q[:, j]) / TURN - _SOLVED), np.floor((high - q[:, j]) / TURN + _SOLVED)
        turns = np.round((start[j] - q[:, j]) / TURN) if first else rng.integers(least, np.maximum(most, least) + 1)
        fits = least <= most
        out[fits, j] = q[fits, j] + TURN * np.clip(turns, least, np.maximum(most, least))[fits]
    return out
