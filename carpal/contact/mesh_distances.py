"""Distance of two shapes of which at least one is a triangle mesh; `shape_distance` hands such pairs to this file."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.arrays import finite_poses
from carpal._core.batch import KernelInput, run_batch
from carpal.contact.kernels import kinds
from carpal.contact.kernels.mesh_pairs import mesh_pair_batch
from carpal.contact.kernels.pair import PAIR_SCRATCH
from carpal.contact.shape_numbers import packed_shape
from carpal.contact.trees import MeshPack
from carpal.errors import InputError
from carpal.model import ConvexMesh, Plane, Shape, TriangleMesh
from carpal.spatial import Array


class MeshPair(NamedTuple):
    """Distance (*batch) [m], nearest points and normal (*batch, 3) in the world, and the kernel's status (*batch)."""

    distance: Array
    p_WA: Array
    p_WB: Array
    n_AB_W: Array
    status: np.ndarray


def mesh_pair_distance(
    shape_a: Shape,
    X_WA: ArrayLike,
    shape_b: Shape,
    X_WB: ArrayLike,
    *,
    device: str = "cpu",
    threads: int | None = None,
) -> MeshPair:
    """Signed distance, nearest points and normal from A into B, one of which is a TriangleMesh.

    Args:
        shape_a, shape_b: any shapes, at least one a TriangleMesh.
        X_WA, X_WB: poses (*batch, 4, 4).
        device: "cpu" or "cuda".
        threads: CPU threads; all cores by default.
    """
    if not isinstance(shape_b, TriangleMesh):
        if not isinstance(shape_a, TriangleMesh):
            raise InputError(f"one of the two must be a TriangleMesh; got {shape_a.kind} and {shape_b.kind}.")
        far, p_WB, p_WA, n, status = mesh_pair_distance(shape_b, X_WB, shape_a, X_WA, device=device, threads=threads)
        return MeshPair(far, p_WA, p_WB, -n, status)
    if isinstance(shape_a, TriangleMesh):
        return _run(kinds.TRIANGLES, (0.0, 0.0, 0.0), shape_a, X_WA, shape_b, X_WB, device, threads)
    if isinstance(shape_a, ConvexMesh):
        return _run(kinds.CONVEX, (0.0, 0.0, 0.0), shape_a, X_WA, shape_b, X_WB, device, threads)
    numbers = packed_shape(shape_a)
    return _run(numbers.kind, numbers.size, shape_a, X_WA, shape_b, X_WB, device, threads)


def _run(
    kind: int, size: tuple[float, float, float], shape_a: Shape, X_WA: ArrayLike, mesh: TriangleMesh, X_WB: ArrayLike,
    device: str, threads: int | None,
) -> MeshPair:  # fmt: skip
    pack = MeshPack()
    start, count, base_a = pack.add(shape_a) if isinstance(shape_a, ConvexMesh | TriangleMesh) else (0, 0, 0)
    _, _, base_b = pack.add(mesh)
    points, normals, boxes = pack.tables()
    constants = (kind, *map(float, size), start, count, base_a, base_b, boxes, points, normals, np.inf)
    inputs = [
        KernelInput("X_WA", finite_poses("X_WA", X_WA), (4, 4)),
        KernelInput("X_WB", finite_poses("X_WB", X_WB), (4, 4)),
    ]
    many = len(shape_a.faces) if isinstance(shape_a, TriangleMesh) else 1
    cost = 1e-6 if isinstance(shape_a, Plane) else 2e-5 * many
    (out,) = run_batch(
        None, mesh_pair_batch, constants, inputs, [(11,)],
        scratch=[PAIR_SCRATCH], device=device, threads=threads, world_seconds=cost,
    )  # fmt: skip
    return MeshPair(out[..., 0], out[..., 1:4], out[..., 4:7], out[..., 7:10], out[..., 10].astype(np.int64))
