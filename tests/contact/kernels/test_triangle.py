"""Nearest point on a triangle: against a search over the triangle that knows no regions, on good ones, needles and points."""

from __future__ import annotations

import numpy as np
import pytest
from mesh_inputs import distance_to_triangles

from carpal.contact.kernels.triangle import (
    CORNER_A,
    CORNER_B,
    CORNER_C,
    EDGE_AB,
    EDGE_BC,
    EDGE_CA,
    FACE,
    nearest_on_segment,
    nearest_on_triangle,
)


def ask(p: np.ndarray, corners: np.ndarray) -> tuple[np.ndarray, int]:
    q, feature = nearest_on_triangle(*(tuple(map(float, x)) for x in (p, *corners)))
    return np.array(q), feature


def features(seed: int, count: int, thin: float) -> tuple[float, float, set[int]]:
    """Largest error of the distance, largest distance of the answer from the triangle, and the features met."""
    rng = np.random.default_rng(seed)
    worst, off, met = 0.0, 0.0, set()
    for _ in range(count):
        corners = rng.normal(size=(3, 3))
        if thin < 1:
            corners[2] = corners[0] + rng.uniform(-0.5, 1.5) * (corners[1] - corners[0]) + thin * rng.normal(size=3)
        p = corners.mean(axis=0) + rng.normal(size=3) * rng.choice([1e-6, 0.1, 1.0, 10.0])
        q, feature = ask(p, corners)
        met.add(feature)
        a, b, c = corners[:, None]
        worst = max(worst, abs(np.linalg.norm(p - q) - distance_to_triangles(p, a, b, c)[0]))
        off = max(off, distance_to_triangles(q, a, b, c)[0])
    return worst, off, met


def test_good_triangles(figure) -> None:
    worst, off, met = features(0, 4000, 1.0)
    assert met == {FACE, EDGE_AB, EDGE_BC, EDGE_CA, CORNER_A, CORNER_B, CORNER_C}
    figure("nearest point on a triangle: distance against the long way [m]", worst, 1e-12)
    figure("nearest point on a triangle: how far off the triangle [m]", off, 1e-12)


@pytest.mark.parametrize("thin", [1e-3, 1e-6, 1e-9, 1e-13, 0.0])
def test_needles(thin: float, figure) -> None:
    worst, off, _ = features(1, 1500, thin)
    figure(f"nearest point on a needle of height {thin:g} m: distance against the long way [m]", worst, 1e-9)
    figure(f"nearest point on a needle of height {thin:g} m: how far off [m]", off, 1e-9)


def test_a_triangle_of_one_point_and_a_segment_of_no_length() -> None:
    corner = np.array([1.0, 2.0, 3.0])
    q, feature = ask(np.zeros(3), np.array([corner, corner, corner]))
    assert np.array_equal(q, corner) and feature >= CORNER_A
    assert nearest_on_segment((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 0.0, 0.0)) == (0.0, (1.0, 0.0, 0.0))
    t, q = nearest_on_segment((0.25, 1.0, 0.0), (0.0, 0.0, 0.0), (1.0, 0.0, 0.0))
    assert (t, q) == (0.25, (0.25, 0.0, 0.0))


def test_points_in_every_region_of_a_right_triangle() -> None:
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], float)
    for p, q, feature in [
        ((0.2, 0.3, 5), (0.2, 0.3, 0), FACE), ((0.5, -1, 1), (0.5, 0, 0), EDGE_AB), ((1, 1, 0), (0.5, 0.5, 0), EDGE_BC),
        ((-1, 0.5, 0), (0, 0.5, 0), EDGE_CA), ((-1, -1, 2), (0, 0, 0), CORNER_A), ((3, 0, 0), (1, 0, 0), CORNER_B),
        ((0, 9, 1), (0, 1, 0), CORNER_C),
    ]:  # fmt: skip
        found, where = ask(np.array(p, float), corners)
        assert np.allclose(found, q, atol=1e-15) and where == feature
