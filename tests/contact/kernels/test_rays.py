"""Rays against single shapes: what the crossing must satisfy, from outside, inside, along edges and walls."""

from __future__ import annotations

import math

import numpy as np
import pytest

from carpal.contact.kernels.kinds import BOX, CAPSULE, CYLINDER, ELLIPSOID, PLANE, SPHERE
from carpal.contact.kernels.rays import ray_shape

NONE = np.zeros((2, 6)), np.zeros((1, 3)), np.zeros((1, 10))
SHAPES = {
    "sphere": (SPHERE, (0.3, 0.0, 0.0)), "capsule": (CAPSULE, (0.2, 0.4, 0.0)), "cylinder": (CYLINDER, (0.2, 0.4, 0.0)),
    "box": (BOX, (0.1, 0.2, 0.3)), "ellipsoid": (ELLIPSOID, (0.1, 0.2, 0.3)), "plane": (PLANE, (0.0, 0.0, 0.0)),
}  # fmt: skip


def outside_by(kind: int, s: tuple[float, ...], p: np.ndarray) -> float:
    """A number that is zero on the surface, negative inside, straight from the definition of the solid."""
    x, y, z = p
    if kind == SPHERE:
        return float(np.linalg.norm(p) - s[0])
    if kind == CAPSULE:
        return math.hypot(x, y, max(abs(z) - s[1], 0.0)) - s[0]
    if kind == CYLINDER:
        return max(math.hypot(x, y) - s[0], abs(z) - s[1])
    if kind == BOX:
        return max(abs(x) - s[0], abs(y) - s[1], abs(z) - s[2])
    if kind == ELLIPSOID:
        return math.sqrt((x / s[0]) ** 2 + (y / s[1]) ** 2 + (z / s[2]) ** 2) - 1.0
    return z


@pytest.mark.parametrize("name", SHAPES)
def test_the_crossing_is_the_first(name: str, figure) -> None:
    kind, size = SHAPES[name]
    rng = np.random.default_rng(0)
    worst, hits = 0.0, 0
    for _ in range(600):
        o = rng.uniform(-0.7, 0.7, 3)
        d = rng.uniform(-0.3, 0.3, 3) - o
        d /= np.linalg.norm(d)
        t, n, face = ray_shape(kind, size, 0, *NONE, tuple(o), tuple(d), math.inf)
        along = np.linspace(0, min(t, 3.0), 60)[1:-1]
        side = np.sign(
            [outside_by(kind, size, o + s * d) for s in along if abs(outside_by(kind, size, o + s * d)) > 1e-9]
        )
        assert len(set(side)) <= 1, "the surface was crossed before"
        assert face == -1
        if t == math.inf:
            continue
        hits += 1
        h = 1e-6
        grow = [outside_by(kind, size, o + t * d + e) - outside_by(kind, size, o + t * d - e) for e in h * np.eye(3)]
        assert abs(np.linalg.norm(n) - 1) < 1e-12 and np.dot(n, grow) > 0.999 * np.linalg.norm(grow)
        worst = max(worst, abs(outside_by(kind, size, o + t * d)))
    assert hits > 60
    figure(f"point where a ray meets a {name}, off its surface", worst, 1e-12)


def test_along_axes_edges_and_walls() -> None:
    cases = [
        ("box", (-1, 0, 0), (1, 0, 0), 0.9), ("box", (-1, 0.2, 0), (1, 0, 0), 0.9), ("box", (-1, 0.201, 0), (1, 0, 0), math.inf),
        ("box", (0, 0, 0), (0, 0, 1), 0.3), ("box", (-1, 0, 0), (-1, 0, 0), math.inf), ("cylinder", (0, 0, 1), (0, 0, -1), 0.6),
        ("cylinder", (0, 0, 0), (0, 0, -1), 0.4), ("cylinder", (0.2001, 0, 1), (0, 0, -1), math.inf),
        ("capsule", (0, 0, 2), (0, 0, -1), 1.4), ("capsule", (0, 0, 0), (0, 0, 1), 0.6),
        ("capsule", (1, 0, 0.4), (-1, 0, 0), 0.8),
        ("sphere", (0, 0, 0), (1, 0, 0), 0.3), ("plane", (0, 0, 2), (0, 0, -1), 2.0),
        ("plane", (0, 0, 2), (1, 0, 0), math.inf), ("plane", (0, 0, -2), (0, 0, 1), 2.0),
        ("ellipsoid", (0, 0, 1), (0, 0, -1), 0.7),
    ]  # fmt: skip
    for name, o, d, true in cases:
        kind, size = SHAPES[name]
        t, _, _ = ray_shape(kind, size, 0, *NONE, tuple(map(float, o)), tuple(map(float, d)), math.inf)
        assert t == pytest.approx(true, abs=1e-7), (name, o, d)
        assert ray_shape(kind, size, 0, *NONE, tuple(map(float, o)), tuple(map(float, d)), 0.2)[0] == math.inf


def test_a_far_origin_costs_no_digits() -> None:
    t, _, _ = ray_shape(SPHERE, (0.01, 0.0, 0.0), 0, *NONE, (1e6, 0.0099, 0.0), (-1.0, 0.0, 0.0), math.inf)
    assert 1e6 - t == pytest.approx(math.sqrt(0.01**2 - 0.0099**2), abs=1e-9)
