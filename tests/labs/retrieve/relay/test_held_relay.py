"""The relay in the gripper: frames, angle, lever, what is let go stands."""

import numpy as np
import pytest

from carpal.labs.retrieve import RELAY, relay_pose
from carpal.labs.retrieve.relay.held_relay import (
    AIM_OUT,
    aim_point,
    carried_poses,
    grasped,
    held_relay,
    relay_in_payload,
    standing,
)
from carpal.planning import adjust
from carpal.spatial import inverse, pose, rotation_about

DOWN = np.diag([1.0, -1.0, -1.0])


def above(X_WO, turn=0.3, aside=(0.0, 0.0)):
    """A gripper that points down on the aim point, turned about its axis."""
    p = (X_WO @ np.append(aim_point() + np.array([*aside, 0.0]), 1.0))[:3]
    return pose(DOWN @ rotation_about(np.array([0.0, 0.0, 1.0]), turn), p)


def test_a_grasp_without_errors_is_the_nominal_one():
    X_WO = relay_pose(0.4, 0.2, 0.7)
    X_WG = above(X_WO)
    angle, X_PO = grasped(X_WG, X_WO)
    assert np.allclose(X_PO, relay_in_payload(), atol=1e-12)
    assert np.allclose(carried_poses(X_WG[None], np.array([angle]), X_PO)[0], X_WO, atol=1e-12)


def test_a_grasp_aside_turns_the_lever_not_the_relay():
    X_WO = relay_pose(0.4, 0.2, 0.7)
    X_WG = above(X_WO, aside=(0.003, 0.006))
    angle, X_PO = grasped(X_WG, X_WO)
    assert np.hypot(*X_PO[:2, 3]) == pytest.approx(np.hypot(RELAY.d + AIM_OUT + 0.003, 0.006))
    assert np.allclose(carried_poses(X_WG[None], np.array([angle]), X_PO)[0], X_WO, atol=1e-12)


def test_a_tilted_gripper_pulls_the_flap_flat():
    X_WO = relay_pose(0.4, 0.2, 0.7)
    X_WG = above(X_WO)
    X_WG[:3, :3] = X_WG[:3, :3] @ rotation_about(np.array([1.0, 0.0, 0.0]), 0.01)
    angle, X_PO = grasped(X_WG, X_WO)
    held = carried_poses(X_WG[None], np.array([angle]), X_PO)[0]
    assert np.allclose(held[:3, 2], -X_WG[:3, 2], atol=1e-12)


def test_the_payload_has_the_relays_lever_and_weight():
    payload = held_relay()
    assert payload.arm == pytest.approx(RELAY.d + AIM_OUT) and payload.drop == pytest.approx(RELAY.c)
    level = adjust(payload, 0.0, 0.0).normal_forces
    assert abs(level[2]) == pytest.approx(0.49 * 9.81 * payload.arm / RELAY.e)
    # shapes stand where the relay does: corners of its body about the centre of mass
    body = next(s for s in payload.shapes if s.name == "relay_body")
    assert np.allclose(body.X_BS[:3, 3], [payload.arm, 0.0, RELAY.flap_height - RELAY.body[2] / 2])


def test_what_is_let_go_stands():
    X = relay_pose(0.3, -0.2, 1.1)
    leaning = X @ pose(rotation_about(np.array([1.0, 0.0, 0.0]), 0.02), (0, 0, 0.004))
    stands = standing(leaning)
    assert np.allclose(stands[:3, 2], [0, 0, 1]) and stands[2, 3] == 0.0
    assert np.allclose(inverse(stands) @ X, np.eye(4), atol=1e-3)
