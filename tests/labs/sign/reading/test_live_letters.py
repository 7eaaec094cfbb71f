"""Letters from a stream: each once while it stands, again after the hand left it, none on the way."""

import numpy as np
import pytest

from carpal.errors import CarpalError
from carpal.labs.sign import LiveLetters, frame_reader, read_recordings
from carpal.labs.sign.reading.frame_features import unit_frames


def film(text, hold=20, way=10, seed=0):
    """Frames (n, 21, 3): recorded letters, and straight lines between them."""
    found, rng = read_recordings("asl_webcam"), np.random.default_rng(seed)
    p, out = unit_frames(found.points), []
    for letter in text:
        rows = np.flatnonzero(found.letters == letter)
        first = rng.integers(0, len(rows) - hold)
        held = p[rows[first : first + hold]]
        if out:
            share = np.arange(1, way)[:, None, None] / way
            out.append(out[-1][-1] + share * (held[0] - out[-1][-1]))
        out.append(held)
    return np.concatenate(out)


def read(frames, **options):
    live = LiveLetters(frame_reader(), **options)
    return "".join(filter(None, (live.feed(k / 30, frame) for k, frame in enumerate(frames))))


def test_a_word_is_read_letter_by_letter():
    assert read(film("BVLWAC")) == "BVLWAC"


def test_a_letter_that_stands_long_is_one_and_a_lowered_hand_parts_two():
    frames = list(film("L", hold=90))
    assert read(frames) == "L" and read(frames[:30] + [None] * 10 + frames[30:]) == "LL"


def test_flickers_are_no_letters():
    b, v = film("B", 30), film("V", 30)
    assert read([(b if k // 3 % 2 else v)[k] for k in range(30)]) == "" and read([None] * 40) == ""


def test_bad_input():
    live = LiveLetters(frame_reader())
    live.feed(1.0, None)
    with pytest.raises(CarpalError, match="must come in order"):
        live.feed(1.0, None)
    with pytest.raises(CarpalError, match="dwell time must be"):
        LiveLetters(frame_reader(), dwell=0.0)
