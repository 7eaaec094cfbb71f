"""Letters as they are learnt: channels, motions, what a short look can tell, and non-letters of robots."""

import numpy as np
import pytest
from sign_robots import hand, letters

from carpal.labs.sign import NON_LETTERS, human_signs, read_alphabet, robot_landmarks, robot_signs, wrist_rotation
from carpal.labs.sign.reading.alphabet_signs import channels_of, palm_path


def test_channels_and_palms_are_the_alphabets():
    alphabet = read_alphabet()
    source = human_signs(alphabet)
    assert source.names == tuple(alphabet.letters) and source.channels.shape == (26, 17)
    u, h = source.names.index("U"), source.names.index("H")
    assert np.array_equal(source.channels[u], source.channels[h]) and not np.allclose(source.palms[u], source.palms[h])
    shape = alphabet.letters["W"].right
    assert np.array_equal(channels_of(shape)[:10].reshape(5, 2), shape.bend) and channels_of(shape)[15] == 0.9


def test_a_short_look_at_j_sees_i_and_at_z_sees_z():
    source = human_signs(read_alphabet())
    brief = {name: source.names[k] for name, k in zip(source.names, source.brief, strict=True)}
    assert brief["J"] == "I" and brief["Z"] == "Z" and brief["G"] == "G"
    assert all(brief[name] == name for name in source.names if name != "J")


def test_motions_leave_the_letter_and_come_back():
    alphabet = read_alphabet()
    assert len(palm_path(alphabet, alphabet.letters["A"].right)) == 1
    path = palm_path(alphabet, alphabet.letters["J"].right)
    assert len(path) == 5 and np.allclose(path[0], np.eye(3)) and np.allclose(path[-1], np.eye(3))
    assert np.allclose(path[2], wrist_rotation(np.radians([25, -12, 0])))


@pytest.mark.parametrize("kind", NON_LETTERS[:3])
def test_a_robots_non_letters_are_30_degrees_from_its_letters(kind):
    shown, _ = letters()
    source = robot_signs(hand(), read_alphabet(), shown)
    rng = np.random.default_rng(0)
    points, palms = source.others(rng, 60, kind)
    assert points.shape == (60, 21, 3) and palms.shape == (60, 3, 3)
    own = robot_landmarks(hand(), hand().joints(source.commands))
    for p, palm in zip(points, palms, strict=True):
        near = np.abs(source.palms - palm).max((1, 2)) < 1e-9
        # half a radian of a finger moves its end by more than noise
        assert not near.any() or np.linalg.norm(own[near] - p, axis=-1).max(-1).min() > 0.008
    shapes, palms = source.transitions(rng, 3, 4)
    assert shapes.shape == (3, 4, 21, 3) and palms.shape == (3, 4, 3, 3)
    there = source.letters(rng, np.arange(26))
    assert np.linalg.norm(there - own, axis=-1).max() < 0.03
