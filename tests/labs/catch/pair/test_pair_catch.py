"""Throws of the window, and what a recording keeps."""

import numpy as np
from catch_inputs import panda_catch, panda_pair

from carpal.kinematics import fk
from carpal.labs.catch.pair.aerodynamics import Air
from carpal.labs.catch.pair.pair_catch import draw_throw, equal_radius, palm_poses
from carpal.model import Box, Sphere


def test_a_throw_flies_through_the_goal():
    pair = panda_pair()
    window = pair.window
    for seed in range(4):
        p, v, w = draw_throw(pair, seed, 1.0)
        _, path, _ = Air(0.03, 0.05, 0.0).flight(p, v, w, max(window.flight) + 0.01)
        away = np.abs(path - np.array(window.goal))
        assert (away <= 0.5 * np.array(window.goal_size) + 0.01).all(1).any()
        again = draw_throw(pair, seed, 1.0)
        assert all((a == b).all() for a, b in zip((p, v, w), again, strict=True))
    middle = draw_throw(pair, 0, 0.0)
    assert all((a == b).all() for a, b in zip(middle, draw_throw(pair, 9, 0.0), strict=True))


def test_the_size_that_the_air_feels():
    assert equal_radius(Sphere(0.02)) == 0.02
    assert np.isclose(4 / 3 * np.pi * equal_radius(Box((0.1, 0.2, 0.3))) ** 3, 0.006)


def test_palm_poses_are_those_of_the_recorded_joints():
    pair, (_, result) = panda_pair(), panda_catch("mujoco")
    recording = result.recording
    X = palm_poses(recording, recording.metadata["pair_catch"])
    row = 40
    arm = recording.q[row][pair.robot.arm_rows]
    np.testing.assert_allclose(X[row], fk(pair.robot.rigid, arm, pair.robot.base) @ pair.palm.X_BP, atol=1e-9)
