"""The payload check against a hand-made case and the whole model's weight."""

import dataclasses

import numpy as np
import pytest
from sign_robots import hand

import carpal
from carpal.labs.sign import mount_hand, read_driver, sign_hand
from carpal.labs.sign.motion.payload import payload_share


def test_force_and_moment_by_hand():
    mounted = mount_hand(hand())
    q = np.zeros((1, mounted.model.nq))  # the sia5's tool points along x at zero: the hand lies level
    weight = hand().model.mass * 9.81
    middle = carpal.com(hand().model, np.zeros(hand().model.nq))[2]
    far = max(np.linalg.norm(carpal.fk(hand().model, hand().home, f"{f}_tip")[:3, 3]) for f in ("middle", "thumb"))
    capacity = 5.0 * 9.81 * 0.15
    by_hand = (weight * middle + 2.0 * far) / capacity
    assert payload_share(mounted, q, 2.0) == pytest.approx(max(by_hand, (weight + 2.0) / (5 * 9.81)), rel=1e-3)


def test_an_upright_hand_turns_the_flange_only_by_touch():
    mounted = mount_hand(hand())
    q = np.zeros((1, mounted.model.nq))
    q[0, 3] = np.pi / 2  # forearm and tool up
    assert payload_share(mounted, q, 0.0) == pytest.approx(hand().model.mass / 5.0, rel=1e-6)


def test_a_weak_arm_is_overloaded():
    driver = dataclasses.replace(read_driver("parloma"), payload_mass=0.5)
    mounted = mount_hand(sign_hand(driver))
    assert payload_share(mounted, np.zeros((1, mounted.model.nq)), 2.0) > 1.0
    free = dataclasses.replace(driver, payload_mass=np.finfo(float).max)
    assert payload_share(mount_hand(sign_hand(free)), np.zeros((1, mounted.model.nq)), 2.0) == 0.0
