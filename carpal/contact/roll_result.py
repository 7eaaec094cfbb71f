"""The answer of `roll`: a contact's path over two surfaces, and why it ended."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from carpal._core.result import Result, status_of_batch
from carpal.contact.kernels import montana
from carpal.contact.touching import placed_contacts
from carpal.model import Shape
from carpal.spatial import Array


@dataclass(frozen=True, eq=False)
class RollResult(Result):
    """A contact's path over two surfaces; arrays are (*batch, rows, ...), one row per step and the start.

    Args:
        shape_a, shape_b: the bodies.
        dt: step [s].
        path: (*batch, rows, 9): contact coordinates (7), then arc lengths [m] over A and over B.
        reason: (*batch) 0, or why the motion ended before its time.
        steps: (*batch) steps done; later rows repeat the last one.
    """

    shape_a: Shape
    shape_b: Shape
    dt: float
    path: Array
    reason: np.ndarray
    steps: np.ndarray

    @property
    def ok(self) -> np.ndarray:
        """(*batch) whether the whole motion was followed."""
        return self.reason == montana.ROLLING

    @property
    def time(self) -> Array:
        """(rows) [s]."""
        return self.dt * np.arange(self.path.shape[-2], dtype=float)

    @property
    def coordinates(self) -> Array:
        """(*batch, rows, 7) contact coordinates."""
        return np.ascontiguousarray(self.path[..., :7])

    @property
    def spin(self) -> Array:
        """(*batch, rows) [rad] from A's tangent frame to B's; jumps where a chart is changed."""
        return self.path[..., montana.SPIN]

    @property
    def arc_a(self) -> Array:
        """(*batch, rows) [m] that the contact has wandered over A; over B it is the same in pure rolling (E9)."""
        return self.path[..., montana.ARC_A]

    @property
    def arc_b(self) -> Array:
        """(*batch, rows) [m] over B."""
        return self.path[..., montana.ARC_B]

    @cached_property
    def _poses(self) -> list[Array]:
        return placed_contacts(self.shape_a, self.shape_b, self.coordinates)

    @property
    def X_AB(self) -> Array:
        """(*batch, rows, 4, 4) pose of shape B in shape A."""
        return self._poses[0]

    @property
    def p_A(self) -> Array:
        """(*batch, rows, 3) [m] contact point in the frame of shape A."""
        return self._poses[1]

    @property
    def p_B(self) -> Array:
        """(*batch, rows, 3) [m] contact point in the frame of shape B."""
        return self._poses[2]

    @property
    def R_AC(self) -> Array:
        """(*batch, rows, 3, 3) tangent frame of A's chart: x along u, z the normal from A into B."""
        return self._poses[3]

    @property
    def status(self) -> str:
        """One sentence; of a batch, how many were followed and why the first was not."""
        what = f"contacts followed for {self.time[-1]:.6g} s"
        return status_of_batch(self.ok, what, "the first that was not", self._explain)

    def _explain(self, index: tuple[int, ...]) -> str:
        at = float(self.steps[index]) * self.dt
        pair = f"{self.shape_b.kind} on {self.shape_a.kind}"
        over = f"{self.arc_a[index][-1]:.4g} m over A and {self.arc_b[index][-1]:.4g} m over B"
        why = {
            montana.ROLLING: f"followed the {pair} for {at:.6g} s: {over}.",
            montana.LINE_CONTACT: "the surfaces touch along a line or an area there, so no single point is the contact.",
            montana.LEFT_A: f"the contact leaves the side of A, a {self.shape_a.kind}.",
            montana.LEFT_B: f"the contact leaves the side of B, a {self.shape_b.kind}.",
            montana.AT_POLE: "the contact comes to the end of A's chart; give the twist in axes 'a' or 'b'.",
            montana.TOO_FAST: f"the contact moves too far in a step of {self.dt:.3g} s; use a smaller dt.",
        }[int(self.reason[index])]
        return why if self.ok[index] else f"stopped at {at:.6g} s: {why}"
