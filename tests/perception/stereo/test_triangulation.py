"""Triangulation: exact without noise, honest with it, better than the mid-point, never silent about wrong clicks."""

import numpy as np
import pytest
from relay_views import LAYOUT, PAIR, in_world, random_poses
from scipy.optimize import least_squares

from carpal.errors import InputError, UnknownNameError
from carpal.perception import project, sight_lines, triangulate
from carpal.spatial import pose


def scene(seed: int, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    points = in_world(random_poses(seed, count), LAYOUT.points).reshape(-1, 3)
    return points, project(PAIR.left, points), project(PAIR.right, points)


@pytest.mark.parametrize("method", ["optimal", "midpoint"])
def test_exact_pixels_give_exact_points(method, figure):
    points, a, b = scene(1, 100)
    result = triangulate(PAIR, a, b, method=method)
    figure(f"triangulation ({method}) of exact pixels [m]", np.abs(result.points - points).max(), 1e-10)
    assert result and (result.gap < 1e-10).all() and "triangulated" in str(result)


@pytest.mark.parametrize("method", ["optimal", "midpoint"])
def test_covariances_are_honest(method, figure):
    points, a, b = scene(2, 500)
    rng = np.random.default_rng(3)
    result = triangulate(PAIR, a + 0.3 * rng.normal(size=a.shape), b + 0.3 * rng.normal(size=b.shape), method=method)
    error = result.points - points
    squared = np.einsum("ni,nij,nj->n", error, np.linalg.inv(result.covariance), error)
    # 2,000 times a chi-square of 3: deviation of the mean is sqrt(6 / 2000)
    figure(
        f"triangulation ({method}): mean squared error over covariance, away from 3",
        abs(squared.mean() - 3),
        4 * np.sqrt(6 / 2000),
    )
    assert result.ok.mean() > 0.999


def test_the_midpoint_is_in_the_middle(figure):
    """Nearest points of two skew lines by linear least squares."""
    _, a, b = scene(7, 10)
    rng = np.random.default_rng(8)
    a, b = a + 2 * rng.normal(size=a.shape), b + 2 * rng.normal(size=b.shape)
    result, worst = triangulate(PAIR, a, b, method="midpoint", noise=2.0), 0.0
    for i in range(len(a)):
        (p, u), (q, v) = sight_lines(PAIR.left, a[i]), sight_lines(PAIR.right, b[i])
        s, t = np.linalg.lstsq(np.column_stack([u, -v]), q - p, rcond=None)[0]
        worst = max(worst, np.abs(result.points[i] - (p + s * u + q + t * v) / 2).max())
        assert result.gap[i] == pytest.approx(np.linalg.norm(p + s * u - q - t * v))
    figure("mid-points against linear least squares [m]", worst, 1e-10)


def test_optimal_is_what_scipy_finds():
    _, a, b = scene(4, 3)
    rng = np.random.default_rng(5)
    a, b = a + rng.normal(size=a.shape), b + rng.normal(size=b.shape)
    ours = triangulate(PAIR, a, b, noise=1.0).points
    for i in range(len(a)):

        def error(p, i=i):
            return np.concatenate([project(PAIR.left, p) - a[i], project(PAIR.right, p) - b[i]])

        best = least_squares(error, ours[i] + 0.01, xtol=1e-15, ftol=1e-15, gtol=1e-15).x
        assert np.abs(best - ours[i]).max() < 1e-6


@pytest.mark.parametrize("method", ["optimal", "midpoint"])
def test_one_is_a_batch_of_one(method):
    _, a, b = scene(9, 10)
    a = a + np.random.default_rng(1).normal(size=a.shape)
    many = triangulate(PAIR, a, b, method=method)
    for i in (0, 7, 39):
        one = triangulate(PAIR, a[i], b[i], method=method)
        assert (one.points == many.points[i]).all() and (one.covariance == many.covariance[i]).all()


def test_clicks_on_different_points_are_reported():
    _, a, b = scene(6, 1)
    result = triangulate(PAIR, a, b[[1, 0, 2, 3]] + [0, 9])
    assert not result and "cannot be right" in result.status


def test_bad_input():
    _, a, b = scene(6, 1)
    with pytest.raises(UnknownNameError, match="triangulation method"):
        triangulate(PAIR, a, b, method="middle")
    with pytest.raises(InputError, match="must have one shape"):
        triangulate(PAIR, a, b[:2])
    with pytest.raises(InputError, match="noise must be a deviation above zero"):
        triangulate(PAIR, a, b, noise=0.0)
    still = PAIR.right.replace(X_WC=PAIR.left.X_WC @ pose(p=[0.3, 0, 0]), distortion=np.zeros(5))
    flat = type(PAIR)(
        PAIR.left.replace(distortion=np.zeros(5)),
        still.replace(fx=PAIR.left.fx, fy=PAIR.left.fy, cx=PAIR.left.cx, cy=PAIR.left.cy),
    )
    with pytest.raises(InputError, match="parallel"):
        triangulate(flat, a, a)


def test_lines_may_miss_each_other_by_four_and_a_half_deviations():
    """Four pixel coordinates, three unknowns: along the one direction that no point explains the error is all residual."""
    points, a, b = scene(3, 5)
    for point, left, right in zip(points, a, b, strict=True):
        J = np.empty((4, 3))
        for i in range(3):
            h = 1e-6 * np.eye(3)[i]
            ends = [np.r_[project(PAIR.left, point + s * h), project(PAIR.right, point + s * h)] for s in (1, -1)]
            J[:, i] = (ends[0] - ends[1]) / 2e-6
        unexplained = np.linalg.svd(J)[0][:, 3]
        for deviations, ok in ((4.4, True), (4.6, False)):
            off = 0.3 * deviations * unexplained
            assert bool(triangulate(PAIR, left + off[:2], right + off[2:], noise=0.3).ok) is ok
