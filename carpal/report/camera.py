"""A camera: where a picture is taken from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from carpal.errors import InputError
from carpal.spatial import Array


@dataclass(frozen=True, eq=False)
class Camera:
    """Where a picture is taken from.

    Args:
        eye, look_at, up: (3) [m] in the world.
        field: height of the picture [rad].
        size: width and height [pixels].
    """

    eye: Array
    look_at: Array
    up: Array
    field: float = 0.6
    size: tuple[int, int] = (560, 400)

    def __post_init__(self) -> None:
        for name in ("eye", "look_at", "up"):
            place = np.asarray(getattr(self, name), float)
            if place.shape != (3,) or not np.isfinite(place).all():
                raise InputError(f"{name} of a camera must be 3 finite numbers; got {getattr(self, name)!r:.60}.")
            object.__setattr__(self, name, place)
        if not np.linalg.norm(np.cross(self.look_at - self.eye, self.up)) > 1e-9:
            raise InputError("a camera must look at another place than its own, and not along its up direction.")
        if not 0.0 < self.field < np.pi or min(self.size) < 1:
            raise InputError(
                f"a camera's field must lie between 0 and pi rad, its size above 0; got {self.field}, {self.size}."
            )

    @property
    def axes(self) -> Array:
        """Rows right, up, back in the world."""
        back = (self.eye - self.look_at) / np.linalg.norm(self.eye - self.look_at)
        right = np.cross(self.up, back)
        right /= np.linalg.norm(right)
        return np.stack([right, np.cross(back, right), back])
