"""Points against meshes of up to 100,000 triangles: brute force and trimesh say the same."""

from __future__ import annotations

import numpy as np
import pytest
import trimesh
from mesh_inputs import brute_force, bumpy_ring, soup, terrain
from random_models import random_pose

from carpal.contact import mesh_point_distance
from carpal.errors import CarpalError
from carpal.model import Box, ConvexMesh, TriangleMesh


def there(mesh: TriangleMesh) -> trimesh.Trimesh:
    return trimesh.Trimesh(mesh.points, mesh.faces, process=False)


def check(mesh: TriangleMesh, count: int, seed: int, figure, brute: int) -> None:
    rng = np.random.default_rng(seed)
    p = rng.uniform(-1.5, 1.5, (count, 3))
    near = mesh.points[rng.integers(len(mesh.points), size=count // 4)]
    p[: count // 4] = near + rng.normal(size=near.shape) * 1e-3
    mine = mesh_point_distance(mesh, p)
    name = f"a {'closed' if mesh.solid else 'open'} mesh of {len(mesh.faces)} triangles"
    off = np.abs(np.abs(mine.distance[:brute]) - brute_force(mesh, p[:brute])).max()
    figure(f"distance to {name} against brute force [m]", off, 1e-12)
    _, far, _ = trimesh.proximity.closest_point(there(mesh), p)
    # trimesh takes triangles as equally near whose squared distances differ by less than 1e-8, so it may answer too far
    figure(f"distance to {name}: how far beyond trimesh's [m]", (np.abs(mine.distance) - far).max(), 1e-12)
    figure(f"distance to {name}: squared, against trimesh [m^2]", np.abs(mine.distance**2 - far**2).max(), 1.01e-8)
    assert np.allclose(mine.p_WN + mine.distance[:, None] * mine.normal_W, p, atol=1e-12)
    if mesh.solid:
        inside = there(mesh).contains(p)
        sure = far > 1e-9
        figure(
            f"points on the wrong side of {name}, against trimesh", int((inside != (mine.distance < 0))[sure].sum()), 0
        )
    else:
        assert (mine.distance >= 0).all()


@pytest.mark.parametrize(("rows", "columns"), [(6, 5), (40, 25), (100, 50)])
def test_closed_meshes(rows: int, columns: int, figure) -> None:
    check(bumpy_ring(rows, columns, rows), 400, 1, figure, brute=60)


def test_open_meshes(figure) -> None:
    check(terrain(41, 51, 0), 400, 2, figure, brute=60)
    mesh, p = soup(500, 1), np.random.default_rng(3).normal(size=(300, 3)) * 2
    off = np.abs(mesh_point_distance(mesh, p).distance - brute_force(mesh, p)).max()
    figure("distance to 500 loose triangles, some of them needles, against brute force [m]", off, 1e-12)


@pytest.mark.full
@pytest.mark.parametrize(("rows", "columns"), [(100, 50), (250, 200)])
def test_large_closed_meshes(rows: int, columns: int, figure) -> None:
    check(bumpy_ring(rows, columns, 7), 5000, 4, figure, brute=300)


@pytest.mark.full
def test_a_large_terrain(figure) -> None:
    check(terrain(201, 251, 1), 5000, 5, figure, brute=300)


def test_poses_batches_and_single_ones_agree_bit_for_bit() -> None:
    rng = np.random.default_rng(0)
    mesh = bumpy_ring(20, 15, 0)
    X = np.array([random_pose(rng) for _ in range(6)])
    p = rng.normal(size=(5, 6, 3))
    all_at_once = mesh_point_distance(mesh, p, X)
    assert all_at_once.distance.shape == (5, 6) and all_at_once.p_WN.shape == (5, 6, 3)
    for i in range(5):
        for j in range(6):
            one = mesh_point_distance(mesh, p[i, j], X[j])
            assert one.distance == all_at_once.distance[i, j] and (one.p_WN == all_at_once.p_WN[i, j]).all()
    moved = mesh_point_distance(mesh, (p[0] - X[:, :3, 3])[:, None] @ X[:, :3, :3])
    assert np.allclose(moved.distance[:, 0], all_at_once.distance[0], atol=1e-13)
    again = mesh_point_distance(mesh, p, X, threads=1)
    assert (again.distance == all_at_once.distance).all()
    assert "30 points" in str(all_at_once) and all_at_once


def test_a_convex_mesh_has_an_inside() -> None:
    hull = ConvexMesh(np.random.default_rng(2).normal(size=(30, 3)))
    assert mesh_point_distance(hull, hull.points.mean(axis=0)).distance < 0


def test_bad_input_is_one_sentence() -> None:
    mesh = bumpy_ring(5, 5, 0)
    bent = np.eye(4)
    bent[0, 0] = 2
    for match, call in [
        (r"p_WP\[1\] is nan", lambda: mesh_point_distance(mesh, [0.0, np.nan, 0.0])),
        (r"p_WP needs shape \(\*batch, 3\); got \(2,\)", lambda: mesh_point_distance(mesh, [0.0, 1.0])),
        ("X_WM is not a rotation|rotation of X_WM", lambda: mesh_point_distance(mesh, np.zeros(3), bent)),
        ("a ConvexMesh or TriangleMesh was expected; got Box", lambda: mesh_point_distance(Box((1, 1, 1)), np.zeros(3))),
        ("unknown device 'gpu'", lambda: mesh_point_distance(mesh, np.zeros(3), device="gpu")),
    ]:  # fmt: skip
        with pytest.raises(CarpalError, match=match):
            call()
