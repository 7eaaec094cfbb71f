"""For which angles of one joint a pose of seven joints has a solution inside the limits: intervals, their ends refined.

The joint is held at angles all over its range and the other six are solved exactly at each (`locked_arm`); solutions of
neighbouring angles that are nearest to one another belong to one curve. A curve is inside the limits from one crossing of a
limit, or from one fold (where two solutions merge), to the next; each end is found by bisection with the exact solver.
Cells in which the distance from the limits may turn back before it reaches zero are sampled more finely.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.result import Result, status_of_batch
from carpal.errors import InputError, unknown_name
from carpal.kinematics.axes import chain_axes
from carpal.kinematics.inverse.ik_target import Target, check_target, read_target
from carpal.kinematics.redundant.locked_arm import LockedArm, locked_arm, solve_locked
from carpal.model import Model, need_model
from carpal.spatial import Array

SAMPLES = {True: 720, False: 240}  # angles in the joint's range: closed forms, general class
_FINER = 8  # into how many parts a cell is cut in which the margin may turn back
_HALVINGS = 42
_NEAR = 0.6  # [rad] solutions of neighbouring angles farther apart than this are not one curve
_TURN = 2 * np.pi


@dataclass(frozen=True)
class JointInterval:
    """Angles of the held joint for which one curve of solutions is inside the limits.

    Args: low, high: [rad]. branch: number of the curve. margin: [rad] distance of the nearest joint limit at the middle.
    """

    low: float
    high: float
    branch: int
    margin: float

    @property
    def middle(self) -> float:
        """[rad]."""
        return 0.5 * (self.low + self.high)

    @property
    def width(self) -> float:
        """[rad]."""
        return self.high - self.low

    def __contains__(self, angle: float) -> bool:
        return self.low <= angle <= self.high


@dataclass(frozen=True, eq=False)
class JointIntervals(Result):
    """Feasible angles of one joint: of one pose a sequence of intervals, of a batch a sequence of these.

    Args:
        joint: the held joint.
        step: [rad] between the angles at which curves were joined.
        found: of one pose its intervals, sorted; of a batch one such tuple for each pose.
        curves: of one pose how many curves of solutions it has, limits aside; of a batch a tuple.
        batch: shape of the batch; () for one pose.
    """

    joint: str
    step: float
    found: tuple
    curves: tuple[int, ...]
    batch: tuple[int, ...] = ()

    @property
    def ok(self) -> np.ndarray:
        """(*batch) whether some angle has a solution inside the limits."""
        return np.array([len(one) > 0 for one in self.found]).reshape(self.batch)[()]

    def __len__(self) -> int:
        return len(self.found[0]) if not self.batch else self.batch[0]

    def __iter__(self) -> Iterator:
        return iter(self.found[0]) if not self.batch else (self[i] for i in range(self.batch[0]))

    def __getitem__(self, i: int) -> JointInterval | JointIntervals:
        """Of one pose its i-th interval; of a batch the result at i."""
        if not self.batch:
            interval: JointInterval = self.found[0][i]
            return interval
        rows = np.arange(len(self.found)).reshape(self.batch)[i].ravel()
        return JointIntervals(
            self.joint,
            self.step,
            tuple(self.found[k] for k in rows),
            tuple(self.curves[k] for k in rows),
            self.batch[1:],
        )

    def contains(self, angle: ArrayLike, index: int = 0) -> np.ndarray:
        """Whether angles [rad] lie in an interval of the pose with this number."""
        x = np.asarray(angle, float)
        inside = np.zeros(x.shape, bool)
        for one in self.found[index]:
            inside |= (one.low <= x) & (x <= one.high)
        return inside

    @property
    def status(self) -> str:
        """One sentence."""
        return status_of_batch(np.asarray(self.ok), "poses have feasible angles", "the first without", self.explain)

    def explain(self, index: tuple[int, ...] = ()) -> str:
        """How many intervals the pose at a batch index has."""
        row = int(np.ravel_multi_index(index, self.batch)) if self.batch else 0
        found, curves = self.found[row], self.curves[row]
        if not curves:
            return f"no angle of {self.joint} inside its limits reaches the pose (steps of {self.step:.3g} rad)."
        if not found:
            return f"none of {curves} curves of solutions is inside the limits, whatever the angle of {self.joint}."
        widest = max(one.width for one in found)
        return (
            f"{len(found)} intervals of {self.joint} on {len({one.branch for one in found})} of {curves} curves; the widest "
            f"has {np.degrees(widest):.4g} deg."
        )


def joint_intervals(
    model: Model, X_WT: ArrayLike, joint: str | None = None, *, frame: str | None = None, threads: int | None = None
) -> JointIntervals:
    """The angles of one joint of seven for which the pose has a solution inside all joint limits.

    Args:
        model: an arm with seven revolute joints.
        X_WT: poses (*batch, 4, 4).
        joint: the first or the last joint of the arm; by default the one that leaves a closed form for the other six.
        frame: the frame that is to reach; None is the tool.
        threads: CPU threads.

    Returns:
        `JointIntervals`, of one pose a sequence of `JointInterval` with .low .high .branch .margin [rad]; ends are exact to
        1e-9 rad, intervals narrower than a step may be missed.

    Example:
        >>> arm = carpal.load("srs7")
        >>> found = carpal.kinematics.joint_intervals(arm, carpal.fk(arm, [0.3, 0.7, -0.4, 1.1, 0.5, -0.8, 0.2]))
        >>> any(0.2 in interval for interval in found)
        True
    """
    need_model(model, "joint_intervals")
    axes = chain_axes(model, frame)
    if joint is not None and joint not in (axes.names[:1] + axes.names[-1:]):
        raise unknown_name("joint at an end of the arm", joint, axes.names[:1] + axes.names[-1:])
    arm = locked_arm(model, frame, joint)
    if arm is None:
        raise InputError(f"joint_intervals needs seven free revolute joints; '{axes.frame}' has {len(axes.u)} joints.")
    asked = read_target(X_WT)
    if asked.kind != "pose":
        raise InputError(f"joint_intervals needs poses X_WT (*batch, 4, 4); got a {asked.kind}.")
    check_target(asked)
    batch = asked.numbers.shape[:-1]
    poses = [_Pose(model, arm, row, threads) for row in asked.numbers.reshape(-1, 12)]
    found = [pose.intervals() for pose in poses]
    step = poses[0].step if poses else 0.0
    return JointIntervals(arm.name, step, tuple(one for one, _ in found), tuple(n for _, n in found), batch)


class _Pose:
    """One pose and its curves of solutions over the held joint."""

    def __init__(self, model: Model, arm: LockedArm, numbers: Array, threads: int | None) -> None:
        self.model, self.arm, self.numbers, self.threads = model, arm, numbers, threads
        self.columns = np.asarray(arm.six.columns)
        self.low, self.high = model.q_min[self.columns], model.q_max[self.columns]
        first, last = float(model.q_min[arm.column]), float(model.q_max[arm.column])
        if not last - first < _TURN:  # more than a turn gives nothing new
            middle = 0.5 * (first + last) if np.isfinite(first + last) else 0.0
            first, last = middle - np.pi, middle + np.pi
        self.x = np.linspace(first, last, SAMPLES[arm.is_closed] + 1)
        self.step = float(self.x[1] - self.x[0]) if last > first else 0.0
        self.home = np.asarray(model.q_home)

    def solve(self, x: Array) -> Array:
        """Solutions (n, rows, 6) at angles (n); NaN rows behind."""
        target = Target(0, "pose", np.broadcast_to(self.numbers, (len(x), 12)))
        return solve_locked(self.model, self.arm, target, x, self.home, threads=self.threads).q[..., self.columns]

    def margin(self, q: Array) -> Array:
        """Least distance from a limit (...), negative outside; NaN where q is."""
        return np.minimum(q - self.low, self.high - q).min(axis=-1)

    def nearest(self, x: Array, near: Array) -> tuple[Array, Array]:
        """The solutions (n, 6) at angles (n) nearest to given ones, and how far they are [rad]."""
        rows = self.solve(x)
        off = _apart(rows, near[:, None])
        pick = np.argmin(np.where(np.isnan(off), np.inf, off), axis=1)
        at = np.arange(len(x))
        return rows[at, pick], np.where(np.isnan(off[at, pick]), np.inf, off[at, pick])

    def intervals(self) -> tuple[tuple[JointInterval, ...], int]:
        """Intervals sorted by their low end, and the number of curves."""
        curves = self._curves()
        found: list[tuple[float, float, int]] = []
        for number, (x, q) in enumerate(curves):
            found += [(a, b, number) for a, b in self._inside(x, q)]
        if not found:
            return (), len(curves)
        middle = np.array([0.5 * (a + b) for a, b, _ in found])
        near = np.array([self._at(curves[n], m) for (_, _, n), m in zip(found, middle, strict=True)])
        margins = self.margin(self.nearest(middle, near)[0])
        made = [JointInterval(a, b, n, float(m)) for (a, b, n), m in zip(found, margins, strict=True)]
        return tuple(sorted(made, key=lambda one: (one.low, one.high))), len(curves)

    @staticmethod
    def _at(curve: tuple[Array, Array], x: float) -> Array:
        near: Array = curve[1][np.argmin(np.abs(curve[0] - x))]
        return near

    def _curves(self) -> list[tuple[Array, Array]]:
        """Each curve as its angles (n), folds at its ends included, and its solutions (n, 6)."""
        rows = self.solve(self.x)
        open_curves: dict[int, list[tuple[float, Array]]] = {}
        done: list[list[tuple[float, Array]]] = []
        owner: dict[int, int] = {}  # row at the last angle -> curve
        began = 0
        for i, x in enumerate(self.x):
            now = np.flatnonzero(~np.isnan(rows[i, :, 0]))
            before = list(owner)
            links = _mutual(rows[i - 1][before], rows[i][now]) if i and before and len(now) else []
            fresh: dict[int, int] = {}
            for a, b in links:
                curve = owner.pop(before[a])
                open_curves[curve].append((x, rows[i, now[b]]))
                fresh[int(now[b])] = curve
            for curve in owner.values():
                done.append(open_curves.pop(curve))
            for row in now.tolist():
                if row not in fresh:
                    open_curves[began] = [(x, rows[i, row])]
                    fresh[row] = began
                    began += 1
            owner = fresh
        done += open_curves.values()
        return self._with_folds([(np.array([x for x, _ in c]), np.array([q for _, q in c])) for c in done])

    def _with_folds(self, curves: list[tuple[Array, Array]]) -> list[tuple[Array, Array]]:
        """The curves, lengthened to where their solutions vanish between two angles."""
        ends = [(k, side) for k, (x, _) in enumerate(curves) for side in (0, -1) if x[side] != self.x[side]]
        if not ends:
            return curves
        good = np.array([curves[k][0][side] for k, side in ends])
        q = np.array([curves[k][1][side] for k, side in ends])
        bad = good + np.array([-self.step if side == 0 else self.step for _, side in ends])
        for _ in range(_HALVINGS):
            middle = 0.5 * (good + bad)
            near, off = self.nearest(middle, q)
            there = off < _NEAR
            good, bad = np.where(there, middle, good), np.where(there, bad, middle)
            q = np.where(there[:, None], near, q)
        out = list(curves)
        for (k, side), x, row in zip(ends, good, q, strict=True):
            xs, rows = out[k]
            if x != xs[side]:
                parts = ([x], xs) if side == 0 else (xs, [x])
                stacked = (row[None], rows) if side == 0 else (rows, row[None])
                out[k] = np.concatenate(parts), np.concatenate(stacked)
        return out

    def _inside(self, x: Array, q: Array) -> list[tuple[float, float]]:
        """Stretches of a curve that are inside the limits."""
        x, q = self._finer(x, q)
        m = self.margin(q)
        cross = np.flatnonzero((m[:-1] >= 0) != (m[1:] >= 0))
        inside, outside = np.where(m[cross] >= 0, cross, cross + 1), np.where(m[cross] >= 0, cross + 1, cross)
        good, bad, near = (
            x[inside],
            x[outside],
            q[np.where(cross == 0, 1, cross)],
        )  # not from a fold: two curves begin there
        for _ in range(_HALVINGS if len(cross) else 0):
            middle = 0.5 * (good + bad)
            near, _ = self.nearest(middle, near)
            within = self.margin(near) >= 0
            good, bad = np.where(within, middle, good), np.where(within, bad, middle)
        marks = ([x[0]] if m[0] >= 0 else []) + list(good) + ([x[-1]] if m[-1] >= 0 else [])
        return [(float(a), float(b)) for a, b in zip(marks[::2], marks[1::2], strict=True) if b >= a]

    def _finer(self, x: Array, q: Array) -> tuple[Array, Array]:
        """More angles where the margin may reach zero and turn back between two of them."""
        m = self.margin(q)
        if len(x) < 2:
            return x, q
        slope = np.abs(np.diff(m))
        steep = np.maximum(slope, np.maximum(np.append(slope[1:], 0.0), np.append(0.0, slope[:-1])))
        cells = np.flatnonzero(np.minimum(np.abs(m[:-1]), np.abs(m[1:])) < 1.5 * steep)
        if not len(cells):
            return x, q
        back = cells == 0  # not from a fold: two curves begin there
        near, found = np.where(back[:, None], q[cells + 1], q[cells]), [(x, q)]
        for share in np.arange(1, _FINER) / _FINER:  # one after the other, each near the last
            more = x[cells] + np.where(back, 1.0 - share, share) * np.diff(x)[cells]
            rows, off = self.nearest(more, near)
            keep = off < _NEAR
            near = np.where(keep[:, None], rows, near)
            found.append((more[keep], rows[keep]))
        x, q = np.concatenate([a for a, _ in found]), np.concatenate([b for _, b in found])
        order = np.argsort(x, kind="stable")
        return x[order], q[order]


def _apart(a: Array, b: Array) -> Array:
    """Largest difference of two angles, whole turns aside."""
    return np.abs(np.remainder(a - b + np.pi, _TURN) - np.pi).max(axis=-1)


def _mutual(a: Array, b: Array) -> list[tuple[int, int]]:
    """Pairs of rows each of which is the other's nearest."""
    off = _apart(a[:, None], b[None])
    forth, back = off.argmin(axis=1), off.argmin(axis=0)
    return [(i, int(j)) for i, j in enumerate(forth) if back[j] == i and off[i, j] < _NEAR]
