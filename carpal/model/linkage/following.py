"""Following a linkage along its motion by arc length, through to its toggles.

At a toggle the drive stops moving the linkage one to one: the Jacobian with the drive's row is singular. The curve itself goes
on smoothly there (the drive turns back) or two branches cross (a change point), so the curve is followed in poses and drive
together, by pseudo-arclength steps (Keller 1977), and a toggle is where the determinant of that Jacobian changes its sign.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from carpal.model.linkage.closure import Closure
from carpal.spatial import Array

STEP, LEAST = 0.05, 1e-9  # of the scaled arc: radians and bar lengths
MAX_STEPS = 20_000


@dataclass(frozen=True)
class Toggle:
    """Where the drive loses its hold.

    Args:
        drive: value there [rad or m].
        kind: "turning" (the drive cannot go further) or "crossing" (two motions meet: a change point).
    """

    drive: float
    kind: str


class Follower:
    """Points on the curve in scaled coordinates y = (moving poses, drive)."""

    def __init__(self, closure: Closure) -> None:
        self.closure = closure
        size = closure.linkage.scale
        moving = len(closure.linkage.bars) - 1
        self.drive_scale = 1.0 if closure.linkage.unit == "rad" else size
        self.columns = np.append(np.tile([size, size, 1.0], moving), self.drive_scale)

    def join(self, poses: Array, drive: float) -> Array:
        """Scaled coordinates of a pose (bars, 3)."""
        return np.append(poses[1:].ravel(), drive) / self.columns

    def part(self, y: Array) -> tuple[Array, float]:
        """Pose (bars, 3) and drive of scaled coordinates."""
        values = y * self.columns
        return np.vstack([np.zeros(3), values[:-1].reshape(-1, 3)]), float(values[-1])

    def matrix(self, y: Array) -> Array:
        """Derivative (rows, rows + 1) of the scaled equations by y."""
        poses, _ = self.part(y)
        last = np.zeros((self.closure.rows, 1))
        last[-1] = -1.0
        return np.hstack([self.closure.scaled(poses), last])

    def tangent(self, y: Array, towards: Array) -> Array:
        """Unit tangent of the curve at y, on the side of `towards`."""
        t = np.linalg.svd(self.matrix(y))[2][-1]
        return t if t @ towards >= 0 else -t

    def determinant(self, y: Array) -> float:
        """Of the square part: zero at a toggle."""
        return float(np.linalg.det(self.matrix(y)[:, :-1]))

    def corrected(self, y: Array) -> Array | None:
        """Back on the curve, at right angles to it; None where that fails."""
        for _ in range(12):
            poses, drive = self.part(y)
            residual = self.closure.residual(poses, np.array(drive)) * self.closure.row_scale
            if np.abs(residual).max() < 1e-13:
                return y
            y = y - np.linalg.lstsq(self.matrix(y), residual, rcond=1e-12)[0]
        poses, drive = self.part(y)
        left = float(np.abs(self.closure.residual(poses, np.array(drive)) * self.closure.row_scale).max())
        return y if left < 1e-11 else None

    def step(self, y: Array, t: Array, length: float) -> tuple[Array, Array, float] | None:
        """One step of at most `length` along t; the next point, its tangent and the length taken."""
        while length > LEAST:
            new = self.corrected(y + length * t)
            if new is not None and np.linalg.norm(new - y - length * t) < 0.2 * length:
                t_new = self.tangent(new, t)
                if t_new @ t > 0.97:
                    return new, t_new, length
            length *= 0.5
        return None


def follow(
    closure: Closure, poses: Array, drive: float, until: float
) -> tuple[list[tuple[float, Array]], Toggle | None]:
    """Points (drive, pose) from one drive value towards another, and the toggle that ended the path, if one did.

    Args:
        closure: the equations.
        poses: closed pose (bars, 3) at `drive`.
        drive, until: [rad or m].
    """
    follower = Follower(closure)
    sense = 1.0 if until > drive else -1.0
    y = follower.join(poses, drive)
    towards = np.zeros_like(y)
    towards[-1] = sense
    t = follower.tangent(y, towards)
    sign = np.sign(follower.determinant(y))
    points = [(drive, poses)]
    for _ in range(MAX_STEPS):
        moved = follower.step(y, t, STEP)
        if moved is None:
            return points, Toggle(float(y[-1] * follower.drive_scale), "crossing")
        new, t_new, length = moved
        if np.sign(follower.determinant(new)) != sign:
            toggle = _refined(follower, y, t, length, sign, turned_back=t_new[-1] * sense < 0)
            if (toggle.drive - until) * sense < 0:
                return points, toggle
            return points, None
        pose, value = follower.part(new)
        if (value - until) * sense >= 0:
            return points, None
        points.append((value, pose))
        y, t = new, t_new
    return points, Toggle(points[-1][0], "crossing")


def _refined(follower: Follower, y: Array, t: Array, length: float, sign: float, *, turned_back: bool) -> Toggle:
    """Bisect the step in which the determinant changed its sign."""
    low, high, at = 0.0, length, y
    for _ in range(50):
        middle = 0.5 * (low + high)
        trial = follower.corrected(y + middle * t)
        if trial is None:
            break
        if np.sign(follower.determinant(trial)) == sign:
            low, at = middle, trial
        else:
            high = middle
    return Toggle(float(at[-1] * follower.drive_scale), "turning" if turned_back else "crossing")
