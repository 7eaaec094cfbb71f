"""Simulated servos: checksums of the makers' packages, losses as asked for."""

import numpy as np
import pytest

from carpal.control import Disorder, SimulatedServos
from carpal.control.servos.simulated_servos import crc16
from carpal.errors import CarpalError


def test_crc_is_that_of_the_makers_package():
    sdk = pytest.importorskip("dynamixel_sdk")
    data = np.random.default_rng(0).integers(0, 256, 64).tolist()
    assert crc16(bytes(data)) == sdk.Protocol2PacketHandler().updateCRC(0, data, len(data))


def test_ping_of_the_manual_is_answered():
    # Robotis' e-Manual, protocol 2.0, ping of id 1
    asked = bytes.fromhex("ff ff fd 00 01 03 00 01 19 4e")
    servos = SimulatedServos("x", {1: 0.0}, clock=lambda: 0.0)
    (answer,) = servos.feed(asked)
    assert answer[:9] == bytes.fromhex("ff ff fd 00 01 07 00 55 00") and answer[11] == 0x2D
    assert crc16(answer[:-2]) == int.from_bytes(answer[-2:], "little")
    assert int.from_bytes(answer[9:11], "little") == 1060
    assert servos.feed(asked[:-1] + b"\x00") == []  # a wrong checksum


def test_a_motor_moves_by_its_clock_at_its_speed():
    now = [0.0]
    servos = SimulatedServos("sts", {1: 0.0}, clock=lambda: now[0])
    servos.memory[1][40] = 1
    servos._put(1, "goal", 3048)
    servos._put(1, "goal_speed", 500)
    now[0] = 1.0
    servos.feed(b"")
    assert servos.position[1] == pytest.approx(2548.0)


@pytest.mark.parametrize("kind", Disorder.KINDS)
def test_a_disorder_does_what_it_says(kind):
    line = Disorder(1, 1.0, (kind,))
    data = bytes(range(40, 60))
    first = line.spoil(data)
    assert first != data
    if kind == "late":
        assert first == b"" and line.spoil(b"abc") in (b"", data + b"abc")
    else:
        assert len(first) == len(data) - (kind == "lost")
        assert kind != "swapped" or sorted(first) == sorted(data)


def test_names_are_checked():
    with pytest.raises(CarpalError, match="did you mean 'sts'"):
        SimulatedServos("stss", {1: 0.0})
    with pytest.raises(CarpalError, match="did you mean 'late'"):
        Disorder(0, 0.1, ("lte",))
    with pytest.raises(CarpalError, match="stand between"):
        SimulatedServos("sts", {1: 4.0})
