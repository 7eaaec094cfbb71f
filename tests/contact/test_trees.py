"""The tables of meshes: several in one pack give the answers that each gives alone."""

from __future__ import annotations

import numpy as np
from mesh_inputs import bumpy_ring, soup

from carpal.contact.kernels.mesh_tree import mesh_distance
from carpal.contact.trees import MeshPack, mesh_tables
from carpal.model import ConvexMesh, TriangleMesh


def test_a_pack_answers_as_each_mesh_alone() -> None:
    rng = np.random.default_rng(0)
    meshes = [bumpy_ring(7, 5, 0), ConvexMesh(rng.normal(size=(15, 3))), soup(9, 1), soup(1, 2)]
    pack = MeshPack()
    places = [pack.add(mesh) for mesh in meshes]
    points, normals, boxes = pack.tables()
    assert all(base % 2 == 0 for _, _, base in places)
    start, count, _ = places[1]
    assert np.array_equal(points[start : start + count], meshes[1].points)  # each once, for support functions
    start, count, _ = places[2]
    assert count == 27 and sorted(map(tuple, points[start : start + count])) == sorted(
        map(tuple, meshes[2].points[meshes[2].faces].reshape(-1, 3))
    )
    for mesh, (_, _, base) in zip(meshes, places, strict=True):
        alone = mesh_tables(mesh)
        for p in rng.normal(size=(20, 3)):
            a = mesh_distance(tuple(p), 0, alone.boxes, alone.points, alone.normals)
            assert mesh_distance(tuple(p), base, boxes, points, normals)[:3] == a[:3]


def test_tables_are_built_once_and_exist_without_meshes() -> None:
    ring = bumpy_ring(5, 5, 0)
    assert mesh_tables(ring) is mesh_tables(TriangleMesh(ring.points, ring.faces))
    points, normals, boxes = MeshPack().tables()
    assert points.shape == (1, 3) and normals.shape == (1, 10) and boxes.shape == (2, 6)


def test_corner_normals_are_weighted_by_angle() -> None:
    """A cube's corner points along its diagonal however its squares are cut into triangles."""
    corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], float)
    faces = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4],
             [1, 5, 7], [1, 7, 3]]  # fmt: skip
    points, normals, _ = mesh_tables(TriangleMesh(corners, faces))
    outward = normals[:, 6:9] / np.linalg.norm(normals[:, 6:9], axis=1)[:, None]
    assert np.allclose(outward, (2 * points - 1) / np.sqrt(3), atol=1e-14)
