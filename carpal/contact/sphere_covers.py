"""Spheres that cover a shape: every point of its surface is inside one of them, and none sticks out by more than is stated.

The surface is cut into small triangles (round ones are put into a polyhedron first). A ball holds a triangle where it holds its
three corners, because balls are convex, so a finite check proves the covering. Candidates are balls inside the shape that
touch its surface (the medial ball of each triangle, by shrinking, Ma, Bae, Choi 2012), enlarged by the excess; the ones that hold
most triangles are taken first.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np

from carpal.model import Box, Capsule, ConvexMesh, Cylinder, Ellipsoid, Shape, Sphere, TriangleMesh
from carpal.spatial import Array

TRIANGLES = 1200  # about so many pieces of a surface that has fewer of its own
CANDIDATES = 500
# excess [m] that is tried, and how many spheres a shape may take for it
STEPS = ((0.003, 16), (0.005, 32), (0.008, 56), (0.012, 80), (0.02, 120), (0.04, 160), (0.08, 200), (0.3, 400))
CAPSULE_EXCESS = 0.003


@dataclass(frozen=True, eq=False)
class SphereCover:
    """Spheres around a shape.

    Args:
        centres: (n, 3) in the shape's frame [m].
        radii: (n) [m].
        excess: no sphere sticks out of the shape by more [m]; zero for a sphere.
    """

    centres: Array
    radii: Array
    excess: float


@functools.lru_cache(maxsize=4096)
def sphere_cover(shape: Shape) -> SphereCover:
    """Spheres that cover a shape (not a plane); the same object gives the same answer again at once."""
    if isinstance(shape, Sphere):
        return SphereCover(np.zeros((1, 3)), np.array([shape.radius]), 0.0)
    if isinstance(shape, Capsule):
        return _along_capsule(shape)
    points, faces, further = _surface(shape)
    planes = None if isinstance(shape, TriangleMesh) else _planes(points, faces)
    cover = cover_triangles(cut_surface(points, faces), planes)
    return SphereCover(cover.centres, cover.radii, cover.excess + further)


def _along_capsule(shape: Capsule) -> SphereCover:
    """Equal spheres along the axis, the end ones at its ends."""
    r, e = shape.radius, min(CAPSULE_EXCESS, 0.1 * shape.radius)
    most = 2.0 * np.sqrt(2.0 * r * e + e * e)
    pieces = max(1, int(np.ceil(shape.length / most)))
    z = np.linspace(-0.5, 0.5, pieces + 1) * shape.length
    radius = float(np.hypot(r, 0.5 * shape.length / pieces))
    return SphereCover(np.stack([0 * z, 0 * z, z], axis=1), np.full(len(z), radius * (1 + 1e-12)), radius - r)


def _surface(shape: Shape) -> tuple[Array, np.ndarray, float]:
    """Points and triangles of a polyhedron around a shape, outward by the right-hand rule, and how far it is from it [m]."""
    if isinstance(shape, ConvexMesh | TriangleMesh):
        return np.asarray(shape.points), np.asarray(shape.faces), 0.0
    if isinstance(shape, Box):
        corners = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
        return *_hull(corners * np.array(shape.size)), 0.0
    if isinstance(shape, Cylinder):
        angles = np.arange(24) * 2 * np.pi / 24
        further = shape.radius * (1 / np.cos(np.pi / 24) - 1)
        ring = (shape.radius + further) * np.stack([np.cos(angles), np.sin(angles)], axis=1)
        ends = (-0.5 * shape.length, 0.5 * shape.length)
        return *_hull(np.vstack([np.c_[ring, np.full(24, z)] for z in ends])), further
    assert isinstance(shape, Ellipsoid)
    i = np.arange(300) + 0.5
    z, turn = 1 - 2 * i / 300, np.pi * (1 + np.sqrt(5)) * i
    around = np.sqrt(1 - z * z)
    points, faces = _hull(np.stack([around * np.cos(turn), around * np.sin(turn), z], axis=1))
    n = np.cross(points[faces[:, 1]] - points[faces[:, 0]], points[faces[:, 2]] - points[faces[:, 0]])
    least = float(np.abs((points[faces[:, 0]] * n).sum(axis=1) / np.linalg.norm(n, axis=1)).min())
    return points / least * np.array(shape.radii), faces, max(shape.radii) * (1 / least - 1)


def _hull(points: Array) -> tuple[Array, np.ndarray]:
    mesh = ConvexMesh(points)
    return np.asarray(mesh.points), np.asarray(mesh.faces)


def cut_surface(points: Array, faces: np.ndarray) -> Array:
    """Triangles (n, 3, 3) of a surface, cut at the middle of their longest edges until there are about `TRIANGLES`."""
    triangles = points[faces]
    area = 0.5 * np.linalg.norm(np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]), axis=1)
    longest = 2.0 * np.sqrt(float(area.sum()) / TRIANGLES)
    for _ in range(40):
        lengths = np.linalg.norm(triangles - np.roll(triangles, -1, axis=1), axis=2)
        long = lengths.max(axis=1) > longest
        if not long.any():
            break
        first = lengths[long].argmax(axis=1)
        rows = np.arange(len(first))
        cut = triangles[long]
        a, b, c = cut[rows, first], cut[rows, (first + 1) % 3], cut[rows, (first + 2) % 3]
        m = 0.5 * (a + b)
        triangles = np.concatenate([triangles[~long], np.stack([a, m, c], axis=1), np.stack([m, b, c], axis=1)])
    return triangles


def _planes(points: Array, faces: np.ndarray) -> Array:
    """(n, 4) outward normals and offsets of a convex surface, equal ones once."""
    a, b, c = points[faces].transpose(1, 0, 2)
    n = np.cross(b - a, c - a)
    long = np.linalg.norm(n, axis=1) > 1e-14
    n = n[long] / np.linalg.norm(n[long], axis=1)[:, None]
    return np.unique(np.round(np.c_[n, (n * a[long]).sum(axis=1)], 9), axis=0)


def cover_triangles(triangles: Array, planes: Array | None = None) -> SphereCover:
    """Balls that hold all triangles (n, 3, 3), as few and as tight as `STEPS` allow.

    planes: of a convex solid, whose inside is then known exactly; otherwise the excess holds half a triangle more.
    """
    from scipy.spatial import cKDTree
    from scipy.spatial.distance import cdist

    corners, index = np.unique(triangles.reshape(-1, 3), axis=0, return_inverse=True)
    index = index.reshape(-1, 3)
    samples = np.vstack([corners, triangles.mean(axis=1)])
    tree = cKDTree(samples)
    area = np.linalg.norm(np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]), axis=1)
    total = np.cumsum(area)
    chosen = np.unique(np.searchsorted(total, (np.arange(CANDIDATES) + 0.5) / CANDIDATES * total[-1]))
    centres = _medial_balls(triangles[chosen], samples, tree)
    size = 0.0
    if planes is None:
        inside = tree.query(centres)[0]  # the surface is not nearer than this less half a triangle
        size = float(np.linalg.norm(triangles - triangles.mean(axis=1, keepdims=True), axis=2).max())
    else:
        inside = (planes[:, 3] - centres @ planes[:, :3].T).min(axis=1)
        centres, inside = centres[inside > 0], inside[inside > 0]
    apart = cdist(centres, corners)
    for excess, most in STEPS:
        taken, left = _taken(apart <= (inside + excess)[:, None] * (1 - 1e-12), index, most)
        if len(taken) + left.sum() <= most or (excess, most) == STEPS[-1]:
            break
    middles = triangles[left].mean(axis=1)
    around = np.linalg.norm(triangles[left] - middles[:, None], axis=2).max(axis=1, initial=0.0)
    radii = np.concatenate([(inside + excess)[taken], around * (1 + 1e-12)])
    return SphereCover(np.vstack([centres[taken], middles]), radii, max(excess + size, float(around.max(initial=0.0))))


def _medial_balls(triangles: Array, samples: Array, tree: object) -> Array:
    """Centres (n, 3) of the largest balls that touch the surface from within at each triangle's middle."""
    foot = triangles.mean(axis=1)
    n = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    n /= np.maximum(np.linalg.norm(n, axis=1, keepdims=True), 1e-300)
    extent = np.ptp(samples, axis=0)
    radius = np.full(len(foot), 0.5 * float(np.linalg.norm(extent)))
    for _ in range(12):
        far, who = tree.query(foot - radius[:, None] * n)  # type: ignore[attr-defined]
        towards = foot - samples[who]
        along = (towards * n).sum(axis=1)
        smaller = (far < radius * (1 - 1e-3)) & (along > 1e-12)
        if not smaller.any():
            break
        square = (towards**2).sum(axis=1)
        radius[smaller] = np.minimum(radius[smaller], 0.5 * square[smaller] / along[smaller])
    return foot - radius[:, None] * n


def _taken(holds_corner: np.ndarray, index: np.ndarray, most: int) -> tuple[list[int], np.ndarray]:
    """Candidates (rows of `holds_corner`) that hold most triangles not held yet, and which triangles none of them holds."""
    holds = (holds_corner[:, index[:, 0]] & holds_corner[:, index[:, 1]] & holds_corner[:, index[:, 2]]).astype(
        np.float32
    )
    left = np.ones(len(index), np.float32)
    taken: list[int] = []
    while left.any() and len(taken) <= most:
        counts = holds @ left
        best = int(np.argmax(counts))
        if counts[best] < 1:
            break
        taken.append(best)
        left[holds[best] > 0] = 0
    return taken, left > 0
