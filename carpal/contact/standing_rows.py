"""Standing shapes as rows that lane-wise checks read: rounded boxes, cylinders and half-spaces around them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from carpal.contact.kernels import lane_tables as lt
from carpal.model import Box, Capsule, ConvexMesh, Cylinder, Ellipsoid, Plane, Shape, Sphere, TriangleMesh
from carpal.spatial import Array

LEAF_TRIANGLES = 4
"""Most triangles of a mesh in one box."""


def obstacle_rows(placed: Sequence[tuple[Shape, Array, Array]]) -> tuple[Array, list[int]]:
    """Rows (n, OBSTACLE_COLUMNS), half-spaces first, and which of the shapes (shape, R, p) each stands for.

    Spheres, capsules, boxes, cylinders and planes are their rows. An ellipsoid lies in its box; of a mesh the surface lies in the
    boxes of a few triangles each.
    """
    rows: list[tuple[int, Array]] = []
    for owner, (shape, R, p) in enumerate(placed):
        rows += [(owner, row) for row in _rows(shape, R, p)]
    rows.sort(key=lambda entry: entry[1][lt.OBSTACLE_KIND] != lt.HALF_SPACE)
    table = np.array([row for _, row in rows]).reshape(-1, lt.OBSTACLE_COLUMNS)
    return table, [owner for owner, _ in rows]


def _row(R: Array, p: Array, size: Sequence[float], rounding: float = 0.0, kind: int = lt.ROUNDED_BOX) -> Array:
    return np.r_[np.asarray(R).ravel(), p, size, rounding, kind]


def _rows(shape: Shape, R: Array, p: Array) -> list[Array]:
    match shape:
        case Sphere():
            return [_row(R, p, (0, 0, 0), shape.radius)]
        case Capsule():
            return [_row(R, p, (0, 0, shape.length / 2), shape.radius)]
        case Box():
            return [_row(R, p, (np.array(shape.size) / 2).tolist())]
        case Cylinder():
            return [_row(R, p, (shape.radius, 0, shape.length / 2), kind=lt.ROUND_CYLINDER)]
        case Ellipsoid():
            return [_row(R, p, shape.radii)]
        case Plane():
            return [_row(R, p, (0, 0, 0), kind=lt.HALF_SPACE)]
    assert isinstance(shape, ConvexMesh | TriangleMesh)
    return [_row(R, R @ (0.5 * (low + high)) + p, (0.5 * (high - low)).tolist()) for low, high in _boxes(shape)]


def _boxes(mesh: ConvexMesh | TriangleMesh) -> list[tuple[Array, Array]]:
    """Boxes along the mesh's axes that hold its triangles, a few each."""
    triangles = np.asarray(mesh.points)[np.asarray(mesh.faces)]
    middles = triangles.mean(axis=1)
    out, waiting = [], [np.arange(len(triangles))]
    while waiting:
        inside = waiting.pop()
        if len(inside) > LEAF_TRIANGLES:
            axis = int(np.argmax(np.ptp(middles[inside], axis=0)))
            ordered = inside[np.argsort(middles[inside, axis], kind="stable")]
            waiting += [ordered[: len(ordered) // 2], ordered[len(ordered) // 2 :]]
            continue
        corners = triangles[inside].reshape(-1, 3)
        out.append((corners.min(axis=0), corners.max(axis=0)))
    return out
