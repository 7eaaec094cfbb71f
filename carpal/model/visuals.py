"""What a body looks like: a mesh file or a shape with its colour. Viewers draw visuals; nothing collides with them."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from carpal.errors import InputError
from carpal.model.parts import checked_pose, real_array
from carpal.model.shapes import GREY, Shape
from carpal.spatial import Array


@dataclass(frozen=True, eq=False)
class Visual:
    """A mesh file or a shape that is drawn on a body.

    Args:
        name: unique among the visuals of a model.
        body: the body that carries it; None: the world.
        mesh: path of a mesh file, read when it is drawn; "" where `shape` is given.
        shape: its form where it is no mesh file.
        X_BV: pose (4, 4) of the mesh's or shape's frame in the body.
        scale: three factors on the mesh's coordinates.
        rgba: colour, four numbers from 0 to 1; None: the mesh file's own colours.
    """

    name: str
    body: str | None
    mesh: str = ""
    shape: Shape | None = None
    X_BV: Array = field(default_factory=lambda: np.eye(4))
    scale: tuple[float, float, float] = (1.0, 1.0, 1.0)
    rgba: tuple[float, float, float, float] | None = GREY

    def __post_init__(self) -> None:
        if bool(self.mesh) == (self.shape is not None):
            raise InputError(f"visual '{self.name}' needs either a mesh file or a shape.")
        object.__setattr__(self, "X_BV", checked_pose(self.X_BV, f"X_BV of visual '{self.name}'"))
        scale = real_array(self.scale, f"scale of visual '{self.name}'")
        if scale.shape != (3,) or not np.isfinite(scale).all() or (scale == 0).any():
            raise InputError(f"scale of visual '{self.name}' must be 3 finite numbers, none zero; got {self.scale}.")
        object.__setattr__(self, "scale", tuple(float(x) for x in scale))
        if self.rgba is not None:
            rgba = real_array(self.rgba, f"rgba of visual '{self.name}'")
            if rgba.shape != (4,) or not ((rgba >= 0) & (rgba <= 1)).all():
                raise InputError(
                    f"rgba of visual '{self.name}' must be 4 numbers from 0 to 1; got {rgba.tolist()!r:.60}."
                )
            object.__setattr__(self, "rgba", tuple(float(x) for x in rgba))
