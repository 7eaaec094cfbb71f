"""Found or clicked: the pose with its covariance, projected back; wrong orders, wrong sizes and wrong files in one sentence."""

import json

import numpy as np
import pytest
from retrieve_inputs import RELAY_AT

from carpal.errors import InputError
from carpal.labs.retrieve import RELAY, RetrieveWorld, localise, locate_clicked, read_points, relay_pose
from carpal.labs.retrieve.vision.localisation import pose_error
from carpal.perception import project
from carpal.spatial import pose, rotation_about

WORLD = RetrieveWorld(RELAY_AT, seed=0)
PAIR = WORLD.pair


def clicks(X=None):
    X = WORLD.X_WO if X is None else X
    points = RELAY.marks.points @ X[:3, :3].T + X[:3, 3]
    return project(PAIR.left, points), project(PAIR.right, points)


def test_the_relay_is_found_and_projected_back(figure):
    located = localise(PAIR, *WORLD.images())
    assert located and located.pose is not None and located.projected.shape == (2, 5, 2)
    distance, angle = pose_error(located.X_WO, WORLD.X_WO)
    figure("relay found in simulated images: error [mm]", distance, 3 * 1e3 * float(located.pose.position_deviation))
    assert angle < 3 * np.degrees(float(located.pose.angle_deviation))
    assert np.abs(located.projected[0, :4] - located.left).max() < 0.5


def test_clicks_of_a_person_and_their_wrong_orders():
    left, right = clicks()
    noise = np.random.default_rng(0).normal(0, 0.7, (2, 4, 2))
    located = locate_clicked(PAIR, left + noise[0], right + noise[1])
    assert located and pose_error(located.X_WO, WORLD.X_WO)[0] < 15
    crossed = [1, 0, 2, 3]
    wrong = locate_clicked(PAIR, left[crossed], right[crossed])
    assert not wrong and "wrong order" in wrong.status and "2, 1, 3, 4" in wrong.status


def test_a_relay_that_fell_over_is_refused():
    X = relay_pose(0.5, 0.1, 0.4) @ pose(rotation_about(np.array([0.0, 1.0, 0.0]), -0.5))
    located = locate_clicked(PAIR, *clicks(X))
    assert not located and "it has fallen over" in located.status and located.X_WO is not None


def test_pictures_of_the_wrong_size_are_refused():
    left, right = WORLD.images()
    with pytest.raises(InputError, match="640 x 480 pixels, its camera was calibrated for 1280 x 960"):
        localise(PAIR, left[::2, ::2].copy(), right)


def test_points_come_from_a_file(tmp_path):
    left, right = clicks()
    file = tmp_path / "points.json"
    file.write_text(json.dumps({"left": left.tolist(), "right": right.tolist()}))
    assert np.allclose(read_points(file)[1], right)
    for text, said in (
        ("{}", "holds no points"),
        ('{"left": [[1, 2]], "right": [[1, 2]]}', "must be four finite pixels"),
        ("[", "holds no"),
    ):
        file.write_text(text)
        with pytest.raises(InputError, match=said):
            read_points(file)
    with pytest.raises(InputError, match="cannot be read"):
        read_points(tmp_path / "none.json")
