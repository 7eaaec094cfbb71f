"""A board over a serial line (a pseudo-terminal) and over one that spoils bytes: set-points out, sensor values back."""

import os
import pty
import threading

import numpy as np
import pytest

from carpal.errors import DeviceError
from carpal.labs.sign.board.motor_board import MotorBoard
from carpal.labs.sign.board.ports import MemoryPort, SerialPort
from carpal.labs.sign.board.simulated_board import SimulatedBoard


def simulated():
    return SimulatedBoard([-1.0] * 3, [1.0] * 3, [50.0] * 3, [0.0] * 3, lambda x: 2 * x)


def test_over_a_serial_line():
    there, (master, slave) = simulated(), pty.openpty()

    def serve():
        while True:
            try:
                data = os.read(master, 4096)
            except OSError:
                return
            os.write(master, there.feed(data))

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    board = MotorBoard(SerialPort(os.ttyname(slave)), 3)
    assert np.allclose(board.low, -1) and np.allclose(board.speed, 50)
    for _ in range(20):
        sensed = board.set(np.array([0.1, -0.2, 0.3]))
    assert np.allclose(sensed.position, [0.1, -0.2, 0.3], atol=1e-5) and np.allclose(sensed.load, 2 * sensed.position)
    assert not sensed.holding
    with pytest.raises(DeviceError, match="outside the motors' range"):
        board.set(np.array([2.0, 0.0, 0.0]))
    assert np.allclose(board.stop().position, sensed.position)
    board.close()
    os.close(slave)
    os.close(master)


class Spoiling(MemoryPort):
    """Every third piece that is written or read has a wrong byte."""

    count = 0

    def _spoil(self, data):
        self.count += bool(data)
        return data if not data or self.count % 3 else data[:9] + bytes([data[9] ^ 0x40]) + data[10:]

    def write(self, data):
        super().write(self._spoil(data))

    def read(self, timeout):
        return self._spoil(super().read(timeout))


def test_spoiled_bytes_are_asked_for_again_and_nothing_is_done_twice():
    there = simulated()
    board = MotorBoard(Spoiling(there))
    for i in range(50):
        sensed = board.set(np.full(3, 0.01 * i))
    assert there.moved == 49 and there.bad_frames > 5 and np.allclose(sensed.position, there.position, atol=1e-6)


def test_an_answer_to_an_earlier_frame_is_not_taken_for_this_one():
    class Late(MemoryPort):
        before = b""

        def read(self, timeout):
            data = super().read(timeout)
            late, self.before = self.before, data
            return late + data

    there = simulated()
    board = MotorBoard(Late(there))
    for i in range(10):
        assert np.allclose(board.set(np.full(3, 0.1 * i)).position, there.position, atol=1e-6)


def test_what_is_no_board():
    class Silent(MemoryPort):
        def write(self, data):
            pass

    with pytest.raises(DeviceError, match="does not answer to 'ask'"):
        MotorBoard(Silent(simulated()))
    with pytest.raises(DeviceError, match="has 3 motors where this robot needs 20"):
        MotorBoard(MemoryPort(simulated()), 20)
