"""What a plan may end at: one configuration, several, or whatever reaches a pose; poses become configurations in rounds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from carpal.model import Model
from carpal.planning.planners.goal_postures import goal_postures
from carpal.planning.planners.pose_goal import PoseGoal
from carpal.planning.planners.search_settings import joint_costs
from carpal.planning.planners.turning_joints import TURN, continuous_joints
from carpal.spatial import Array

MOST = 64  # configurations in a round


class Roots(NamedTuple):
    """Configurations (n, nq), the nearest to the start first; why there is none."""

    q: Array
    why: str


class GoalSet:
    """Configurations and pose goals of which one is to be reached.

    Args:
        model: the model whose joints move.
        entries: configurations (nq), checked, and pose goals.
    """

    def __init__(self, model: Model, entries: Sequence[Array | PoseGoal]) -> None:
        self.model, self.entries = model, tuple(entries)
        self.fixed = not any(isinstance(entry, PoseGoal) for entry in entries)
        """Whether every round has the same configurations."""

    @property
    def single(self) -> Array | None:
        """(nq) the one configuration, where there is nothing else."""
        entry = self.entries[0]
        return None if isinstance(entry, PoseGoal) or len(self.entries) > 1 else entry

    def roots(self, start: Array, seed: int, turn: int) -> Roots:
        """The configurations of a round; those of poses are others in each. Same arguments, same bits."""
        if self.single is not None:
            return Roots(self.single[None], "")
        rows, why = [], ""
        for i, entry in enumerate(self.entries):
            if isinstance(entry, PoseGoal):
                rng = np.random.default_rng([seed, turn, i])
                found, reason = goal_postures(self.model, entry, start, rng, first=turn == 0)
                rows.append(found)
                why = why or reason
            else:
                rows.append(entry[None])
        q = np.concatenate(rows)
        apart = np.where(continuous_joints(self.model), _within_a_turn(q - start), q - start) * joint_costs(self.model)
        order = np.argsort(np.linalg.norm(apart, axis=1), kind="stable")[:MOST]
        return Roots(q[order], why)

    def reached(self, q: Array) -> int:
        """The entry that a configuration (nq) is nearest to."""
        turns = continuous_joints(self.model)

        def miss(entry: Array | PoseGoal) -> float:
            if isinstance(entry, PoseGoal):
                return float(sum(entry.miss(self.model, q)))
            return float(np.abs(np.where(turns, _within_a_turn(q - entry), q - entry)).max())

        return int(np.argmin([miss(entry) for entry in self.entries]))


def _within_a_turn(d: Array) -> Array:
    return d - TURN * np.round(d / TURN)
