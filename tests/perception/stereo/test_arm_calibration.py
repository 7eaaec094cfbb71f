"""The cameras' pose on the arm: exact, honest, and a wrongly measured point is named."""

import numpy as np
import pytest
from relay_views import PAIR
from scipy.spatial.transform import Rotation

from carpal.errors import InputError
from carpal.perception import fit_camera_to_arm, project, triangulate
from carpal.spatial import inverse

# in the left camera's frame, as Leutenegger stores its pair
SEEN_PAIR = PAIR.moved(inverse(PAIR.left.X_WC))
X_AC = PAIR.left.X_WC


def known(seed: int, count: int = 12) -> np.ndarray:
    return np.random.default_rng(seed).uniform([0.3, -0.35, 0.0], [0.75, 0.35, 0.3], (count, 3))


def clicked(points: np.ndarray, seed: int, noise: float = 0.3):
    rng = np.random.default_rng(seed)
    pixels = [project(camera, points) for camera in (PAIR.left, PAIR.right)]
    return triangulate(SEEN_PAIR, *(p + noise * rng.standard_normal(p.shape) for p in pixels))


def test_exact_points_give_the_exact_pose(figure):
    points = known(0)
    result = fit_camera_to_arm(clicked(points, 0, 0.0).points, points)
    figure("camera to arm from exact points [m]", np.abs(result.X_AC - X_AC).max(), 1e-9)
    assert result and np.abs(result.residuals).max() < 1e-9 and "12 points fit" in str(result)


def test_the_covariance_is_honest(figure):
    squared, spare = [], []
    for seed in range(200):
        points = known(seed)
        seen = clicked(points, seed)
        result = fit_camera_to_arm(seen.points, points, covariance=seen.covariance)
        turned = Rotation.from_matrix(result.X_AC[:3, :3] @ X_AC[:3, :3].T).as_rotvec()
        error = np.concatenate([result.X_AC[:3, 3] - X_AC[:3, 3], turned])
        squared.append(error @ np.linalg.inv(result.covariance) @ error)
        spare.append(result.chi2 / (3 * len(points) - 6))
    figure(
        "camera to arm, 200 fits: mean squared error over covariance, away from 6",
        abs(np.mean(squared) - 6),
        4 * np.sqrt(12 / 200),
    )
    figure("camera to arm, 200 fits: residuals over what is expected, away from 1", abs(np.mean(spare) - 1), 0.08)


def test_a_wrongly_measured_point_is_named():
    points = known(3)
    seen = clicked(points, 3)
    points[7, 1] += 0.05
    result = fit_camera_to_arm(seen.points, points, covariance=seen.covariance)
    assert not result and 7 in result.doubtful and "do not fit" in result.status


def test_bad_input():
    points = known(1)
    with pytest.raises(InputError, match="n of 3 or more"):
        fit_camera_to_arm(points[:2], points[:2])
    with pytest.raises(InputError, match="lie on one line"):
        fit_camera_to_arm(points, np.outer(np.arange(12), [1.0, 2.0, 3.0]))
    with pytest.raises(InputError, match="must be finite, and covariances positive"):
        fit_camera_to_arm(points, points * np.nan)
    with pytest.raises(InputError, match="covariance must be one number or"):
        fit_camera_to_arm(points, points, covariance=np.ones(3))
