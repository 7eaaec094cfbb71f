"""For which arm angles a 7-joint arm stays inside its limits: exact intervals for each branch, or who forbids it."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.batch import KernelInput, on_processor_only, run_batch
from carpal._core.result import Result, status_of_batch
from carpal.errors import InputError
from carpal.kinematics.inverse.ik_target import Target, check_target, read_target
from carpal.kinematics.redundant.arm_angle7 import check_plain, distance_sentence, solve_arm_angle
from carpal.kinematics.redundant.elbow_points import has_traced_arm
from carpal.kinematics.redundant.kernels import srs_intervals as at
from carpal.kinematics.redundant.kernels import srs_pose
from carpal.kinematics.redundant.srs_class import SRSGeometry, require_srs
from carpal.model import Model, need_model
from carpal.spatial import Array

ROOM = 6  # intervals of a branch that a first run has room for
MOST = at.PIECES // 2
BITS = ("elbow", "shoulder", "wrist")
_DIRECTIONS = {0: 0, 1: 2, 6: 4, 7: 6}  # row of the limits' table: joint
_BITS_SET = np.array([0, 1, 1, 2, 1, 2, 2, 3])
_COSINES = {2: (1, 1), 3: (1, -1), 8: (5, 1), 9: (5, -1)}  # row: joint, sign of its canonical angle


@dataclass(frozen=True)
class ArmAngleInterval:
    """Arm angles for which one branch keeps all joints inside their limits.

    Args: low: [rad], -pi to pi. high: [rad], above low; beyond pi where the interval goes through pi. branch: (elbow,
        shoulder, wrist), each 1 or -1. margin: [rad] distance of the nearest joint limit at the interval's middle;
        infinite for joints without limits.
    """

    low: float
    high: float
    branch: tuple[int, int, int]
    margin: float

    @property
    def middle(self) -> float:
        """[rad], -pi to pi."""
        return float(np.remainder(0.5 * (self.low + self.high) + np.pi, 2 * np.pi) - np.pi)

    @property
    def width(self) -> float:
        """[rad], a full turn where every arm angle will do."""
        return self.high - self.low

    def __contains__(self, psi: float) -> bool:
        return bool(np.remainder(psi - self.low, 2 * np.pi) <= self.high - self.low)


@dataclass(frozen=True, eq=False)
class ArmAngleIntervals(Result):
    """Feasible arm angles of one pose, as a sequence of intervals, or of a batch; `print` it for one sentence.

    Args:
        model, geometry, target: what was asked.
        low, high: (*batch, 8, n) [rad]; the second last index is the branch's code (bit 0 elbow, 1 shoulder, 2 wrist:
            set is -1); NaN beyond `count`.
        count: (*batch, 8) intervals of each branch.
        forbidden_by: (*batch, 8) 0, or why a branch has none: 1 to 7 the joint that takes the last arm angle, 8
            shoulder and wrist suit no common one, 9 too far, 10 too near, 11 it is one with the branch of the other sign.
    """

    model: Model
    geometry: SRSGeometry
    target: Target
    low: Array
    high: Array
    count: np.ndarray
    forbidden_by: np.ndarray

    @property
    def batch(self) -> tuple[int, ...]:
        """Shape of the batch; () for one pose."""
        return tuple(self.count.shape[:-1])

    @property
    def ok(self) -> Any:
        """(*batch) whether some branch has an arm angle."""
        return np.asarray((self.count > 0).any(axis=-1))[()]

    def __len__(self) -> int:
        """Of one pose the number of intervals, of a batch its length."""
        return self.batch[0] if self.batch else int(self.count.sum())

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    def __getitem__(self, i: int) -> Any:
        """Of one pose its i-th interval, in the order of branch codes; of a batch the result at i."""
        if not self.batch:
            return self.intervals[i]
        part = Target(
            self.target.task, self.target.kind, self.target.numbers[i],
            None if self.target.given is None else self.target.given[i],
        )  # fmt: skip
        return ArmAngleIntervals(
            self.model, self.geometry, part, self.low[i], self.high[i], self.count[i], self.forbidden_by[i]
        )

    @functools.cached_property
    def intervals(self) -> tuple[ArmAngleInterval, ...]:
        """One pose's intervals in the order of branch codes."""
        if self.batch:
            raise InputError(f"this is a batch of shape {self.batch}; take one pose of it first.")
        margin = self.margin
        return tuple(
            ArmAngleInterval(
                float(self.low[code, k]), float(self.high[code, k]), branch_signs(code), float(margin[code, k])
            )
            for code in range(8)
            for k in range(int(self.count[code]))
        )

    @functools.cached_property
    def margin(self) -> Array:
        """(*batch, 8, n) [rad] distance of the nearest joint limit at each interval's middle; NaN beyond `count`."""
        out = np.full(self.low.shape, np.nan)
        where = np.nonzero(np.isfinite(self.low))
        if len(where[0]):
            psi = 0.5 * (self.low + self.high)[where]
            poses = Target(self.target.task, "pose", self.target.numbers[where[:-2]])
            q = solve_arm_angle(self.model, self.geometry, poses, psi)
            # two branches that meet at the very middle are given once: take the one that differs least
            differs = np.where(q.branch < 0, 8, _BITS_SET[(q.branch ^ where[-2][:, None]) & 7])
            row = np.argmin(differs, axis=1)
            chosen = q.q[np.arange(len(row)), row][:, self.geometry.columns]
            out[where] = np.minimum(chosen - self.geometry.q_min, self.geometry.q_max - chosen).min(axis=1)
        return out

    def contains(self, psi: ArrayLike, code: int | None = None) -> np.ndarray:
        """(*batch) whether arm angles (*batch) [rad] lie in an interval of a branch, or of any branch."""
        angle = np.asarray(psi, float)[..., None, None]
        low, high = (self.low, self.high) if code is None else (self.low[..., [code], :], self.high[..., [code], :])
        with np.errstate(invalid="ignore"):
            return np.asarray((np.remainder(angle - low, 2 * np.pi) <= high - low).any(axis=(-1, -2)))

    @property
    def status(self) -> str:
        """One sentence; of a batch, how many poses have feasible arm angles and why the first without has none."""
        what = "poses have feasible arm angles"
        return status_of_batch(np.asarray(self.ok), what, "the first without", self.explain)

    def explain(self, index: tuple[int, ...] = ()) -> str:
        """How many arm angles the pose at a batch index has, or which joints forbid every branch."""
        count = self.count[index]
        if count.any():
            width = np.nansum(self.high[index] - self.low[index], axis=-1)
            best = int(np.argmax(width))
            return (
                f"{int(count.sum())} intervals in {int((count > 0).sum())} of 8 branches; the widest branch, "
                f"{branch_words(best)}, has {np.degrees(width[best]):.4g} deg."
            )
        sentences = dict.fromkeys(self.explain_branch(code, index) for code in range(8))
        return (
            " ".join(sentences)
            if len(sentences) == 1
            else "no branch has one: "
            + " ".join(f"{branch_words(code)}: {self.explain_branch(code, index)}" for code in range(8))
        )

    def explain_branch(self, code: int, index: tuple[int, ...] = ()) -> str:
        """Why one branch has no feasible arm angle at a batch index; empty where it has."""
        why = int(self.forbidden_by[index][code])
        if why == 0:
            return ""
        target = self.target.numbers[index]
        geometry = self.geometry
        if why == 11:
            return "it is one with the branch of the other sign, which is given instead."
        if why > 8:
            R, p = target[:9].reshape(3, 3), target[9:]
            wrist = p + R @ geometry.numbers[srs_pose.WRIST : srs_pose.WRIST + 3]
            return distance_sentence(geometry, why - 8, float(np.linalg.norm(wrist - geometry.shoulder)))
        names = geometry.joint_names
        for few in range(1, 7):
            for joints in itertools.combinations(range(7), few):
                if _forbid(self.model, geometry, target, code, joints):
                    if few == 1:
                        return f"{names[joints[0]]} is beyond its limits at every arm angle."
                    return f"no arm angle keeps {', '.join(names[j] for j in joints)} inside their limits together."
        return f"no arm angle keeps {', '.join(names)} inside their limits together."


