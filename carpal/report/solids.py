"""Triangles of solids, round ones as surfaces of revolution about z: what browsers draw (viser has no capsule)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carpal.spatial import Array

AROUND = 28
"""Corners of a circle."""
MOST_NEIGHBOURS = 8_000_000
"""Pairs of corners at one point that are still compared; a larger mesh keeps its edges smooth."""


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


def barrel(radius: float, length: float) -> tuple[Array, Array]:
    """A cylinder along z, centred, with well rounded edges: the housing of a joint."""
    half, edge = length / 2, 0.28 * min(radius, length)
    turn = np.linspace(0, np.pi / 2, 6)
    top = np.stack([radius - edge + edge * np.cos(turn), half - edge + edge * np.sin(turn)], 1)
    bottom = top[::-1] * (1, -1)
    return revolved(np.concatenate([[(0, -half)], bottom, top, [(0, half)]]), smooth=True)


def frustum(bottom: float, top: float, length: float) -> tuple[Array, Array]:
    """A cone cut off, along z, centred, of two radii, flat at its ends."""
    half = length / 2
    return revolved([(0, -half), (bottom, -half), (top, half), (0, half)], smooth=False)


def bone(bottom: float, top: float, length: float) -> tuple[Array, Array]:
    """A link along z between two joints, centred: round ends of two radii and a slender middle."""
    rise = np.linspace(-0.5, 0.5, 9)
    radii = bottom + (top - bottom) * (rise + 0.5)
    radii = radii * (1 - 0.16 * np.cos(np.pi * rise) ** 2)
    low = np.linspace(-np.pi / 2, 0, 6)[:-1]
    profile = np.concatenate([
        np.stack([bottom * np.cos(low), -length / 2 + bottom * np.sin(low)], 1),
        np.stack([radii, length * rise], 1),
        np.stack([top * np.cos(-low[::-1]), length / 2 + top * np.sin(-low[::-1])], 1),
    ])  # fmt: skip
    profile[[0, -1], 0] = 0.0
    return revolved(profile, smooth=True)


def ring(radius: float, thickness: float) -> tuple[Array, Array]:
    """A flat band around z, of that radius, half as thick outwards as it is wide."""
    half = thickness
    out = radius + 0.5 * thickness
    inner = radius - thickness
    return revolved([(inner, -half), (out, -half), (out, half), (inner, half)], smooth=False)


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


def creased(points: Array, faces: np.ndarray, angle: float = 0.7) -> tuple[Array, np.ndarray]:
    """The same surface with corners split along edges that bend by more than an angle [rad], so that light breaks there.

    A corner's normal is the mean over its neighbours within the angle; corners of one point with one normal stay one.
    """
    a, b, c = points[faces].transpose(1, 0, 2)
    flat = np.cross(b - a, c - a)
    unit = flat / np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-30)
    at, owner = faces.reshape(-1), np.repeat(np.arange(len(faces)), 3)
    count = np.bincount(at, minlength=len(points))
    beside = count[at]
    if int(beside.sum()) > MOST_NEIGHBOURS:
        return points, faces
    order, first = np.argsort(at, kind="stable"), np.cumsum(count) - count
    one = np.repeat(np.arange(len(at)), beside)
    within = np.arange(len(one)) - np.repeat(np.cumsum(beside) - beside, beside)
    other = order[np.repeat(first[at], beside) + within]
    near = (unit[owner[one]] * unit[owner[other]]).sum(1) > np.cos(angle)
    normals: Array = np.stack([np.bincount(one[near], flat[owner[other[near]], k], len(at)) for k in range(3)], 1)
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-30)
    keys = np.column_stack([at, np.round(1e3 * normals)]).astype(np.int64)
    _, chosen, same = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    return points[at[chosen]], same.reshape(-1, 3)


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
        "convex": lambda: creased(shape.points, shape.faces),
        "triangles": lambda: creased(shape.points, shape.faces),
    }.get(shape.kind)
    return None if made is None else made()
