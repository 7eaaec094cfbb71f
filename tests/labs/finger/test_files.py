import numpy as np
import pytest
from finger_inputs import random_finger

from carpal.errors import ModelError, UnknownNameError
from carpal.labs.finger import assumed_finger, finger_toml, read_finger

GOOD = "length = [0.045, 0.03, 0.025]\nmass = [0.015, 0.01, 0.008]\nstiffness = 0.05\n"


def test_written_and_read_back_to_the_last_digit(tmp_path):
    finger = random_finger(np.random.default_rng(0), stops=True)
    file = tmp_path / "finger.toml"
    file.write_text(finger_toml(finger))
    again = read_finger(file)
    assert (
        np.array_equal(again.row, finger.row)
        and np.array_equal(again.q_max, finger.q_max)
        and again.name == finger.name
    )
    free = random_finger(np.random.default_rng(1))
    assert np.array_equal(read_finger(finger_toml(free)).q_max, free.q_max)  # infinite stops too


def test_the_assumed_finger():
    finger = assumed_finger()
    assert (
        finger.name == "assumed_finger"
        and finger.q_max[0] == pytest.approx(np.pi / 2)
        and (finger.damping == 0.002).all()
    )


def test_degrees():
    finger = read_finger(GOOD + "neutral_deg = [10, 20, 30]\n")
    assert np.allclose(np.degrees(finger.neutral), (10, 20, 30)) and (finger.stiffness == 0.05).all()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (GOOD + "stifness = 1", "did you mean 'stiffness'"),
        ("mass = [1, 1, 1]", "lacks length"),
        (GOOD + "neutral = 0\nneutral_deg = 0", "not both"),
        (GOOD + "damping = -1", "damping of phalanx 1"),
        (GOOD + "q_max_deg = 'far'", "must be real numbers"),
        ("length = [", "is not TOML"),
        ("nowhere.toml", "cannot be read"),
    ],
)  # fmt: skip
def test_bad_files(text, words):
    with pytest.raises((ModelError, UnknownNameError), match=words):
        read_finger(text)
