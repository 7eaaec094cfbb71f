"""Where the numeric search starts when a closed form fits the arm: at an answer."""

from __future__ import annotations

from typing import Any

import numpy as np

from carpal.kinematics.inverse.arm_class import PointingArm, arm_class
from carpal.kinematics.inverse.ik_target import Target
from carpal.kinematics.inverse.pointing5 import solve_pointing
from carpal.kinematics.inverse.six_class import SixArm
from carpal.kinematics.inverse.six_joints import solve_six
from carpal.kinematics.inverse.solutions import IKSolutions
from carpal.kinematics.tied_chain import satisfied_home
from carpal.model import Model
from carpal.spatial import Array

ANGLES = 16  # arm angles that are tried for a pose of seven joints
_HELD = (16, 256, 4096)  # angles at which a joint is held, one after the other where fewer gave nothing


def seed_geometry(model: Model, frame: str | None, kind: str) -> Any:
    """The closed form that answers this kind of target for this frame, or None."""
    geometry = arm_class(model, frame, general=False)
    if isinstance(geometry, PointingArm):
        # numeric targets are about `tool_axis`, closed ones of planar arms about the roll axis: they must be the same
        same = geometry.direction @ geometry.axes.X_WF[:3, :3] @ model.tool_axis > 1.0 - 1e-12
        return geometry if kind == "point and direction" and same else None
    if geometry is None and kind == "pose":
        from carpal.kinematics.redundant.locked_arm import locked_arm

        return locked_arm(model, frame, None, False)
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
    if isinstance(geometry, SixArm):
        six = solve_six(model, geometry, target, home, threads=threads)
        return six.best, np.asarray(six.ok)
    from carpal.kinematics.redundant.arm_angle7 import solve_arm_angle
    from carpal.kinematics.redundant.locked_arm import LockedArm

    if isinstance(geometry, LockedArm):
        return _held_seeds(model, geometry, target, home, threads)

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


def _held_seeds(model: Model, arm: Any, target: Target, home: Array, threads: int | None) -> tuple[Array, np.ndarray]:
    """As `closed_seeds`, of seven joints with one held: at home's angle, then at more and more angles inside its limits."""
    from carpal.kinematics.redundant.locked_arm import solve_locked

    first = solve_locked(model, arm, target, home[arm.column], home, threads=threads)
    q, ok = first.best, np.array(first.ok)
    low, high = max(model.q_min[arm.column], -2 * np.pi), min(model.q_max[arm.column], 2 * np.pi)
    for count in _HELD:
        left = np.flatnonzero(~ok)
        angles = low + (high - low) * (np.arange(count) + 0.5) / count
        for part in np.array_split(left, max(1, -(-len(left) * count // 65536))):  # a bounded share of memory at a time
            if not len(part):
                continue
            poses = Target(target.task, target.kind, target.numbers[part][:, None])
            many = solve_locked(model, arm, poses, np.broadcast_to(angles, (len(part), count)), home, threads=threads)
            good = np.asarray(many.ok)
            apart = np.linalg.norm(many.best - home, axis=-1)
            pick = np.argmin(np.where(good, apart, np.inf), axis=1)
            found = good.any(axis=1)
            q[part[found]] = many.best[np.flatnonzero(found), pick[found]]
            ok[part[found]] = True
    return q, ok
