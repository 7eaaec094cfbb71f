"""Point and ellipsoid: the foot is on the surface, along the normal, and the nearest one, also where formulas divide by zero."""

import numpy as np
import pytest

from carpal.contact.kernels.ellipsoid import point_to_ellipsoid

SIZES = [(0.2, 0.3, 0.5), (0.5, 0.2, 0.2), (0.3, 0.3, 0.3), (0.01, 0.5, 0.5), (0.5, 0.4, 1e-4)]


def check(p: np.ndarray, size: tuple[float, ...], surface: np.ndarray) -> None:
    d, x, n = point_to_ellipsoid(tuple(map(float, p)), size)
    assert np.isfinite([d, *x, *n]).all()
    assert abs(np.sum((np.array(x) / size) ** 2) - 1) < 1e-9
    assert np.abs(p - np.array(x) - d * np.array(n)).max() < 1e-9
    least = np.linalg.norm(surface - p, axis=1).min()
    assert abs(d) <= least + 1e-9
    assert (d <= 1e-12) == (np.sum((p / size) ** 2) <= 1 + 1e-9) or abs(d) < 1e-9


@pytest.mark.parametrize("size", SIZES)
def test_anywhere(size: tuple[float, ...]) -> None:
    rng = np.random.default_rng(4)
    u = rng.normal(size=(20000, 3))
    surface = u / np.linalg.norm(u, axis=1)[:, None] * size
    for p in rng.normal(size=(100, 3)) * 0.4:
        check(p, size, surface)
    for p in rng.uniform(-1, 1, (100, 3)) * size:  # mostly inside, some on a plane or an axis of symmetry
        for flat in ((1, 1, 1), (1, 1, 0), (0, 1, 1), (1, 0, 0), (0, 0, 1), (0, 0, 0)):
            check(p * flat, size, surface)
            check(p * np.where(flat, 1.0, 1e-13), size, surface)


def test_on_the_plane_of_symmetry_inside() -> None:
    """From the centre the nearest point is at the end of the shortest axis; a little off, it slides along the ellipse."""
    d, x, n = point_to_ellipsoid((0.0, 0.0, 0.0), (0.2, 0.3, 0.5))
    assert (d, x, n) == (-0.2, (0.2, 0.0, 0.0), (1.0, 0.0, 0.0))
    d, x, _ = point_to_ellipsoid((0.0, 0.1, 0.0), (0.2, 0.3, 0.5))
    y = 0.1 * 0.09 / (0.09 - 0.04)
    assert x[1] == pytest.approx(y, abs=1e-12)
    assert d == pytest.approx(-np.hypot(0.2 * np.sqrt(1 - (y / 0.3) ** 2), y - 0.1), abs=1e-12)
