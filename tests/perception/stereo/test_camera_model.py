"""The camera: OpenCV sees the same pixels, lines of sight go back, derivatives by differences."""

import cv2
import numpy as np
import pytest
from relay_views import PAIR

from carpal.errors import InputError
from carpal.perception import Camera, StereoPair, project, sight_lines
from carpal.perception.stereo.camera_model import project_with_jacobian
from carpal.spatial import inverse, pose


def random_points(count: int, seed: int = 0) -> np.ndarray:
    """In view of the left camera."""
    rng = np.random.default_rng(seed)
    pixels = rng.uniform([0, 0], [1279, 959], (count, 2))
    eye, rays = sight_lines(PAIR.left, pixels)
    return eye + rng.uniform(0.5, 3.0, (count, 1)) * rays


def test_opencv_sees_the_same(figure):
    points, worst = random_points(2000), 0.0
    for camera in (PAIR.left, PAIR.right):
        X_CW = inverse(camera.X_WC)
        seen, _ = cv2.projectPoints(
            points, cv2.Rodrigues(X_CW[:3, :3])[0], X_CW[:3, 3], camera.matrix, camera.distortion
        )
        worst = max(worst, np.abs(project(camera, points) - seen[:, 0]).max())
    figure("pixels against OpenCV's projectPoints, 2,000 points in two cameras [px]", worst, 1e-8)


def test_lines_of_sight_go_back(figure):
    pixels = np.random.default_rng(1).uniform([0, 0], [1279, 959], (2000, 2))
    eye, rays = sight_lines(PAIR.right, pixels)
    back = project(PAIR.right, eye + 1.7 * rays)
    figure("pixel to line of sight and back [px]", np.abs(back - pixels).max(), 1e-8)
    assert np.allclose(np.linalg.norm(rays, axis=-1), 1)


def test_derivative_by_differences():
    points = random_points(50, seed=2)
    _, J = project_with_jacobian(PAIR.left, points)
    h = 1e-6
    for i in range(3):
        step = h * np.eye(3)[i]
        numeric = (project(PAIR.left, points + step) - project(PAIR.left, points - step)) / (2 * h)
        assert np.abs(J[:, :, i] - numeric).max() < 1e-4 * np.abs(numeric).max()


def test_behind_the_camera_is_not_seen():
    camera = Camera(100, 100, 50.0, 50.0, 50.0, 50.0)
    assert np.isnan(project(camera, [0.0, 0.0, -1.0])).all() and (project(camera, [0.0, 0.0, 1.0]) == 50).all()


def test_a_moved_pair_sees_moved_points():
    X = pose(np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]]), (1, 2, 3))
    points = random_points(5)
    moved = points @ X[:3, :3].T + X[:3, 3]
    assert np.allclose(project(PAIR.moved(X).right, moved), project(PAIR.right, points))
    assert PAIR.baseline == pytest.approx(0.3)


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: Camera(0, 10, 1.0, 1.0, 0.0, 0.0), "width of a camera must be a whole number"),
        (lambda: Camera(10, 10, -1.0, 1.0, 0.0, 0.0), "fx of a camera must be finite and above zero"),
        (lambda: Camera(10, 10, 1.0, 1.0, np.nan, 0.0), "cx of a camera must be finite"),
        (lambda: Camera(10, 10, 1.0, 1.0, 0.0, 0.0, np.zeros(6)), "distortion must be up to 5 finite numbers"),
        (lambda: Camera(10, 10, 1.0, 1.0, 0.0, 0.0, X_WC=np.zeros((4, 4))), "X_WC of a camera is not a rigid motion"),
        (lambda: StereoPair(PAIR.left, PAIR.left), "both cameras of the pair have the same position"),
        (lambda: project(PAIR.left, [1.0, 2.0]), "points need 3 coordinates"),
        (lambda: sight_lines(PAIR.left, [1.0, np.nan]), "pixels must be finite"),
        (lambda: sight_lines(PAIR.left, [1.0, 2.0, 3.0]), "pixels need 2 coordinates"),
        (
            lambda: sight_lines(Camera(10, 10, 10.0, 10.0, 5.0, 5.0, np.array([-0.5])), [40.0, 5.0]),
            "has no line of sight",
        ),
    ],
)
def test_bad_input(make, sentence):
    with pytest.raises(InputError, match=sentence):
        make()
