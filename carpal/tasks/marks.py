"""What a task marks in its scene: targets and paths, which viewers draw with their names."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from carpal.errors import InputError
from carpal.model import real_array
from carpal.spatial import Array

TARGET, PATH = "target", "path"
KINDS = (TARGET, PATH)


@dataclass(frozen=True, eq=False)
class Mark:
    """A place or a path in the scene.

    Args:
        name: what the label beside it says.
        points: (n, 3) [m] in W; one point for a target.
        kind: "target" or "path".
    """

    name: str
    points: Array
    kind: str = TARGET

    def __post_init__(self) -> None:
        points = np.atleast_2d(real_array(self.points, f"points of mark '{self.name}'"))
        if points.shape[1:] != (3,) or not np.isfinite(points).all() or not len(points):
            raise InputError(f"points of mark '{self.name}' must be (n, 3) finite numbers; got shape {points.shape}.")
        if self.kind not in KINDS:
            raise InputError(f"a mark is one of {', '.join(KINDS)}; got '{self.kind}'.")
        object.__setattr__(self, "points", points)
