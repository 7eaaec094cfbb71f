"""A shape as the numbers that kernels take: kind, sizes, bounding box and, for meshes, points."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from carpal.contact.kernels import kinds
from carpal.errors import InputError
from carpal.model import Box, Capsule, ConvexMesh, Cylinder, Ellipsoid, Plane, Shape, Sphere, TriangleMesh
from carpal.spatial import Array


@dataclass(frozen=True, eq=False)
class PackedShape:
    """Numbers of a shape in its own frame S.

    Args:
        kind: a number of `contact/kernels/kinds.py`.
        size: three sizes [m].
        core: half sizes (3) [m] of its box along the axes of S, without the rounding.
        rounding: radius [m] all around that box.
        centre: (3) [m] of that box.
        radius: of the ball about `centre` that holds the shape [m].
        mesh: the shape itself where it is a mesh; its points and tree go into tables of their own.
    """

    kind: int
    size: tuple[float, float, float]
    core: Array
    rounding: float
    radius: float
    centre: Array = field(default_factory=lambda: np.zeros(3))
    mesh: ConvexMesh | TriangleMesh | None = None


def packed_shape(shape: Shape) -> PackedShape:
    """The numbers of a shape; MuJoCo's and the kernels' half lengths where the shape has full ones."""
    match shape:
        case Sphere():
            return PackedShape(kinds.SPHERE, (shape.radius, 0.0, 0.0), np.zeros(3), shape.radius, shape.radius)
        case Capsule():
            half = shape.length / 2
            core = np.array([0.0, 0.0, half])
            return PackedShape(kinds.CAPSULE, (shape.radius, half, 0.0), core, shape.radius, half + shape.radius)
        case Cylinder():
            half = shape.length / 2
            core = np.array([shape.radius, shape.radius, half])
            return PackedShape(
                kinds.CYLINDER, (shape.radius, half, 0.0), core, 0.0, float(np.hypot(shape.radius, half))
            )
        case Box():
            core = np.array(shape.size) / 2
            return PackedShape(kinds.BOX, tuple(core.tolist()), core, 0.0, float(np.linalg.norm(core)))
        case Ellipsoid():
            return PackedShape(kinds.ELLIPSOID, shape.radii, np.array(shape.radii), 0.0, max(shape.radii))
        case Plane():
            return PackedShape(kinds.PLANE, (0.0, 0.0, 0.0), np.full(3, np.inf), 0.0, np.inf)
        case ConvexMesh() | TriangleMesh():
            low, high = shape.points.min(axis=0), shape.points.max(axis=0)
            centre = (low + high) / 2
            radius = float(np.linalg.norm(shape.points - centre, axis=1).max())
            kind = kinds.CONVEX if isinstance(shape, ConvexMesh) else kinds.TRIANGLES
            return PackedShape(kind, (0.0, 0.0, 0.0), (high - low) / 2, 0.0, radius, centre, shape)
    raise InputError(f"a {shape.kind or type(shape).__name__} cannot be packed for contact queries.")
