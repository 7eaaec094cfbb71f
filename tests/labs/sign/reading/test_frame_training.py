"""A frame reader learns recorded hands: held-out blocks are read, what lies between two letters is not, bits repeat."""

import numpy as np
import pytest

from carpal.errors import CarpalError
from carpal.labs.sign import (
    FrameRecipe,
    blocks,
    frame_reader,
    human_signs,
    read_alphabet,
    read_recordings,
    train_frame_reader,
)
from carpal.labs.sign.reading.frame_features import unit_frames
from carpal.labs.sign.reading.frame_training import between_frames, simulated_frames
from carpal.labs.sign.reading.recordings import Recordings

SMALL = FrameRecipe(copies=3, simulated=0, epochs=8, hidden=(48, 32))


def recorded(letters):
    found = read_recordings("asl_webcam")
    return found.part(np.isin(found.letters, list(letters)))


def read(reader, points, names):
    return np.array([-1 if letter is None else names.index(letter) for letter in reader.read(points).letters])


def test_held_out_blocks_are_read_and_the_way_between_letters_is_not():
    given = recorded("ABCLVWY")
    labels = given.labels()
    held = blocks(labels, 5) == 2
    reader = train_frame_reader(given.part(~held), recipe=SMALL)
    points, right = given.points[held], labels[held]
    assert (read(reader, points, given.names) == right).mean() > 0.95
    middle = between_frames(np.random.default_rng(0), points, right, 300, (0.45, 0.55))
    assert (read(reader, middle, given.names) >= 0).mean() < 0.1


def test_the_same_seed_gives_the_same_bits():
    given = recorded("AB")
    recipe = FrameRecipe(copies=1, simulated=0, epochs=1, hidden=(8,))
    first, second = (train_frame_reader(given, recipe=recipe) for _ in range(2))
    assert first.digest == second.digest and first.names == ("A", "B")


@pytest.mark.full
def test_the_packaged_reader_comes_from_its_recipe():
    found = train_frame_reader(read_recordings("asl_webcam"), read_alphabet("asl"))
    assert found.digest == frame_reader("asl").digest


def test_simulated_hands_look_like_recorded_ones():
    seen, which = simulated_frames(np.random.default_rng(1), human_signs(read_alphabet("asl")), 240)
    p = unit_frames(seen)
    assert (which < 0).sum() == 120 and np.isfinite(p).all() and 0.05 < np.abs(p[:, :, 2]).mean() < 1.0
    upright = p[np.isin(which, [1, 11, 21])]  # B, L, V: fingers above the wrist, y down
    assert (upright[:, 9, 1] < 0).all()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (lambda: Recordings(recorded("AB").points, None), "have no letters to learn from"),
        (lambda: recorded("A"), "training needs two letters"),
        (lambda: recorded("AB").part(np.arange(250)), "frames of each; too few: B"),
    ],
)
def test_bad_recordings_are_one_sentence(given, said):
    with pytest.raises(CarpalError, match=said):
        train_frame_reader(given(), recipe=SMALL)
