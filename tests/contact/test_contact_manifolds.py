"""`contact_points`: counts, sentences, batches, refusals."""

import numpy as np
import pytest

from carpal.contact import contact_points, shape_distance
from carpal.errors import InputError
from carpal.model import Box, Capsule, ConvexMesh, Plane, Sphere, TriangleMesh

CUBE = np.array([[x, y, z] for x in (-0.1, 0.1) for y in (-0.1, 0.1) for z in (-0.1, 0.1)])


def at(x: float, y: float, z: float) -> np.ndarray:
    X = np.eye(4)
    X[:3, 3] = x, y, z
    return X


def test_a_box_on_the_floor() -> None:
    result = contact_points(Plane(), np.eye(4), Box((0.2, 0.2, 0.2)), at(0.3, 0, 0.099))
    assert result.count == 4 and bool(result)
    assert str(result) == "plane and box touch at 4 points, 0.001 m deep at most."
    assert sorted(map(tuple, result.p_W[:, :2].round(9).tolist())) == [(0.2, -0.1), (0.2, 0.1), (0.4, -0.1), (0.4, 0.1)]
    assert result.depth == pytest.approx(0.001) and result.p_W[:, 2] == pytest.approx(-0.0005)


def test_the_other_way_round_turns_the_normal() -> None:
    one = contact_points(Box((0.2, 0.2, 0.2)), np.eye(4), Capsule(0.05, 0.1), at(0, 0, 0.19))
    two = contact_points(Capsule(0.05, 0.1), at(0, 0, 0.19), Box((0.2, 0.2, 0.2)), np.eye(4))
    assert one.n_AB_W == pytest.approx(-two.n_AB_W) and one.depth[0] == pytest.approx(two.depth[0])


def test_apart_and_many() -> None:
    apart = contact_points(Sphere(0.1), np.eye(4), Sphere(0.1), at(0, 0, 0.5))
    assert apart.count == 0 and "do not touch" in str(apart) and (apart.p_W == 0).all()
    X = np.stack([at(0, 0, z) for z in (0.05, 0.15, 0.25)])
    many = contact_points(Sphere(0.1), np.eye(4), Sphere(0.1), X)
    assert many.count.tolist() == [1, 1, 0] and str(many).startswith("2 of 3 placements")
    assert many.distance == pytest.approx(shape_distance(Sphere(0.1), np.eye(4), Sphere(0.1), X).distance, abs=0)


def test_refusals() -> None:
    mesh = TriangleMesh(ConvexMesh(CUBE).points, ConvexMesh(CUBE).faces)
    with pytest.raises(InputError, match="convex"):
        contact_points(mesh, np.eye(4), Sphere(0.1), np.eye(4))
    with pytest.raises(InputError, match="two planes"):
        contact_points(Plane(), np.eye(4), Plane(), np.eye(4))
    with pytest.raises(InputError, match="margin"):
        contact_points(Sphere(1), np.eye(4), Plane(), np.eye(4), np.nan)
