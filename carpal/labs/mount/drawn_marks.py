"""What replays and the studio draw over the mount: the tool's target, and the forces on the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from carpal.kinematics import fk
from carpal.labs.mount.score import external_forces, reaction_of, tensions_of
from carpal.labs.mount.table import pulley_torques
from carpal.report import palette
from carpal.spatial import Array, inverse
from carpal.tasks import Mark, MovingMark

if TYPE_CHECKING:
    from carpal.engines import Recording
    from carpal.labs.mount.task import Mount

ROUND = 72
"""Corners of the drawn circle."""
ABOVE, BESIDE = 0.03, 0.13
"""Arrows begin so far [m] above the arm's foot, and from each other; and beside its middle, so that the pedestal hides none."""


def arm_frame(task: Mount) -> Array:
    """Pose (4, 4) of the arm's own frame in W while the table is at its origin."""
    X: Array = fk(task.model, task.start) @ inverse(fk(task.arm, task.motion.q[0]))
    return X


def target_marks(task: Mount) -> tuple[Mark, ...]:
    """The tool's target, with its circle, where the table stands still; nothing on a base that floats."""
    if task.floating:
        return ()
    X, radius = arm_frame(task), task.options.circle
    middle = X[:3, :3] @ task.target + X[:3, 3]
    if not radius:
        return (Mark("target", middle),)
    angle = np.linspace(0.0, 2.0 * np.pi, ROUND + 1)
    way = radius * np.stack([np.cos(angle), np.sin(angle), 0.0 * angle], axis=1)
    return (Mark("circle", middle + way @ X[:3, :3].T, "path"),)


def cable_forces(task: Mount, time: Array, q: Array, v: Array, u: Array) -> Array:
    """Force (rows, 2) [N] of both cables on the table, from what their sides carry."""
    sides = tensions_of(task, time, q, v, u)
    radius = task.options.pulley_radius
    torques = radius * np.stack([sides[:, 0] - sides[:, 1], sides[:, 2] - sides[:, 3]], axis=1)
    return np.linalg.solve(pulley_torques(np.eye(2), radius).T, torques.T).T


def force_marks(task: Mount, recording: Recording) -> tuple[MovingMark, ...]:
    """Horizontal forces on the table: the arm's reaction, the cables', pushes; nothing on a base that floats."""
    if task.floating or task.options.endurance:  # rows of hours are too far apart for accelerations
        return ()
    time, q, v, u = (np.asarray(rows, float) for rows in (recording.time, recording.q, recording.v, recording.u))
    if len(time) < 2:
        return ()
    foot = arm_frame(task)[:3, 3] + np.column_stack([q[:, :2], np.zeros(len(q))])
    forces = [
        ("reaction of the arm", -reaction_of(task, time, q, v), (197, 48, 48)),
        ("force of the cables", cable_forces(task, time, q, v, u), palette.BRAND),
        ("push", external_forces(task.pulses, time, task.dt), (221, 107, 32)),
    ]
    shown = []
    for k, (name, force, colour) in enumerate(forces):
        size = np.linalg.norm(force, axis=1, keepdims=True)
        if size.max() > 0.0:
            flat = np.column_stack([force, np.zeros(len(q))])
            begin = foot + np.array([0.0, 0.0, ABOVE * (k + 1)]) + BESIDE * flat / np.maximum(size, 1e-12)
            shown.append(MovingMark(f"{name}, up to {size.max():.3g} N", time, begin, flat, colour=colour))
    return tuple(shown)
