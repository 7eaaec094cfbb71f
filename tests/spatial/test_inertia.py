"""Mass properties against sums over point masses."""

import numpy as np
import pytest
from random_models import random_inertia, random_pose

from carpal.errors import InputError
from carpal.spatial import POINT_INERTIA, Inertia

RNG = np.random.default_rng(0)
POINTS = RNG.normal(size=(12, 3))
MASSES = RNG.uniform(0.1, 2.0, 12)


def of_points(masses: np.ndarray, points: np.ndarray) -> Inertia:
    """From the definition: sums of m and m (r.r - r r^T)."""
    com = masses @ points / masses.sum()
    r = points - com
    about_com = np.einsum("i,ij,ij->", masses, r, r) * np.eye(3) - np.einsum("i,ij,ik->jk", masses, r, r)
    return Inertia(masses.sum(), com, about_com)


def same(a: Inertia, b: Inertia) -> bool:
    return a.mass == pytest.approx(b.mass) and np.allclose(a.com, b.com) and np.allclose(a.about_com, b.about_com)


def test_adding_bodies_adds_their_points() -> None:
    a, b = of_points(MASSES[:5], POINTS[:5]), of_points(MASSES[5:], POINTS[5:])
    assert same(a + b, of_points(MASSES, POINTS))
    assert same(a + Inertia.nothing(), a)
    assert same(Inertia.nothing() + a, a)
    nothing = Inertia.nothing() + Inertia.nothing()
    assert nothing.mass == 0.0


def test_moving_a_body_moves_its_points() -> None:
    X = random_pose(RNG)
    moved = of_points(MASSES, POINTS @ X[:3, :3].T + X[:3, 3])
    assert same(of_points(MASSES, POINTS).moved(X), moved)


def test_about_the_origin() -> None:
    expected = np.einsum("i,ij,ij->", MASSES, POINTS, POINTS) * np.eye(3)
    expected -= np.einsum("i,ij,ik->jk", MASSES, POINTS, POINTS)
    body = of_points(MASSES, POINTS)
    assert np.allclose(body.about_origin, expected)
    assert np.allclose(body.moment, MASSES @ POINTS)


def test_six_numbers_in_the_stated_order() -> None:
    body = Inertia.from_six(2.0, [0, 0, 0], [1, 2, 3, 0.1, 0.2, 0.3])
    assert np.array_equal(body.about_com, [[1, 0.1, 0.2], [0.1, 2, 0.3], [0.2, 0.3, 3]])
    assert np.array_equal(Inertia.point(1.0, [1, 2, 3]).about_com, POINT_INERTIA * np.eye(3))


def test_which_inertias_a_solid_body_can_have() -> None:
    assert random_inertia(RNG).is_physical()
    assert of_points(MASSES[:2], POINTS[:2]).is_physical()  # a stick: one moment is zero
    assert not Inertia.from_six(1, [0, 0, 0], [1, 1, 2.1, 0, 0, 0]).is_physical()
    assert not Inertia.from_six(1, [0, 0, 0], [1, 1, -0.1, 0, 0, 0]).is_physical()


def test_frozen() -> None:
    body = random_inertia(RNG)
    with pytest.raises(ValueError, match="read-only"):
        body.com[0] = 1.0
    with pytest.raises(AttributeError):
        body.mass = 1.0


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: Inertia(-1.0, [0, 0, 0], np.eye(3)), "a mass must not be negative; got -1.0 kg"),
        (lambda: Inertia(1.0, [0, 0], np.eye(3)), r"needs com \(3,\) and about_com \(3, 3\); got \(2,\) and \(3, 3\)"),
        (lambda: Inertia(np.nan, [0, 0, 0], np.eye(3)), "must be finite; got mass nan"),
        (lambda: Inertia(1.0, [0, np.inf, 0], np.eye(3)), "must be finite; got mass 1.0, com"),
        (lambda: Inertia.from_six(1.0, [0, 0, 0], [1, 2, 3]), r"six numbers .* got shape \(3,\)"),
    ],
)
def test_bad_numbers_are_refused(make, says: str) -> None:
    with pytest.raises(InputError, match=says):
        make()
