"""External loads of a spring finger: joint torques, a tendon, a force or a moment at the tip.

The F of Prabhu (2018), (6.33), is a moment on the last phalanx, though it is called a force (F-3).
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import InputError
from carpal.labs.finger.kernels.terms import ACROSS, LOADS, TENSION, TIP, TORQUE, TURN
from carpal.model import real_array
from carpal.spatial import Array

if TYPE_CHECKING:
    from carpal.labs.finger.robot import SpringFinger

# field -> (first column, width)
COLUMN_OF = {
    "torque": (TORQUE, 3), "tension": (TENSION, 1), "tip_force": (TIP, 2), "tip_across": (ACROSS, 1), "tip_moment": (TURN, 1),
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class FingerLoad:
    """Loads; each may have leading axes: a batch for a finger at rest, moments for one that moves.

    Args:
        torque: (*n, 3) at the joints [N m].
        tension: (*n) of the flexion tendon [N], zero or above; it turns joint i by `tendon_arm[i]` times it.
        tip_force: (*n, 2) on the tip along the finger's x and y [N], which stand still.
        tip_across: (*n) force on the tip across the last phalanx [N], towards larger angles; it turns with the phalanx.
        tip_moment: (*n) on the last phalanx [N m].
    """

    torque: Any = (0.0, 0.0, 0.0)
    tension: Any = 0.0
    tip_force: Any = (0.0, 0.0)
    tip_across: Any = 0.0
    tip_moment: Any = 0.0

    def __post_init__(self) -> None:
        for part in fields(self):
            name, width = part.name, COLUMN_OF[part.name][1]
            values = real_array(getattr(self, name), f"{name} of the load")
            if width > 1 and (values.ndim == 0 or values.shape[-1] != width):
                raise InputError(
                    f"{name} of the load needs {width} numbers on its last axis; got shape {values.shape}."
                )
            if not np.isfinite(values).all():
                raise InputError(
                    f"{name} of the load must be finite; got {values.ravel()[~np.isfinite(values.ravel())][0]}."
                )
            if name == "tension" and (values < 0).any():
                raise InputError(f"a tendon cannot push: tension must be zero or above; got {values.min():g} N.")
            values.setflags(write=False)
            object.__setattr__(self, name, values)

    def rows(self) -> Array:
        """(*n, 8), the fields' leading axes broadcast."""
        parts = []
        for name, (_, width) in COLUMN_OF.items():
            values = np.asarray(getattr(self, name))
            parts.append(values if width > 1 else values[..., None])
        try:
            shape = np.broadcast_shapes(*(part.shape[:-1] for part in parts))
        except ValueError:
            shapes = ", ".join(f"{name} {np.shape(getattr(self, name))}" for name in COLUMN_OF)
            raise InputError(f"the parts of a load do not fit together: {shapes}.") from None
        out = np.empty((*shape, LOADS))
        for (first, width), part in zip(COLUMN_OF.values(), parts, strict=True):
            out[..., first : first + width] = part
        return out

    @staticmethod
    def from_rows(rows: ArrayLike) -> FingerLoad:
        """The load of rows (*n, 8) as `rows` makes them."""
        array = real_array(rows, "load rows")
        if array.ndim == 0 or array.shape[-1] != LOADS:
            raise InputError(f"load rows need {LOADS} numbers on the last axis; got shape {array.shape}.")
        parts = {
            name: array[..., first : first + width] if width > 1 else array[..., first]
            for name, (first, width) in COLUMN_OF.items()
        }
        return FingerLoad(**parts)


def load_rows(load: FingerLoad | None) -> Array:
    """(*n, 8) of a load; None is none."""
    if load is None:
        return np.zeros(LOADS)
    if not isinstance(load, FingerLoad):
        raise InputError(f"load must be a FingerLoad; got {type(load).__name__}.")
    return load.rows()


def load_torques(finger: SpringFinger, q: Array, rows: Array) -> Array:
    """(*batch, 3) joint torques [N m] of load rows (*n, 8) at joint angles (*batch, 3) [rad]."""
    theta = np.cumsum(q, -1)
    s, c = np.sin(theta), np.cos(theta)
    across = rows[..., ACROSS, None]
    fx, fy = rows[..., TIP, None] + across * c[..., 2:], rows[..., TIP + 1, None] - across * s[..., 2:]
    moments = finger.length * (fx * c - fy * s) + rows[..., TURN, None] * np.array([0.0, 0.0, 1.0])
    torques: Array = np.cumsum(moments[..., ::-1], -1)[..., ::-1] + rows[..., TORQUE : TORQUE + 3]
    return torques + finger.tendon_arm * rows[..., TENSION, None]
