"""Paths: scipy's spline, corners found where the direction jumps, a trajectory's way."""

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

import carpal
from carpal.errors import InputError
from carpal.planning import JointPath, joint_trajectory, spline_path

ARM = carpal.load("sawyer")
Q = ARM.q_home + np.random.default_rng(0).normal(size=(6, 7)) * 0.3


def test_the_spline_is_scipy_s():
    path = spline_path(ARM, Q)
    spline = CubicSpline(path.knots, Q)
    s = np.linspace(0, path.length, 101)
    for k, values in enumerate(path.at(s)):
        assert np.allclose(values, spline(s, k), atol=1e-12)
    assert not len(path.corners) and np.allclose(path.knots[1:], np.cumsum(np.linalg.norm(np.diff(Q, axis=0), axis=1)))
    two = spline_path(ARM, Q[:2])
    assert np.allclose(two.at(0.5 * two.length)[0], 0.5 * (Q[0] + Q[1]))


def test_corners_are_where_the_direction_jumps():
    knots = np.array([0.0, 1.0, 2.0, 3.0])
    c = np.zeros((3, 4, 2))
    c[:, 1] = [[1, 0], [1, 0], [0, 1]]
    c[:, 0] = [[0, 0], [1, 0], [2, 0]]
    assert JointPath.of(knots, c, ("a", "b")).corners.tolist() == [2]


def test_the_path_of_a_trajectory():
    motion = joint_trajectory(ARM, Q, vdot_max=5.0)
    path = JointPath.of_trajectory(motion)
    assert np.allclose(path.at(motion.times)[0], motion.at(motion.times)[0]) and not len(path.corners)


@pytest.mark.parametrize("knots", [[0, 1], [0, 1, 2, 3, 3, 4], [1, 2, 3, 4, 5, 6], [0, 1, 2, 3, 4, np.nan]])
def test_bad_knots(knots):
    with pytest.raises(InputError, match="knots"):
        spline_path(ARM, Q, knots)
