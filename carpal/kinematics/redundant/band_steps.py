"""The search for a path through a band: dynamic programming over samples, then over finer and finer neighbourhoods."""

from __future__ import annotations

import dataclasses
import functools
from dataclasses import dataclass

import numpy as np

from carpal.errors import InputError
from carpal.kinematics.axes import chain_axes
from carpal.kinematics.inverse.pose_path import PosePath
from carpal.kinematics.jacobians import jacobian
from carpal.kinematics.redundant.arm_angle7 import arm_angle
from carpal.kinematics.redundant.band_slices import ArmSlice, arm_slice, upwards
from carpal.kinematics.redundant.elbow_points import elbow_position
from carpal.kinematics.redundant.kernels.pinned_pose import ALONG, ERROR
from carpal.kinematics.redundant.self_motion_arcs import INSIDE, joint_margins
from carpal.kinematics.redundant.self_motion_curves import EXACT, arm_speeds, pin, wrap
from carpal.model import Model
from carpal.spatial import Array

SPEED_IN_MIDDLE = 0.02  # what the squared speed counts for beside the squared distance from the middle
OFFSETS = np.arange(-2, 3)
ROUNDS = 60
TOO_LONG = 1e6  # cost of a step that is longer than it may be: more than any other


@dataclass(frozen=True, eq=False)
class BandOptions:
    """Requirements on a path; the arguments of `arm_angle_band`."""

    model: Model
    frame: str
    prefer: str
    elbow_above: float | None
    clearance: float
    max_step: float

    @property
    def columns(self) -> np.ndarray:
        """(7) where the arm's joints stand in q."""
        return chain_axes(self.model, self.frame).columns

    @property
    def pace(self) -> Array:
        """(7) speed that counts as one: `v_max`, or 1 rad/s where there is none."""
        v = self.model.v_max[self.columns]
        return np.where(np.isfinite(v) & (v > 0), v, 1.0)

    @property
    def tight(self) -> Model:
        """The arm with limits drawn in by the clearance: the band is the set of what these allow."""
        return _drawn_in(self.model, self.clearance)

    def cut(self, X_WT: Array) -> ArmSlice:
        """The band's cut at a pose."""
        return arm_slice(self.tight, X_WT, self.frame)

    def usable(self, cut: ArmSlice) -> np.ndarray:
        """(n) samples that keep the clearance and the elbow's height."""
        good = (cut.margin >= -INSIDE).all(1) & (cut.stretch >= 0)
        return good if self.elbow_above is None else good & (cut.height >= self.elbow_above)

    def off_middle(self, psi: Array, low: Array, high: Array) -> Array:
        """Squared distance from the middle of the stretch, 1 at its ends; nothing where every arm angle is feasible."""
        if self.prefer != "middle":
            return np.zeros(np.shape(psi))
        with np.errstate(invalid="ignore"):
            share = (2 * psi - low - high) / np.maximum(high - low, 1e-9)
        return np.where(np.isfinite(share), share**2, 0.0)

    @property
    def speed_weight(self) -> float:
        """What the squared speed counts for."""
        return 1.0 if self.prefer == "speed" else SPEED_IN_MIDDLE

    def moves(self, before: Array, after: Array) -> tuple[np.ndarray, np.ndarray, Array]:
        """Pairs (i, j) of nodes (a, 8), (b, 8) of one branch, neighbours inside the limits, and the turns (pairs, 7) between."""
        at = self.columns
        near = np.abs(wrap(after[None, :, 0] - before[:, None, 0])) <= self.max_step
        i, j = np.nonzero(near & (after[None, :, 7] == before[:, None, 7]))
        for k in range(1, 7):  # joint by joint: few pairs are left after the first two
            near = np.abs(wrap(after[j, k] - before[i, k])) <= self.max_step
            i, j = i[near], j[near]
        turn = wrap(after[j, :7] - before[i, :7])
        reached = before[i, :7] + turn
        inside = ((reached >= self.model.q_min[at]) & (reached <= self.model.q_max[at])).all(-1)
        return i[inside], j[inside], turn[inside]


