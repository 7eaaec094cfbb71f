"""A robot's landmarks: where its description says its joints are, and only the hand's own motion in them."""

import numpy as np
import pytest
from sign_robots import hand

from carpal.errors import CarpalError
from carpal.labs.sign import robot_landmarks
from carpal.model.catalogue import cuhk_hand, parloma_hand


def test_the_straight_parloma_hand_by_its_table():
    p = robot_landmarks(hand(), hand().home)
    assert np.allclose(p[0], 0) and np.allclose(p[1], parloma_hand.THUMB_BASE)
    for f, finger in enumerate(("index", "middle", "ring", "little"), start=1):
        x, y, z = parloma_hand.KNUCKLES[finger]
        along = np.cumsum([0.0, *parloma_hand.LENGTHS[finger]])
        assert np.allclose(p[1 + 4 * f : 5 + 4 * f], [[x, y, z + a] for a in along], atol=1e-12)
    assert np.allclose(np.linalg.norm(np.diff(p[1:5], axis=0), axis=-1), parloma_hand.LENGTHS["thumb"])


def test_the_other_hand_has_21_points_too():
    p = robot_landmarks(hand("cuhk"), hand("cuhk").home)
    assert p.shape == (21, 3) and np.isfinite(p).all()
    assert np.allclose(p[1], cuhk_hand.BASES["thumb"][0])
    l1, l2, l3 = cuhk_hand.LENGTHS
    assert np.allclose(np.linalg.norm(np.diff(p[5:9], axis=0), axis=-1), (l2, l3 / 2, l3 / 2))
    assert np.allclose(p[5, 2], 0.1 + l1)


def test_the_wrist_does_not_change_them_and_batches_are_the_same_bits():
    one = hand()
    rng = np.random.default_rng(0)
    c = rng.uniform(one.low, one.high, (5, len(one.commands)))
    straight = c.copy()
    straight[:, one.wrist] = 0
    many = robot_landmarks(one, one.joints(c))
    assert np.allclose(many, robot_landmarks(one, one.joints(straight)), atol=1e-12)
    assert all(np.array_equal(robot_landmarks(one, q), p) for q, p in zip(one.joints(c), many, strict=True))


def test_bad_configurations_are_reported():
    for q in (np.zeros(3), np.full(hand().model.nq, np.nan)):
        with pytest.raises(CarpalError, match="is 23 finite numbers"):
            robot_landmarks(hand(), q)