def branch_signs(code: int) -> tuple[int, int, int]:
    """(elbow, shoulder, wrist) of a branch's code."""
    return 1 - 2 * (code & 1), 1 - 2 * (code >> 1 & 1), 1 - 2 * (code >> 2 & 1)


def branch_words(code: int) -> str:
    """A branch's code in words."""
    return ", ".join(f"{name} {'+' if sign > 0 else '-'}" for name, sign in zip(BITS, branch_signs(code), strict=True))


def arm_angle_intervals(
    model: Model,
    X_WT: ArrayLike | Target,
    *,
    frame: str | None = None,
    device: str = "cpu",
    threads: int | None = None,
) -> Any:
    """For each branch the exact set of arm angles for which all joints are inside their limits.

    Args:
        model: an arm with spherical shoulder, revolute elbow and spherical wrist.
        X_WT: poses (*batch, 4, 4).
        frame: the frame that is to reach; None is the tool.
        device: "cpu" or "cuda".
        threads: CPU threads; all cores by default.

    Returns:
        `ArmAngleIntervals`; of one pose a sequence of `ArmAngleInterval` with .low .high .branch .margin [rad].

    Example:
        >>> arm = carpal.load("sia5")
        >>> found = carpal.kinematics.arm_angle_intervals(arm, carpal.fk(arm, [0.3] * 7))
        >>> all(i.margin > 0 for i in found)
        True
    """
    need_model(model, "arm_angle_intervals")
    if has_traced_arm(model, frame) and not isinstance(X_WT, Target):
        from carpal.kinematics.redundant.self_motion_intervals import traced_intervals

        on_processor_only("intervals of an arm with offsets", device, threads)
        return traced_intervals(model, X_WT, frame)
    geometry = require_srs(model, frame)
    asked = X_WT if isinstance(X_WT, Target) else read_target(X_WT)
    if asked.kind != "pose":
        raise InputError(f"arm_angle_intervals needs poses X_WT (*batch, 4, 4); got a {asked.kind}.")
    check_plain(asked)
    table = _model_limits(model, geometry)
    home = home_of(model, geometry)

    def run(numbers: Array, room: int) -> list[Array]:
        return run_batch(
            model, at.interval_batch, (geometry.numbers, table, home), [KernelInput("target", numbers, (12,))],
            [(8, 2 * room), (8, 2)], scratch=[(4, at.PIECES + 2)], device=device, threads=threads, world_seconds=3e-6,
        )  # fmt: skip

    try:
        ends, report = run(asked.numbers, ROOM)
    except InputError:
        check_target(asked)
        raise
    crowded = report[..., 0].max(axis=-1) > ROOM
    if crowded.any():  # a few poses have more intervals in a branch than there was room for
        more, counted = run(asked.numbers[crowded], MOST)
        room = int(counted[..., 0].max())
        wide = np.full((*ends.shape[:-1], 2 * room), np.nan)
        wide[..., : 2 * ROOM] = ends
        wide[crowded] = more[..., : 2 * room]
        report[crowded] = counted
        ends = wide
    count = report[..., 0].astype(np.int64)
    return ArmAngleIntervals(
        model, geometry, asked, ends[..., 0::2], ends[..., 1::2], count, report[..., 1].astype(np.int64)
    )


