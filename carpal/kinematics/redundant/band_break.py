"""Where a band breaks and why: the moment by halving, the joints on the configurations that would have to come next."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from carpal.kinematics.axes import chain_axes
from carpal.kinematics.inverse.numeric import ik
from carpal.kinematics.inverse.pose_path import PosePath
from carpal.kinematics.redundant.band_slices import COARSEST, ArmSlice, limit_name
from carpal.kinematics.redundant.band_steps import BandOptions, self_motion_steps
from carpal.kinematics.redundant.elbow_points import has_traced_arm
from carpal.kinematics.redundant.intervals import arm_angle_intervals
from carpal.kinematics.redundant.self_motion_arcs import INSIDE, joint_margins
from carpal.kinematics.redundant.self_motion_curves import wrap
from carpal.spatial import Array

HALVINGS, MOST_STEPS = 14, 120
TOGETHER = 2e-3  # [rad] joints whose margins are this near to the least forbid together


@dataclass(frozen=True, eq=False)
class BandBreak:
    """The end of the band.

    Args:
        time: [s] after which nothing goes on.
        fraction: share of the path's duration.
        joints: the joints whose limits forbid it; empty for other causes.
        cause: "limit", "reach", "height", "turn" (a joint would need a whole turn more), "jump" or "start".
        status: one sentence.
    """

    time: float
    fraction: float
    joints: tuple[str, ...]
    cause: str
    status: str


@dataclass(frozen=True, eq=False)
class Gap:
    """What lies between the last pose that some path reached and the next: poses that lead over, or the last moment.

    Args:
        bridge: (time, slice) of poses between, through which the front does reach the next pose; empty where it does not.
        time: [s] from which nothing goes on.
        after: the slice there.
        front: (m, 8) nodes reached last.
        following: the slice of the next pose.
    """

    bridge: tuple[tuple[float, ArmSlice], ...]
    time: float
    after: ArmSlice
    front: Array
    following: ArmSlice


def bisect_gap(options: BandOptions, path: PosePath, following: ArmSlice, count: int, front: Array) -> Gap:
    """Go on after `count` poses in steps that are halved where the front (m, 8) does not follow, doubled where it does."""
    t, end = float(path.time[count - 1]), float(path.time[count])
    step, shortest = 0.5 * (end - t), (end - t) * 2.0**-HALVINGS
    late, after = end, following
    bridge: list[tuple[float, ArmSlice]] = []
    for _ in range(MOST_STEPS):
        middle = min(t + step, end)
        cut = following if middle == end else options.cut(path.at(middle))
        reached = _goes_on(options, cut, front)
        if len(reached) and middle == end:
            return Gap(tuple(bridge), end, following, front, following)
        if len(reached):
            t, front, step = middle, reached, 2.0 * step
            bridge.append((middle, cut))
        else:
            late, after, step = middle, cut, 0.5 * step
            if step < shortest:
                break
    return Gap((), late, after, front, following)


def explain_break(options: BandOptions, path: PosePath, gap: Gap) -> BandBreak:
    """Why no path goes on."""
    joints, cause, why = _why(options, gap.after, gap.front, gap.following)
    share = path.fraction(gap.time)
    status = f"the band breaks at t = {gap.time:.4g} s ({100 * share:.1f} % of the path): {why}."
    return BandBreak(gap.time, share, joints, cause, status)


def explain_start(options: BandOptions, path: PosePath, first: ArmSlice, start: Array | None) -> BandBreak:
    """Why there is nothing to begin with."""
    if start is not None and options.usable(first).any():
        joints: tuple[str, ...] = ()
        cause, why = "start", f"q0 is not within {options.max_step:g} rad of a usable configuration of the first pose"
    else:
        joints, cause, why = _why(options, first, None, first)
    return BandBreak(float(path.time[0]), 0.0, joints, cause, f"no path even at the start of the path: {why}.")


def _goes_on(options: BandOptions, cut: ArmSlice, front: Array) -> Array:
    """The nodes (n, 8) at a pose that the front reaches."""
    nodes = cut.nodes(options.columns, np.flatnonzero(options.usable(cut)))
    i, j, turn = options.moves(front, nodes)
    first = np.unique(j, return_index=True)[1]
    reached = nodes[j[first]]
    reached[:, :7] = front[i[first], :7] + turn[first]
    return reached


def _why(
    options: BandOptions, cut: ArmSlice, front: Array | None, following: ArmSlice
) -> tuple[tuple[str, ...], str, str]:
    """(joints, cause, words) for a pose at which nothing usable is in reach of the front."""
    model, at = options.model, options.columns
    if not len(cut.q):
        said = "" if len(following.q) else f"; at the next pose: {_out_of_reach(options, following.X_WT).rstrip('.')}"
        return (), "reach", f"no configuration reaches the pose, whatever the arm angle{said}"
    candidates = np.arange(len(cut.q))
    if front is not None:
        away = np.full(len(cut.q), np.inf)
        for node in front[:: max(1, len(front) // 400)]:  # a few hundred of the front are dense enough
            far = np.abs(wrap(cut.q[:, at] - node[:7])).max(-1)
            away = np.minimum(away, np.where(cut.code == node[7], far, np.inf))
        candidates = np.flatnonzero(away <= options.max_step)
        if not len(candidates):
            least = float(away.min())
            far = f"is {least:.3g} rad away or more in some joint" if np.isfinite(least) else "is of another branch"
            return (), "jump", f"every configuration that follows {far}"
    margin = cut.margin[candidates].min(1)
    free = candidates[margin >= -INSIDE]
    if len(free) and options.elbow_above is not None and (cut.height[free] < options.elbow_above).all():
        return (), "height", f"the elbow would have to go below {options.elbow_above:g} m"
    if len(free) and front is not None:
        q = cut.q[free[0]]
        nearest = front[np.argmin(np.abs(wrap(q[at] - front[:, :7])).max(-1)), :7]
        beyond = nearest + wrap(q[at] - nearest)
        out = np.flatnonzero((beyond < model.q_min[at]) | (beyond > model.q_max[at]))
        names = tuple(chain_axes(model, options.frame).names[j] for j in out)
        return names, "turn", f"{' and '.join(names)} would have to go a whole turn back"
    q = _least_bad(options, cut, candidates[int(np.argmax(margin))])
    margins = joint_margins(model, q)[at]
    forbid = np.flatnonzero(margins <= margins.min() + TOGETHER)
    names = tuple(chain_axes(model, options.frame).names[j] for j in forbid)
    limits = [limit_name(model, q, int(at[j]), name) for j, name in zip(forbid, names, strict=True)]
    worst = float(margins.min())
    how = f"{-worst:.3g} rad outside" if worst < 0 else f"{worst:.3g} rad inside, less than the clearance"
    return names, "limit", f"no arm angle in reach keeps to {' and '.join(limits)}, at best {how}"


def _out_of_reach(options: BandOptions, X: Array) -> str:
    if has_traced_arm(options.model, options.frame):
        return ik(options.model, X, frame=options.frame).status
    return str(arm_angle_intervals(options.model, X, frame=options.frame).status)


def _least_bad(options: BandOptions, cut: ArmSlice, sample: int) -> Array:
    """The configuration next to a sample, along self-motion, whose nearest limit is farthest (or least exceeded)."""
    first = q = cut.q[sample]
    step = 0.02
    for _ in range(40):
        near, good = self_motion_steps(options, cut.X_WT, q, step)
        worth = joint_margins(options.model, near)[:, options.columns].min(1)
        beside = np.abs(near - first)[:, options.columns].max(1) <= COARSEST  # farther on are other samples
        worth[~good | ~beside | (worth >= options.clearance)] = -np.inf
        best = int(np.argmax(worth))
        if best == len(near) // 2 or not np.isfinite(worth[best]):
            step *= 0.5
            if step < 1e-6:
                break
        else:
            q = near[best]
    return q
