"""Cores of capsules: crossing, parallel and collinear axes, and segments through boxes pushed out the shortest path."""

import numpy as np
import pytest

from carpal.contact.kernels.capsule_pairs import between_cores, segment_and_box

RNG = np.random.default_rng(5)


def t(x: np.ndarray) -> tuple[float, ...]:
    return tuple(float(v) for v in x)


def test_crossing_axes_part_along_their_common_perpendicular() -> None:
    d, a, b, n = between_cores((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), 1.0, (0.1, 0.0, 0.0), (0.0, 1.0, 0.0), 1.0)
    assert d == 0.0 and a == b == (0.1, 0.0, 0.0)
    assert n == (0.0, 0.0, 1.0)


@pytest.mark.parametrize("shift", [0.0, 0.5, 3.0])
def test_on_one_line(shift: float) -> None:
    d, _, _, n = between_cores((0.0, 0.0, 0.0), (0.0, 0.0, 1.0), 1.0, (0.0, 0.0, shift), (0.0, 0.0, 1.0), 1.0)
    assert d == pytest.approx(max(0.0, shift - 2.0), abs=1e-15)
    assert abs(np.linalg.norm(n) - 1) < 1e-15
    assert (abs(n[2]) < 1e-15) == (shift < 2.0)


def test_segments_and_boxes_by_support_functions() -> None:
    """Along the normal the box and the segment part by exactly the distance, and along no sampled direction sooner."""
    inside = 0
    for _ in range(300):
        c, size, half = RNG.normal(size=3) * 0.3, RNG.uniform(0.1, 0.6, 3), RNG.uniform(0.05, 0.8)
        d = RNG.normal(size=3) * RNG.choice([1.0, 0.0, 1e-9], 3)
        d[0] += 1e-3
        d /= np.linalg.norm(d)
        distance, on_segment, on_box, n = segment_and_box(t(c), t(d), half, t(size))
        n = np.array(n)
        assert np.abs(np.array(on_segment) - on_box - distance * n).max() < 1e-9
        assert (np.abs(on_box) <= size + 1e-9).all()
        m = np.concatenate([n[None], RNG.normal(size=(400, 3)), n + 1e-3 * RNG.normal(size=(100, 3))])
        m /= np.linalg.norm(m, axis=1)[:, None]
        overlap = np.abs(m) @ size - (m @ c - half * np.abs(m @ d))
        assert overlap[0] == pytest.approx(-distance, abs=1e-9)
        assert overlap.min() >= -distance - 1e-9
        inside += distance < 0
    assert 60 < inside < 280
