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
    with pytest.raises(DeviceError, match="2 is outside the range of motor 1; nothing was sent"):
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


def test_set_points_begin_where_the_motors_stand_and_keep_their_speeds():
    there = SimulatedBoard([-1.0] * 3, [1.0] * 3, [0.5, 2.0, 2.0], [0.3, -0.2, 0.1])
    board = MotorBoard(MemoryPort(there))
    for bad, said in (
        ([0.0, -0.2, 0.1], "motor 1 moves at 15 a second, its motor at most at 0.5"),
        ([np.nan] * 3, "finite"),
    ):
        with pytest.raises(DeviceError, match=said):
            board.set(np.array(bad))
    assert there.moved == 0 and not there.log
    assert np.allclose(board.set(np.array([0.309, -0.2, 0.1])).position[1:], [-0.2, 0.1], atol=1e-6)
    board.stop()
    there.position = np.array([0.8, 0.0, 0.0])  # moved by hand
    with pytest.raises(DeviceError, match="nothing was sent"):
        board.set(np.array([0.31, -0.2, 0.1]))


def test_a_board_without_measured_positions_needs_open_loop():
    there = SimulatedBoard([-1.0], [1.0], [1.0], [0.0], measured=False)
    with pytest.raises(DeviceError, match="does not measure where its motors stand; --open-loop"):
        MotorBoard(MemoryPort(there)).start()
    assert MotorBoard(MemoryPort(there), open_loop=True).start().position == [0.0]


@pytest.mark.parametrize(
    ("position", "said"), [(np.nan, "position of motor 1 is nan"), (1.5, "stands at 1.5, outside its range -1 to 1")]
)
def test_a_start_that_cannot_be(position, said):
    there = SimulatedBoard([-1.0], [1.0], [1.0], [position])
    with pytest.raises(DeviceError, match=said):
        MotorBoard(MemoryPort(there)).start()


def test_what_is_no_board():
    class Silent(MemoryPort):
        def write(self, data):
            pass

    with pytest.raises(DeviceError, match="does not answer to 'ask'"):
        MotorBoard(Silent(simulated()))
    with pytest.raises(DeviceError, match="has 3 motors where this robot needs 20"):
        MotorBoard(MemoryPort(simulated()), 20)
