"""Points against a triangle mesh: how far, where, on which side."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.arrays import finite_poses
from carpal._core.batch import KernelInput, run_batch
from carpal._core.result import Result
from carpal.contact.kernels.mesh_tree import mesh_distance_batch
from carpal.contact.trees import Mesh, mesh_tables
from carpal.errors import InputError
from carpal.model import ConvexMesh, Shape, TriangleMesh
from carpal.spatial import Array


@dataclass(frozen=True, eq=False)
class MeshPoints(Result):
    """Points against a mesh.

    Args:
        distance: (*batch) [m]; negative inside a closed mesh.
        p_WN: (*batch, 3) the mesh's point nearest to each, in the world [m].
        normal_W: (*batch, 3) unit vector along which the distance grows.
        face: (*batch) number of the triangle.
    """

    distance: Array
    p_WN: Array
    normal_W: Array
    face: np.ndarray

    @property
    def ok(self) -> bool:
        """Always: a mesh has a nearest point to every point."""
        return True

    @property
    def status(self) -> str:
        """One sentence."""
        if not self.distance.size:
            return "no points were asked about."
        inside = int((self.distance < 0).sum())
        return f"{self.distance.size} points, {inside} inside, the nearest {float(self.distance.min()):.6g} m away."


def checked_mesh(mesh: Shape) -> Mesh:
    """A mesh, or one clear sentence."""
    if not isinstance(mesh, ConvexMesh | TriangleMesh):
        raise InputError(f"a ConvexMesh or TriangleMesh was expected; got {type(mesh).__name__}.")
    return mesh


def mesh_point_distance(
    mesh: Mesh, p_WP: ArrayLike, X_WM: ArrayLike | None = None, *, device: str = "cpu", threads: int | None = None
) -> MeshPoints:
    """Distance from a mesh to points, through its tree of boxes.

    Args:
        mesh: a ConvexMesh or TriangleMesh. Where a TriangleMesh is open, distances have no sign.
        p_WP: points (*batch, 3) in the world [m].
        X_WM: poses (*batch, 4, 4) of the mesh; at the world's origin by default.
        device: "cpu" or "cuda".
        threads: CPU threads; all cores by default.

    Example:
        >>> mesh_point_distance(mesh, [0.0, 0.0, 1.0]).distance
    """
    points, normals, boxes = mesh_tables(checked_mesh(mesh))
    X = np.eye(4) if X_WM is None else finite_poses("X_WM", X_WM)
    (out,) = run_batch(
        None, mesh_distance_batch, (0, boxes, points, normals), [KernelInput("X_WM", X, (4, 4)),
         KernelInput("p_WP", p_WP, (3,))], [(8,)],
        device=device, threads=threads, world_seconds=3e-6,
    )  # fmt: skip
    return MeshPoints(out[..., 0], out[..., 1:4], out[..., 4:7], out[..., 7].astype(np.int64))
