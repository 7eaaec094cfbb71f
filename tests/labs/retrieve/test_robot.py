"""The gripper on the arm: rotation symmetric where it grips, opening where it should be, an arm that still has closed forms."""

import dataclasses

import numpy as np
import pytest

import carpal
from carpal.contact import collision_checker, distance
from carpal.errors import InputError
from carpal.labs.retrieve import GRIPPER, RELAY, gripper_arm
from carpal.model import Scene


def test_the_arm_keeps_its_kinematics():
    arm, plain = gripper_arm(), carpal.load("k10", mounting="upside_down")
    q = np.array([0.3, -0.4, 0.7, 0.2, -0.5])
    assert arm.nq == 5 and np.allclose(carpal.fk(arm, q), carpal.fk(plain, q), atol=1e-15)
    assert len(carpal.ik_all(arm, (np.array([0.45, 0.1, 0.2]), (0.0, 0.0, -1.0))).q) >= 2


def test_blades_are_as_far_apart_as_asked():
    for opening in (0.003, 0.02, 0.05):
        pieces = {shape.name: shape for shape in gripper_arm(opening).shapes}
        assert pieces["lower_blade"].body == "blade_link"
        inner = GRIPPER.plane + pieces["lower_blade"].X_BS[0, 3] - pieces["lower_blade"].shape.length / 2
        outer = pieces["upper_blade"].X_BS[0, 3] + pieces["upper_blade"].shape.length / 2
        assert inner - outer == pytest.approx(opening)


def test_a_moving_blade_moves():
    arm = gripper_arm(0.05, moving=True)
    assert arm.nq == 6 and arm.joint_names[-1] == "gripper"
    q = np.zeros(6)
    closed = carpal.fk(arm, q, frame="blade_link")
    q[5] = 0.04
    assert np.linalg.norm(carpal.fk(arm, q, frame="blade_link")[:3, 3] - closed[:3, 3]) == pytest.approx(0.04)


def test_grips_do_not_depend_on_roll():
    """What is round about the axis: turned about it, blades and plunger are the same."""
    for shape in gripper_arm().shapes:
        if shape.name in ("upper_blade", "lower_blade", "plunger"):
            assert np.allclose(shape.X_BS[:3, 2], [1, 0, 0]) and np.allclose(shape.X_BS[1:3, 3], 0)


def test_both_contacts_and_the_lower_one_are_on_the_blades():
    assert np.hypot(RELAY.b / 2, 0) < GRIPPER.blade_radius and RELAY.e < GRIPPER.blade_radius
    assert RELAY.d - RELAY.body[0] / 2 > GRIPPER.blade_radius  # the blades do not reach the body
    assert RELAY.plunger == GRIPPER.plunger


def test_the_gripper_frame():
    X = GRIPPER.X_TG()
    assert (
        np.allclose(X[:3, 2], [1, 0, 0]) and X[0, 3] == GRIPPER.plane and np.linalg.det(X[:3, :3]) == pytest.approx(1)
    )
    assert np.allclose(GRIPPER.X_TG(X), X @ X)


def test_it_does_not_touch_itself_at_home():
    scene = Scene("alone").add_robot(gripper_arm(), name="arm")
    q = np.zeros(5)
    assert not collision_checker(scene)(q) and distance(scene, q).distance > 0.0


def test_weights():
    arm = gripper_arm(inertia="assumed")
    assert arm.bodies[-1].inertia.mass == pytest.approx(0.04) and gripper_arm().bodies[-1].inertia is None


def test_bad_input():
    with pytest.raises(InputError, match=r"opening of the gripper must lie in 0 to 0\.05 m; got 0\.06"):
        gripper_arm(0.06)
    with pytest.raises(InputError, match="margin of the gripper must be zero or above"):
        gripper_arm(margin=-0.1)
    with pytest.raises(InputError, match="plane of the gripper must be finite and above zero"):
        dataclasses.replace(GRIPPER, plane=0.0)
