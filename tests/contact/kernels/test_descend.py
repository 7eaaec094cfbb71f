"""Newton steps on the overlap: they arrive where w is along n, quadratically, and say so where there is nothing to find."""

import numpy as np
from pair_oracles import CYLINDER, ELLIPSOID, POINTS, random_poses

from carpal.contact.kernels.descend import CLOSE, descend, descend_crease

ONE = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


def test_two_ellipsoids_apart() -> None:
    rng = np.random.default_rng(9)
    found = 0
    for X in random_poses(50, rng):
        R, p = tuple(map(float, X[:3, :3].ravel())), (1.5, 0.2, -0.1)
        n = np.array(p) / np.linalg.norm(p)
        angle, h, n, a, b = descend(
            ELLIPSOID, (0.3, 0.4, 0.5), 0, 0, ELLIPSOID, (0.2, 0.5, 0.3), 0, 0, R, p, tuple(map(float, n)), POINTS
        )
        if angle <= CLOSE:
            found += 1
            w = np.subtract(a, b)
            assert h < 0 and np.abs(w - h * np.array(n)).max() < 1e-9
    assert found > 40


def test_a_cylinder_s_side_is_a_crease() -> None:
    """A cylinder beside an ellipsoid, overlapping: the least overlap is across the axis, found along the crease only."""
    start = (0.9, 0.42, 0.03)
    start = tuple(float(x) for x in np.array(start) / np.linalg.norm(start))
    args = (CYLINDER, (0.2, 1.0, 0.0), 0, 0, ELLIPSOID, (0.3, 0.2, 0.2), 0, 0, ONE, (0.45, 0.0, 0.1))
    assert descend(*args, start, POINTS)[0] > CLOSE
    angle, h, n, a, b = descend_crease(*args, start, POINTS)
    assert angle <= CLOSE
    assert np.abs(np.subtract(a, b) - h * np.array(n)).max() < 1e-8
    assert abs(h - 0.05) < 1e-12 and abs(a[2] - 0.1) < 1e-9


def test_a_corner_is_no_minimum() -> None:
    """Deep inside, no direction between two vertices is least: the answer is that there is none."""
    box = 3
    n = tuple(float(x) for x in np.ones(3) / 3**0.5)
    args = (box, (0.2, 0.2, 0.2), 0, 0, box, (0.2, 0.2, 0.2), 0, 0, ONE, (0.1, 0.1, 0.1))
    assert descend(*args, n, POINTS)[0] == np.inf
