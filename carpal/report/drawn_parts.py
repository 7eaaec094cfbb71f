"""What is drawn of a model: the visuals of a body where it has some, else its shapes."""

from __future__ import annotations

import functools
import os
import warnings
from pathlib import Path
from typing import NamedTuple

import numpy as np

from carpal.errors import CarpalError
from carpal.model import Model, Shape, Visual, load_coloured_mesh
from carpal.spatial import Array

Colour = tuple[float, ...]
PLAIN: Colour = (0.75, 0.78, 0.82, 1.0)
MOST_FACES = 20_000
"""Triangles of a mesh file above which it is drawn coarser, so that a replay stays small enough for a browser."""
CELLS = 48
"""Cells along the longest side of a mesh that is drawn coarser: corners in one cell become one."""


class Part(NamedTuple):
    """A shape, or a surface (points (n, 3), triangles (m, 3)), on a body (None: the world) at X_BS, with its colour."""

    name: str
    body: str | None
    X_BS: Array
    rgba: Colour
    shape: Shape | None
    mesh: tuple[Array, np.ndarray] | None = None


def drawn_parts(model: Model) -> list[Part]:
    """All that is drawn of a model; a body whose visuals cannot be read shows its shapes, with a warning."""
    seen: dict[str | None, list[Part]] = {}
    failed: set[str | None] = set()
    for visual in model.visuals:
        try:
            seen.setdefault(visual.body, []).append(_part(visual))
        except CarpalError as error:
            failed.add(visual.body)
            warnings.warn(f"the visual '{visual.name}' of model '{model.name}' is not drawn: {error}", stacklevel=2)
    shown = set(seen) - failed
    parts = [part for body in shown for part in seen[body]]
    order = {visual.name: i for i, visual in enumerate(model.visuals)}
    parts.sort(key=lambda part: order[part.name])
    shapes = [Part(s.name, s.body, s.X_BS, tuple(s.rgba), s.shape) for s in model.shapes if s.body not in shown]
    return parts + shapes


def _part(visual: Visual) -> Part:
    if visual.shape is not None:
        return Part(visual.name, visual.body, visual.X_BV, visual.rgba or PLAIN, visual.shape)
    try:
        changed = os.stat(visual.mesh).st_mtime_ns
    except (OSError, ValueError) as error:
        raise CarpalError(f"the file '{visual.mesh}' cannot be opened ({type(error).__name__}).") from None
    points, faces, rgba = _loaded(visual.mesh, visual.scale, changed)
    return Part(visual.name, visual.body, visual.X_BV, visual.rgba or rgba or PLAIN, None, (points, faces))


@functools.lru_cache(maxsize=256)
def _loaded(path: str, scale: tuple[float, float, float], changed: int) -> tuple[Array, np.ndarray, Colour | None]:
    """A mesh file's surface and colour; `changed` is when it was written, so that a new file is read again."""
    points, faces, rgba = load_coloured_mesh(Path(path), np.array(scale))
    if len(faces) > MOST_FACES:
        points, faces = coarser(points, faces)
    return points, faces, rgba


def coarser(points: Array, faces: np.ndarray, cells: int = CELLS) -> tuple[Array, np.ndarray]:
    """The surface with all corners in one cell of a grid made one (vertex clustering, Rossignac and Borrel 1993).

    Args:
        points: (n, 3) [m].
        faces: (m, 3).
        cells: along the longest side.
    """
    low = points.min(axis=0)
    side = float(np.ptp(points, axis=0).max()) / cells
    if not side > 0:
        return points, faces
    keys, cell = np.unique(np.floor((points - low) / side).astype(np.int64), axis=0, return_inverse=True)
    cell = cell.reshape(-1)
    middle = np.zeros((len(keys), 3))
    np.add.at(middle, cell, points)
    middle /= np.bincount(cell, minlength=len(keys))[:, None]
    kept = cell[faces]
    apart = (kept[:, 0] != kept[:, 1]) & (kept[:, 1] != kept[:, 2]) & (kept[:, 2] != kept[:, 0])
    return middle, np.unique(kept[apart], axis=0)
