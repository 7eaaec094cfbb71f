"""A joint motion as a value: samples in equal steps, the acceleration constant within each.

A chain of parabolas is what a sampled controller commands, and what an engine's prescribed joints follow without error.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import InputError
from carpal.model import Model
from carpal.spatial import Array


@dataclass(frozen=True, eq=False)
class JointMotion:
    """Positions and velocities at the samples, and the constant acceleration that follows each.

    Args:
        dt: time between samples [s].
        q, v: (rows, n) [rad, m] and their rates.
        vdot: (rows, n); the last row is zero.
    """

    dt: float
    q: Array
    v: Array
    vdot: Array

    @property
    def time(self) -> Array:
        """(rows) [s]."""
        return self.dt * np.arange(len(self.q), dtype=np.float64)

    @property
    def duration(self) -> float:
        """[s]."""
        return self.dt * (len(self.q) - 1)

    @staticmethod
    def from_velocities(dt: float, q0: ArrayLike, v: ArrayLike) -> JointMotion:
        """The chain of parabolas with these velocities (rows, n) at its samples."""
        speeds = np.array(v, dtype=np.float64)
        vdot = np.zeros_like(speeds)
        vdot[:-1] = np.diff(speeds, axis=0) / dt
        steps = 0.5 * dt * (speeds[1:] + speeds[:-1])
        q = np.asarray(q0, dtype=np.float64) + np.vstack([np.zeros(speeds.shape[1]), np.cumsum(steps, axis=0)])
        return JointMotion(dt, q, speeds, vdot)

    def followed_by(self, other: JointMotion) -> JointMotion:
        """This motion, then the other; the other's first sample is this one's last."""
        if other.dt != self.dt:
            raise InputError(f"motions in steps of {self.dt:g} s and {other.dt:g} s cannot follow each other.")
        parts = zip((self.q, self.v, self.vdot), (other.q, other.v, other.vdot), strict=True)
        return JointMotion(self.dt, *(np.vstack([a[:-1], b]) for a, b in parts))

    def lasting(self, duration: float) -> JointMotion:
        """The same motion, then at rest until `duration` [s]."""
        more = round(duration / self.dt) - (len(self.q) - 1)
        if more <= 0:
            return self
        still = np.zeros((more, self.q.shape[1]))
        return JointMotion(
            self.dt, np.vstack([self.q, self.q[-1] + still]), np.vstack([self.v, still]), np.vstack([self.vdot, still])
        )

    def broken_limit(self, model: Model, vdot_max: ArrayLike = np.inf, tolerance: float = 1e-9) -> str | None:
        """A sentence about the first joint limit that a sample breaks, or None."""
        checks = (
            ("below its lowest position", model.q_min - self.q, "rad"),
            ("above its highest position", self.q - model.q_max, "rad"),
            ("faster than it may", np.abs(self.v) - model.v_max, "rad/s"),
            ("accelerating harder than it may", np.abs(self.vdot) - np.asarray(vdot_max), "rad/s^2"),
        )
        for what, over, unit in checks:
            if (over > tolerance).any():
                row, joint = np.unravel_index(int(np.argmax(over)), over.shape)
                name = model.joint_names[int(joint)]
                return f"joint '{name}' is {what} by {over[row, joint]:.3g} {unit} at {self.dt * row:.4g} s"
        return None


def quintic_move(q0: ArrayLike, q1: ArrayLike, duration: float, dt: float) -> JointMotion:
    """All joints along the quintic of least jerk (Flash, Hogan 1985), at rest at both ends.

    Args:
        q0, q1: (n).
        duration: [s]; rounded to whole steps.
        dt: time between samples [s].
    """
    start, goal = np.asarray(q0, dtype=np.float64), np.asarray(q1, dtype=np.float64)
    rows = max(1, round(duration / dt))
    s = np.arange(rows + 1) / rows
    rate = 30 * s**2 * (1 - s) ** 2 / (rows * dt)
    motion = JointMotion.from_velocities(dt, start, rate[:, None] * (goal - start))
    # the trapezoid's last digits: the goal is where it was asked to be
    return JointMotion(dt, motion.q + s[:, None] * (goal - motion.q[-1]), motion.v, motion.vdot)


def quintic_time(q0: ArrayLike, q1: ArrayLike, v_max: ArrayLike, vdot_max: ArrayLike) -> float:
    """The shortest duration [s] for which the quintic stays within the joints' speeds and accelerations."""
    distance = np.abs(np.asarray(q1, dtype=np.float64) - np.asarray(q0, dtype=np.float64))
    with np.errstate(divide="ignore", invalid="ignore"):
        fast = 1.875 * distance / np.asarray(v_max)
        hard = np.sqrt(10 / np.sqrt(3) * distance / np.asarray(vdot_max))
    return float(np.nanmax(np.concatenate([fast, hard, [0.0]])))
