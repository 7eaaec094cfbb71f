"""The tree of boxes: its answers are those of brute force, wherever the point, whatever the number of triangles."""

from __future__ import annotations

import math

import numpy as np
import pytest
from mesh_inputs import brute_force, bumpy_ring, soup, terrain

from carpal.contact.kernels.mesh_tree import LEAF, box_distance2, leaf_rows, mesh_distance, mesh_shape, nearest_on_mesh
from carpal.contact.trees import mesh_tables
from carpal.model import TriangleMesh


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 8, 9, 31, 100])
def test_any_number_of_triangles(count: int, figure) -> None:
    mesh = soup(count, count)
    points, normals, boxes = mesh_tables(mesh)
    p = np.random.default_rng(count).normal(size=(60, 3)) * 2
    true = brute_force(mesh, p)
    mine = [mesh_distance(tuple(one), 0, boxes, points, normals)[0] for one in p]
    figure(
        f"distance to {count} loose triangles through the tree, against brute force [m]",
        np.abs(mine - true).max(),
        1e-12,
    )


def test_leaves_cover_every_triangle_once() -> None:
    for mesh in (soup(37, 0), bumpy_ring(11, 13, 0), terrain(9, 8, 0)):
        points, normals, boxes = mesh_tables(mesh)
        leaves, triangles, first = mesh_shape(0, boxes)
        assert (triangles, first) == (len(mesh.faces), 0)
        end = 0
        for node in range(leaves, 2 * leaves):
            begin, stop = leaf_rows(node, leaves, triangles, first)
            assert begin == end and 0 < stop - begin <= 3 * LEAF
            assert (points[begin:stop] >= boxes[node, :3]).all() and (points[begin:stop] <= boxes[node, 3:]).all()
            end = stop
        assert end == len(points) == 3 * len(mesh.faces)
        assert sorted(normals[::3, 9]) == list(range(len(mesh.faces)))


def test_the_limit_and_the_box() -> None:
    mesh = soup(20, 3)
    points, _, boxes = mesh_tables(mesh)
    p = (5.0, 5.0, 5.0)
    far2, q, row, _ = nearest_on_mesh(p, 0, boxes, points, math.inf)
    assert row >= 0 and far2 == pytest.approx(sum((a - b) ** 2 for a, b in zip(p, q, strict=True)))
    assert nearest_on_mesh(p, 0, boxes, points, 0.99 * far2)[2] == -1
    assert nearest_on_mesh(p, 0, boxes, points, 1.01 * far2)[2] == row
    boxes = np.array([[0.0, 0, 0, 1, 1, 1]])
    assert box_distance2((0.5, 0.5, 0.5), 0, boxes) == 0.0
    assert box_distance2((2.0, -1.0, 0.5), 0, boxes) == 2.0


def test_the_sign_at_edges_and_corners() -> None:
    """Straight off an edge or corner of a cube and of a notch, where a face's own normal alone would mislead."""
    corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], float)
    faces = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4],
             [1, 5, 7], [1, 7, 3]]  # fmt: skip
    points, normals, boxes = mesh_tables(TriangleMesh(corners, faces))
    rng = np.random.default_rng(0)
    for _ in range(500):
        p = rng.uniform(-0.5, 1.5, 3)
        beyond = np.maximum(np.maximum(-p, p - 1), 0)
        true = np.linalg.norm(beyond) if beyond.any() else -min(p.min(), (1 - p).min())
        far, q, n, _ = mesh_distance(tuple(p), 0, boxes, points, normals)
        assert far == pytest.approx(true, abs=1e-14)
        assert np.allclose(np.array(q) + far * np.array(n), p, atol=1e-14)
    far, q, n, _ = mesh_distance((1.0, 0.5, 0.5), 0, boxes, points, normals)  # on the surface: its own normal
    assert far == 0.0 and n == (1.0, 0.0, 0.0)
