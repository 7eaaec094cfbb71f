"""Shapes against triangle meshes: Coal where they are apart, brute force over the triangles, closed forms where they overlap."""

from __future__ import annotations

import coal
import numpy as np
import pytest
from mesh_inputs import bumpy_ring, terrain
from random_models import random_pose

from carpal.contact import mesh_point_distance, shape_distance
from carpal.contact.mesh_distances import mesh_pair_distance
from carpal.errors import CarpalError
from carpal.model import Box, Capsule, ConvexMesh, Cylinder, Ellipsoid, Plane, Shape, Sphere, TriangleMesh
from carpal.spatial import pose, rotation_about

HULL = ConvexMesh(np.random.default_rng(0).normal(size=(12, 3)) * 0.1)
SOLIDS: list[Shape] = [
    Sphere(0.1), Box((0.1, 0.2, 0.3)), Capsule(0.05, 0.3), Cylinder(0.1, 0.3), Ellipsoid((0.05, 0.1, 0.2)), HULL,
]  # fmt: skip


def in_coal(shape: Shape) -> coal.CollisionGeometry:
    match shape:
        case Sphere():
            return coal.Sphere(shape.radius)
        case Box():
            return coal.Box(*shape.size)
        case Capsule():
            return coal.Capsule(shape.radius, shape.length)
        case Cylinder():
            return coal.Cylinder(shape.radius, shape.length)
        case Ellipsoid():
            return coal.Ellipsoid(*shape.radii)
    assert isinstance(shape, ConvexMesh | TriangleMesh)
    tree = coal.BVHModelOBBRSS()
    tree.beginModel(len(shape.faces), len(shape.points))
    tree.addVertices(np.array(shape.points))
    tree.addTriangles(shape.faces.astype(np.int32))
    tree.endModel()
    return tree


def against_coal(shape: Shape, rows: int, columns: int, count: int, figure) -> None:
    mesh = bumpy_ring(rows, columns, 1)
    rng = np.random.default_rng(2)
    X_A = np.array([random_pose(rng) for _ in range(count)])
    X_B = np.array([random_pose(rng) for _ in range(count)])
    X_A[:, :3, 3] = X_B[:, :3, 3] + rng.uniform(-1.2, 1.2, (count, 3))
    mine = mesh_pair_distance(shape, X_A, mesh, X_B)
    assert np.abs(mine.p_WB - mine.p_WA - mine.distance[:, None] * mine.n_AB_W).max() < 1e-12
    there, other = in_coal(mesh), in_coal(shape)
    worst, wrong, apart = 0.0, 0, 0
    for i in range(count):
        result = coal.DistanceResult()
        place = [coal.Transform3s(X[:3, :3], X[:3, 3]) for X in (X_A[i], X_B[i])]
        far = coal.distance(other, place[0], there, place[1], coal.DistanceRequest(), result)
        if far > 1e-5:
            # Coal's meshes are hollow: a shape inside is as far from the wall for it, and overlaps for us
            swallowed = mesh_point_distance(mesh, X_A[i, :3, 3], X_B[i]).distance < 0
            wrong += bool((mine.distance[i] <= 0) != swallowed)
            if mine.distance[i] > 0:
                apart += 1
                worst = max(worst, abs(far - mine.distance[i]))
    assert apart > count // 3
    figure(f"{shape.kind} and a mesh apart: distance against Coal (its tolerance is 1e-6) [m]", worst, 5e-6)
    figure(f"{shape.kind} and a mesh: verdicts of {count} that differ from Coal's", wrong, 0)


@pytest.mark.parametrize("shape", SOLIDS, ids=lambda shape: shape.kind)
def test_coal_says_the_same_where_they_are_apart(shape: Shape, figure) -> None:
    against_coal(shape, 20, 15, 60, figure)


@pytest.mark.full
@pytest.mark.parametrize("shape", SOLIDS, ids=lambda shape: shape.kind)
def test_coal_says_the_same_on_many(shape: Shape, figure) -> None:
    against_coal(shape, 60, 40, 5000, figure)


@pytest.mark.parametrize("shape", [Box((0.1, 0.2, 0.3)), Capsule(0.05, 0.3), HULL], ids=lambda shape: shape.kind)
def test_the_tree_is_brute_force_over_the_triangles(shape: Shape, figure) -> None:
    mesh = bumpy_ring(7, 6, 0)
    rng = np.random.default_rng(1)
    worst = 0.0
    pieces = [TriangleMesh(corners, [[0, 1, 2]]) for corners in mesh.points[mesh.faces]]
    for _ in range(4):
        X = random_pose(rng)
        X[:3, 3] = rng.uniform(1.0, 1.5, 3)
        each = min(float(shape_distance(shape, X, piece, np.eye(4)).distance) for piece in pieces)
        worst = max(worst, abs(each - float(mesh_pair_distance(shape, X, mesh, np.eye(4)).distance)))
    figure(f"{shape.kind} and a mesh apart: tree against each triangle alone [m]", worst, 1e-9)


