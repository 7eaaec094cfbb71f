"""Localisation at 0.3 px: within the Cramer-Rao bound, an honest covariance, and wrong clicks are reported with a remedy."""

import itertools

import numpy as np
import pytest
from relay_views import LAYOUT, PAIR, in_world, random_poses
from scipy.spatial.transform import Rotation
from scipy.stats import chi2

from carpal.errors import InputError
from carpal.perception import frame_from_marks, locate_marks, project, triangulate
from carpal.spatial import inverse

NOISE, VIEWS = 0.3, 1000


def pixels(X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    points = in_world(X, LAYOUT.points)
    return project(PAIR.left, points), project(PAIR.right, points)


def cramer_rao(X: np.ndarray) -> np.ndarray:
    """Bound (6, 6) at a true pose from numerical derivatives of OpenCV's projection."""
    import cv2

    def seen(d):
        P = (LAYOUT.points @ X[:3, :3].T) @ Rotation.from_rotvec(d[3:]).as_matrix().T + X[:3, 3] + d[:3]
        both = []
        for camera in (PAIR.left, PAIR.right):
            E = inverse(camera.X_WC)
            both.append(
                cv2.projectPoints(P, cv2.Rodrigues(E[:3, :3])[0], E[:3, 3], camera.matrix, camera.distortion)[0].ravel()
            )
        return np.concatenate(both)

    J = np.column_stack([(seen(h) - seen(-h)) / 2e-5 for h in 1e-5 * np.eye(6)])
    return NOISE**2 * np.linalg.inv(J.T @ J)


@pytest.fixture(scope="module")
def views():
    true = random_poses(11, VIEWS, tilted=0.2)
    rng = np.random.default_rng(12)
    a, b = (p + NOISE * rng.standard_normal(p.shape) for p in pixels(true))
    return true, a, b, locate_marks(PAIR, a, b, LAYOUT, noise=NOISE), np.array([cramer_rao(X) for X in true])


def errors(found: np.ndarray, true: np.ndarray) -> np.ndarray:
    turned = Rotation.from_matrix(found[:, :3, :3] @ np.swapaxes(true[:, :3, :3], 1, 2)).as_rotvec()
    return np.concatenate([found[:, :3, 3] - true[:, :3, 3], turned], axis=-1)


def test_errors_are_within_the_bound(views, figure):
    true, _, _, result, bound = views
    error = errors(result.X_WO, true)
    for what, part in (("position", slice(0, 3)), ("angle", slice(3, 6))):
        rms = np.sqrt(np.mean(np.sum(error[:, part] ** 2, axis=-1)))
        least = np.sqrt(np.mean(np.trace(bound[:, part, part], axis1=1, axis2=2)))
        figure(f"{VIEWS} views at 0.3 px: {what} error over the Cramer-Rao bound", rms / least, 1.2)
    figure(
        f"{VIEWS} views: position error, root of the mean square [mm]",
        1e3 * np.sqrt(np.mean(np.sum(error[:, :3] ** 2, axis=-1))),
        5.0,
    )
    figure(
        f"{VIEWS} views: angle error, root of the mean square [deg]",
        np.degrees(np.sqrt(np.mean(np.sum(error[:, 3:] ** 2, axis=-1)))),
        1.5,
    )


def test_the_covariance_is_honest(views, figure):
    true, _, _, result, _ = views
    error = errors(result.X_WO, true)
    squared = np.einsum("ni,nij,nj->n", error, np.linalg.inv(result.covariance), error)
    low, high = chi2.ppf([1e-4, 1 - 1e-4], 6 * VIEWS) / (6 * VIEWS)
    figure("squared error over covariance, mean over 6", squared.mean() / 6, high)
    figure("squared error over covariance, mean over 6 (lower bound)", squared.mean() / 6, low, at_least=True)
    low, high = chi2.ppf([1e-4, 1 - 1e-4], 10 * VIEWS) / (10 * VIEWS)
    figure("chi-square of the ten numbers to spare, mean over 10", result.chi2.mean() / 10, high)
    figure(
        "chi-square of the ten numbers to spare, mean over 10 (lower bound)",
        result.chi2.mean() / 10,
        low,
        at_least=True,
    )
    figure("good views that are doubted, share", float((~result.ok).mean()), 0.003)


def test_the_thesis_frame_is_worse(views, figure):
    """Mid-points and (6.1) to (6.4), corrected: right, and further from the bound."""
    true, a, b, result, _ = views
    found = frame_from_marks(triangulate(PAIR, a, b, method="midpoint").points) @ inverse(LAYOUT.frame)
    rms = [np.sqrt(np.mean(np.sum(errors(X, true)[:, 3:] ** 2, axis=-1))) for X in (found, result.X_WO)]
    figure("angle error of Leutenegger's frame over that of the fit", rms[0] / rms[1], 1.0, at_least=True)
    assert np.abs(errors(found, true)[:, :3]).max() < 0.05


@pytest.mark.parametrize("view", range(2))
def test_every_wrong_order_is_reported_with_the_right_one(view):
    a, b = pixels(random_poses(view, 1, tilted=0.2)[0])
    for order in itertools.permutations(range(4)):
        result = locate_marks(PAIR, a[list(order)], b[list(order)], LAYOUT)
        if order == (0, 1, 2, 3):
            assert result and "known to" in str(result)
            continue
        assert not result
        if "clockwise" in str(result):
            continue
        right = [int(n) - 1 for n in str(result).split("they fit as ")[1].split(";")[0].split(", ")]
        assert [order[i] for i in right] == [0, 1, 2, 3]


def test_a_mark_mistaken_in_one_image_is_reported():
    a, b = pixels(random_poses(3, 1)[0])
    assert "No order of the four marks fits" in str(locate_marks(PAIR, a, b[[1, 0, 2, 3]], LAYOUT))
    assert "No order of the four marks fits" in str(
        locate_marks(PAIR, a + np.array([[0, 0], [0, 6], [0, 0], [0, 0]]), b, LAYOUT)
    )


def test_one_is_a_batch_of_one(views):
    _, a, b, result, _ = views
    one = locate_marks(PAIR, a[5], b[5], LAYOUT, noise=NOISE)
    assert (
        (result.X_WO[5] == one.X_WO).all()
        and (one.covariance == result.covariance[5]).all()
        and one.chi2 == result.chi2[5]
    )
    assert (one.points == result.points[5]).all()
    assert f"{int(result.ok.sum())} of {VIEWS} poses are good" in result.status


def test_bad_input():
    a, b = pixels(random_poses(3, 1)[0])
    with pytest.raises(InputError, match=r"must both be \(\*batch, 4, 2\)"):
        locate_marks(PAIR, a[:3], b[:3], LAYOUT)
    with pytest.raises(InputError, match="lies outside its image of 1280 x 960"):
        locate_marks(PAIR, a + 2000, b, LAYOUT)
    with pytest.raises(InputError, match="left pixels must be finite"):
        locate_marks(PAIR, a * np.nan, b, LAYOUT)
    with pytest.raises(InputError, match="noise must be"):
        locate_marks(PAIR, a, b, LAYOUT, noise=-1.0)
