"""Ports: bytes through a pseudo-terminal and in memory; what is no serial device is refused."""

import os
import pty

import pytest

from carpal.errors import DeviceError
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
