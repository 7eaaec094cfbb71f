"""What is refused as landmarks, and the frames they may come in."""

import numpy as np
import pytest

from carpal.errors import CarpalError
from carpal.perception import LANDMARKS, Proportions, checked_frames, from_camera, hand_landmarks, mirrored
from carpal.perception.hand.landmarks import to_camera

HAND = hand_landmarks(np.zeros((1, 17)), Proportions.mean())[0]


def test_one_frame_or_many():
    assert checked_frames(HAND).shape == (1, 21, 3)
    assert checked_frames([HAND.tolist()] * 3).shape == (3, 21, 3)
    assert (
        len(LANDMARKS) == 21
        and LANDMARKS[0] == "wrist"
        and LANDMARKS[8] == "index_tip"
        and LANDMARKS[20] == "little_tip"
    )


@pytest.mark.parametrize(
    ("points", "said"),
    [
        (HAND[:20], "21 points of 3 coordinates"),
        (HAND[:, :2], "21 points of 3 coordinates"),
        (np.zeros((0, 21, 3)), "1 to 3000 frames"),
        (np.where(np.arange(63).reshape(21, 3) == 24, np.nan, HAND), "'index_tip' of frame 0 has nan at x"),
        (np.where(np.arange(63).reshape(21, 3) == 2, np.inf, HAND), "'wrist' of frame 0 has inf at z"),
        (np.zeros((21, 3)), "show no palm in frame 0"),
        (HAND * [0, 0, 1], "show no palm in frame 0"),
        ("hand", "must be real numbers"),
        ([[1.0], [1.0, 2.0]], "rows differ in length"),
    ],
)
def test_bad_landmarks_get_one_sentence(points, said):
    with pytest.raises(CarpalError, match=said) as caught:
        checked_frames(points)
    assert "\n" not in str(caught.value)


def test_huge_numbers_are_no_palm():
    with pytest.raises(CarpalError, match="no palm"):
        checked_frames(HAND * 1e200)


def test_frames_of_cameras_and_left_hands():
    # a camera that faces the signer: its right is the signer's left, what is up has a negative y, what is near a small z
    up, left, near = from_camera([[0, -1.0, 0], [1.0, 0, 0], [0, 0, -1.0]])
    assert np.allclose((up, left, near), ([0, 0, 1], [0, 1, 0], [1, 0, 0]))
    assert np.array_equal(to_camera(from_camera(HAND)), HAND)
    assert np.array_equal(mirrored(mirrored(HAND)), HAND) and mirrored(HAND)[8, 1] == -HAND[8, 1]
