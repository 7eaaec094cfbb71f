"""Where the numeric search starts when a closed form fits the arm: at an answer."""

from __future__ import annotations

from typing import Any

import numpy as np

from carpal.kinematics.inverse.arm_class import PointingArm, arm_class
from carpal.kinematics.inverse.ik_target import Target
from carpal.kinematics.inverse.pointing5 import solve_pointing
from carpal.kinematics.inverse.solutions import IKSolutions
from carpal.kinematics.tied_chain import satisfied_home
from carpal.model import Model
from carpal.spatial import Array

ANGLES = 16  # arm angles that are tried for a pose of seven joints


def seed_geometry(model: Model, frame: str | None, kind: str) -> Any:
    """The closed form that answers this kind of target for this frame, or None."""
    geometry = arm_class(model, frame)
    if isinstance(geometry, PointingArm):
        # numeric targets are about `tool_axis`, closed ones of planar arms about the roll axis: they must be the same
        same = geometry.direction @ geometry.axes.X_WF[:3, :3] @ model.tool_axis > 1.0 - 1e-12
        return geometry if kind == "point and direction" and same else None
    return geometry if kind == "pose" else None


def closed_seeds(model: Model, geometry: Any, target: Target, threads: int | None) -> tuple[Array, np.ndarray]:
    """Answers inside the limits (targets, nq) that are nearest to the home configuration, and where there are any (targets).

    Args:
        model: the robot.
        geometry: of `seed_geometry`.
        target: checked, with one batch axis.
        threads: CPU threads.
    """
    home = satisfied_home(model) if model.is_constrained else np.asarray(model.q_home)
    if isinstance(geometry, PointingArm):
        found = solve_pointing(model, geometry, target, home, threads=threads)
        return found.best, np.asarray(found.ok)
    from carpal.kinematics.redundant.arm_angle7 import solve_arm_angle

    def solve(part: Target, psi: Array | None) -> IKSolutions:
        return solve_arm_angle(model, geometry, part, psi, home, threads=threads)

    first = solve(target, None)
    q, ok = first.best, np.array(first.ok)
    left = np.flatnonzero(~ok)
    if len(left):  # the home's arm angle does not do: try others all round
        psi = np.arange(ANGLES) * (2 * np.pi / ANGLES) - np.pi
        many = solve(
            Target(target.task, target.kind, target.numbers[left][:, None]), np.broadcast_to(psi, (len(left), ANGLES))
        )
        good = np.asarray(many.ok)
        pick = np.argmax(good, axis=1)
        q[left] = many.best[np.arange(len(left)), pick]
        ok[left] = good.any(axis=1)
    return q, ok
