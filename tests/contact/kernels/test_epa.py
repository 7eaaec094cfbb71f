"""EPA by itself: polytopes exactly, flat differences, touching surfaces, and the rows of other slots left alone."""

import numpy as np
import pytest
from pair_oracles import BOX, CAPSULE, CONVEX, ELLIPSOID, POINTS, SPHERE, random_poses
from scipy.spatial import ConvexHull

from carpal.contact.kernels.epa import epa
from carpal.contact.kernels.pair import PAIR_SCRATCH

ONE = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


def ask(kind_a, size_a, kind_b, size_b, R, p, points=POINTS, rows=(0, 14, 14, 26)):
    scratch = np.full((2, *PAIR_SCRATCH), np.nan)
    answer = epa(kind_a, size_a, rows[0], rows[1], kind_b, size_b, rows[2], rows[3], R, p, points, scratch, 1)
    assert np.isnan(scratch[0]).all()
    return answer


def test_hulls_against_the_faces_of_their_difference() -> None:
    """Qhull gives every face of A - B; the nearest of them is the depth."""
    rng = np.random.default_rng(11)
    for X in random_poses(60, rng):
        R, p = tuple(map(float, X[:3, :3].ravel())), tuple(map(float, X[:3, 3] * 0.05))
        first, second = POINTS[:14], POINTS[14:] @ X[:3, :3].T + p
        faces = ConvexHull((first[:, None] - second).reshape(-1, 3)).equations
        if (faces[:, 3] > -1e-6).any():
            continue
        h, on_a, n, gap, miss = ask(CONVEX, (0.0,) * 3, CONVEX, (0.0,) * 3, R, p)
        assert h == pytest.approx(-faces[:, 3].max(), abs=1e-12)
        assert gap < 1e-9 and miss < 1e-9
        assert (first @ n).max() == pytest.approx(np.dot(on_a, n), abs=1e-9)


@pytest.mark.parametrize("depth", [0.0, 1e-12, 1e-6, 0.01, 0.9])
def test_boxes_down_to_touching(depth: float) -> None:
    h, _, n, gap, _ = ask(BOX, (0.5, 0.5, 0.5), BOX, (0.5, 0.6, 0.7), ONE, (1.0 - depth, 0.1, 0.0))
    assert h == pytest.approx(depth, abs=1e-14) and gap < 1e-9
    assert n == pytest.approx((1.0, 0.0, 0.0), abs=1e-12)


def test_flat_differences() -> None:
    """A point in a triangle, a segment across one, a point on a point: depth zero across what is flat."""
    triangle = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]])
    h, on_a, n, _, _ = ask(SPHERE, (0.1, 0.0, 0.0), CONVEX, (0.0,) * 3, ONE, (-0.2, -0.2, 0.0), triangle, (0, 0, 0, 3))
    assert h == pytest.approx(0.0, abs=1e-15) and abs(n[2]) == pytest.approx(1.0)
    assert on_a == (0.0, 0.0, 0.0)
    h, _, n, _, _ = ask(CAPSULE, (0.1, 0.3, 0.0), CAPSULE, (0.1, 0.3, 0.0), ONE, (0.0, 0.0, 0.1))
    assert h == pytest.approx(0.0, abs=1e-15) and abs(n[2]) < 1e-12
    h, _, n, _, _ = ask(SPHERE, (0.1, 0.0, 0.0), SPHERE, (0.1, 0.0, 0.0), ONE, (0.0, 0.0, 0.0))
    assert h == 0.0 and np.linalg.norm(n) == pytest.approx(1.0)


def test_concentric_ellipsoids() -> None:
    h, _, n, gap, _ = ask(ELLIPSOID, (0.3, 0.31, 0.32), ELLIPSOID, (0.2, 0.21, 0.22), ONE, (0.0, 0.0, 0.0))
    assert h == pytest.approx(0.5, abs=1e-9) and gap == 0.0
    assert abs(n[0]) == pytest.approx(1.0, abs=1e-9)
