"""Support points are the farthest of many surface points; their second derivative by finite differences."""

import numpy as np
import pytest
from pair_oracles import BOX, CAPSULE, CONVEX, CYLINDER, ELLIPSOID, NAMES, POINTS, SPHERE, reach

from carpal.contact.kernels.support import core_radius, is_curved, spread_local, support_local, support_pair

KINDS = [SPHERE, CAPSULE, CYLINDER, BOX, ELLIPSOID, CONVEX]
SIZE = {SPHERE: (0.3, 0.0, 0.0), CAPSULE: (0.2, 0.4, 0.0), CYLINDER: (0.2, 0.4, 0.0), CONVEX: (0.0, 0.0, 0.0)}
COUNT = 14


@pytest.mark.parametrize("kind", KINDS, ids=[NAMES[k] for k in KINDS])
def test_the_farthest_point(kind: int) -> None:
    rng = np.random.default_rng(1)
    size = SIZE.get(kind, (0.2, 0.3, 0.5))
    for d in [*rng.normal(size=(50, 3)), *np.eye(3), *-np.eye(3)]:
        d = d / np.linalg.norm(d)
        x = np.array(support_local(kind, size, 0, COUNT, tuple(map(float, d)), POINTS))
        h = reach(kind, np.array([size]), False, np.eye(4)[None], d[None])[0]
        assert abs(x @ d + core_radius(kind, size) - h) < 1e-14


@pytest.mark.parametrize("kind", [CYLINDER, ELLIPSOID], ids=["cylinder", "ellipsoid"])
def test_how_the_support_moves_when_the_direction_turns(kind: int) -> None:
    rng = np.random.default_rng(2)
    assert is_curved(kind) and not is_curved(BOX) and not is_curved(CAPSULE)
    size, step = SIZE.get(kind, (0.2, 0.3, 0.5)), 1e-6
    for d in rng.normal(size=(20, 3)):
        d = d / np.linalg.norm(d)
        W = spread_local(kind, size, tuple(map(float, d)))
        full = np.array([[W[0], W[3], W[4]], [W[3], W[1], W[5]], [W[4], W[5], W[2]]])
        for e in np.eye(3):
            ahead, behind = (
                np.array(support_local(kind, size, 0, 0, tuple(map(float, d + s * e)), POINTS)) for s in (step, -step)
            )
            assert np.abs((ahead - behind) / (2 * step) - full @ e).max() < 1e-6


def test_of_two_shapes_in_the_frame_of_the_first() -> None:
    turn = (0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0)  # z by a quarter
    a, b = support_pair(
        BOX, (0.1, 0.2, 0.3), 0, 0, CAPSULE, (0.1, 0.5, 0.0), 0, 0, turn, (1.0, 0.0, 0.0), (1.0, 1.0, 1.0), POINTS
    )
    assert a == (0.1, 0.2, 0.3)
    assert b == (1.0, 0.0, -0.5)
