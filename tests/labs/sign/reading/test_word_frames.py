"""Spelt words: as long as they should be, letters where they should be, the way between them smooth."""

import numpy as np
import pytest

from carpal.errors import CarpalError
from carpal.labs.sign import SimulatedSigner, sign_recogniser, word_frames


def test_a_word_is_letters_and_ways():
    person = SimulatedSigner(5)
    frames = word_frames(person, "CIAO", hold=20, move=8)
    assert frames.shape == (4 * 20 + 3 * 8, 21, 3)
    read = [sign_recogniser().recognise(frames[28 * k : 28 * k + 20]).letter for k in range(4)]
    assert read == list("CIAO")
    assert np.array_equal(frames, word_frames(SimulatedSigner(5), "CIAO", hold=20, move=8))


def test_the_way_has_no_jumps():
    frames = word_frames(SimulatedSigner(6), "BAM", noise=0.0, move=15)
    assert np.linalg.norm(np.diff(frames, axis=0), axis=-1).max() < 0.035


def test_bad_words_are_reported():
    person = SimulatedSigner(5)
    for letters, changes, said in (
        ("C1", {}, "must be of 'italian'"),
        ("", {}, "must be of"),
        ("A", {"hold": 0}, "at least one frame"),
    ):
        with pytest.raises(CarpalError, match=said):
            word_frames(person, letters, **changes)
