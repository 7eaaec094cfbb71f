"""Simulated hands: bones keep their lengths, channels mean their angles, and the two kinematics are two."""

import numpy as np
import pytest

from carpal.errors import CarpalError
from carpal.perception import KINDS, Proportions, hand_landmarks
from carpal.perception.hand import human_hand
from carpal.perception.hand.human_hand import LENGTH, PHALANGES, channel_names

BONES = [(k - 1, k) for k in range(1, 21) if k % 4 != 1]


def _lengths(p):
    return np.linalg.norm(np.stack([p[:, b] - p[:, a] for a, b in BONES], 1), axis=-1)


@pytest.mark.parametrize("kind", KINDS)
def test_bones_keep_their_lengths_in_every_handshape(kind, figure):
    rng = np.random.default_rng(0)
    hands = Proportions.drawn(rng, 1, 0.15)
    many = Proportions(*(np.repeat(getattr(hands, f), 300, 0) for f in ("size", "bones", "palm", "tilt", "range")))
    p = hand_landmarks(rng.uniform(-0.2, 1.1, (300, 17)), many, kind)
    wanted = (PHALANGES * hands.bones[0] * hands.size[0] * LENGTH).ravel()
    figure(
        f"bones of {kind} hands against their proportions, 300 handshapes [m]",
        np.abs(_lengths(p) - wanted).max(),
        1e-15,
    )


def test_the_straight_hand_is_as_long_as_it_says():
    p = hand_landmarks(np.zeros((1, 17)), Proportions.mean())[0]
    assert abs(p[12, 2] - LENGTH) < 0.002  # the middle finger's tip
    assert (p[[8, 12, 16, 20], 2] > p[[5, 9, 13, 17], 2]).all() and p[4, 1] > p[8, 1] > p[12, 1] > p[16, 1] > p[20, 1]


def _angle(p, a, b, c):
    u, v = p[b] - p[a], p[c] - p[b]
    return np.degrees(np.arccos(u @ v / np.linalg.norm(u) / np.linalg.norm(v)))


def test_channels_mean_their_angles():
    c = np.zeros((1, 17))
    c[0, 3], c[0, 5] = 1.0, 0.5  # index outer joints bent, middle's half bent
    p = hand_landmarks(c, Proportions.mean())[0]
    assert np.isclose(_angle(p, 5, 6, 7), 100) and np.isclose(_angle(p, 6, 7, 8), 65)
    assert np.isclose(_angle(p, 9, 10, 11), 50)
    assert p[8, 0] > 0.01  # fingers bend out of the palm's side
    c = np.zeros((1, 17))
    c[0, 15] = 1.0
    across = hand_landmarks(c, Proportions.mean())[0]
    assert across[4, 0] > 0.05 and across[4, 1] < hand_landmarks(0 * c, Proportions.mean())[0][4, 1] - 0.03
    crossed = np.zeros((1, 17))
    crossed[0, 10:15] = -1.0
    tips = hand_landmarks(crossed, Proportions.mean())[0]
    assert tips[8, 1] < tips[12, 1]
    assert len(channel_names()) == 17


def test_the_two_kinematics_differ_where_it_matters(figure):
    rng = np.random.default_rng(3)
    c = rng.uniform(0, 1, (400, 17))
    a, b = (hand_landmarks(c, Proportions.mean(400), kind) for kind in KINDS)
    away = np.linalg.norm(a - b, axis=-1)[:, [4, 8, 12, 16, 20]]
    figure(
        "fingertips of the two kinematics apart for the same handshapes, mean [mm]",
        1e3 * away.mean(),
        8.0,
        at_least=True,
    )
    fist = hand_landmarks(np.r_[np.ones(10), np.zeros(7)][None], Proportions.mean(), "oblique")[0]
    normal = np.cross(fist[6] - fist[5], fist[7] - fist[6])
    assert np.degrees(np.arccos(abs(normal[1]) / np.linalg.norm(normal))) > 0.3  # a plane that is not the palm's


def test_proportions_stay_in_their_spread_and_bad_kinds_are_reported():
    hands = Proportions.drawn(np.random.default_rng(1), 500, 0.15)
    for part in (hands.size, hands.bones, hands.palm):
        assert part.min() >= 0.85 and part.max() <= 1.15 and part.std() > 0.07
    with pytest.raises(CarpalError, match="did you mean 'oblique'"):
        hand_landmarks(np.zeros((1, 17)), Proportions.mean(), "obliqe")
    assert human_hand.PHALANGES.shape == (5, 3)
