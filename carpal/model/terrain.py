"""Terrain and concave solids as convex pieces: engines with contact want convex shapes.

Standing terrain, a surface through which every vertical line of its own frame passes once, becomes one upright prism under
each of its triangles. Any other closed surface becomes the convex pieces of `convex_pieces`.
"""

from __future__ import annotations

import dataclasses
import functools

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import CarpalError, InputError
from carpal.model.contact_rules import rigid_groups
from carpal.model.decomposition import convex_pieces
from carpal.model.mesh_shapes import ConvexMesh, TriangleMesh
from carpal.model.model import Model
from carpal.model.parts import real_array
from carpal.model.shapes import PlacedShape

MOST_PRISMS = 5000
FOOT = 0.1
"""Least thickness of terrain below its lowest point, as a share of its size. Assumed; nothing gets there."""


def height_field(heights: ArrayLike, size: ArrayLike, base: float | None = None) -> TriangleMesh:
    """A closed mesh under a grid of heights; its frame is in the middle of the grid, at height zero.

    Args:
        heights: (rows, columns) [m]; rows along y, columns along x.
        size: full lengths along x and y [m].
        base: how far below the lowest height the solid ends [m]; a tenth of the size by default.
    """
    z, lengths = real_array(heights, "heights"), real_array(size, "size of a height field")
    if z.ndim != 2 or min(z.shape) < 2 or not np.isfinite(z).all():
        raise InputError(
            f"heights must be a grid (rows, columns) of finite numbers, two each way at least; got {z.shape}."
        )
    if lengths.shape != (2,) or not ((lengths > 0) & np.isfinite(lengths)).all():
        raise InputError(f"size of a height field must be two lengths above zero [m]; got {lengths.tolist()!r:.60}.")
    wide, long = (float(length) for length in lengths)
    deep = FOOT * max(wide, long) if base is None else float(base)
    if not 0 < deep < np.inf:
        raise InputError(f"base of a height field must be above zero [m]; got {base!r:.40}.")
    rows, columns = z.shape
    x, y = np.meshgrid(np.linspace(-wide / 2, wide / 2, columns), np.linspace(-long / 2, long / 2, rows))
    top = np.stack([x, y, z], axis=-1).reshape(-1, 3)
    bottom = top.copy()
    bottom[:, 2] = z.min() - deep
    number = np.arange(rows * columns).reshape(rows, columns)
    a, b, c, d = number[:-1, :-1].ravel(), number[:-1, 1:].ravel(), number[1:, 1:].ravel(), number[1:, :-1].ravel()
    over = np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])
    rim = np.concatenate([number[0, :-1], number[:-1, -1], number[-1, :0:-1], number[:0:-1, 0]])
    ahead, count = np.roll(rim, -1), rows * columns
    sides = np.concatenate([np.stack([rim, rim + count, ahead], 1), np.stack([ahead, rim + count, ahead + count], 1)])
    return TriangleMesh(np.concatenate([top, bottom]), np.concatenate([over, over[:, ::-1] + count, sides]))


def upward_faces(mesh: TriangleMesh) -> np.ndarray | None:
    """The triangles (n, 3) that see +z, where they lie side by side; None where one is above another (a cave, a box on legs)."""
    p = mesh.points[mesh.faces]
    normal = np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0])
    up = mesh.faces[normal[:, 2] > 1e-9 * np.linalg.norm(normal, axis=1)]
    if not len(up) or len(up) > MOST_PRISMS:
        return None
    flat = mesh.points[up][:, :, :2]
    for middle in np.array_split(flat.mean(axis=1), max(1, len(up) // 500)):
        inside = np.ones((len(middle), len(flat)), bool)
        for k in range(3):
            a, b = flat[:, k], flat[:, (k + 1) % 3]
            edge, to = b - a, middle[:, None] - a
            inside &= edge[:, 0] * to[..., 1] - edge[:, 1] * to[..., 0] > 0
        if (inside.sum(axis=1) != 1).any():
            return None
    return up


@functools.lru_cache(maxsize=64)
def _prisms(mesh: TriangleMesh) -> tuple[ConvexMesh, ...] | None:
    up = upward_faces(mesh)
    if up is None:
        return None
    size = np.ptp(mesh.points, axis=0)
    low = float(mesh.points[:, 2].min()) - (0.0 if mesh.solid else FOOT * float(size.max()))
    foot = min(low, float(mesh.points[up][..., 2].min()) - 1e-3 * float(size.max()))
    out = []
    for corners in mesh.points[up]:
        below = corners.copy()
        below[:, 2] = foot
        out.append(ConvexMesh(np.concatenate([corners, below])))
    return tuple(out)


@functools.lru_cache(maxsize=64)
def _pieces(mesh: TriangleMesh) -> tuple[ConvexMesh, ...]:
    return convex_pieces(mesh)


def with_convex_pieces(model: Model) -> Model:
    """The model with every triangle mesh that collides replaced by convex pieces, "<name>/0" and so on.

    Standing terrain becomes prisms, any other closed mesh what `convex_pieces` makes of it; an open sheet that is no standing
    terrain is refused by name. Masses and what is drawn stay.
    """
    if not any(shape.collides and isinstance(shape.shape, TriangleMesh) for shape in model.shapes):
        return model
    shapes: list[PlacedShape] = []
    for placed in model.shapes:
        if placed.collides and isinstance(placed.shape, TriangleMesh):
            shapes += [
                dataclasses.replace(placed, name=f"{placed.name}/{k}", shape=piece)
                for k, piece in enumerate(_convex(model, placed, placed.shape))
            ]
        else:
            shapes.append(placed)
    return model.replace(shapes=tuple(shapes))


def _convex(model: Model, placed: PlacedShape, mesh: TriangleMesh) -> tuple[ConvexMesh, ...]:
    lead = rigid_groups(model)[placed.body]
    stands = lead is None or model.body(lead).joint.kind == "fixed"
    prisms = _prisms(mesh) if stands else None
    if prisms is not None:
        return prisms
    if not mesh.solid:
        raise InputError(
            f"shape '{placed.name}' is an open sheet of triangles"
            + (", parts of which lie above others," if stands else " on a moving body,")
            + " and has no convex pieces; close it, or cut it into sheets that do not overlap as seen from above."
        )
    try:
        return _pieces(mesh)
    except CarpalError as error:
        raise type(error)(f"shape '{placed.name}' cannot be cut into convex pieces: {error}") from None
