"""Ports: bytes through a pseudo-terminal and in memory; what is no serial device is refused."""

import os
import pty

import pytest
from sign_robots import signer

from carpal.errors import DeviceError, InputError
from carpal.labs.sign import HandPlayer
from carpal.labs.sign.board.frames import ABOUT, ASK, Frame, FrameReader, frame_bytes
from carpal.labs.sign.board.ports import MemoryPort, SerialPort
from carpal.labs.sign.board.simulated_board import SimulatedBoard


def test_raw_bytes_over_a_serial_device():
    master, slave = pty.openpty()
    port = SerialPort(os.ttyname(slave))
    every = bytes(range(256))  # raw: no byte is changed or taken as a control character
    port.write(every)
    got = b""
    while len(got) < 256:
        got += os.read(master, 4096)
    assert got == every and port.read(0.0) == b""
    os.write(master, every)
    back = b""
    while len(back) < 256:
        back += port.read(1.0)
    assert back == every
    port.close()
    os.close(slave)
    os.close(master)


def test_a_board_in_memory_answers_once():
    port = MemoryPort(SimulatedBoard([0.0], [1.0], [1.0], [0.5]))
    port.write(frame_bytes(Frame(ASK, 3)))
    (answer,) = FrameReader().feed(port.read(0.0))
    assert (answer.kind, answer.number) == (ABOUT, 3) and port.read(0.0) == b""


def test_what_is_no_serial_device(tmp_path):
    with pytest.raises(DeviceError, match="cannot be opened: No such file"):
        SerialPort(tmp_path / "ttyACM0")
    (tmp_path / "file").write_text("")
    with pytest.raises(DeviceError, match="is no serial device"):
        SerialPort(tmp_path / "file")


def test_a_line_that_is_too_slow_for_the_motors_is_refused():
    master, slave = pty.openpty()
    with pytest.raises(InputError, match="this system knows no 1234 baud"):
        SerialPort(os.ttyname(slave), 1234)
    port = SerialPort(os.ttyname(slave), 115_200)
    with pytest.raises(
        InputError, match=r"20 motors at 115200 baud need 29\.\d ms a cycle, and 20 ms are there; --baud must be"
    ):
        HandPlayer(signer("parloma"), port=port)
    for handle in (master, slave):
        os.close(handle)
    port.close()
