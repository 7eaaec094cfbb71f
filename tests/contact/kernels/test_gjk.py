"""GJK by itself: bounds meet, yes or no stops early, and cores that meet are told."""

import numpy as np
from pair_oracles import BOX, CONVEX, POINTS, SPHERE, random_poses

from carpal.contact.kernels.gjk import APART, FAR, MEETING, NEAR, gjk
from carpal.contact.kernels.pair import PAIR_SCRATCH

ONE = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


def ask(kind_a, size_a, kind_b, size_b, R, p, margin=0.0, yes_no=False):
    scratch = np.full((2, *PAIR_SCRATCH), np.nan)
    answer = gjk(kind_a, size_a, 0, 14, kind_b, size_b, 14, 26, R, p, margin, yes_no, POINTS, scratch, 1)
    assert np.isnan(scratch[0]).all() and np.isnan(scratch[1, 4:]).all()
    return answer


def test_boxes_face_to_face_edge_to_edge_corner_to_corner() -> None:
    half = (0.5, 0.5, 0.5)
    for p, expected in (((1.3, 0.0, 0.0), 0.3), ((1.3, 1.4, 0.0), 0.5), ((1.1, 1.2, 1.2), 0.3)):
        found, distance, a, b, n, gap = ask(BOX, half, BOX, half, ONE, p)
        assert found == APART and abs(distance - expected) < 1e-14 and gap < 1e-13
        assert np.abs(np.subtract(b, a) - distance * np.array(n)).max() < 1e-14
    assert ask(BOX, half, BOX, half, ONE, (0.9, 0.0, 0.0))[0] == MEETING
    assert ask(BOX, half, BOX, half, ONE, (0.0, 0.0, 0.0))[0] == MEETING


def test_hulls_against_all_pairs_of_features() -> None:
    """The distance of two hulls is bracketed by its own bounds: nearest points above, gap of the slab below."""
    rng = np.random.default_rng(10)
    apart = 0
    for X in random_poses(200, rng):
        R, p = tuple(map(float, X[:3, :3].ravel())), tuple(map(float, X[:3, 3] * 0.6))
        found, distance, _a, _b, n, gap = ask(CONVEX, (0.0, 0.0, 0.0), CONVEX, (0.0, 0.0, 0.0), R, p)
        if found != APART:
            continue
        apart += 1
        first, second = POINTS[:14], POINTS[14:] @ X[:3, :3].T + p
        slab = (second @ n).min() - (first @ n).max()
        assert abs(slab - distance) < 1e-12 and gap < 1e-12
        assert ask(CONVEX, (0.0,) * 3, CONVEX, (0.0,) * 3, R, p, distance + 1e-9, True)[0] == NEAR
        assert ask(CONVEX, (0.0,) * 3, CONVEX, (0.0,) * 3, R, p, distance - 1e-9, True)[0] == FAR
    assert apart > 100


def test_coincident_points_meet() -> None:
    assert ask(SPHERE, (0.1, 0.0, 0.0), SPHERE, (0.1, 0.0, 0.0), ONE, (0.0, 0.0, 0.0))[0] == MEETING
