"""Frames to a board: identified, answered, and refused on lines that are too slow."""

import numpy as np
import pytest

from carpal.errors import DeviceError, InputError
from carpal.labs.sign.board import frame_line
from carpal.labs.sign.board.frame_line import FrameLine
from carpal.labs.sign.board.ports import MemoryPort
from carpal.labs.sign.board.simulated_board import PERIOD, SimulatedBoard


def board():
    return SimulatedBoard([-1.0, 0.0], [1.0, 2.0], [5.0, 6.0], [0.0, 1.0])


def test_about_set_and_stop():
    line = FrameLine(MemoryPort(board()))
    assert np.allclose(line.about()[:3], [[-1, 0], [1, 2], [5, 6]])
    assert line.set(np.array([0.05, 1.0])).position.shape == (2,)
    with pytest.raises(DeviceError, match="refuses 'set': a set-point is outside"):
        line.set(np.array([3.0, 1.0]))
    assert line.stop().measured


def test_twenty_motors_at_115200_baud_are_refused():
    class Slow(MemoryPort):
        baud = 115_200

    line = FrameLine(Slow(board()))
    with pytest.raises(
        InputError, match=r"20 motors at 115200 baud need 29\.6 ms a cycle, and 20 ms are there; --baud must be 170"
    ):
        line.check_rate(20, PERIOD)
    line.check_rate(2, PERIOD)


def test_an_answer_of_another_length_is_refused(monkeypatch):
    monkeypatch.setattr(frame_line, "ANSWER", 0.001)
    there = board()
    line = FrameLine(MemoryPort(there))
    line.about()
    there.sensed = lambda: SimulatedBoard([0], [1], [1], [0]).sensed()
    with pytest.raises(DeviceError, match="differs from that of its motors"):
        line.stop()
