"""Faulty boards are healthy until their fault begins; lossy lines lose bytes and nothing else."""

import numpy as np
import pytest

from carpal.errors import CarpalError
from carpal.labs.sign.board import frame_line
from carpal.labs.sign.board.faulty_board import KINDS_OF_FAULT, FaultyBoard, LossyPort
from carpal.labs.sign.board.motor_board import MotorBoard
from carpal.labs.sign.board.ports import MemoryPort
from carpal.labs.sign.board.simulated_board import SimulatedBoard


def board():
    return SimulatedBoard([-1.0] * 3, [1.0] * 3, [5.0] * 3, [0.0] * 3)


def test_twenty_kinds_and_more():
    assert len(set(KINDS_OF_FAULT)) == len(KINDS_OF_FAULT) >= 20
    with pytest.raises(CarpalError, match="fault of a board 'tired'"):
        FaultyBoard.of(board(), "tired", 0, 0)


@pytest.mark.parametrize("kind", KINDS_OF_FAULT)
def test_healthy_until_the_fault_begins(kind):
    faulty, healthy = FaultyBoard.of(board(), kind, 20, 1), board()
    ends = [MotorBoard(MemoryPort(there)) for there in (faulty, healthy)]
    for k in range(20):
        a, b = (end.set(np.full(3, 0.02 * k)) for end in ends)
        assert (a.position == b.position).all() and a.measured and not a.holding


def test_a_lossy_line_delivers_every_set_point_once(monkeypatch):
    monkeypatch.setattr(frame_line, "ANSWER", 0.002)
    monkeypatch.setattr(frame_line, "TRIES", 20)
    there = board()
    end = MotorBoard(LossyPort(there, np.random.default_rng(0), 0.3))
    for k in range(300):
        goal = np.full(3, 0.5 * np.sin(0.05 * k))
        assert np.allclose(end.set(goal).position, there.position, atol=1e-6)
    assert len(there.log) == 300 and there.bad_frames > 10
