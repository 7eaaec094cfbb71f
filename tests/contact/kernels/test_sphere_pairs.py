"""A point against each surface: on the surface, along the normal, and nothing nearer among dense samples."""

import numpy as np
import pytest

from carpal.contact.kernels.sphere_pairs import point_to_box, point_to_cylinder, point_to_point, point_to_segment

RNG = np.random.default_rng(3)


def samples(form: str) -> np.ndarray:
    """Points of the surface of a box (0.2, 0.3, 0.5) or a cylinder (0.2, 0.4)."""
    u = RNG.uniform(-1, 1, (60000, 3))
    if form == "box":
        axis = RNG.integers(0, 3, len(u))
        u[np.arange(len(u)), axis] = np.sign(u[np.arange(len(u)), axis])
        return u * [0.2, 0.3, 0.5]
    angle = np.pi * u[:, 0]
    cap = RNG.random(len(u)) < 0.4
    r = np.where(cap, 0.2 * np.sqrt(np.abs(u[:, 1])), 0.2)
    z = np.where(cap, 0.4 * np.sign(u[:, 2]), 0.4 * u[:, 2])
    return np.stack([r * np.cos(angle), r * np.sin(angle), z], axis=1)


@pytest.mark.parametrize("form", ["box", "cylinder"])
def test_box_and_cylinder(form: str) -> None:
    surface = samples(form)
    for p in RNG.normal(size=(200, 3)) * 0.4:
        q = tuple(map(float, p))
        d, x, n = point_to_box(q, (0.2, 0.3, 0.5)) if form == "box" else point_to_cylinder(q, (0.2, 0.4, 0.0))
        assert np.abs(p - np.array(x) - d * np.array(n)).max() < 1e-14
        assert abs(np.linalg.norm(n) - 1) < 1e-14
        inside = (np.abs(p) < [0.2, 0.3, 0.5]).all() if form == "box" else np.hypot(*p[:2]) < 0.2 and abs(p[2]) < 0.4
        assert (d < 0) == inside
        least = np.linalg.norm(surface - p, axis=1).min()
        assert least - 0.03 < abs(d) <= least + 1e-12


def test_where_the_direction_is_free() -> None:
    """A centre on a centre, on an axis, on a surface: some unit normal, never NaN."""
    zero = (0.0, 0.0, 0.0)
    for d, x, n in (
        point_to_point(zero), point_to_segment(zero, 0.3), point_to_segment((0.0, 0.0, 0.3), 0.3),
        point_to_box(zero, (0.1, 0.1, 0.1)), point_to_box((0.1, 0.0, 0.0), (0.1, 0.2, 0.3)),
        point_to_cylinder(zero, (0.1, 0.1, 0.0)), point_to_cylinder((0.1, 0.0, 0.1), (0.1, 0.1, 0.0)),
    ):  # fmt: skip
        assert np.isfinite([d, *x, *n]).all() and abs(np.linalg.norm(n) - 1) < 1e-14
        assert d <= 0


def test_segment() -> None:
    assert point_to_segment((0.3, 0.0, 0.1), 0.2) == (0.3, (0.0, 0.0, 0.1), (1.0, 0.0, 0.0))
    d, x, n = point_to_segment((0.0, 0.0, 0.5), 0.2)
    assert (round(d, 15), x, n) == (0.3, (0.0, 0.0, 0.2), (0.0, 0.0, 1.0))
