"""Summary of a grasp: force closure, quality, and how the contacts share what they carry."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.result import Result
from carpal.contact.grasp.force_closures import ForceClosure, force_closure, scaled_matrix
from carpal.contact.grasp.friction_cones import SlipMargins, slip_margins
from carpal.contact.grasp.grasp_contacts import Grasp
from carpal.contact.grasp.internal_forces import ForceParts, internal_basis, split_forces
from carpal.contact.grasp.wrench_balls import WrenchBall, wrench_ball


@dataclass(frozen=True, eq=False)
class GraspReport(Result):
    """What is known of a grasp.

    Args:
        closure: force closure.
        ball: largest inscribed ball of wrenches.
        least_singular_value: of the grasp matrix, torques in units of the grasp's length; zero below rank 6.
        internal: number of independent internal forces.
        margins: to slipping, where forces were given.
        parts: carrying and squeezing parts of the forces, where they were given.
    """

    closure: ForceClosure
    ball: WrenchBall
    least_singular_value: float
    internal: int
    margins: SlipMargins | None = None
    parts: ForceParts | None = None

    @property
    def ok(self) -> bool:
        """Whether the grasp is force closed."""
        return self.closure.ok

    @property
    def status(self) -> str:
        """One sentence."""
        quality = f"wrench ball {self.ball.radius:.3g}, least singular value {self.least_singular_value:.3g}"
        return f"{self.closure.status[:-1]}; {quality}."


def analyse_grasp(grasp: Grasp, forces: ArrayLike | None = None, *, limit: str = "sum") -> GraspReport:
    """Closure and quality of a grasp; with contact forces (width) also margins to slipping and the squeezing part."""
    values = np.linalg.svd(scaled_matrix(grasp), compute_uv=False)
    least = float(values[5]) if len(values) == 6 and values[5] > 1e-12 * values[0] else 0.0
    return GraspReport(
        force_closure(grasp), wrench_ball(grasp, limit=limit), least, internal_basis(grasp).shape[1],
        None if forces is None else slip_margins(grasp, forces), None if forces is None else split_forces(grasp, forces),
    )  # fmt: skip
