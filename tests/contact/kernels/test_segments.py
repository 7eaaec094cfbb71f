"""Segments against each other and against boxes: dense sampling cannot find anything nearer, at any angle."""

import numpy as np

from carpal.contact.kernels.segments import (
    between_segments,
    perpendicular,
    segment_to_box,
    squared_between_segments,
    squared_to_box,
    unit,
)

RNG = np.random.default_rng(0)


def t(x: np.ndarray) -> tuple[float, ...]:
    return tuple(float(v) for v in x)


def direction(tilt: float = 1.0) -> np.ndarray:
    d = RNG.normal(size=3) * [1.0, tilt, tilt]
    return d / np.linalg.norm(d)


def test_two_segments_against_a_grid() -> None:
    for tilt in (1.0, 1e-4, 1e-8, 0.0):
        for _ in range(60):
            c_a, c_b, d_a, d_b = RNG.normal(size=3), RNG.normal(size=3), direction(tilt), direction(tilt)
            half_a, half_b = RNG.uniform(0.1, 1.5, 2)
            s, u = between_segments(t(c_a), t(d_a), half_a, t(c_b), t(d_b), half_b)
            assert abs(s) <= half_a and abs(u) <= half_b
            here = np.linalg.norm(c_b + u * d_b - c_a - s * d_a)
            S, U = np.meshgrid(np.linspace(-half_a, half_a, 81), np.linspace(-half_b, half_b, 81))
            grid = np.linalg.norm(c_b + U[..., None] * d_b - c_a - S[..., None] * d_a, axis=-1).min()
            assert here <= grid + 1e-7
            squared = squared_between_segments(t(c_a), t(d_a), half_a, t(c_b), t(d_b), half_b)
            assert abs(squared - here**2) < 1e-12


def test_parallel_segments_meet_in_the_middle_of_what_they_share() -> None:
    z = (0.0, 0.0, 1.0)
    assert between_segments((0.0, 0.0, 0.0), z, 1.0, (1.0, 0.0, 1.0), z, 1.0) == (0.5, -0.5)
    assert between_segments((0.0, 0.0, 0.0), z, 1.0, (1.0, 0.0, 5.0), z, 1.0) == (1.0, -1.0)


def test_segment_to_box_against_a_grid() -> None:
    for tilt in (1.0, 1e-6, 0.0):
        for _ in range(150):
            c, d, half, size = RNG.normal(size=3), direction(tilt), RNG.uniform(0.1, 2.0), RNG.uniform(0.1, 1.0, 3)
            place = segment_to_box(t(c), t(d), half, t(size))
            assert abs(place) <= half
            s = np.linspace(-half, half, 2001)
            beyond = np.maximum(np.abs(c + s[:, None] * d) - size, 0.0)
            grid = np.sqrt((beyond**2).sum(1).min())
            assert np.sqrt(squared_to_box(t(c + place * d), t(size))) <= grid + 1e-12


def test_unit_and_perpendicular() -> None:
    assert unit((0.0, 0.0, 0.0)) == ((1.0, 0.0, 0.0), 0.0)
    for _ in range(20):
        d = direction(1e-3)
        e = np.array(perpendicular(t(d)))
        assert abs(e @ d) < 1e-15 and abs(np.linalg.norm(e) - 1) < 1e-15