@functools.lru_cache(maxsize=64)
def _drawn_in(model: Model, clearance: float) -> Model:
    bodies = []
    for body in model.bodies:
        joint = body.joint
        if joint.kind == "revolute":
            if not joint.q_max - joint.q_min > 2 * clearance:
                raise InputError(
                    f"clearance {clearance:g} rad leaves nothing of joint '{joint.name}' of model '{model.name}'."
                )
            joint = dataclasses.replace(joint, q_min=joint.q_min + clearance, q_max=joint.q_max - clearance)
        bodies.append(dataclasses.replace(body, joint=joint))
    return dataclasses.replace(model, bodies=tuple(bodies))


def best_path(
    options: BandOptions, path: PosePath, slices: list[ArmSlice], start: Array | None
) -> tuple[list[tuple[int, Array]], Array]:
    """(sample, configuration) at each time of the best path, as far as any goes, and all nodes (m, 8) that are reached there."""
    at, pace = options.columns, options.pace
    alive: list[np.ndarray] = []  # samples that some path reaches, their configurations, and where they came from
    shapes: list[Array] = []
    parents: list[np.ndarray] = []
    cost = np.empty(0)
    for k, cut in enumerate(slices):
        ids = np.flatnonzero(options.usable(cut))
        q = cut.nodes(at, ids)
        dt = path.time[min(k + 1, len(slices) - 1)] - path.time[max(k - 1, 0)]
        low, high = cut.ends(ids) if len(ids) else (np.empty(0), np.empty(0))
        own = 0.5 * dt * options.off_middle(cut.psi[ids], low, high)
        if k == 0:
            kept = (
                np.ones(len(ids), bool)
                if start is None
                else (np.abs(wrap(q[:, :7] - start[at])) <= options.max_step).all(1)
            )
            parent, total = np.full(len(ids), -1), own
        else:
            parent, total, q = _extend(options, shapes[-1], cost, q, path.time[k] - path.time[k - 1], pace)
            kept, total = np.isfinite(total), total + own
        if not kept.any():
            break
        alive.append(ids[kept])
        shapes.append(q[kept])
        parents.append(parent[kept])
        cost = total[kept]
    chain: list[tuple[int, Array]] = []
    i = int(np.argmin(cost)) if len(alive) else -1
    for k in range(len(alive) - 1, -1, -1):
        q = slices[k].q[alive[k][i]].copy()
        q[at] = shapes[k][i, :7]
        chain.append((int(alive[k][i]), q))
        i = int(parents[k][i])
    return chain[::-1], shapes[-1] if shapes else np.empty((0, 8))


def _extend(
    options: BandOptions, before: Array, cost: Array, after: Array, dt: float, pace: Array
) -> tuple[np.ndarray, Array, Array]:
    """Best predecessor of each sample, the cost of coming from there (infinite where none), and the sample, whole turns kept."""
    parent, total, reached = np.full(len(after), -1), np.full(len(after), np.inf), after.copy()
    i, j, turn = options.moves(before, after)
    sums = cost[i] + options.speed_weight / dt * ((turn / pace) ** 2).sum(-1)
    order = np.lexsort((i, sums, j))
    first = order[np.flatnonzero(np.diff(j[order], prepend=-1))]  # the cheapest pair of each sample
    parent[j[first]], total[j[first]] = i[first], sums[first]
    reached[j[first], :7] = before[i[first], :7] + turn[first]
    return parent, total, reached


