"""The simulated board: goes to its set-points inside its limits, no faster than its motors, and stops when nobody speaks."""

import numpy as np
import pytest

from carpal.errors import InputError
from carpal.labs.sign.board.frames import (
    ABOUT_ROWS,
    ASK,
    FAULT,
    SENSED,
    SET,
    STOP,
    Frame,
    FrameReader,
    frame_bytes,
    pack_values,
)
from carpal.labs.sign.board.simulated_board import LAG, PERIOD, WATCHDOG, SimulatedBoard


def board():
    return SimulatedBoard([-1.0, 0.0], [1.0, 0.02], [1.0, 0.5], [0.0, 0.0])


def ask(there, kind, *values, number=1):
    payload = pack_values(values) if values else b""
    (frame,) = FrameReader().feed(there.feed(frame_bytes(Frame(kind, number, payload))))
    return frame


def test_lag_and_speed():
    there = board()
    assert ask(there, SET, 0.5, 0.01).kind == SENSED
    assert there.position[0] == pytest.approx(1.0 * PERIOD)  # its largest speed
    assert there.position[1] == pytest.approx(min(0.01 * -np.expm1(-PERIOD / LAG), 0.5 * PERIOD))
    for i in range(60):
        ask(there, SET, 0.5, 0.01, number=i + 2)
    assert np.allclose(there.position, [0.5, 0.01], atol=1e-6)


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ((1.1, 0.0), 1),
        ((-1.1, 0.0), 1),
        ((0.0, -0.001), 1),
        ((0.0, 0.03), 1),
        ((np.nan, 0.0), 2),
        ((np.inf, 0.0), 2),
        ((0.0,), 3),
        ((0.0,) * 3, 3),
    ],
)
def test_bad_set_points_do_not_move_it(values, code):
    there = board()
    answer = ask(there, SET, *values)
    assert (answer.kind, answer.payload) == (FAULT, bytes([code])) and there.moved == 0


def test_a_repeated_frame_is_answered_and_not_done_twice():
    there = board()
    first = ask(there, SET, 0.5, 0.0, number=9)
    at = there.position.copy()
    assert ask(there, SET, 0.5, 0.0, number=9) == first and (there.position == at).all()


def test_an_old_set_point_that_comes_late_moves_nothing():
    there = board()
    ask(there, SET, 0.5, 0.0, number=9)
    at = there.position.copy()
    assert there.feed(frame_bytes(Frame(SET, 8, pack_values([-0.5, 0.0])))) == b"" and (there.position == at).all()
    ask(there, ASK, number=1)
    assert ask(there, SET, 0.5, 0.0, number=2).kind == SENSED and len(there.log) == 2


def test_watchdog_and_stop():
    there = board()
    ask(there, SET, 1.0, 0.0)
    for _ in range(100):
        there.idle(0.01)
    assert there.holding and there.position[0] == pytest.approx(PERIOD + WATCHDOG, rel=1e-6)
    ask(there, SET, 1.0, 0.0, number=2)
    assert not there.holding
    at = there.position.copy()
    ask(there, STOP)
    there.idle(0.1)
    assert (there.position == at).all()
    assert ask(there, 77).payload == bytes([4]) and len(ask(there, ASK).payload) == 4 * 2 * ABOUT_ROWS


def test_the_log_holds_every_accepted_set_point():
    there = board()
    for i in range(3):
        ask(there, SET, 0.1 * i, 0.0, number=i + 1)
    ask(there, SET, 9.0, 0.0, number=9)
    assert [round(row[0] / PERIOD) for row in there.log] == [1, 2, 3]
    assert np.allclose([row[1][0] for row in there.log], [0, 0.1, 0.2]) and (there.log[-1][2] == there.position).all()


def test_bad_boards():
    with pytest.raises(InputError, match="1 to 64 motors"):
        SimulatedBoard([], [], [], [])
