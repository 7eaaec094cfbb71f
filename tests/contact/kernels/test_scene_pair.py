"""A pair of the tables gives what the pair kernels give for the two shapes, whichever of them is the mesh."""

import numpy as np
import pytest
from collision_scenes import random_rotation

from carpal.contact import distance
from carpal.model import Body, Box, Capsule, Joint, Model, PlacedShape, Shape, Sphere, TriangleMesh
from carpal.spatial import pose

CUBE_POINTS = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * 0.2
CUBE = TriangleMesh(
    CUBE_POINTS,
    [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4],
     [1, 5, 7], [1, 7, 3]],
)  # fmt: skip
SAME_CUBE = Box((0.4, 0.4, 0.4))


def two(a: Shape, b: Shape, X_WB: np.ndarray) -> Model:
    """A on a free body, B standing."""
    shapes = (PlacedShape("a", "body", a), PlacedShape("b", None, b, X_WB))
    return Model("two", (Body("body", None, Joint("free", "free")),), shapes=shapes)


@pytest.mark.parametrize("other", [Sphere(0.1), Capsule(0.05, 0.2), Box((0.1, 0.2, 0.3))], ids=lambda s: s.kind)
def test_a_mesh_of_a_cube_is_as_far_as_the_cube(other: Shape):
    rng = np.random.default_rng(1)
    for _ in range(20):
        X = pose(random_rotation(rng), rng.normal(size=3) * 0.4)
        q = np.concatenate([rng.normal(size=3) * 0.6, rng.normal(size=4)])
        true = distance(two(other, SAME_CUBE, X), q)
        if true.distance < 0:
            continue  # depths into meshes follow a rule of their own
        mesh_stands, mesh_moves = distance(two(other, CUBE, X), q), distance(two(CUBE, other, X), q)
        assert abs(mesh_stands.distance - true.distance) < 1e-9
        assert np.abs(mesh_stands.n_AB_W - true.n_AB_W).max() < 1e-6
        cube_moves = distance(two(SAME_CUBE, other, X), q)
        assert abs(mesh_moves.distance - cube_moves.distance) < 1e-9
        assert np.abs(mesh_moves.p_WB - mesh_moves.p_WA - mesh_moves.distance * mesh_moves.n_AB_W).max() < 1e-12
    both = distance(two(CUBE, CUBE, pose(p=[1.0, 0, 0])), [0, 0, 0, 1, 0, 0, 0])
    assert abs(both.distance - 0.6) < 1e-12 and np.abs(both.n_AB_W - (1, 0, 0)).max() < 1e-9
