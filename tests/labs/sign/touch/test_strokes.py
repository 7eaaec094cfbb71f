"""Texts as touches on hands of all sizes and attitudes, read back through noise."""

import numpy as np
import pytest

from carpal.errors import InputError
from carpal.labs.sign import robot_landmarks, sign_hand
from carpal.labs.sign.files.touch_alphabet import read_touch_alphabet
from carpal.labs.sign.touch.strokes import STROKE_SPEED, TouchPath, read_touch_path, touch_path
from carpal.spatial import rotation_about

ALPHABETS = ("lorm", "malossi")


def hand(scale=1.0, turn=None):
    one = sign_hand("parloma")
    points = robot_landmarks(one, one.home) * [1, -1, 1] * scale  # a left hand
    return points if turn is None else points @ turn.T + [0.3, -0.2, 1.0]


@pytest.mark.parametrize("name", ALPHABETS)
def test_every_letter_is_read_back_on_any_hand_through_noise(name, figure):
    alphabet, rng = read_touch_alphabet(name), np.random.default_rng(0)
    wrong = total = 0
    for _ in range(4):
        there = hand(rng.uniform(0.7, 1.2), rotation_about(rng.normal(size=3), rng.uniform(0, 3)))
        for letter in alphabet.letters:
            path = touch_path(alphabet, letter, there)
            noisy = TouchPath(path.time, path.points + rng.normal(0, 0.002, path.points.shape))
            wrong += read_touch_path(alphabet, noisy, there) != (letter,)
            total += 1
    figure(f"{name}: letters read wrongly with 2 mm of noise, of {total}", wrong, 0)


@pytest.mark.parametrize("name", ALPHABETS)
def test_texts_keep_their_words(name):
    alphabet, there = read_touch_alphabet(name), hand()
    path = touch_path(alphabet, "MAMMA LEGGE OTTO", there)
    assert "".join(read_touch_path(alphabet, path, there)) == "MAMMA LEGGE OTTO"
    assert np.allclose(np.diff(path.time), 0.01)


def test_strokes_keep_their_speed_and_run_where_the_file_says():
    there, lorm = hand(), read_touch_alphabet("lorm")
    points = touch_path(lorm, "L", there).points[:, 0]
    points = points[np.isfinite(points).all(1)]
    assert np.allclose(points[0], there[12]) and np.allclose(
        points[-1], there[0]
    )  # from the middle finger's tip to the wrist
    speed = np.linalg.norm(np.diff(points, axis=0), axis=1) * 100
    assert np.allclose(speed, STROKE_SPEED, rtol=0.03)
    pinched = touch_path(read_touch_alphabet("malossi"), "Q", there).points[0]
    assert np.allclose(pinched[:2].mean(0), there[8]) and np.linalg.norm(pinched[0] - pinched[1]) == pytest.approx(
        0.012
    )


def test_touches_that_are_no_letter_are_none():
    lorm, there = read_touch_alphabet("lorm"), hand()
    path = touch_path(lorm, "A", there)
    assert read_touch_path(lorm, TouchPath(path.time, path.points + np.array([0.5, 0, 0])), there) == ("",)
    assert read_touch_path(lorm, TouchPath(path.time[:0], path.points[:0]), there) == ()
    with pytest.raises(InputError, match="21 finite landmarks"):
        touch_path(lorm, "A", there[:5])
    with pytest.raises(InputError, match="palm has no width"):
        touch_path(lorm, "A", np.zeros((21, 3)))
    with pytest.raises(InputError, match=r"\(m, 4, 3\)"):
        read_touch_path(lorm, TouchPath(path.time, path.points[:, :2]), there)
