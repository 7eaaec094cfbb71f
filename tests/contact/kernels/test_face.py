"""Faces as polygons with a height: every corner lies in the shape's surface, at the height that the plane says."""

import numpy as np
import pytest
from pair_oracles import BOX, CAPSULE, CONVEX, CYLINDER, NAMES, SPHERE, outside, random_poses

from carpal.contact.kernels.clip import MOST
from carpal.contact.kernels.face import HULL_CANDIDATES, face_towards
from carpal.contact.kernels.segments import perpendicular

CUBE = np.array([[x, y, z] for x in (-0.1, 0.1) for y in (-0.2, 0.2) for z in (-0.3, 0.3)])


def face(kind, size, X, n, side=1.0):
    scratch = np.full((1, 3 * MOST + HULL_CANDIDATES, 8), np.nan)
    e = np.array(perpendicular(tuple(map(float, n))))
    f = np.cross(n, e)
    o = np.array([0.1, -0.2, 0.3])
    R, p, o_, e_, f_, n_ = (tuple(map(float, np.ravel(x))) for x in (X[:3, :3], X[:3, 3], o, e, f, n))
    count, straight, c0, cu, cv = face_towards(
        kind, size, 0, 8, R, p, side, o_, e_, f_, n_, CUBE, scratch, 0, 0, 3 * MOST
    )
    uv = scratch[0, :count, :2]
    z = c0 + uv @ [cu, cv]
    return count, straight, o + uv[:, :1] * e + uv[:, 1:] * f + z[:, None] * n


@pytest.mark.parametrize("kind", [BOX, CYLINDER, CAPSULE], ids=lambda k: NAMES[k])
def test_corners_lie_on_the_surface(kind: int) -> None:
    rng = np.random.default_rng(14)
    size = (0.1, 0.2, 0.3) if kind == BOX else (0.1, 0.2, 0.0)
    for X in random_poses(60, rng):
        n = rng.normal(size=3)
        n /= np.linalg.norm(n)
        count, _, x = face(kind, size, X, n)
        assert count == {BOX: 4, CAPSULE: 2}.get(kind, count)
        off = outside(kind, np.tile(size, (count, 1)), False, np.tile(X, (count, 1, 1)), x)
        assert off.max() < 1e-9  # the far end of a tilted capsule's line lies inside its cap
        assert kind == CAPSULE or off.min() > -1e-9


def test_a_hull_of_a_box_has_the_face_of_the_box() -> None:
    X = random_poses(1, np.random.default_rng(15))[0]
    for column in range(3):
        for side in (1.0, -1.0):
            n = X[:3, column]
            count, straight, x = face(CONVEX, (0.0, 0.0, 0.0), X, n, side)
            same, straight_too, y = face(BOX, (0.1, 0.2, 0.3), X, n, side)
            assert count == same == 4 and straight and straight_too
            assert max(np.linalg.norm(y - corner, axis=1).min() for corner in x) < 1e-12


def test_a_corner_an_edge_and_a_ball() -> None:
    n = np.ones(3) / 3**0.5
    assert face(CONVEX, (0.0, 0.0, 0.0), np.eye(4), n)[0] == 1
    assert face(CONVEX, (0.0, 0.0, 0.0), np.eye(4), np.array([1.0, 1.0, 0.0]) / 2**0.5)[:2] == (2, True)
    assert face(SPHERE, (0.1, 0.0, 0.0), np.eye(4), n)[0] == 1
