"""Calibration: the true cameras come back within the reported uncertainty, from corners and from images."""

import cv2
import numpy as np
import pytest
from relay_views import PAIR
from scipy.stats import chi2

from carpal.errors import InputError
from carpal.perception import board_points, calibrate_pair, find_corners, project
from carpal.perception.stereo.board_calibration import PARAMETERS
from carpal.spatial import inverse, pose, rotation_from_rpy, rotation_vector

TRUE = PAIR.moved(inverse(PAIR.left.X_WC))
ROWS, COLUMNS, SQUARE = 6, 9, 0.05
BOARD = board_points(ROWS, COLUMNS, SQUARE)


def board_poses(seed: int, count: int) -> np.ndarray:
    """Boards that both cameras see wholly."""
    rng, poses = np.random.default_rng(seed), []
    while len(poses) < count:
        middle = [rng.uniform(-0.35, 0.65), rng.uniform(-0.35, 0.35), rng.uniform(0.9, 1.8)]
        X = pose(rotation_from_rpy(rng.uniform(-0.5, 0.5, 3)), np.array(middle)) @ pose(p=[-0.2, -0.125, 0])
        rim = np.array([[-0.1, -0.1, 0], [0.5, -0.1, 0], [0.5, 0.35, 0], [-0.1, 0.35, 0]]) @ X[:3, :3].T + X[:3, 3]
        seen = [project(camera, rim) for camera in (TRUE.left, TRUE.right)]
        if all(((p > 3) & (p < [1276, 956])).all() for p in seen):
            poses.append(X)
    return np.array(poses)


def corners(poses: np.ndarray) -> list[np.ndarray]:
    points = np.einsum("vij,nj->vni", poses[:, :3, :3], BOARD) + poses[:, None, :3, 3]
    return [project(camera, points) for camera in (TRUE.left, TRUE.right)]


def numbers(pair) -> np.ndarray:
    return np.concatenate([[c.fx, c.fy, c.cx, c.cy, *c.distortion[:4]] for c in (pair.left, pair.right)])


def error(pair) -> np.ndarray:
    A, B = pair.right.X_WC, TRUE.right.X_WC
    turned = rotation_vector(A[:3, :3] @ B[:3, :3].T)
    return np.concatenate([numbers(pair) - numbers(TRUE), A[:3, 3] - B[:3, 3], turned])


def squared(seed: int) -> float:
    rng = np.random.default_rng(seed)
    noisy = [c + 0.1 * rng.standard_normal(c.shape) for c in corners(board_poses(seed, 18))]
    result = calibrate_pair(*noisy, BOARD, (1280, 960))
    assert result and abs(result.noise - 0.1) < 0.01
    e = error(result.pair)
    return float(e @ np.linalg.inv(result.covariance) @ e)


def check(count: int, figure) -> None:
    values = [squared(seed) for seed in range(count)]
    low, high = chi2.ppf([1e-4, 1 - 1e-4], 22 * count) / (22 * count)
    figure(
        f"{count} calibrations: squared error of 22 numbers over their covariance, mean over 22",
        np.mean(values) / 22,
        high,
    )
    figure(f"{count} calibrations: the same, lower bound", np.mean(values) / 22, low, at_least=True)
    figure(f"{count} calibrations: worst of them", max(values), chi2.ppf(1 - 1e-4 / count, 22))


def test_the_true_cameras_come_back(figure):
    check(3, figure)


@pytest.mark.full
def test_the_true_cameras_come_back_a_hundred_times(figure):
    check(100, figure)


def test_without_noise_it_is_exact(figure):
    result = calibrate_pair(*corners(board_poses(1, 10)), BOARD, (1280, 960))
    figure("calibration from exact corners: focal length [px]", abs(result.pair.left.fx - TRUE.left.fx), 1e-3)
    assert np.abs(error(result.pair)[16:]).max() < 1e-6 and set(result.deviations) == set(PARAMETERS)