def _forbid(model: Model, geometry: SRSGeometry, target: Array, code: int, joints: tuple[int, ...]) -> bool:
    """Whether the limits of some joints alone leave a branch without arm angles."""
    low, high = np.full(7, -np.inf), np.full(7, np.inf)
    for j in joints:
        low[j], high[j] = geometry.q_min[j], geometry.q_max[j]
    numbers = geometry.with_limits(low, high)
    ends, report, pieces = np.empty((1, 8, 2 * MOST)), np.empty((1, 8, 2)), np.empty((1, 4, at.PIECES + 2))
    at.interval_batch(
        numbers, limit_table(numbers), home_of(model, geometry), np.array(target, ndmin=2), ends, report, pieces,
        0, 1, 1, 0,
    )  # fmt: skip
    return report[0, code, 0] == 0


def home_of(model: Model, geometry: SRSGeometry) -> Array:
    """The home angles (7) of the arm's joints, which singular poses keep."""
    home: Any = model.q_home
    return np.asarray(home)[geometry.columns]


@functools.lru_cache(maxsize=64)
def _model_limits(model: Model, geometry: SRSGeometry) -> Array:
    return limit_table(geometry.numbers)


def limit_table(numbers: Array) -> Array:
    """Limits as the interval kernel reads them (rows and columns: `kernels/srs_intervals.py`)."""
    table = np.zeros((at.ROWS, at.COLUMNS))
    offset = numbers[srs_pose.OFFSET : srs_pose.OFFSET + 7]
    low = numbers[srs_pose.LOW : srs_pose.LOW + 7] - offset
    high = numbers[srs_pose.HIGH : srs_pose.HIGH + 7] - offset
    for row, j in _DIRECTIONS.items():
        if numbers[srs_pose.WIDE + j] == 0:
            table[row] = (
                at.BOTH if high[j] - low[j] <= np.pi else at.EITHER,
                np.cos(low[j]), np.sin(low[j]), np.cos(high[j]), np.sin(high[j]),
            )  # fmt: skip
    for row, (j, sign) in _COSINES.items():
        if numbers[srs_pose.WIDE + j] == 0:
            ends = (low[j], high[j]) if sign > 0 else (-high[j], -low[j])
            table[row, :3] = _cosine_limits(*ends)
    return table


def _cosine_limits(low: float, high: float) -> tuple[float, float, float]:
    """What an angle between limits asks of its cosine, if it lies between 0 and pi: (kind, greatest, least)."""
    inside = []  # parts of [0, pi] that the limits allow, whole turns away
    for turn in range(-3, 4):
        a, b = max(low + 2 * np.pi * turn, 0.0), min(high + 2 * np.pi * turn, np.pi)
        if a <= b:
            inside.append((a, b))
    if not inside:
        return at.NEVER, 0.0, 0.0
    if len(inside) == 1:
        (a, b), beyond = inside[0], 2.0  # a cosine is never beyond 2: no limit
        return at.BOTH, (np.cos(a) if a > 0 else beyond), (np.cos(b) if b < np.pi else -beyond)
    (_, b), (a, _) = sorted(inside)  # from 0 to b, and from a to pi
    return at.EITHER, np.cos(a), np.cos(b)
