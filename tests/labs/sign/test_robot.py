"""A hand on an arm: kinematics, masses, exclusions, any arm."""

import numpy as np
import pytest
from sign_robots import hand

import carpal
from carpal.errors import CarpalError
from carpal.kinematics import fk
from carpal.labs.sign import mount_hand, sign_hand
from carpal.spatial import inverse


@pytest.mark.parametrize("arm", ["sia5", "srs7", "sawyer", "so101_old", "k10"])
def test_on_any_arm(arm, figure):
    mounted = mount_hand(hand(), arm)
    rng = np.random.default_rng(0)
    bare = carpal.load(arm)
    q_arm = rng.uniform(np.maximum(bare.q_min, -2), np.minimum(bare.q_max, 2), (5, bare.nq))
    q_hand = rng.uniform(hand().model.q_min, hand().model.q_max, (5, hand().model.nq))
    q = mounted.configuration(q_arm, q_hand)
    wanted = carpal.fk(bare, q_arm) @ hand().driver.X_TM @ carpal.fk(hand().model, q_hand, "index_tip")
    away = np.abs(carpal.fk(mounted.model, q, "hand/index_tip") - wanted).max()
    figure(f"parloma_hand on {arm}: fingertip by the whole model against arm and hand apart [m]", away, 1e-14)
    straight = mounted.configuration(q_arm, np.zeros(hand().model.nq))
    assert np.abs(carpal.fk(mounted.model, straight) - carpal.fk(mounted.arm, q_arm)).max() < 1e-14


def test_masses_add_up():
    mounted = mount_hand(hand())
    total = carpal.load("sia5", inertia="assumed").mass + carpal.load("parloma_hand").mass
    assert mounted.model.mass == pytest.approx(total)
    assert mounted.arm.mass == pytest.approx(total)
    q = np.zeros(mounted.model.nq)
    assert np.allclose(carpal.com(mounted.model, q), carpal.com(mounted.arm, np.zeros(7)), atol=1e-12)


def test_the_receiver_stands_in_front():
    shapes = {shape.name: shape for shape in mount_hand(hand(), receiver=0.9).model.shapes}
    assert shapes["receiver"].X_BS[0, 3] == 0.9
    assert "receiver" not in {shape.name for shape in mount_hand(hand()).model.shapes}


def test_the_tool_is_the_palm():
    mounted = mount_hand(hand("cuhk"))
    X = carpal.fk(mounted.model, np.zeros(mounted.model.nq), "arm/tool")
    assert np.allclose(inverse(X) @ carpal.fk(mounted.model, np.zeros(mounted.model.nq)), mounted.X_TP, atol=1e-12)


def test_bad_arms():
    with pytest.raises(CarpalError, match="unknown robot 'sia55'; did you mean 'sia5'"):
        mount_hand(hand(), "sia55")


def test_a_hand_on_a_stand_has_no_arm_and_faces_the_receiver():
    hand = sign_hand("parloma")
    there = mount_hand(hand, "none", receiver=0.98)
    assert there.stands and there.arm.nq == 0 and there.model.nq == hand.model.nq
    X_WP = fk(there.model, there.configuration(np.zeros(0), hand.home))
    assert np.abs(X_WP[:3, :3] - np.eye(3)).max() < 1e-12 and np.abs(X_WP[:3, 3] - hand.driver.station).max() < 1e-12
    assert not mount_hand(hand).stands
