"""Clipping and hulls in the plane, against areas that are known or sampled."""

import numpy as np
import pytest

from carpal.contact.kernels.clip import MOST, clip_polygon, hull_2d, make_counterclockwise

A, B, SPARE = 0, MOST, 2 * MOST


def fill(scratch: np.ndarray, first: int, corners: np.ndarray) -> int:
    scratch[0, first : first + len(corners), :2] = corners
    return len(corners)


def area(corners: np.ndarray) -> float:
    x, y = corners.T
    return 0.5 * float(x @ np.roll(y, -1) - y @ np.roll(x, -1))


def regular(n: int, radius: float, turn: float, middle: tuple[float, float]) -> np.ndarray:
    angle = turn + 2 * np.pi * np.arange(n) / n
    return radius * np.stack([np.cos(angle), np.sin(angle)], axis=1) + middle


@pytest.mark.parametrize(("m", "n"), [(3, 4), (4, 4), (8, 5), (8, 16)])
def test_common_area_by_sampling(m: int, n: int) -> None:
    rng = np.random.default_rng(12)
    for _ in range(20):
        one, two = (
            regular(m, 1.0, rng.uniform(0, 6), (0, 0)),
            regular(n, 0.8, rng.uniform(0, 6), rng.normal(size=2) * 0.5),
        )
        scratch = np.full((1, 3 * MOST, 8), np.nan)
        fill(scratch, A, one), fill(scratch, B, two)
        first, count = clip_polygon(scratch, 0, A, m, SPARE, B, n)
        result = scratch[0, first : first + count, :2]
        grid = np.stack(np.meshgrid(np.linspace(-2, 2, 301), np.linspace(-2, 2, 301)), axis=-1).reshape(-1, 2)
        inside = np.ones(len(grid), bool)
        for corners in (one, two):
            for p, q in zip(corners, np.roll(corners, -1, axis=0), strict=True):
                inside &= (q - p)[0] * (grid - p)[:, 1] - (q - p)[1] * (grid - p)[:, 0] >= 0
        assert area(result) == pytest.approx(inside.mean() * 16, abs=0.03)


def test_a_segment_is_cut() -> None:
    scratch = np.full((1, 3 * MOST, 8), np.nan)
    (
        fill(scratch, A, np.array([[-3.0, 0.1], [3.0, 0.1]])),
        fill(scratch, B, np.array([[-1.0, -1], [1, -1], [1, 1], [-1, 1]])),
    )
    first, count = clip_polygon(scratch, 0, A, 2, SPARE, B, 4)
    ends = np.unique(scratch[0, first : first + count, :2].round(12), axis=0)
    assert ends.tolist() == [[-1.0, 0.1], [1.0, 0.1]]
    fill(scratch, A, np.array([[-3.0, 5.0], [3.0, 5.0]]))
    assert clip_polygon(scratch, 0, A, 2, SPARE, B, 4)[1] == 0


def test_hull_and_direction() -> None:
    rng = np.random.default_rng(13)
    corners = regular(6, 1.0, 0.2, (0, 0))
    points = np.concatenate([corners, rng.uniform(-0.4, 0.4, (20, 2)), corners[:2]])
    scratch = np.full((1, 80, 8), np.nan)
    fill(scratch, 0, points)
    count = hull_2d(scratch, 0, 0, len(points), 40)
    assert count == 6 and area(scratch[0, 40:46, :2]) == pytest.approx(area(corners))
    scratch[0, 40:46] = scratch[0, 40:46][::-1].copy()
    make_counterclockwise(scratch, 0, 40, 6)
    assert area(scratch[0, 40:46, :2]) > 0
