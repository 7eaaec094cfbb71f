"""The four movements of Alkire (2020), 6.1.1 to 6.1.4: targets, the joints that may move, and the published drifts.

Erratum E3: the printed points of cases 1 and 2 are rounded; the task goes to the point that the one joint can reach, a
quarter turn away, and reports its distance from the printed point. The printed pictures are turned by 90 degrees about z
against the printed table; here x is forward, y to the left, z up, as in the table.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from carpal.kinematics import fk
from carpal.model import Model
from carpal.spatial import Array


@dataclass(frozen=True)
class Case:
    """A movement: the printed target [m], the joint that turns (None: all) and by how much [rad], and the text's drift."""

    printed: tuple[float, float, float]
    joint: int | None
    turn: float
    drift_m: float | None

    def joints(self, arm: Model) -> tuple[str, ...] | None:
        """The joints that may move, or None for all."""
        return None if self.joint is None else (arm.joint_names[self.joint],)

    def target(self, arm: Model) -> Array:
        """The point (3) [m] that can be reached."""
        if self.joint is None:
            return np.array(self.printed)
        q = np.array(arm.q_home)
        q[self.joint] += self.turn
        p: Array = fk(arm, q)[:3, 3]
        return p


ARMS = ("sawyer", "sawyer_dh")
"""The robots whose movements they are."""
CASES = {
    1: Case((0.081, 0.16, 1.25), 1, -np.pi / 2, 4.0),
    2: Case((-0.1603, 1.016, 0.317), 0, np.pi / 2, None),
    3: Case((0.6, 0.6, 0.6), None, 0.0, None),
    4: Case((0.8, 0.0, 0.6), None, 0.0, 2.0),
}


# the published figures by section: (figures, what they show, what the text says)
FIGURES = (
    (
        "6.1, 6.3, 6.5, 6.7",
        "tool and joints on their way",
        "the arm arrives in under 2 s, most of it in the first 0.2 s",
    ),
    (
        "6.2, 6.4, 6.6, 6.8",
        "free table: displacement and acceleration",
        "drifts on at constant speed after the arm stopped",
    ),
    ("6.9, 6.12, 6.15, 6.18", "calculated beside measured displacement", "alike"),
    ("6.10, 6.13, 6.16, 6.19", "open loop: what the pulleys do", "opposite to the disturbance"),
    ("6.11, 6.14, 6.17, 6.20", "open loop: residual, calculated against measured", "of the order of 1e-15 m"),
    ("6.21", "external pulses", "150 N and 50 N from 0.05 s to 0.10 s"),
    ("6.22, 6.25, 6.28, 6.31", "pulses without feedback, at 2 s", "case 1: 4 m on y, 0.5 m on x"),
    ("6.23, 6.26, 6.29, 6.32", "closed loop: what the pulleys do", "the final position becomes zero"),
    ("6.24, 6.27, 6.30, 6.33", "closed loop: residual", "of the order of 1e-15 m"),
)
