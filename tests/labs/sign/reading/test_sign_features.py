"""Features of signs: what they must not change with, and motions whose coefficients are known."""

import numpy as np
from scipy.spatial.transform import Rotation

from carpal.labs.sign.reading.sign_features import COSINES, FEATURES, finger_drift, sign_features, turn_cosines
from carpal.perception import Proportions, hand_landmarks

DIRECTION = slice(FEATURES - 1 - 3 * COSINES - 9, FEATURES - 1 - 3 * COSINES)
MOTION = slice(FEATURES - 1 - 3 * COSINES, FEATURES - 1)


def _hand(seed=0):
    rng = np.random.default_rng(seed)
    return hand_landmarks(rng.uniform(0, 1, (1, 17)), Proportions.drawn(rng, 1, 0.15))[0]


def test_viewpoint_changes_only_the_direction():
    p = _hand()
    R = Rotation.from_euler("xyz", [20, -10, 30], degrees=True).as_matrix()
    a, b = sign_features(p[None]), sign_features(3.0 * p[None] @ R.T + 1.0)
    assert a.shape == (FEATURES,)
    kept = np.r_[0 : DIRECTION.start, DIRECTION.stop : FEATURES]
    assert np.allclose(a[kept], b[kept], atol=1e-12)
    assert np.allclose(b[DIRECTION].reshape(3, 3), R @ a[DIRECTION].reshape(3, 3), atol=1e-12)


def test_a_turning_hand_keeps_its_shape_and_tells_its_motion():
    p = _hand(1)
    still = sign_features(np.repeat(p[None], 24, 0))
    t = (np.arange(24) + 0.5) / 24
    angle = 0.2 * np.cos(2 * np.pi * t)
    R = Rotation.from_rotvec(angle[:, None] * [0, 0, 1]).as_matrix()
    moved = sign_features(p @ np.swapaxes(R, 1, 2))
    assert np.allclose(moved[: DIRECTION.start], still[: DIRECTION.start], atol=1e-12)
    assert np.allclose(still[MOTION], 0, atol=1e-12) and np.abs(moved[MOTION]).max() > 0.1
    assert still[-1] == 1 / np.sqrt(24)


def test_tips_that_go_somewhere_are_reported():
    tips = np.zeros((2, 24, 5, 3))
    tips[1, 12:, 2, 0] = 0.3
    assert np.allclose(finger_drift(tips), [[0] * 5, [0, 0, 0.3, 0, 0]])
    assert (finger_drift(tips[:, :1]) == 0).all() and np.allclose(finger_drift(tips[:, 11:14])[1, 2], 0.3)


def test_cosines_of_a_known_turn():
    t = (np.arange(30) + 0.5) / 30
    angle = 0.01 * np.cos(3 * np.pi * t)
    R = Rotation.from_rotvec(angle[:, None] * [0, 1.0, 0]).as_matrix()
    found = turn_cosines(R, np.eye(3))
    wanted = np.zeros((COSINES, 3))
    wanted[2, 1] = 0.01 / np.sqrt(2)  # mean of cos^2 is a half
    assert np.allclose(found, wanted, atol=2e-6)


def test_one_sign_or_many_and_one_frame():
    p = np.stack([_hand(k) for k in range(4)])[:, None]
    many = sign_features(p)
    assert many.shape == (4, FEATURES)
    assert all(np.allclose(many[k], sign_features(p[k]), atol=1e-14) for k in range(4))
    assert np.isfinite(many).all() and np.abs(many[:, MOTION]).max() < 1e-15 and (many[:, -1] == 1).all()
