"""Hands fitted to simulated depth frames: letters, landmarks, and frames that hold no hand."""

import numpy as np
import pytest

from carpal.errors import CarpalError
from carpal.labs.sign import drawn_views, human_signs, read_alphabet, sign_recogniser
from carpal.perception import Camera, fit_hand, looking_at, simulate_depth
from carpal.perception.hand.palm_frame import palm_frames

CAMERA = Camera(72, 72, 110.0, 110.0, 35.5, 35.5, X_WC=looking_at((0.42, 0, 0.07), (0, 0, 0.07)))


def _frame(source, k, rng):
    """A depth frame, 2 mm noisy, of a letter by somebody; and where its landmarks are."""
    shape = source.letters(rng, np.array([k]))
    R = drawn_views(rng, 1, np.radians(30)) @ source.palms[k]
    points = (shape @ np.swapaxes(R, 1, 2))[0]
    points += np.array([0, 0, 0.07]) - points.mean(0)
    return simulate_depth(CAMERA, points, palm_frames(points)[1] / 0.45, noise=0.002, rng=rng), points


def _read(kind, letters, seed):
    alphabet, reader, rng = read_alphabet(), sign_recogniser(), np.random.default_rng(seed)
    starts, people = human_signs(alphabet), human_signs(alphabet, kind, 0.15, 0.15)
    right, away = [], []
    for name in letters:
        k = people.names.index(name)
        depth, points = _frame(people, k, rng)
        fit = fit_hand(depth, CAMERA, starts.channels, starts.palms)
        right.append(reader.recognise(fit.landmarks).letter == people.names[people.brief[k]])
        away.append(np.linalg.norm(fit.landmarks - points, axis=-1).mean())
    return np.array(right), np.array(away)


def test_a_letter_from_one_depth_frame(figure):
    right, away = _read("anatomical", "L", 3)
    assert right.all()
    figure("landmarks fitted to a depth frame of an L [mm]", 1e3 * away.max(), 15.0)


@pytest.mark.full
@pytest.mark.parametrize(("kind", "least"), [("anatomical", 0.75), ("oblique", 0.6)])
def test_letters_from_depth_frames(kind, least, figure):
    right, away = _read(kind, list(read_alphabet().letters) * 2, 5)
    figure(f"letters read from one depth frame, {kind} hands, share of 52", right.mean(), least, at_least=True)
    figure("the same: landmarks off, median [mm]", 1e3 * np.median(away), 12.0)


def test_frames_without_a_hand_are_reported():
    source = human_signs(read_alphabet())
    for depth, said in (
        (np.zeros((72, 72)), "at least 60 pixels of a hand; got 0"),
        (np.zeros((10, 10)), "must be 72 x 72 pixels"),
        (np.full((72, 72), np.nan), "finite and not negative"),
        (np.full((72, 72), -1.0), "finite and not negative"),
    ):
        with pytest.raises(CarpalError, match=said):
            fit_hand(depth, CAMERA, source.channels, source.palms)
    with pytest.raises(CarpalError, match=r"starts \(L, 17\) and palms"):
        fit_hand(np.full((72, 72), 0.3), CAMERA, source.channels, source.palms[:3])
    with pytest.raises(CarpalError, match="at least one start by one step"):
        fit_hand(np.full((72, 72), 0.3), CAMERA, source.channels, source.palms, keep=0)
    wall = fit_hand(np.full((72, 72), 0.3), CAMERA, source.channels[:2], source.palms[:2], keep=1, steps=5)
    assert not wall and "does not fit the depth frame" in str(wall)
