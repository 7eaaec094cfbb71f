"""Triangles of solids, round ones as surfaces of revolution about z: what browsers draw (viser has no capsule)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carpal.spatial import Array

AROUND = 28
"""Corners of a circle."""


def revolved(profile: ArrayLike, *, smooth: bool, around: int = AROUND) -> tuple[Array, Array]:
    """The surface that a profile sweeps when it turns about z.

    Args:
        profile: points (n, 2) of radius and height [m], from the bottom up, the outside to the right.
        smooth: neighbouring pieces of the profile share their corners, so that light runs over them without an edge.
        around: corners of a circle.

    Returns:
        vertices (m, 3) and triangles (k, 3), seen from outside counter-clockwise.
    """
    points = np.asarray(profile, float)
    pieces = [points] if smooth else [points[i : i + 2] for i in range(len(points) - 1)]
    turns = np.linspace(0, 2 * np.pi, around, endpoint=False)
    vertices, faces, first = [], [], 0
    for piece in pieces:
        rings = np.empty((len(piece), around, 3))
        rings[..., 0] = piece[:, :1] * np.cos(turns)
        rings[..., 1] = piece[:, :1] * np.sin(turns)
        rings[..., 2] = piece[:, 1:]
        here = np.arange(around)
        after = (here + 1) % around
        for ring in range(len(piece) - 1):
            low, high = first + ring * around, first + (ring + 1) * around
            if piece[ring, 0] > 0:
                faces.append(np.stack([low + here, low + after, high + here], 1))
            if piece[ring + 1, 0] > 0:
                faces.append(np.stack([low + after, high + after, high + here], 1))
        vertices.append(rings.reshape(-1, 3))
        first += rings.shape[0] * around
    return np.concatenate(vertices), np.concatenate(faces)


def capsule(radius: float, length: float, *, top: float | None = None) -> tuple[Array, Array]:
    """A capsule along z, centred: a cylinder of `length` with round ends; `top` is another radius at its upper end."""
    upper = radius if top is None else top
    angle = np.linspace(-np.pi / 2, 0, 7)
    bottom = np.stack([radius * np.cos(angle), -length / 2 + radius * np.sin(angle)], 1)
    head = np.stack([upper * np.cos(-angle[::-1]), length / 2 + upper * np.sin(-angle[::-1])], 1)
    profile = np.concatenate([bottom, head])
    profile[[0, -1], 0] = 0.0
    return revolved(profile, smooth=True)


def cylinder(radius: float, length: float) -> tuple[Array, Array]:
    """A cylinder along z, centred, its edges broken a little so that they catch the light."""
    half, edge = length / 2, 0.08 * min(radius, length)
    profile = [
        (0, -half), (radius - edge, -half), (radius, -half + edge), (radius, half - edge), (radius - edge, half), (0, half),
    ]  # fmt: skip
    return revolved(profile, smooth=False)


def sphere(radius: float) -> tuple[Array, Array]:
    """A sphere about the origin."""
    return capsule(radius, 0.0)


def ellipsoid(radii: ArrayLike) -> tuple[Array, Array]:
    """An ellipsoid about the origin with half axes (3) [m]."""
    vertices, faces = sphere(1.0)
    return vertices * np.asarray(radii, float), faces


def faceted(points: Array, faces: np.ndarray) -> tuple[Array, np.ndarray]:
    """A mesh whose faces share no corners, so that light breaks at every edge."""
    return points[faces].reshape(-1, 3), np.arange(3 * len(faces)).reshape(-1, 3)


def box(size: ArrayLike) -> tuple[Array, np.ndarray]:
    """A box about the origin with full sizes (3) [m], its faces seen from outside counter-clockwise."""
    corners = np.array([(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]) * np.asarray(
        size, float
    )
    quads = np.array([(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)])
    return faceted(corners, np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]]))


def triangles_of(shape: Any) -> tuple[Array, np.ndarray] | None:
    """The surface of one of the model's shapes; None for a plane, which has no end."""
    made = {
        "box": lambda: box(shape.size),
        "sphere": lambda: sphere(shape.radius),
        "capsule": lambda: capsule(shape.radius, shape.length),
        "cylinder": lambda: cylinder(shape.radius, shape.length),
        "ellipsoid": lambda: ellipsoid(shape.radii),
        "convex": lambda: faceted(shape.points, shape.faces),
        "triangles": lambda: faceted(shape.points, shape.faces),
    }.get(shape.kind)
    return None if made is None else made()
