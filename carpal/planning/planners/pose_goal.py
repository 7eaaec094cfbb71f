"""A goal in space: a pose, a region about it, a point, or a point with a direction, that a frame is to reach.

Regions are boxes of positions and of roll, pitch and yaw about a pose (task space regions: Berenson, Srinivasa, Kuffner 2011).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import InputError
from carpal.kinematics import fk
from carpal.model import Model, real_array
from carpal.spatial import Array, align_z, pose, rotation_from_rpy

_ROUNDING = 1e-6  # how far from orthogonal a given rotation may be


@dataclass(frozen=True, eq=False)
class PoseGoal:
    """A goal of `plan` in space; every configuration that reaches it will do.

    Args:
        target: as of `ik`: a pose X_WT (4, 4); a point (3) [m]; or a tuple (point, direction) for the frame's position and the
            direction of `model.tool_axis`.
        frame: the frame that is to reach; None is the tool.
        position: how far the frame may be along each axis of the pose (of the world without one), one number or (3) [m].
        angle: of a pose, how far its roll, pitch and yaw in the goal's axes may be from zero, one number or (3) [rad]; pi leaves
            an angle free. With a direction, one number: how far the direction may be from it.
        kind: "pose", "point" or "point and direction" (made from the target).
        X_WG: (4, 4) the goal's axes; z is the direction where there is one (made from the target).

    Example:
        >>> upright = PoseGoal(X_WT, position=(0.02, 0.02, 0), angle=(0, 0, np.pi))  # turned about its z as it likes
        >>> carpal.plan(scene, q_start, upright)
    """

    target: Any
    frame: str | None = None
    position: Any = 0.0
    angle: Any = 0.0
    kind: str = field(init=False)
    X_WG: Array = field(init=False)

    def __post_init__(self) -> None:
        """Check all that can be checked without a robot."""
        if self.frame is not None and not isinstance(self.frame, str):
            raise InputError(f"a goal's frame must be a name or None; got {self.frame!r:.60}.")
        if isinstance(self.target, tuple) and len(self.target) == 2:
            kind, X = "point and direction", _pointing(*self.target)
        else:
            given = real_array(self.target, "a goal's target")
            kinds = {(4, 4): "pose", (3,): "point"}
            if given.shape not in kinds or not np.isfinite(given).all():
                raise InputError(
                    "a goal's target must be finite: a pose (4, 4), a point (3) or a tuple (point, direction); "
                    f"got shape {given.shape}{'' if np.isfinite(given).all() else ' with numbers that are not finite'}."
                )
            kind = kinds[given.shape]
            X = pose(p=given) if kind == "point" else np.array(given, np.float64)
        R = X[:3, :3]
        off = max(np.abs(R @ R.T - np.eye(3)).max(), np.abs(X[3] - [0, 0, 0, 1]).max())
        if off > _ROUNDING or np.linalg.det(R) < 0:
            raise InputError(
                f"a goal's pose must be a rotation and a position over (0, 0, 0, 1); it is off by {off:.3g}."
            )
        ranges = {"position": _ranges("position", "m", self.position), "angle": _ranges("angle", "rad", self.angle)}
        if kind == "point" and ranges["angle"].any():
            raise InputError(f"a goal that is a point leaves all angles free; got angle={self.angle!r:.60}.")
        if kind == "point and direction" and np.ndim(self.angle):
            raise InputError(f"a goal's direction takes one angle [rad]; got angle={self.angle!r:.60}.")
        vars(self).update(ranges, kind=kind, X_WG=X)

    @property
    def is_region(self) -> bool:
        """Whether there is more than one pose."""
        return bool(np.any(self.position) or np.any(self.angle))

    def targets(self, count: int, rng: np.random.Generator, *, middle: bool = True) -> Any:
        """Targets of `ik` (count, ...) inside the region, with `middle` the first in its middle; without a region all equal."""
        shift = rng.uniform(-1, 1, (count, 3)) * self.position
        turn = rng.uniform(-1, 1, (count, 3)) * self.angle
        if middle:
            shift[0], turn[0] = 0.0, 0.0
        X = self.X_WG
        p = X[:3, 3] + shift @ X[:3, :3].T
        if self.kind == "point":
            return p
        if self.kind == "point and direction":
            z = _cap(turn[:, 0], self.angle[0])
            around = rng.uniform(-np.pi, np.pi, count)
            s = np.sqrt(np.maximum(1.0 - z * z, 0.0))
            return p, np.stack([s * np.cos(around), s * np.sin(around), z], axis=1) @ X[:3, :3].T
        out = np.tile(np.eye(4), (count, 1, 1))
        out[:, :3, 3] = p
        out[:, :3, :3] = X[:3, :3] @ np.array([rotation_from_rpy(rpy) for rpy in turn])
        return out

    def miss(self, model: Model, q: ArrayLike) -> tuple[Array, Array]:
        """How far outside of the region the frame is at q (*batch, nq): (*batch) [m] and (*batch) [rad]; zero inside."""
        X = fk(model, q, self.frame)
        R = self.X_WG[:3, :3]
        local = (X[..., :3, 3] - self.X_WG[:3, 3]) @ R
        far = np.linalg.norm(np.maximum(np.abs(local) - self.position, 0.0), axis=-1)
        if self.kind == "point":
            return far, np.zeros_like(far)
        if self.kind == "point and direction":
            d = X[..., :3, :3] @ np.asarray(model.tool_axis)
            between = np.arctan2(np.linalg.norm(np.cross(d, R[:, 2]), axis=-1), d @ R[:, 2])
            return far, np.maximum(between - self.angle[0], 0.0)
        rpy = _rpy(R.T @ X[..., :3, :3])
        other = np.stack([rpy[..., 0] + np.pi, np.pi - rpy[..., 1], rpy[..., 2] + np.pi], axis=-1)
        beyond = [
            np.maximum(np.abs((a + np.pi) % (2 * np.pi) - np.pi) - self.angle, 0.0).max(axis=-1) for a in (rpy, other)
        ]
        return far, np.minimum(*beyond)


def _cap(turn: Array, angle: float) -> Array:
    """Cosines of angles so that directions are equally dense in a cap; from uniform ones within +-angle."""
    share = np.abs(turn) / angle if angle > 0 else np.zeros_like(turn)
    return 1.0 - share * (1.0 - np.cos(min(angle, np.pi)))


def _pointing(point: Any, direction: Any) -> Array:
    p, d = real_array(point, "a goal's point"), real_array(direction, "a goal's direction")
    length = float(np.linalg.norm(d)) if d.shape == (3,) else 0.0
    if p.shape != (3,) or not np.isfinite(p).all() or not 0 < length < np.inf:
        raise InputError(
            "a goal's target needs a finite point (3) [m] and a direction (3) that is not zero; "
            f"got {point!r:.60}, {direction!r:.60}."
        )
    return pose(align_z(d / length), p)


def _ranges(name: str, unit: str, given: Any) -> Array:
    values = real_array(given, f"a goal's {name}")
    if values.shape not in ((), (3,)) or not np.isfinite(values).all() or (values < 0).any():
        raise InputError(f"a goal's {name} must be zero or above, one number or 3 [{unit}]; got {given!r:.60}.")
    return np.array(np.broadcast_to(values, (3,)), np.float64)


def _rpy(R: Array) -> Array:
    """Roll, pitch and yaw (*batch, 3) of R = Rz(yaw) Ry(pitch) Rx(roll)."""
    pitch = np.arctan2(-R[..., 2, 0], np.hypot(R[..., 2, 1], R[..., 2, 2]))
    steep = np.hypot(R[..., 2, 1], R[..., 2, 2]) < 1e-9  # roll and yaw turn about one axis: all of it is yaw
    roll = np.where(steep, 0.0, np.arctan2(R[..., 2, 1], R[..., 2, 2]))
    yaw = np.where(steep, np.arctan2(-R[..., 0, 1], R[..., 1, 1]), np.arctan2(R[..., 1, 0], R[..., 0, 0]))
    return np.stack([roll, pitch, yaw], axis=-1)
