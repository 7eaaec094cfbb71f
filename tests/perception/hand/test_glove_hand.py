"""Gloves: sensors and handshapes are each other's inverse, and letters are read from rows."""

import numpy as np
import pytest

from carpal.errors import CarpalError
from carpal.labs.sign import human_signs, read_alphabet, sign_recogniser
from carpal.perception import SENSORS, glove_channels, glove_landmarks, glove_sensors


def test_sensors_and_handshapes_are_inverse():
    source = human_signs(read_alphabet())
    back = glove_channels(glove_sensors(source.channels))
    spread = back[:, 10:15].copy()
    assert np.allclose(back[:, :10], source.channels[:, :10]) and np.allclose(back[:, 15:], source.channels[:, 15:])
    even = [name not in "FKPRVWY" for name in source.names]
    assert np.allclose(spread[even], 0)
    fanned = source.names.index("V")
    assert np.allclose(spread[fanned, 1:], 0.8)
    crossed = source.names.index("R")
    assert np.allclose(spread[crossed, 1:3], -0.9)


def test_letters_are_read_from_a_noisy_glove(figure):
    alphabet, reader, rng = read_alphabet(), sign_recogniser(), np.random.default_rng(0)
    source = human_signs(alphabet)
    right = []
    for k, name in enumerate(source.names):
        shape = alphabet.letters[name].right
        if shape.motion in ("twist",):  # a glove does not sense the forearm's turn
            continue
        wrist = np.zeros((24, 2))
        if shape.motion:
            points = np.vstack([np.zeros(3), alphabet.motions[shape.motion], np.zeros(3)])[:, :2]
            at = np.linspace(0, len(points) - 1, 24)
            wrist = np.stack([np.interp(at, range(len(points)), points[:, j]) for j in (0, 1)], -1)
        sensors = glove_sensors(np.repeat(source.channels[k][None], 24, 0), wrist)
        noisy = {n: v + 3.0 * rng.standard_normal(24) for n, v in sensors.items()}
        right.append(reader.recognise(glove_landmarks(noisy, alphabet.palms[shape.palm])).letter == name)
    figure("letters read from a glove, sensors 3 deg noisy, palm direction given, of 25", sum(right), 24, at_least=True)


def test_bad_rows_get_one_sentence():
    row = dict.fromkeys(SENSORS, 0.0)
    assert glove_landmarks(row, np.eye(3)).shape == (1, 21, 3)
    for given, palm, said in (
        ({}, np.eye(3), "sensors thumb_TMJ"),
        (row | {"index_MPJ": np.nan}, np.eye(3), "'index_MPJ' of the glove is not finite"),
        (row | {"index_MPJ": np.zeros(3)}, np.eye(3), "columns of one length"),
        (row, np.ones((3, 3)), "must be a rotation"),
    ):
        with pytest.raises(CarpalError, match=said):
            glove_landmarks(given, palm)
