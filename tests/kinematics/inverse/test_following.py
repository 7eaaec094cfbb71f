import numpy as np
import pytest

import carpal
from carpal.errors import InputError
from carpal.kinematics import follow
from carpal.spatial import pose


def test_a_straight_line_is_followed_without_jumps():
    model = carpal.load("sawyer")
    q0 = np.array([0.2, -0.6, 0.1, 1.2, 0.0, 0.5, 0.3])
    X = carpal.fk(model, q0)
    s = np.linspace(0, 1, 50)
    path = pose(X[:3, :3], X[:3, 3] + s[:, None] * np.array([0.05, 0.1, -0.1]))
    result = follow(model, path, q0)
    assert result
    assert result.q.shape == (50, 7)
    assert np.abs(np.diff(result.q, axis=0)).max() < 0.05
    assert result.position_error.max() <= 1e-6
    assert "all 50 points" in str(result)


def test_batches_of_paths_equal_single_ones():
    model = carpal.load("sia5")
    q0 = np.array([0.1, 0.3, 0.2, 0.4, 0.1, -0.5, 0.2])
    start = carpal.fk(model, q0)[:3, 3]
    ends = np.array([[0.05, 0, 0], [0, 0.05, 0.02]])
    paths = start + np.linspace(0, 1, 10)[:, None] * ends[:, None]
    both = follow(model, paths, q0)
    assert both.q.shape == (2, 10, 7)
    for i in range(2):
        assert np.array_equal(follow(model, paths[i], q0).q, both.q[i])


def test_a_path_that_leaves_the_workspace_says_where():
    model = carpal.load("srs7")
    path = np.array([[0.0, 0.0, 0.9], [0.0, 0.0, 0.98], [0.0, 0.0, 1.2]])
    result = follow(model, path, np.full(7, 0.3))
    assert not result
    assert str(result).startswith("the path is lost at point 2 of 3: out of reach by 0.205 m")


def test_a_single_pose_is_no_path():
    with pytest.raises(InputError, match="a path needs poses"):
        follow(carpal.load("srs7"), np.eye(4), np.zeros(7))
