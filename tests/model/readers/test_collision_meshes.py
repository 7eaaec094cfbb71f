"""Mesh files as shapes: convex ones as hulls, concave ones as asked, broken ones as a sentence."""

from __future__ import annotations

import numpy as np
import pytest
import trimesh
from mesh_inputs import bumpy_ring

from carpal.errors import ModelError
from carpal.model import ConvexMesh, TriangleMesh
from carpal.model.readers.collision_meshes import checked_concave, load_mesh, mesh_shapes_of

BOX = trimesh.creation.box((0.2, 0.3, 0.4))


def test_scale_and_mirror(tmp_path) -> None:
    BOX.export(tmp_path / "box.stl")
    points, faces = load_mesh(tmp_path / "box.stl", np.array([1.0, -2.0, 1.0]))
    assert np.allclose(np.ptp(points, axis=0), (0.2, 0.6, 0.4), atol=1e-7)
    assert TriangleMesh(points, faces).volume == pytest.approx(0.2 * 0.6 * 0.4, rel=1e-6)  # not inside out
    (shape,) = mesh_shapes_of(points, faces, "refuse")
    assert isinstance(shape, ConvexMesh) and len(shape.points) == 8


def test_concave_ones_are_what_was_asked_for() -> None:
    ring = bumpy_ring(12, 9, 0)
    with pytest.raises(ModelError, match='it is concave; load the file with concave="split"'):
        mesh_shapes_of(ring.points, ring.faces, "refuse")
    (hull,) = mesh_shapes_of(ring.points, ring.faces, "hull")
    (same,) = mesh_shapes_of(ring.points, ring.faces, "triangles")
    assert isinstance(hull, ConvexMesh) and same == ring and hull.volume > 1.5 * ring.volume
    cube = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], float)
    both = np.concatenate(
        [cube, cube + np.array([3.0, 0.0, 0.0])]
    )  # two cubes in one mesh: as concave as can be, and quickly cut
    faces = np.concatenate([ConvexMesh(cube).faces, ConvexMesh(cube).faces + 8])
    pieces = mesh_shapes_of(both, faces, "split")
    assert len(pieces) == 2 and sum(piece.volume for piece in pieces) == pytest.approx(2.0, rel=0.05)
    with pytest.raises(ModelError, match="has no inside"):
        mesh_shapes_of(ring.points, ring.faces[1:], "split")
    with pytest.raises(Exception, match=r"unknown choice for concave meshes 'cut'; .*refuse, hull, split, triangles"):
        checked_concave("cut")


def test_files_that_are_none(tmp_path) -> None:
    (tmp_path / "a.stl").write_bytes(b"solid nothing")
    (tmp_path / "b.xyz").write_bytes(b"\0\1")
    (tmp_path / "c.stl").write_bytes(b"\0" * 200)
    for name in ("a.stl", "b.xyz", "c.stl"):
        with pytest.raises(ModelError, match="it "):
            mesh_shapes_of(*load_mesh(tmp_path / name, np.ones(3)), "hull")
