"""Feasible arm angles of seven-joint arms without a closed form, read off the traced self-motion, and what ends each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.result import Result
from carpal.errors import InputError
from carpal.kinematics.inverse.ik_target import check_target, read_target
from carpal.kinematics.inverse.numeric import ik
from carpal.kinematics.redundant.self_motion import into_limits, traced_arcs
from carpal.kinematics.redundant.self_motion_arcs import ArcPiece, SelfMotionArc, joint_margins, point_on
from carpal.kinematics.redundant.self_motion_curves import SelfMotion
from carpal.model import Model
from carpal.spatial import Array

_TURN = 2 * np.pi


@dataclass(frozen=True, eq=False)
class TracedInterval:
    """Arm angles for which one arc of self-motion keeps all joints inside their limits.

    Args:
        low: [rad], -pi to pi.
        high: [rad], above low; beyond pi where the interval goes through pi.
        branch: (curve, arc): which traced curve, and which of all arcs; the numbers belong to this pose alone.
        margin: [rad] distance of the nearest joint limit at the interval's middle.
        at_low, at_high: what ends it: "q_max of j5", "turning point" (the arm angle turns back there), "" for a full turn.
        q_middle: (nq) the configuration at its middle.
    """

    low: float
    high: float
    branch: tuple[int, int]
    margin: float
    at_low: str
    at_high: str
    q_middle: Array

    @property
    def middle(self) -> float:
        """[rad], -pi to pi."""
        return float(np.remainder(0.5 * (self.low + self.high) + np.pi, _TURN) - np.pi)

    @property
    def width(self) -> float:
        """[rad]."""
        return self.high - self.low

    def __contains__(self, psi: float) -> bool:
        return bool(np.remainder(psi - self.low, _TURN) <= self.high - self.low)


@dataclass(frozen=True, eq=False)
class TracedIntervals(Result):
    """Feasible arm angles of one pose, a sequence of `TracedInterval`; `print` it for one sentence.

    Args:
        model: the arm.
        motion: the traced curves.
        arcs: the curves cut into branches.
        intervals: in the order of arcs.
    """

    model: Model
    motion: SelfMotion
    arcs: tuple[SelfMotionArc, ...]
    intervals: tuple[TracedInterval, ...]

    @property
    def ok(self) -> bool:
        """Whether some arm angle is feasible."""
        return bool(self.intervals)

    def __len__(self) -> int:
        return len(self.intervals)

    def __iter__(self) -> Iterator[TracedInterval]:
        return iter(self.intervals)

    def __getitem__(self, i: int) -> TracedInterval:
        return self.intervals[i]

    @property
    def resolution(self) -> float:
        """[rad] longest step, in the norm of all joints, at which limits and turning points were searched."""
        return self.motion.step

    def contains(self, psi: float) -> bool:
        """Whether an arm angle [rad] lies in an interval of any branch."""
        return any(psi in interval for interval in self.intervals)

    @property
    def status(self) -> str:
        """One sentence."""
        how = f"traced numerically, steps up to {self.resolution:g} rad"
        if self.intervals:
            widest = max(self.intervals, key=lambda interval: interval.width)
            arcs = len({interval.branch for interval in self.intervals})
            return (
                f"{len(self.intervals)} intervals on {arcs} of {len(self.arcs)} arcs of {len(self.motion.curves)} curves; the "
                f"widest has {np.degrees(widest.width):.4g} deg ({how})."
            )
        if not self.motion:
            return f"{self.motion.status[:-1]}; {ik(self.model, self.motion.X_WT, frame=self.motion.frame).status}"
        pieces = [piece for arc in self.arcs for piece in arc.pieces]
        always = set(pieces[0].violated).intersection(*(piece.violated for piece in pieces))
        if always:
            return f"{', '.join(sorted(always))} beyond the limits at every arm angle ({how})."
        best = min(pieces, key=lambda piece: piece.excess)
        return (
            f"no arm angle keeps all joints inside their limits; the least bad stretch has {', '.join(best.violated)} outside, "
            f"by {best.excess:.3g} rad ({how})."
        )


def traced_intervals(model: Model, X_WT: ArrayLike, frame: str | None = None) -> TracedIntervals:
    """The feasible arm angles of one pose; `arm_angle_intervals` comes here where no closed form fits.

    Args:
        model: an arm with seven revolute joints.
        X_WT: (4, 4).
        frame: the frame that is to reach; None is the tool.
    """
    asked = read_target(X_WT)
    if asked.kind != "pose" or asked.numbers.ndim != 1:
        raise InputError(
            f"model '{model.name}' has no closed form, and its self-motion is traced for one pose (4, 4) at a time; "
            f"got shape {np.shape(X_WT)}."
        )
    check_target(asked)
    motion, arcs = traced_arcs(model, np.asarray(X_WT, float), frame)
    found = [
        _interval(model, motion, arc, number, piece)
        for number, arc in enumerate(arcs)
        for piece in arc.pieces
        if not piece.violated
    ]
    return TracedIntervals(model, motion, arcs, tuple(found))


def _interval(model: Model, motion: SelfMotion, arc: SelfMotionArc, number: int, piece: ArcPiece) -> TracedInterval:
    q = point_on(motion, arc, 0.5 * (piece.low + piece.high))
    margin = float(joint_margins(model, q)[motion.columns].min())
    low, high = piece.low, piece.high
    if piece.whole:  # a closed curve without cuts: every arm angle
        low, high = -np.pi, np.pi
    turn = _TURN * np.floor((low + np.pi) / _TURN)
    return TracedInterval(
        float(low - turn), float(high - turn), (arc.curve, number), margin, piece.at_low, piece.at_high,
        into_limits(model, q, np.asarray(model.q_home)),
    )  # fmt: skip
