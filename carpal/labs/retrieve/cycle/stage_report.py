"""Reports of executed stages: outcome and rows over time."""

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
    """An executed stage.

    Args:
        name: of the stage.
        ok, status: one true sentence.
        time: (n) since the start of the cycle [s]; empty if nothing moves.
        q: (n, 13) coordinates of the true scene (`true_scene`).
        joints: (n, 5) joint readings [rad].
        angles: (n) of the held relay in the gripper [rad]; empty if it is not held.
        outside: whether the angle left its planned set.
        met: names of the two shapes that collided; empty without a collision.
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
    """Indices of the rows to keep out of n: evenly spaced, first and last included."""
    return np.unique(np.linspace(0, n - 1, min(n, MOST)).astype(np.int64))


def moved(name: str, begin: float, trajectory: Trajectory, done: TrueMotion, draw: int = 0) -> StageReport:
    """Report of one draw of an executed motion that starts at a time [s]; cut at the first collision."""
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
    """Report of a gripper motion from one opening to another [m] while the arm rests.

    Args:
        name: of the stage.
        begin: when [s].
        joints, offsets: (5) joint readings, and true minus read angles [rad].
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
