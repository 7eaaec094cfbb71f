"""One thing that is drawn: a shape or a surface on a body, with its colour."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from carpal.model import Shape
from carpal.spatial import Array

Colour = tuple[float, ...]


class Part(NamedTuple):
    """A shape, or a surface (points (n, 3), triangles (m, 3)), on a body (None: the world) at X_BS, with its colour."""

    name: str
    body: str | None
    X_BS: Array
    rgba: Colour
    shape: Shape | None
    mesh: tuple[Array, np.ndarray] | None = None
