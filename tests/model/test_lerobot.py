"""LeRobot's degrees and its gripper of 0 to 100, both ways."""

import numpy as np
import pytest

import carpal
from carpal.errors import InputError, ModelError
from carpal.kinematics import random_configurations
from carpal.model import LEROBOT_JOINTS, lerobot_action, lerobot_from_q, q_from_lerobot

ARM = carpal.load("so101")


def test_known_values():
    assert ARM.joint_names == LEROBOT_JOINTS
    q = q_from_lerobot(ARM, [90.0, -45.0, 30.0, 0.0, 180.0, 0.0])
    assert np.allclose(q, [np.pi / 2, -np.pi / 4, np.pi / 6, 0, np.pi, ARM.q_min[5]], rtol=0, atol=1e-15)
    assert q_from_lerobot(ARM, [0, 0, 0, 0, 0, 100])[5] == pytest.approx(ARM.q_max[5], abs=1e-15)
    middle = (ARM.q_min[5] + ARM.q_max[5]) / 2
    assert lerobot_from_q(ARM, [0, 0, 0, 0, 0, middle])[5] == pytest.approx(50.0, abs=1e-12)


def test_there_and_back_in_batches():
    q = random_configurations(ARM, 24, seed=2).reshape(4, 6, 6)
    values = lerobot_from_q(ARM, q)
    assert values.shape == (4, 6, 6)
    assert (values[..., 5] >= -1e-9).all() and (values[..., 5] <= 100 + 1e-9).all()
    assert np.allclose(q_from_lerobot(ARM, values), q, rtol=0, atol=1e-14)
    assert np.array_equal(lerobot_from_q(ARM, q[1, 2]), values[1, 2])


def test_actions_and_observations():
    action = lerobot_action(ARM, ARM.q_home)
    assert list(action) == [f"{joint}.pos" for joint in LEROBOT_JOINTS]
    assert np.allclose(q_from_lerobot(ARM, action), ARM.q_home, rtol=0, atol=1e-15)
    plain = {key.removesuffix(".pos"): value for key, value in action.items()} | {"camera": 0.0}
    assert np.allclose(q_from_lerobot(ARM, plain), ARM.q_home, rtol=0, atol=1e-15)


def test_a_scene_has_other_names():
    scene = carpal.Scene().add_robot(ARM, name="a", mount="slide_xy").build()
    with pytest.raises(ModelError, match="has no joint shoulder_pan"):
        q_from_lerobot(scene, np.zeros(6))


@pytest.mark.parametrize(
    ("call", "error", "sentence"),
    [
        (lambda: q_from_lerobot(carpal.load("so101_old"), np.zeros(6)), ModelError, "has no joint gripper"),
        (
            lambda: q_from_lerobot(ARM, np.zeros(5)),
            InputError,
            r"LeRobot has 6 numbers \(shoulder_pan, .*got shape \(5,\)",
        ),
        (lambda: q_from_lerobot(ARM, {"gripper.pos": 1.0}), InputError, r"lack 'shoulder_pan.pos'; got gripper.pos"),
        (lambda: lerobot_from_q(ARM, np.zeros(5)), InputError, "needs 6 numbers"),
        (lambda: lerobot_action(ARM, np.zeros((2, 6))), InputError, "one configuration"),
    ],
)
def test_bad_input(call, error, sentence):
    with pytest.raises(error, match=sentence):
        call()