def refine(
    options: BandOptions, path: PosePath, slices: list[ArmSlice], chain: list[tuple[int, Array]], start: Array | None
) -> tuple[Array, Array, Array, Array]:
    """(q, psi, low, high) of a path brought from samples to a smooth curve: the same programme on steps along self-motion."""
    n, at, pace = len(chain), options.columns, options.pace
    q = np.array([configuration for _, configuration in chain])
    ends = [slices[k].ends(np.array([sample])) for k, (sample, _) in enumerate(chain)]
    low, high = np.array([e[0][0] for e in ends]), np.array([e[1][0] for e in ends])
    psi = np.array([slices[k].psi[sample] for k, (sample, _) in enumerate(chain)])
    dt = np.diff(path.time[:n])
    weight = 0.5 * np.concatenate([[dt[0]], dt[1:] + dt[:-1], [dt[-1]]]) if n > 1 else np.ones(1)
    if start is not None:
        exact = np.abs(wrap(q[0] - start)).max() <= options.max_step
        q[0] = _on_pose(options, path.X_WT[:1], start[None])[0] if exact else q[0]
    step, middle = 0.02, len(OFFSETS) // 2
    for _ in range(ROUNDS):
        near, angles, good = _neighbours(options, path.X_WT[:n], q, psi, low, high, step)
        if start is not None:
            good[0] = False
            good[0, middle] = True
        own = weight[:, None] * options.off_middle(angles, low[:, None], high[:, None])
        own = np.where(good, own, np.inf)
        total, parents = own[0], []
        for k in range(1, n):
            turn = near[k][None, :, at] - near[k - 1][:, None, at]
            sums = total[:, None] + options.speed_weight / dt[k - 1] * ((turn / pace) ** 2).sum(-1)
            # too long a step is punished, not forbidden: a given start may be a long step from the samples at first
            longest = np.abs(turn).max(-1) / options.max_step
            sums += np.where(longest > 1, TOO_LONG * longest, 0.0)
            parents.append(np.argmin(sums, axis=0))
            total = sums.min(axis=0) + own[k]
        choice = np.empty(n, int)
        choice[-1] = int(np.argmin(total)) if np.isfinite(total).any() else middle
        for k in range(n - 1, 0, -1):
            choice[k - 1] = parents[k - 1][choice[k]]
        rows = np.arange(n)
        q, psi = near[rows, choice], angles[rows, choice]
        if (choice == middle).all():
            step *= 0.5
            if step < 1e-4:
                break
    turn = 2 * np.pi * np.rint((np.unwrap(psi) - psi) / (2 * np.pi))
    return q, psi + turn, low + turn, high + turn


def _neighbours(
    options: BandOptions, X: Array, q: Array, psi: Array, low: Array, high: Array, step: float
) -> tuple[Array, Array, np.ndarray]:
    """Configurations (n, 5, nq) a few steps along the self-motion, their arm angles, and which are usable."""
    model, frame, at = options.model, options.frame, options.columns
    rows = _tangents(options, q)
    guess = q[:, None] + step * OFFSETS[:, None] * rows[:, None]
    many = np.broadcast_to(rows[:, None], guess.shape)
    near, report = pin(
        model, frame, np.broadcast_to(X[:, None], (*guess.shape[:2], 4, 4)), guess, ALONG, (many * guess).sum(-1), many
    )
    angles = arm_angle(model, near, frame=frame)
    angles = psi[:, None] + wrap(angles - psi[:, None])
    good = (report[..., ERROR] < EXACT) & (joint_margins(options.tight, near)[..., at] >= -INSIDE).all(-1)
    good &= ((near >= model.q_min) & (near <= model.q_max))[..., at].all(-1)
    good &= (angles >= low[:, None]) & (angles <= high[:, None])
    if options.elbow_above is not None:
        good &= elbow_position(model, near, frame) @ upwards(model) >= options.elbow_above
    good[:, len(OFFSETS) // 2] = True  # where the path is now is always allowed, so there is always a path
    return near, angles, good


def self_motion_steps(options: BandOptions, X: Array, q: Array, step: float) -> tuple[Array, np.ndarray]:
    """Configurations (5, nq) a few steps along the self-motion from q, and which of them hold the pose."""
    row = _tangents(options, q[None])
    guess = q + step * OFFSETS[:, None] * row
    many = np.broadcast_to(row, guess.shape)
    near, report = pin(options.model, options.frame, X, guess, ALONG, (many * guess).sum(-1), many)
    return near, report[:, ERROR] < EXACT


def _tangents(options: BandOptions, q: Array) -> Array:
    """(n, nq) unit directions of self-motion."""
    rows = np.zeros(q.shape)
    J = jacobian(options.model, q, options.frame)[..., arm_speeds(options.model, options.frame)]
    rows[:, options.columns] = np.linalg.svd(J)[2][:, -1]
    return rows


def _on_pose(options: BandOptions, X: Array, q: Array) -> Array:
    """Configurations put on their poses, moved as little as may be."""
    rows = _tangents(options, q)
    return pin(options.model, options.frame, X, q, ALONG, (rows * q).sum(-1), rows)[0]


def follow_between(model: Model, frame: str, path: PosePath, time: Array, q: Array, at: Array) -> Array:
    """(m, nq) configurations at times `at` (m): the chord between samples, put on the path's pose."""
    i = np.clip(np.searchsorted(time, at, side="right") - 1, 0, len(time) - 2)
    share = ((at - time[i]) / (time[i + 1] - time[i]))[:, None]
    guess = q[i] + share * (q[i + 1] - q[i])
    return _on_pose(BandOptions(model, frame, "middle", None, 0.0, 0.0), path.at(at), guess)
