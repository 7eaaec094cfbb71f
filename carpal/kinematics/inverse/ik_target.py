"""What may be asked of inverse kinematics: a pose, a point, or a point and a direction."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import InputError
from carpal.kinematics.inverse.kernels.ik_task import POINTING, POSE, POSITION_ONLY
from carpal.spatial import Array

ROTATION_SLACK = 1e-6  # how far from orthogonal a given rotation may be
FARTHEST = 1e150  # [m]: the square of a distance must stay finite
_LAYOUT = np.array([0, 1, 2, 4, 5, 6, 8, 9, 10, 3, 7, 11])  # where a pose's 16 numbers hold rotation and position
_LAST_ROW = [0.0, 0.0, 0.0, 1.0]


@dataclass(frozen=True, eq=False)
class Target:
    """A checked target.

    Args:
        task: the kernels' code.
        kind: "pose", "point" or "point and direction".
        numbers: (*batch, 12): rotation (or direction and zeros) and position.
        given: a pose as it was given.
    """

    task: int
    kind: str
    numbers: Array
    given: Array | None = None

    @property
    def position(self) -> Array:
        """(*batch, 3) [m]."""
        return self.numbers[..., 9:]

    @property
    def is_one(self) -> bool:
        """Whether this is a single target of which only the kernel's checks are left to do."""
        given = self.given
        return self.numbers.ndim == 1 and (given is None or given[3].tolist() == _LAST_ROW)

    @property
    def R_WT(self) -> Array | None:
        """(*batch, 3, 3) of a pose, else None."""
        if self.kind != "pose":
            return None
        return self.numbers[..., :9].reshape(*self.numbers.shape[:-1], 3, 3)


def read_target(target: ArrayLike | tuple[ArrayLike, ArrayLike]) -> Target:
    """Recognise the kind of a target; numbers are checked by the kernel, and explained by `check_target`."""
    if isinstance(target, tuple) and len(target) == 2:
        return _pointing(*target)
    array = _floats(target)
    if array.ndim >= 2 and array.shape[-2:] == (4, 4):
        return Target(POSE, "pose", array.reshape(*array.shape[:-2], 16).take(_LAYOUT, axis=-1), array)
    if array.ndim >= 1 and array.shape[-1] == 3:
        numbers = np.zeros((*array.shape[:-1], 12))
        numbers[..., 9:] = array
        return Target(POSITION_ONLY, "point", numbers)
    raise InputError(
        "a target is a pose (*batch, 4, 4), a point (*batch, 3), or a tuple (point, direction); "
        f"got {type(target).__name__} of shape {array.shape}."
    )


def _pointing(point: ArrayLike, direction: ArrayLike) -> Target:
    p, d = _floats(point), _floats(direction)
    for name, array in (("point", p), ("direction", d)):
        if array.ndim == 0 or array.shape[-1] != 3:
            raise InputError(f"a {name} needs 3 numbers on its last axis; got shape {array.shape}.")
    length = np.linalg.norm(d, axis=-1, keepdims=True)
    if (length < 1e-9).any():
        raise InputError(f"a direction must not be zero; got {d[(length < 1e-9)[..., 0]][0].tolist()}.")
    try:
        batch = np.broadcast_shapes(p.shape, d.shape)[:-1]
    except ValueError:
        raise InputError(f"points {p.shape} and directions {d.shape} do not fit together.") from None
    numbers = np.zeros((*batch, 12))
    numbers[..., :3], numbers[..., 9:] = d / length, p
    return Target(POINTING, "point and direction", numbers)


def _floats(values: ArrayLike) -> Array:
    array = np.asarray(values)
    if array.dtype.kind not in "fiu":
        raise InputError(f"a target must be real numbers; got dtype {array.dtype}.")
    return array.astype(np.float64, copy=False)


def check_target(target: Target) -> None:
    """One clear sentence for a target that no arm could be asked to reach."""
    if not np.isfinite(target.numbers).all():
        wrong = tuple(int(i) for i in np.argwhere(~np.isfinite(target.numbers))[0][:-1])
        raise InputError(f"the target{f' {wrong}' if wrong else ''} has a number that is not finite.")
    if np.abs(target.position).max(initial=0.0) > FARTHEST:
        raise InputError(f"a target must be within {FARTHEST:.0e} m; got {float(np.abs(target.position).max()):.3g} m.")
    R = target.R_WT
    if R is None:
        return
    off = np.abs(R @ np.swapaxes(R, -1, -2) - np.eye(3)).max(axis=(-1, -2))
    if (off > ROTATION_SLACK).any():
        raise InputError(
            f"a pose's 3x3 block must be a rotation; one is off by {float(off.max()):.3g} from orthogonal."
        )
    if (np.linalg.det(R) < 0).any():
        raise InputError("a pose's 3x3 block is a reflection (determinant -1), not a rotation.")
    if target.given is not None and (np.abs(target.given[..., 3, :] - (0, 0, 0, 1)) > 1e-12).any():
        raise InputError("the last row of a pose must be 0 0 0 1.")
