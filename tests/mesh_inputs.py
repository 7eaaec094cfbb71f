"""Meshes for the tests of contact geometry, made by formulas, and slow answers about them that share no code with the package."""

from __future__ import annotations

import numpy as np

from carpal.model import TriangleMesh


def grid_faces(rows: int, columns: int, *, wrap: bool) -> np.ndarray:
    """Two triangles for every cell of a grid of points; wrapped, the last row and column meet the first."""
    r = np.arange(rows if wrap else rows - 1)[:, None]
    c = np.arange(columns if wrap else columns - 1)[None, :]
    a, b = r * columns + c, (r + 1) % rows * columns + c
    d, e = r * columns + (c + 1) % columns, (r + 1) % rows * columns + (c + 1) % columns
    return np.concatenate([np.stack([a, b, e], -1).reshape(-1, 3), np.stack([a, e, d], -1).reshape(-1, 3)])


def bumpy_ring(rows: int, columns: int, seed: int) -> TriangleMesh:
    """A closed, concave ring of 2 rows columns triangles with random bumps; about 2 m across."""
    rng = np.random.default_rng(seed)
    u = np.arange(rows)[:, None] * 2 * np.pi / rows
    v = np.arange(columns)[None, :] * 2 * np.pi / columns
    thick = 0.3 + sum(
        rng.uniform(-0.03, 0.03) * np.cos(i * u + j * v + rng.uniform(0, 6)) for i in range(1, 5) for j in range(4)
    )
    points = np.stack(
        [(0.7 + thick * np.cos(v)) * np.cos(u), (0.7 + thick * np.cos(v)) * np.sin(u), thick * np.sin(v)], -1
    )
    return TriangleMesh(points.reshape(-1, 3), grid_faces(rows, columns, wrap=True))


def terrain(rows: int, columns: int, seed: int) -> TriangleMesh:
    """An open sheet of hills over the square from -1 to 1, its outer side up."""
    rng = np.random.default_rng(seed)
    x, y = np.meshgrid(np.linspace(-1, 1, rows), np.linspace(-1, 1, columns), indexing="ij")
    height = sum(rng.uniform(-0.1, 0.1) * np.cos(rng.uniform(1, 5) * x + rng.uniform(1, 5) * y) for _ in range(5))
    height = height + rng.uniform(-0.01, 0.01, height.shape)
    return TriangleMesh(np.stack([x, y, height], -1).reshape(-1, 3), grid_faces(rows, columns, wrap=False))


def soup(count: int, seed: int) -> TriangleMesh:
    """Triangles in no order, that cross each other; some are needles."""
    rng = np.random.default_rng(seed)
    corners = rng.normal(size=(count, 1, 3)) + 0.2 * rng.normal(size=(count, 3, 3))
    thin = rng.random(count) < 0.1
    corners[thin, 2] = corners[thin, 0] + (corners[thin, 1] - corners[thin, 0]) * rng.random((thin.sum(), 1)) + 1e-7
    return TriangleMesh(corners.reshape(-1, 3), np.arange(3 * count).reshape(-1, 3))


def distance_to_triangles(p: np.ndarray, a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """Distance from one point to triangles (n), the long way: plane where the foot is inside, else the three edges."""

    def to_edge(s: np.ndarray, e: np.ndarray) -> np.ndarray:
        d = e - s
        length2 = (d * d).sum(1)
        t = np.clip(((p - s) * d).sum(1) / np.where(length2 > 0, length2, 1.0), 0, 1)
        return np.linalg.norm(p - s - t[:, None] * d, axis=1)

    out = np.minimum(np.minimum(to_edge(a, b), to_edge(b, c)), to_edge(c, a))
    n = np.cross(b - a, c - a)
    size = np.linalg.norm(n, axis=1)
    flat = size > 1e-300
    n = n / np.where(flat, size, 1.0)[:, None]
    height = ((p - a) * n).sum(1)
    foot = p - height[:, None] * n
    inside = flat
    for s, e in ((a, b), (b, c), (c, a)):
        inside = inside & ((np.cross(e - s, foot - s) * n).sum(1) >= 0)
    return np.where(inside, np.minimum(out, np.abs(height)), out)


def brute_force(mesh: TriangleMesh, p: np.ndarray) -> np.ndarray:
    """Distance from points (n, 3) to the surface, one triangle after the other."""
    a, b, c = mesh.points[mesh.faces].transpose(1, 0, 2)
    return np.array([distance_to_triangles(one, a, b, c).min() for one in p])
