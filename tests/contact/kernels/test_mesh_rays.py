"""Rays against meshes: none slips between two triangles, and the tree misses nothing."""

from __future__ import annotations

import math

import numpy as np
from mesh_inputs import bumpy_ring, soup

from carpal.contact.kernels.mesh_rays import ray_mesh, ray_triangle
from carpal.contact.trees import mesh_tables
from carpal.model import ConvexMesh


def cast(mesh, o, d, limit=math.inf):
    points, normals, boxes = mesh_tables(mesh)
    return ray_mesh(tuple(map(float, o)), tuple(map(float, d)), 0, boxes, points, normals, limit)


def test_the_tree_is_brute_force() -> None:
    rng = np.random.default_rng(0)
    for mesh in (soup(40, 0), bumpy_ring(15, 12, 0)):
        corners = mesh.points[mesh.faces]
        hits = 0
        for _ in range(150):
            o = rng.uniform(-1.5, 1.5, 3)
            d = mesh.points[rng.integers(len(mesh.points))] + rng.normal(size=3) * 0.1 - o
            d /= np.linalg.norm(d)
            all_of_them = [ray_triangle(tuple(o), tuple(d), *map(tuple, one)) for one in corners]
            t, n, face = cast(mesh, o, d)
            assert t == min(all_of_them)
            if t < math.inf:
                hits += 1
                assert all_of_them[face] == t
                a, b, c = corners[face]
                assert np.allclose(np.cross(b - a, c - a) / np.linalg.norm(np.cross(b - a, c - a)), n, atol=1e-12)
                assert cast(mesh, o, d, 0.999 * t) == (math.inf, (0.0, 0.0, 0.0), -1)
        assert hits > 20


def test_no_ray_slips_through_an_edge_or_a_corner(figure) -> None:
    """From inside a closed hull, aimed at corners and at points of edges: every ray must meet the wall."""
    hull = ConvexMesh(np.random.default_rng(1).normal(size=(60, 3)))
    middle = hull.points.mean(axis=0)
    rng = np.random.default_rng(2)
    aims = [*hull.points]
    for face in hull.faces:
        aims += [hull.points[face[0]] + s * (hull.points[face[1]] - hull.points[face[0]]) for s in rng.random(5)]
    aims = np.array(aims) - middle
    missed = sum(cast(hull, middle, aim / np.linalg.norm(aim))[0] == math.inf for aim in aims)
    figure(f"rays of {len(aims)} aimed at edges and corners that slip through a closed mesh", missed, 0)


def test_a_ray_in_a_triangles_plane_and_along_axes() -> None:
    corners = (0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)
    assert ray_triangle((-1.0, 0.2, 0.0), (1.0, 0.0, 0.0), *corners) == math.inf
    assert ray_triangle((0.2, 0.2, -1.0), (0.0, 0.0, 1.0), *corners) == 1.0
    assert ray_triangle((0.2, 0.2, 1.0), (0.0, 0.0, 1.0), *corners) == math.inf
    cube = ConvexMesh([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)])
    assert cast(cube, (0.5, 0.5, -1), (0, 0, 1))[0] == 1.0
    assert cast(cube, (1.5, 0.5, -1), (0, 0, 1))[0] == math.inf
