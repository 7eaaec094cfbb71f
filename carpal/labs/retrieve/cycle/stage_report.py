"""Stages as rows in time: how they came out, and a whole plan as it is meant."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field

import numpy as np

from carpal._core.result import Result
from carpal.labs.retrieve.robot import SPEED
from carpal.labs.retrieve.simulation.true_motion import TrueMotion
from carpal.labs.retrieve.simulation.true_scene import true_rows
from carpal.planning import Trajectory
from carpal.spatial import Array, pose, rotation_from_wxyz

MOST = 600  # rows of a stage
LEAST = 0.1  # [s] of a motion of the gripper
RESTING = 12  # rows of a stage in which only the gripper moves


def _rows(*shape: int) -> Array:
    return np.zeros(shape)


@dataclass(frozen=True, eq=False)
class StageReport(Result):
    """A stage as it came out.

    Args:
        name: of the stage.
        ok, status: one true sentence.
        time: (n) from the beginning of the cycle [s]; empty where nothing moves.
        q: (n, 13) coordinates of the true scene (`true_scene`).
        joints: (n, 5) as the arm reads them [rad].
        angles: (n) of the held relay in the gripper [rad]; empty where it is not held.
        outside: whether its angle left the set that was planned with.
        met: names of two that touched; empty where nothing did.
    """

    name: str
    ok: bool
    status: str
    time: Array = field(default_factory=lambda: _rows(0))
    q: Array = field(default_factory=lambda: _rows(0, 13))
    joints: Array = field(default_factory=lambda: _rows(0, 5))
    angles: Array = field(default_factory=lambda: _rows(0))
    outside: bool = False
    met: tuple[str, str] = ("", "")

    def __len__(self) -> int:
        return len(self.time)

    @property
    def duration(self) -> float:
        """[s]."""
        return float(self.time[-1] - self.time[0]) if len(self.time) else 0.0

    def X_WO(self, row: int = -1) -> Array:
        """The relay's true pose in a row."""
        return pose(rotation_from_wxyz(self.q[row, 9:]), self.q[row, 6:9])

    def until(self, row: int) -> StageReport:
        """Cut off after a row."""
        n = row + 1
        return dataclasses.replace(
            self, time=self.time[:n], q=self.q[:n], joints=self.joints[:n], angles=self.angles[:n]
        )

    def failed(self, status: str, met: tuple[str, str] = ("", "")) -> StageReport:
        """The same with a failure's sentence."""
        return dataclasses.replace(self, ok=False, status=status, met=met)


def thin(n: int) -> np.ndarray:
    """Which of n rows are kept: evenly, the first and the last among them."""
    return np.unique(np.linspace(0, n - 1, min(n, MOST)).astype(np.int64))


def moved(name: str, begin: float, trajectory: Trajectory, done: TrueMotion, draw: int = 0) -> StageReport:
    """A motion of one draw as it came out, from a time [s] on; it ends where something is met."""
    rows, n = done.rows[draw], len(done.time)
    if np.isfinite(done.met_at[draw]):
        n = int(np.searchsorted(done.time, done.met_at[draw])) + 1
    keep = thin(n)
    angles = done.angles[draw][keep] if done.angles.size else _rows(0)
    time = done.time[keep]
    return StageReport(
        name, True, f"{trajectory.duration:.0f} s of motion.", begin + time, rows[keep], trajectory.at(time)[0], angles,
        bool(done.outside[draw]),
    )  # fmt: skip


def gripped(
    name: str,
    begin: float,
    joints: Array,
    offsets: Array,
    opening: tuple[float, float],
    X_WO: Array,
    *,
    seconds: float | None = None,
    status: str = "The gripper is open.",
) -> StageReport:
    """The gripper moves from one opening to another [m] while the arm stands.

    Args:
        name: of the stage.
        begin: when [s].
        joints, offsets: (5) as read, and what is added in truth [rad].
        opening: from, to [m].
        X_WO: the relay's pose when it is over.
        seconds: by default at the rod's speed.
        status: one true sentence.
    """
    span = max(abs(opening[1] - opening[0]) / SPEED if seconds is None else seconds, LEAST)
    q = np.repeat(joints[None], RESTING, axis=0)
    gap = np.linspace(*opening, RESTING)
    rows = true_rows(q + offsets, gap, np.repeat(X_WO[None], RESTING, axis=0))
    return StageReport(name, True, status, begin + np.linspace(0.0, span, RESTING), rows, q)
