"""The palm that balls find: held in its middle, not beside the hand."""

import numpy as np
from catch_inputs import panda_pair

from carpal.engines import Surface
from carpal.labs.catch.pair.palm_search import Drop


def test_the_palm_of_a_gripper_is_between_its_fingers():
    pair = panda_pair()
    palm = pair.palm
    np.testing.assert_allclose(palm.X_BP[:3, 2], [0, 0, 1], atol=0.05)  # the ball comes along the fingers
    assert np.abs(palm.X_BP[:2, 3]).max() < 0.02
    assert len(palm.window) > 1 and (np.linalg.norm(palm.window, axis=1) < 1e-9).any()


def test_a_ball_is_held_in_the_middle_and_not_beside_it():
    pair = panda_pair()
    drop = Drop(pair.robot, 0.03, pair.setup.mass, Surface(mu=0.8, restitution=0.2), pair.palm.cup)
    origin, z = pair.palm.X_BP[:3, 3], pair.palm.X_BP[:3, 2]
    assert drop.run(origin, z, 1.5, pair.palm.lead)
    assert not drop.run(origin + np.array([0.0, 0.1, 0.0]), z, 1.5, pair.palm.lead)
    assert drop.run(origin, z, 1.5, pair.palm.lead)  # nothing is left of the ball before


def test_without_closing_nothing_is_held():
    pair = panda_pair()
    drop = Drop(pair.robot, 0.02, 0.05, Surface(mu=0.8, restitution=0.2), 0.0)
    assert not drop.run(pair.palm.X_BP[:3, 3], pair.palm.X_BP[:3, 2], 1.5, -10.0)
