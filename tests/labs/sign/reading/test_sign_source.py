"""Where training signs come from: people differ, and non-letters keep the distance that defines them."""

import numpy as np
import pytest

from carpal.errors import CarpalError
from carpal.labs.sign import NON_LETTERS, between_letters, human_signs, non_letters, read_alphabet
from carpal.labs.sign.reading.sign_source import APART, CHANNEL_RANGE, limited, random_channels


@pytest.mark.parametrize("kind", NON_LETTERS[:3])
def test_non_letters_keep_their_distance_from_every_letter(kind):
    source = human_signs(read_alphabet())
    c, palms = non_letters(
        np.random.default_rng(0), source.channels, CHANNEL_RANGE, source.palms, 200, kind, random_channels
    )
    assert c.shape == (200, 17) and palms.shape == (200, 3, 3)
    for row, palm in zip(c, palms, strict=True):
        near = np.abs(source.palms - palm).max((1, 2)) < 1e-9
        away = np.abs((source.channels[near] - row) * CHANNEL_RANGE).max(-1)
        assert not len(away) or away.min() >= APART


def test_ways_go_from_letter_to_letter_through_what_is_none():
    source = human_signs(read_alphabet())
    args = source.channels, CHANNEL_RANGE, source.palms, 100
    c, palms = between_letters(np.random.default_rng(2), *args, 41)
    for row, R in zip(c, palms, strict=True):
        for end in (0, -1):  # the window is longer than any transition
            same = np.abs(source.channels - row[end]).max(-1) < 1e-9
            assert np.abs(source.palms[same] - R[end]).max((1, 2)).min() < 1e-9
        near = 0.5 * (np.einsum("kij,ij->k", source.palms, R[20]) - 1) > 0.5 + 1e-9  # palms less than 60 degrees away
        away = np.abs((source.channels[near] - row[20]) * CHANNEL_RANGE).max(-1)
        assert not len(away) or away.min() >= APART - 1e-9
    shapes, palms = source.transitions(np.random.default_rng(3), 7, 5)
    assert shapes.shape == (7, 5, 21, 3) and palms.shape == (7, 5, 3, 3)
    assert np.allclose(
        np.linalg.norm(shapes[:, :, 6] - shapes[:, :, 5], axis=-1).std(1), 0
    )  # one person in each transition
    with pytest.raises(CarpalError, match="no transitions between letters"):
        between_letters(np.random.default_rng(0), np.zeros((2, 17)), CHANNEL_RANGE, np.stack([np.eye(3)] * 2), 5, 3)


def test_a_letter_is_shown_by_many_people():
    source = human_signs(read_alphabet())
    p = source.letters(np.random.default_rng(1), np.zeros(100, int))
    assert p.shape == (100, 21, 3) and np.linalg.norm(p[:, 9], axis=-1).std() > 0.003
    again = source.letters(np.random.default_rng(1), np.zeros(100, int))
    assert np.array_equal(p, again)
    assert limited(np.full((1, 17), 3.0)).max() <= 1.1


def test_an_alphabet_that_leaves_nothing_is_reported():
    with pytest.raises(CarpalError, match="no non-letters of the kind 'half-way'"):
        non_letters(
            np.random.default_rng(0), np.zeros((1, 17)), CHANNEL_RANGE, np.eye(3)[None], 5, "half-way", random_channels
        )
