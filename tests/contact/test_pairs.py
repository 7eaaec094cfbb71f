"""The public edge of pair queries: one or many, the same bits; bad input gets one sentence."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from carpal.contact import shape_distance, shapes_nearer_than
from carpal.errors import CarpalError, InputError
from carpal.model import Box, Capsule, ConvexMesh, Cylinder, Ellipsoid, Plane, Sphere, TriangleMesh

CUBE = np.array([[x, y, z] for x in (-0.1, 0.1) for y in (-0.1, 0.1) for z in (-0.1, 0.1)])
SHAPES = [
    Sphere(0.1), Capsule(0.1, 0.4), Cylinder(0.1, 0.3), Box((0.2, 0.3, 0.4)), Ellipsoid((0.1, 0.2, 0.3)), Plane(),
    ConvexMesh(CUBE),
]  # fmt: skip


def poses(n: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    X = np.tile(np.eye(4), (n, 1, 1))
    X[:, :3, :3] = Rotation.random(n, random_state=rng).as_matrix()
    X[:, :3, 3] = rng.normal(size=(n, 3)) * 0.3
    return X


@pytest.mark.parametrize("a", SHAPES, ids=lambda s: s.kind)
def test_one_equals_many_bit_for_bit(a) -> None:
    X, Y = poses(8, 1), poses(8, 2)
    for b in SHAPES:
        if a.kind == b.kind == "plane":
            continue
        many = shape_distance(a, X, b, Y, threads=2)
        near = shapes_nearer_than(a, X, b, Y, 0.05)
        for i in range(8):
            one = shape_distance(a, X[i], b, Y[i])
            assert one.distance == many.distance[i] and one.distance.shape == ()
            assert (one.p_WA == many.p_WA[i]).all() and (one.n_AB_W == many.n_AB_W[i]).all()
            assert near[i] == (one.distance <= 0.05)
            assert one.depth == -one.distance


def test_batches_broadcast_and_may_be_empty() -> None:
    result = shape_distance(Sphere(0.1), np.eye(4), Plane(), poses(6, 3).reshape(2, 3, 4, 4))
    assert result.distance.shape == (2, 3) and result.p_WB.shape == (2, 3, 3)
    assert bool(result) and str(result).startswith("6 placements of sphere and plane")
    assert shape_distance(Sphere(0.1), np.eye(4), Plane(), np.empty((0, 4, 4))).status.startswith("no placements")


def test_sentences() -> None:
    X = np.eye(4)
    X[2, 3] = 0.35
    assert str(shape_distance(Sphere(0.1), np.eye(4), Sphere(0.2), X)) == "sphere and sphere are 0.05 m apart."
    X[2, 3] = 0.25
    assert str(shape_distance(Sphere(0.1), np.eye(4), Sphere(0.2), X)) == "sphere and sphere overlap by 0.05 m."


def test_triangle_meshes_are_passed_on() -> None:
    faces = ConvexMesh(CUBE).faces
    mesh = TriangleMesh(ConvexMesh(CUBE).points, faces)
    X = np.eye(4)
    X[0, 3] = 0.5
    result = shape_distance(Sphere(0.1), X, mesh, np.eye(4))
    assert result.distance == pytest.approx(0.3) and result.n_AB_W == pytest.approx((-1, 0, 0), abs=1e-9)
    assert shapes_nearer_than(Sphere(0.1), X, mesh, np.eye(4), 0.31) and not shapes_nearer_than(
        Sphere(0.1), X, mesh, np.eye(4)
    )


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((Plane(), np.eye(4), Plane(), np.eye(4)), "two planes"),
        (("ball", np.eye(4), Plane(), np.eye(4)), "shape_a must be a shape"),
        ((Sphere(1), np.eye(4), None, np.eye(4)), "shape_b must be a shape"),
        ((Sphere(1), np.full((4, 4), np.nan), Plane(), np.eye(4)), "must be finite"),
        ((Sphere(1), 2 * np.eye(4), Plane(), np.eye(4)), "rotation"),
        ((Sphere(1), np.eye(3), Plane(), np.eye(4)), "needs shape"),
        ((Sphere(1), np.tile(np.eye(4), (2, 1, 1)), Plane(), np.tile(np.eye(4), (3, 1, 1))), "do not fit"),
    ],
)
def test_bad_input(arguments, words: str) -> None:
    with pytest.raises(InputError, match=words):
        shape_distance(*arguments)


def test_zero_sizes_and_bad_margins_are_refused() -> None:
    for make in (lambda: Sphere(0), lambda: Box((1, 0, 1)), lambda: Capsule(0.1, 0), lambda: Ellipsoid((1, 1, -1))):
        with pytest.raises(CarpalError, match="above zero"):
            make()
    for margin in (np.nan, "far", True, np.inf):
        with pytest.raises(InputError, match="margin"):
            shapes_nearer_than(Sphere(1), np.eye(4), Plane(), np.eye(4), margin)
