"""Streams cut into signs: words spelt by simulated people come out letter by letter."""

import numpy as np
import pytest

from carpal.labs.sign import SimulatedSigner, cut_signs, sign_recogniser, word_frames
from carpal.labs.sign.reading.sign_cutting import finger_motion


def _spelt(word, seed):
    frames = word_frames(SimulatedSigner(seed), word, seed=seed)
    return "".join(sign_recogniser().recognise(frames[a:b]).letter or "?" for a, b in cut_signs(frames))


@pytest.mark.parametrize("word", ["CIAO", "GATO", "JAZ"])
def test_words_come_out(word):
    assert _spelt(word, 7) == word


@pytest.mark.full
def test_many_words_come_out(figure):
    words = [
        "CIAO",
        "BUONGIORNO",
        "PIZA",
        "JAZ",
        "GATO",
        "QUADRO",
        "KIWI",
        "XENOFOBIA",
        "MILANO",
        "VENEZIA",
        "FIRENZE",
        "ZIO",
    ]
    right = [_spelt(word, seed) == word for seed in range(5) for word in words]
    figure("words cut and read from a stream without marks, share of 60", np.mean(right), 0.8, at_least=True)


def test_rest_is_rest_and_short_streams_are_one_sign():
    still = SimulatedSigner(2).frames("B", frames=40)
    (cut,) = cut_signs(still)
    assert cut == (0, 40)
    assert cut_signs(still[:5]) == [(0, 5)]
    word = word_frames(SimulatedSigner(2), "BA", noise=0.0)
    motion = finger_motion(word)
    assert motion[24:34].max() > 0.5 and motion[:15].max() < 0.05