def draw(camera, X: np.ndarray, seed: int) -> np.ndarray:
    """An image of the board: black squares on a white sheet, drawn four times as large and averaged."""
    import dataclasses

    big = dataclasses.replace(
        camera, width=4 * camera.width, height=4 * camera.height, fx=4 * camera.fx, fy=4 * camera.fy, cx=4 * camera.cx + 1.5,
        cy=4 * camera.cy + 1.5,
    )  # fmt: skip
    image = np.full((big.height, big.width), 120, np.uint8)

    def fill(x0, y0, x1, y1, grey):
        t = np.linspace(0, 1, 6, endpoint=False)[:, None]
        ring = np.array([[x0, y0, 0], [x1, y0, 0], [x1, y1, 0], [x0, y1, 0]])
        edge = np.concatenate([a + t * (b - a) for a, b in zip(ring, np.roll(ring, -1, axis=0), strict=True)])
        pixels = project(big, edge @ X[:3, :3].T + X[:3, 3])
        cv2.fillPoly(image, [np.rint(pixels * 16).astype(np.int32)], grey, cv2.LINE_AA, 4)

    s = SQUARE
    fill(-2 * s, -2 * s, (COLUMNS + 1) * s, (ROWS + 1) * s, 230)
    for i in range(-1, ROWS):
        for j in range(-1, COLUMNS):
            if (i + j) % 2:
                fill(j * s, i * s, (j + 1) * s, (i + 1) * s, 25)
    small = image.reshape(camera.height, 4, camera.width, 4).mean(axis=(1, 3))
    return np.clip(small + 2 * np.random.default_rng(seed).standard_normal(small.shape), 0, 255).astype(np.uint8)


def test_corners_of_an_image(figure):
    poses = board_poses(4, 1)
    found = find_corners(draw(TRUE.left, poses[0], 0), ROWS, COLUMNS)
    exact = corners(poses)[0][0]
    away = min(np.abs(c - exact).max() for c in (found, found[::-1]))
    figure("corners found in an image, largest error [px]", away, 0.5)


@pytest.mark.full
def test_from_images(figure):
    poses = board_poses(4, 8)
    found = [[find_corners(draw(c, X, i), ROWS, COLUMNS) for i, X in enumerate(poses)] for c in (TRUE.left, TRUE.right)]
    usable = [i for i in range(len(poses)) if found[0][i] is not None and found[1][i] is not None]
    assert len(usable) >= 6
    sides = []
    for side, exact in zip(found, corners(poses), strict=True):
        chosen = []
        for i in usable:  # OpenCV may begin at the other end of the board
            turned = min((side[i], side[i][::-1]), key=lambda c, i=i, e=exact: np.abs(c - e[i]).max())
            chosen.append(turned)
        sides.append(np.array(chosen))
        figure(
            "corners found in images against the truth, root of the mean square [px]",
            np.sqrt(np.mean((sides[-1] - exact[usable]) ** 2)),
            0.1,
        )
    result = calibrate_pair(*sides, BOARD, (1280, 960))
    z = np.abs(error(result.pair)) / np.sqrt(np.diag(result.covariance))
    figure("calibration from images: largest error over its reported deviation", z.max(), 5.0)


def test_a_picture_without_a_board():
    assert find_corners(np.zeros((200, 200), np.uint8), ROWS, COLUMNS) is None


def test_bad_input():
    a, b = corners(board_poses(2, 4))
    with pytest.raises(InputError, match="3 views or more"):
        calibrate_pair(a[:2], b[:2], BOARD, (1280, 960))
    with pytest.raises(InputError, match="corners must be finite"):
        calibrate_pair(a * np.nan, b, BOARD, (1280, 960))
    with pytest.raises(InputError, match="the board must be"):
        calibrate_pair(a, b, BOARD + 1.0, (1280, 960))
    with pytest.raises(InputError, match="a board needs 2 or more rows"):
        board_points(1, 5, 0.1)
    with pytest.raises(InputError, match="an image must be grey"):
        find_corners(np.zeros((3, 3)), 3, 3)
