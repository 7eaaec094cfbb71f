"""Contact coordinates of bodies in the world, and refusals of bodies that do not touch."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from carpal.contact import contact_coordinates, contact_pose
from carpal.errors import CarpalError
from carpal.model import Cylinder, Ellipsoid, Plane, Sphere
from carpal.spatial import inverse, pose

BALL, EGG = Sphere(0.2), Ellipsoid((0.5, 0.3, 0.4))


def random_pose(rng):
    return pose(Rotation.random(random_state=rng).as_matrix(), rng.normal(size=3))


def test_coordinates_do_not_depend_on_where_the_pair_stands(figure):
    rng = np.random.default_rng(0)
    worst = 0.0
    for _ in range(50):
        e = rng.normal(size=3)
        p = np.array(EGG.radii) * e / np.linalg.norm(e)
        n = p / np.array(EGG.radii) ** 2
        X_AB = pose(Rotation.random(random_state=rng).as_matrix(), p + 0.2 * n / np.linalg.norm(n))
        X_WA = random_pose(rng)
        at = (X_WA @ [*p, 1.0])[:3]
        c = contact_coordinates(EGG, X_WA, BALL, X_WA @ X_AB, at)
        worst = max(worst, np.abs(contact_pose(EGG, BALL, c) - X_AB).max())
        swapped = contact_coordinates(BALL, X_WA @ X_AB, EGG, X_WA, at)
        assert np.abs(contact_pose(BALL, EGG, swapped) - inverse(X_AB)).max() < 1e-13
        assert np.array_equal(swapped[:3], c[3:6]) or np.abs(swapped[:3] - c[3:6]).max() < 1e-12
    figure("contact coordinates to pose and back, in the world", worst, 1e-13)


def test_without_a_point_it_is_found():
    rng = np.random.default_rng(4)
    c = rng.uniform(-1, 1, (20, 7)) * [0, 1, 1, 0, 1, 1, 1]
    X_WA = random_pose(rng)
    for a, b in ((EGG, BALL), (Plane(), EGG), (BALL, Cylinder(0.1, 9.0))):
        X_AB = contact_pose(a, b, c)
        found = contact_coordinates(a, X_WA, b, X_WA @ X_AB)
        assert np.abs(contact_pose(a, b, found) - X_AB).max() < 1e-7


def test_a_batch_is_its_members():
    heights = np.linspace(0, 1, 5)
    X_WB = pose(p=np.stack([heights, 0 * heights, 0 * heights + 0.2], -1))
    at = np.stack([heights, 0 * heights, 0 * heights], -1)
    c = contact_coordinates(Plane(), np.eye(4), BALL, X_WB, at)
    assert c.shape == (5, 7)
    for i in range(5):
        assert np.array_equal(c[i], contact_coordinates(Plane(), np.eye(4), BALL, X_WB[i], at[i]))
    assert np.array_equal(contact_pose(Plane(), BALL, c)[2], contact_pose(Plane(), BALL, c[2]))


def test_bodies_that_do_not_touch_are_refused():
    X = pose(p=[0, 0, 0.2])
    for X_WB, p, sentence in (
        (
            pose(p=[0, 0, 0.3]),
            [0, 0, 0],
            "do not touch: the point between them lies 0.1 m off the surface of B, a sphere",
        ),
        (X, [0, 0, 0.1], "0.1 m off the surface of A, a plane"),
        (pose(p=[0, 0, 0.1]), [0.1 * 3**0.5, 0, 0], "rad from where the two normals are opposite"),
        (np.full((4, 4), np.nan), [0, 0, 0], r"X_WB\[0, 0\] is nan"),
        (2 * X, [0, 0, 0], "not a rotation"),
        (X, [np.inf, 0, 0], r"p_WC\[0\] is inf"),
    ):
        with pytest.raises(CarpalError, match=sentence):
            contact_coordinates(Plane(), np.eye(4), BALL, X_WB, p)
    with pytest.raises(CarpalError, match="at batch index"):
        contact_coordinates(Plane(), np.eye(4), BALL, np.stack([X, pose(p=[0, 0, 0.3])]), [0, 0, 0])
    with pytest.raises(CarpalError, match=r"the point between them lies 0\.05 m off the surface of A"):
        contact_coordinates(Plane(), np.eye(4), BALL, pose(p=[0, 0, 0.3]))
    with pytest.raises(CarpalError, match="A is a str"):
        contact_pose("plane", BALL, np.zeros(7))
