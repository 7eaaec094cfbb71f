"""Two circles, and a circle and a line: points at the right distances, the right side, and how far a miss is."""

import numpy as np

from carpal.model.linkage.circles import circle_circle, circle_line


def test_points_lie_on_both_circles_and_on_the_side_asked_for():
    rng = np.random.default_rng(0)
    c1, c2, point = rng.normal(size=(3, 500, 2))
    r1, r2 = np.linalg.norm(point - c1, axis=1), np.linalg.norm(point - c2, axis=1)
    for side in (1.0, -1.0):
        found, gap = circle_circle(c1, r1, c2, r2, side)
        assert np.abs(np.linalg.norm(found - c1, axis=1) - r1).max() < 1e-12
        assert np.abs(np.linalg.norm(found - c2, axis=1) - r2).max() < 1e-12
        (dx, dy), (ex, ey) = (c2 - c1).T, (found - c1).T
        assert (side * (dx * ey - dy * ex) > 0).all() and gap.max() < 1e-12


def test_a_miss_is_measured():
    zero, one = np.zeros((1, 2)), np.array([[1.0, 0.0]])
    assert np.isclose(circle_circle(zero, 0.3, one, 0.5, 1.0)[1], 0.2)
    assert np.isclose(circle_circle(zero, 2.0, one, 0.5, 1.0)[1], 0.5)
    assert circle_circle(zero, 0.5, one, 0.5, 1.0)[1] == 0.0
    assert np.isclose(circle_line(np.array([[0.0, 1.0]]), 0.4, zero, one, 1.0)[1], 0.6)


def test_line_meets_circle_before_and_after():
    rng = np.random.default_rng(1)
    centre, base, u = rng.normal(size=(3, 300, 2))
    u /= np.linalg.norm(u, axis=1, keepdims=True)
    radius = 5.0
    early, late = (circle_line(centre, radius, base, u, side)[0] for side in (-1.0, 1.0))
    assert (early < late).all()
    for s in (early, late):
        assert np.abs(np.linalg.norm(base + s[:, None] * u - centre, axis=1) - radius).max() < 1e-12


def test_nearly_stretched_circles_keep_their_digits():
    """Sides 3, 4 and 7 - 1e-9: the height by Heron's product is right to ten digits, where r^2 - a^2 has only six."""
    found, _ = circle_circle(np.zeros((1, 2)), 3.0, np.array([[7.0 - 1e-9, 0.0]]), 4.0, 1.0)
    exact = np.sqrt((14 - 1e-9) * 1e-9 * (8 - 1e-9) * (6 - 1e-9)) / (2 * (7 - 1e-9))
    assert abs(found[0, 1] / exact - 1) < 1e-6
