"""Marks found without a person: in at least 99 of 100 views that show all four, and no wrong pose that is believed."""

import numpy as np
import pytest
from relay_views import LAYOUT, PAIR, all_visible, random_poses

from carpal.errors import InputError
from carpal.labs.retrieve import relay_surfaces
from carpal.perception import Dot, Surface, find_marks, project, simulate_image
from carpal.perception.stereo.mark_search import bright_spots
from carpal.spatial import rotation_vector


def look(X: np.ndarray, tilt: tuple[float, float], seed: int):
    surfaces = relay_surfaces(X, antenna_tilt=tilt)
    return [simulate_image(camera, surfaces, seed=2 * seed + i) for i, camera in enumerate((PAIR.left, PAIR.right))]


def search_many(count: int, seed: int) -> tuple[int, int, int, float]:
    """Views with all four visible, found among them, wrong poses believed among all, largest error over covariance."""
    poses, rng = random_poses(seed, count, tilted=0.15), np.random.default_rng(seed)
    visible = found = wrong = 0
    worst = 0.0
    for i, X in enumerate(poses):
        tilt = (rng.uniform(-0.14, 0.14), rng.uniform(-0.14, 0.14))
        result = find_marks(PAIR, *look(X, tilt, i + 10_000 * seed), LAYOUT)
        seen = all_visible(X, tilt)
        visible, found = visible + seen, found + bool(seen and result)
        if result:
            away = result.pose.X_WO[:3, 3] - X[:3, 3]
            turned = rotation_vector(result.pose.X_WO[:3, :3] @ X[:3, :3].T)
            error = np.concatenate([away, turned])
            worst = max(worst, error @ np.linalg.inv(result.pose.covariance) @ error)
            wrong += np.linalg.norm(away) > 0.006 or np.linalg.norm(turned) > 0.05
    return visible, found, wrong, worst


def check(count: int, seed: int, figure) -> None:
    visible, found, wrong, worst = search_many(count, seed)
    figure(
        f"{count} views: marks found, share of those that show all four ({visible})",
        found / visible,
        0.99,
        at_least=True,
    )
    figure(f"{count} views: poses off by more than 6 mm or 3 degrees and believed", wrong, 0)
    figure(f"{count} views: largest squared error over covariance of a believed pose (6 expected)", worst, 50.0)
    assert visible > 0.5 * count


def test_a_few_views(figure):
    check(16, 3, figure)


@pytest.mark.full
def test_a_thousand_views(figure):
    check(1000, 5, figure)


def test_spots_are_measured_to_a_twentieth_of_a_pixel(figure):
    X = random_poses(8, 1)[0]
    left, _ = look(X, (0.0, 0.0), 1)
    centres, areas = bright_spots(left, PAIR.left, 5.0, 300.0)
    wanted = project(PAIR.left, LAYOUT.points @ X[:3, :3].T + X[:3, 3])
    nearest = np.linalg.norm(centres[:, None] - wanted, axis=-1).argmin(axis=0)
    figure("centres of found marks [px]", np.abs(centres[nearest] - wanted).max(), 0.1)
    assert (areas[nearest] > 10).all()


def test_no_relay_no_pose():
    empty = [simulate_image(camera, [], seed=i) for i, camera in enumerate((PAIR.left, PAIR.right))]
    result = find_marks(PAIR, *empty, LAYOUT)
    assert not result and "click them" in str(result) and result.left is None
    black = [np.zeros((960, 1280), np.uint8)] * 2
    assert "0 and 0 bright round spots are too few" in str(find_marks(PAIR, *black, LAYOUT))


def test_two_relays_are_no_answer():
    surfaces = relay_surfaces(random_poses(3, 1)[0])
    X = random_poses(3, 1)[0].copy()
    X[:2, 3] = [0.95, 0.6]
    surfaces += relay_surfaces(X)
    images = [simulate_image(camera, surfaces, seed=i, pebbles=0) for i, camera in enumerate((PAIR.left, PAIR.right))]
    result = find_marks(PAIR, *images, LAYOUT)
    assert not result and "Two different places" in str(result)


def test_a_ground_full_of_white_stones_is_no_answer():
    """A grid of spots, among which far too many fours look like the marks."""
    rng, up = np.random.default_rng(0), np.array([0.0, 0.0, 1.0])
    grid = np.array([[0.4 + 0.022 * i, -0.15 + 0.022 * j, 0.0] for i in range(14) for j in range(14)])
    places = grid + rng.uniform(-0.003, 0.003, (196, 3)) * [1, 1, 0]
    dots = tuple(Dot(place, up, 0.005) for place in places)
    sheet = Surface(np.array([[-1, -2, 0.0], [3, -2, 0], [3, 2, 0], [-1, 2, 0]]), 20.0, dots)
    images = [simulate_image(camera, [sheet], seed=i) for i, camera in enumerate((PAIR.left, PAIR.right))]
    result = find_marks(PAIR, *images, LAYOUT)
    assert not result and "click" in str(result)


def test_bad_input():
    images = [np.zeros((960, 1280), np.uint8)] * 2
    with pytest.raises(InputError, match="the image is 640 x 480 pixels, its camera was calibrated for 1280 x 960"):
        find_marks(PAIR, np.zeros((480, 640), np.uint8), images[1], LAYOUT)
    with pytest.raises(InputError, match="an image must be grey"):
        find_marks(PAIR, np.zeros((960, 1280, 3), np.uint8), images[1], LAYOUT)
    with pytest.raises(InputError, match="an image must be grey"):
        find_marks(PAIR, "left.png", images[1], LAYOUT)
    with pytest.raises(InputError, match="noise must be"):
        find_marks(PAIR, *images, LAYOUT, noise=0.0)
