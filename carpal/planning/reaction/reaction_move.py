"""The answer of `least_reaction_move`: a motion, what it is compared with, and what each freedom alone would give."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from carpal._core.result import Result
from carpal.model import Model
from carpal.planning.reaction.rest_to_rest import JointSpline
from carpal.spatial import Array


@dataclass(frozen=True, eq=False)
class MoveVariant:
    """One variant of the move.

    Args:
        name: "baseline", "timing only", "posture only" or "reaction-aware".
        motion: the joints over time.
        peak: largest horizontal mount force [N], table shift [m] or weighted wrench, whichever was minimised, on a 1 ms grid.
        peak_force: largest horizontal force [N] on a held mount.
        peak_displacement: largest horizontal shift [m] of a free massless table.
        in_limits: whether positions, speeds and accelerations keep their limits at every millisecond.
        reached: how far the tool is from the point at the end [m].
    """

    name: str
    motion: JointSpline
    peak: float
    peak_force: float
    peak_displacement: float
    in_limits: bool
    reached: float

    @property
    def q1(self) -> Array:
        """Where the joints end (nq)."""
        return self.motion.control[-1].copy()

    def sample(self, dt: float) -> tuple[Array, Array, Array]:
        """(q, v, vdot), each (N + 1, nq), every dt [s]."""
        return self.motion.sample(dt)


@dataclass(frozen=True, eq=False)
class ReactionMove(Result):
    """A rest-to-rest joint motion that asks little of its mount. `print` it for one sentence.

    Args:
        model, point, duration, minimise, weights: what was asked.
        best: the motion found.
        baseline: the quintic to the in-limit end posture nearest to the start.
        timing_only: the baseline's straight joint path, at a pace of its own.
        posture_only: the quintic, to an end posture of its own.
        floor: no motion to the end posture found can have a smaller peak, limits or not.
        programmes: linear programmes solved.
    """

    model: Model
    point: Array
    duration: float
    minimise: str
    weights: tuple[float, ...]
    best: MoveVariant
    baseline: MoveVariant
    timing_only: MoveVariant
    posture_only: MoveVariant
    floor: float
    programmes: int

    @property
    def ok(self) -> bool:
        """Whether the tool arrives within 1e-6 m with every limit kept at every millisecond."""
        return bool(self.best.in_limits and self.best.reached <= 1e-6)

    @property
    def peak(self) -> float:
        """Largest reaction of the motion found [N or m]."""
        return self.best.peak

    @property
    def peak_force(self) -> float:
        """Largest horizontal mount force of the motion found [N]."""
        return self.best.peak_force

    @property
    def peak_displacement(self) -> float:
        """Largest horizontal shift of a free massless table under the motion found [m]."""
        return self.best.peak_displacement

    @property
    def baseline_peak(self) -> float:
        """Largest reaction of the quintic to the nearest posture [N or m]."""
        return self.baseline.peak

    @property
    def variants(self) -> tuple[MoveVariant, ...]:
        """Baseline, timing only, posture only, and the motion found."""
        return self.baseline, self.timing_only, self.posture_only, self.best

    def reduction(self, variant: MoveVariant | None = None) -> float:
        """How far a variant's peak (by default that of the motion found) is below the baseline's, as a part of it."""
        peak = (variant or self.best).peak
        return 1.0 - peak / self.baseline.peak if self.baseline.peak > 0.0 else 0.0

    @property
    def status(self) -> str:
        """One sentence."""
        unit, what = {
            "force": (" N", "horizontal mount force"), "displacement": (" m", "horizontal table shift"),
            "wrench": ("", "weighted mount wrench"),
        }[self.minimise]  # fmt: skip
        where = ", ".join(f"{x:.4g}" for x in self.point)
        if not self.ok:
            return (
                f"no motion was found that brings the tool to ({where}) m in {self.duration:.4g} s within the limits; "
                f"the best misses by {self.best.reached:.2g} m."
            )
        rest = "" if self.baseline.in_limits else ", which itself breaks a limit"
        return (
            f"the tool reaches ({where}) m in {self.duration:.4g} s with a peak {what} of {self.peak:.4g}{unit}, "
            f"{100 * self.reduction():.1f} % below the {self.baseline_peak:.4g}{unit} of the quintic to the nearest "
            f"posture{rest} (timing alone {100 * self.reduction(self.timing_only):.1f} %, posture alone "
            f"{100 * self.reduction(self.posture_only):.1f} %)."
        )

    def sample(self, dt: float) -> tuple[Array, Array, Array]:
        """(q, v, vdot) of the motion found, each (N + 1, nq), every dt [s] from 0 until it has ended."""
        return self.best.sample(dt)

    def force(self, variant: MoveVariant, dt: float = 1e-3) -> tuple[Array, Array]:
        """Times (N + 1) [s] and horizontal mount force (N + 1, 2) [N] of a variant."""
        from carpal.planning.reaction.mount_reaction import MountReaction

        q, v, vdot = variant.sample(dt)
        return np.arange(len(q), dtype=float) * dt, MountReaction(self.model, "force", q[0]).values(q, v, vdot)

    def wrench(self, variant: MoveVariant, dt: float = 1e-3) -> tuple[Array, Array]:
        """Times (N + 1) [s] and wrench (N + 1, 6) [N, N m] at the mount of a variant, without what gravity alone asks for."""
        from carpal.dynamics import mount_wrench

        q, v, vdot = variant.sample(dt)
        return np.arange(len(q), dtype=float) * dt, mount_wrench(self.model.replace(gravity=np.zeros(3)), q, v, vdot)