def floor_mesh() -> TriangleMesh:
    """A floor of two triangles at z = 0, its outer side up."""
    return TriangleMesh([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]], [[0, 1, 2], [0, 2, 3]])


@pytest.mark.parametrize("shape", SOLIDS[:5], ids=lambda shape: shape.kind)
def test_depth_on_a_floor_is_that_of_the_plane(shape: Shape, figure) -> None:
    """Shallow contacts all over a floor of two triangles, also across the edge between them: depth and normal of a plane."""
    rng = np.random.default_rng(3)
    X = np.array([random_pose(rng) for _ in range(40)])
    X[:, :3, 3] = rng.uniform(-0.3, 0.3, (40, 3))
    plane = shape_distance(shape, X, Plane(), np.eye(4))
    X[:, 2, 3] -= plane.distance + rng.uniform(0.001, 0.01, 40)
    true = shape_distance(shape, X, Plane(), np.eye(4))
    mine = mesh_pair_distance(shape, X, floor_mesh(), np.eye(4))
    figure(
        f"depth of a {shape.kind} in a floor of two triangles against a plane [m]",
        np.abs(mine.distance - true.distance).max(),
        1e-6,
    )
    figure(
        f"normal of a {shape.kind} in a floor of two triangles against a plane",
        np.abs(mine.n_AB_W - true.n_AB_W).max(),
        1e-4,
    )


def test_deep_in_and_swallowed() -> None:
    cube = ConvexMesh([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    solid = TriangleMesh(cube.points, cube.faces)
    inside = mesh_pair_distance(Box((0.2, 0.2, 0.2)), pose(p=[0.5, 0, 0]), solid, np.eye(4))
    assert inside.distance == pytest.approx(-0.6) and np.allclose(inside.n_AB_W, (-1, 0, 0))  # out along +x
    ball = mesh_pair_distance(Sphere(0.1), pose(p=[0.0, 0.7, 0]), solid, np.eye(4))
    assert ball.distance == pytest.approx(-0.4) and np.allclose(ball.n_AB_W, (0, -1, 0))
    low = mesh_pair_distance(Plane(), pose(p=[0.0, 0, -0.9]), solid, np.eye(4))
    assert low.distance == pytest.approx(-0.1) and np.allclose(low.n_AB_W, (0, 0, 1))
    behind = mesh_pair_distance(solid, np.eye(4), Sphere(0.1), pose(p=[0.0, 0.7, 0]))  # the other way round
    assert behind.distance == ball.distance and np.allclose(behind.n_AB_W, (0, 1, 0))
    assert np.allclose(behind.p_WA, ball.p_WB)


def test_two_meshes() -> None:
    ring, small = bumpy_ring(9, 7, 0), bumpy_ring(6, 5, 1)
    little = TriangleMesh(small.points * 0.1, small.faces)
    X = pose(rotation_about([1, 0, 0], 0.3), [0, 0, 1.5])
    there, tree_a, tree_b = coal.DistanceResult(), in_coal(little), in_coal(ring)
    places = [coal.Transform3s(Y[:3, :3], Y[:3, 3]) for Y in (X, np.eye(4))]
    far = coal.distance(tree_a, places[0], tree_b, places[1], coal.DistanceRequest(), there)
    assert mesh_pair_distance(little, X, ring, np.eye(4)).distance == pytest.approx(far, abs=1e-6)
    thick = pose(p=[0.7, 0, 0])  # inside the ring's own body
    assert mesh_pair_distance(little, thick, ring, np.eye(4)).distance < 0
    assert mesh_pair_distance(ring, np.eye(4), little, thick).distance < 0


def test_batches_public_edge_and_bad_input() -> None:
    mesh = terrain(6, 6, 0)
    X = np.array([pose(p=[0, 0, z]) for z in (0.5, 1.0, 1.5)])
    many = shape_distance(Box((0.1, 0.1, 0.1)), X, mesh, np.eye(4))
    for i in range(3):
        assert shape_distance(Box((0.1, 0.1, 0.1)), X[i], mesh, np.eye(4)).distance == many.distance[i]
    assert (np.diff(many.distance) > 0.4).all()
    with pytest.raises(CarpalError, match="one of the two must be a TriangleMesh; got sphere and box"):
        mesh_pair_distance(Sphere(1), np.eye(4), Box((1, 1, 1)), np.eye(4))
    with pytest.raises(CarpalError, match="X_WA"):
        mesh_pair_distance(Sphere(1), np.full((4, 4), np.nan), mesh, np.eye(4))
