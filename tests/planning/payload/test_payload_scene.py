"""A scene with a payload: its joint is the last, gravity as the kernels see it, reaches that no turned corner exceeds."""

import numpy as np
import pytest
from payload_scenes import relay_scene, rover_scene

from carpal.errors import InputError
from carpal.kinematics import fk
from carpal.planning import gravity_in_gripper, prepare_payload, relay_payload
from carpal.planning.payload.kernels.angle_set import AXES, BODY, PAYLOAD, PULL_DOWN
from carpal.planning.payload.payload_scene import _corners, radius_about_axis, reach_at_any_angle


def test_the_payload_is_the_last_joint_and_turns_about_the_gripper_axis():
    scene = relay_scene()
    whole = scene.tables.model
    assert whole.joint_names[-1] == "relay" and whole.joint_names[:-1] == scene.model.joint_names
    q = np.random.default_rng(1).uniform(scene.model.q_min, scene.model.q_max, (20, 5))
    angle = np.linspace(-3, 3, 20)
    X = fk(whole, np.concatenate([q, angle[:, None]], axis=1), "relay")
    towards = np.einsum("nij,j->ni", X[:, :3, :3], [1.0, 0.0, 0.0])
    # the angle of the mass from gravity is phi less atan2 of gravity in the gripper
    g = gravity_in_gripper(scene.model, scene.payload, q)
    across = np.hypot(g[:, 0], g[:, 1])
    cos = -9.81 * towards[:, 2] / across
    assert np.allclose(cos, np.cos(angle - np.arctan2(g[:, 1], g[:, 0])), atol=1e-9)
    # and the kernels' own numbers give the same gravity
    row = int(scene.numbers[BODY])
    R = scene.numbers[AXES : AXES + 9].reshape(3, 3)
    assert (
        np.allclose(R, whole.tables.bodies[row, :9].reshape(3, 3))
        and (scene.numbers[PULL_DOWN : PULL_DOWN + 3] == [0, 0, -9.81]).all()
    )


def test_reaches_bound_every_corner_at_every_angle():
    relay, rng = relay_payload(), np.random.default_rng(0)
    R, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    p = rng.normal(size=3) * 0.1
    for shape in relay.shapes:
        corners, rounding = _corners(shape)
        for phi in np.linspace(-np.pi, np.pi, 73):
            c, s = np.cos(phi), np.sin(phi)
            turned = corners @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]).T
            far = np.linalg.norm(turned @ R.T + p, axis=1).max() + rounding
            assert far <= reach_at_any_angle(shape, R, p) + 1e-12
        assert np.isclose(radius_about_axis(shape), np.hypot(corners[:, 0], corners[:, 1]).max() + rounding)


def test_slowness_and_reaches_are_where_the_kernels_read_them():
    scene = relay_scene()
    shapes, joints = len(scene.tables.names), scene.model.nq
    numbers = scene.numbers[PAYLOAD:]
    own = np.array([name.startswith("relay/") for name in scene.tables.names])
    assert ((numbers[:shapes] > 0) == own).all() and np.allclose(
        numbers[shapes : shapes + joints], 1 / scene.model.v_max
    )
    assert numbers[shapes + joints] == numbers[:shapes].max() and len(numbers) == 2 * shapes + joints + 1


@pytest.mark.parametrize(
    ("scene", "payload", "words"),
    [
        ("rover", relay_payload(), "needs a Scene"),
        (rover_scene(), "relay", "must be a Payload"),
        (rover_scene(), relay_payload(shapes=()), "no shapes"),
        (rover_scene(), relay_payload(frame="arm/nowhere"), "nowhere"),
    ],
)
def test_bad_input_is_one_sentence(scene, payload, words):
    with pytest.raises(ValueError, match=words):
        prepare_payload(scene, payload)


def test_a_name_that_is_taken_is_refused():
    arm = rover_scene().robots[0].model
    with pytest.raises(InputError, match="another name"):
        prepare_payload(arm, relay_payload(name="waist"))
