"""Concave surfaces as convex pieces: CoACD cuts them (Wei et al., 2022), because pair queries want convex shapes."""

from __future__ import annotations

import numpy as np

from carpal.errors import CarpalError, InputError
from carpal.model.mesh_shapes import ConvexMesh, TriangleMesh, hull_of
from carpal.spatial import Array

CONVEX_WITHIN = 1e-3
"""How far below its hull a surface may lie and still count as convex, as a share of its size."""


def is_convex(points: Array, faces: np.ndarray, within: float = CONVEX_WITHIN) -> bool:
    """Whether every corner and every face's middle lies on the hull, up to a share of the size.

    Args:
        points: corners (n, 3) [m] of a surface, closed or not.
        faces: (m, 3).
        within: share of the size (largest side of the box around it).
    """
    corners, triangles = hull_of(points)
    a, b, c = corners[triangles].transpose(1, 0, 2)
    normals = np.cross(b - a, c - a)
    normals /= np.maximum(np.linalg.norm(normals, axis=1), np.finfo(float).tiny)[:, None]
    offsets = (normals * a).sum(axis=1)
    deepest = within * float(np.ptp(points, axis=0).max())
    samples = np.concatenate([points[faces].mean(axis=1), points[np.unique(faces)]])
    for part in np.array_split(samples, max(1, len(samples) * len(normals) // 4_000_000)):
        if ((part @ normals.T - offsets).max(axis=1) < -deepest).any():
            return False
    return True


def convex_pieces(mesh: TriangleMesh, *, threshold: float = 0.05, seed: int = 0) -> tuple[ConvexMesh, ...]:
    """Convex shapes that together stand for a closed mesh.

    Args:
        mesh: closed; an open surface has no inside to cut up.
        threshold: how concave a piece may stay, from 0.01 (many pieces, near the original) to 1 (one hull), as CoACD counts it.
        seed: of CoACD's search.

    Example:
        >>> pieces = convex_pieces(TriangleMesh(points, faces))
    """
    if not isinstance(mesh, TriangleMesh):
        raise InputError(f"convex_pieces() takes a TriangleMesh; got {type(mesh).__name__}.")
    if not mesh.solid:
        raise InputError(
            f"an open triangle mesh ({mesh.open_edges} of its edges have one triangle only) has no inside to cut into pieces."
        )
    if isinstance(threshold, bool) or not isinstance(threshold, int | float) or not 0.01 <= threshold <= 1:
        raise InputError(f"threshold must be a number from 0.01 to 1; got {threshold!r:.60}.")
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise InputError(f"seed must be a whole number, zero or above; got {seed!r:.60}.")
    if is_convex(mesh.points, mesh.faces, within=1e-9):
        return (ConvexMesh(mesh.points),)
    try:
        import coacd
    except ImportError:
        raise CarpalError("convex_pieces() needs coacd; install it with: pip install carpal[meshes].") from None
    coacd.set_log_level("error")
    parts = coacd.run_coacd(coacd.Mesh(mesh.points, mesh.faces), threshold=float(threshold), seed=seed)
    return tuple(ConvexMesh(np.asarray(points, float)) for points, _ in parts)
