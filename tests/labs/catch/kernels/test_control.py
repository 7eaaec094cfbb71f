"""The controller inside the loop: whole turns, digits' commands, periods."""

import numpy as np
import pytest

from carpal.labs.catch.hand_geometry import FINGER_CLOSED, FINGER_OPEN, THUMB_CLOSED, THUMB_OPEN
from carpal.labs.catch.kernels.control import COMMANDS, command_digits, near_turn
from carpal.labs.catch.plan import closing

HAND = np.array([FINGER_OPEN, FINGER_CLOSED, THUMB_OPEN, THUMB_CLOSED])


def test_an_angle_is_read_in_the_turn_of_the_wanted_one():
    assert near_turn(-3.1, 3.2) == pytest.approx(-3.1 + 2 * np.pi)
    assert near_turn(0.1, 0.2) == 0.1
    assert near_turn(-1.0, 12.0) == pytest.approx(-1.0 + 4 * np.pi)


def test_digits_are_told_lengths_and_rates():
    grip = closing(0.73, 1.95, "ramp", 2e-5).ravel()[None]
    commands = np.zeros((1, 2 * COMMANDS))
    command_digits(HAND, grip, 0.74, 0.0001, commands, 0)
    value, rate = commands[0, :COMMANDS], commands[0, COMMANDS:]
    np.testing.assert_allclose(rate[6:10], (FINGER_CLOSED - FINGER_OPEN) / 0.02)
    np.testing.assert_allclose(rate[10], (THUMB_CLOSED - THUMB_OPEN) / 0.02)
    # the engine lets a command run on at its rate, here for the 0.1 ms since the arm's were given
    np.testing.assert_allclose(value[6:10] + rate[6:10] * 0.0001, 0.5 * (FINGER_OPEN + FINGER_CLOSED), atol=1e-12)
    np.testing.assert_allclose(value[10] + rate[10] * 0.0001, 0.5 * (THUMB_OPEN + THUMB_CLOSED), atol=1e-12)
