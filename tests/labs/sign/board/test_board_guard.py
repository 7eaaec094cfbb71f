"""The guard: healthy motors pass at any speed, the first fault is named with its motor."""

import dataclasses

import numpy as np
import pytest

from carpal.errors import DeviceError
from carpal.labs.sign.board.board_guard import BoardGuard
from carpal.labs.sign.board.motor_board import MotorBoard
from carpal.labs.sign.board.ports import MemoryPort
from carpal.labs.sign.board.simulated_board import PERIOD, SimulatedBoard


def ready():
    there = SimulatedBoard([-1.0, 0.0], [1.0, 0.03], [2.0, 0.2], [0.0, 0.01])
    board = MotorBoard(MemoryPort(there))
    guard = BoardGuard(board, ("elbow", "index_tendon"))
    guard.begin(board.start())
    return there, board, guard


def test_healthy_motors_pass_at_their_largest_speed():
    _, board, guard = ready()
    rng, goal = np.random.default_rng(0), np.array([0.0, 0.01])
    for k in range(2000):
        step = board.speed * PERIOD * (rng.uniform(-0.9, 0.9, 2) if k % 3 else np.sign(np.sin(0.05 * k)) * 0.9)
        goal = np.clip(goal + step, board.low, board.high)
        guard.check(goal, board.set(goal))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"position": np.array([np.nan, 0.01])}, "motor 'elbow' has position nan"),
        ({"load": np.array([0.0, 300.0])}, "motor 'index_tendon' bears 300 N or N m, 200 allowed"),
        ({"temperature": np.array([71.0, 20.0])}, "motor 'elbow' has 71 °C, 70 allowed"),
        ({"holding": True}, "watchdog holds"),
        ({"measured": False}, "has stopped measuring positions"),
        ({"position": np.array([0.5, 0.01])}, "motor 'elbow' is sensed to jump by 0.5"),
        ({"position": np.array([0.0, 0.0115])}, "motor 'index_tendon' is 0.0015 from its set-point, 0.00015 allowed"),
        ({"position": np.array([1.2, 0.01])}, "outside its range"),
    ],
)
def test_faults_are_named(change, said):
    _, board, guard = ready()
    goal = np.array([0.0, 0.01])
    sensed = board.set(goal)
    guard.check(goal, sensed)
    with pytest.raises(DeviceError, match=said):
        guard.check(goal, dataclasses.replace(sensed, **change))
