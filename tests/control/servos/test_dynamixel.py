"""Dynamixel bus: a current counts as a share of the limit that the servo holds."""

import pytest

from carpal.control import DynamixelBus, ServoLine, SimulatedServos


def test_loads_and_currents():
    servos = SimulatedServos("x", {1: 0.0, 2: 0.5})
    servos.load[1], servos.load[2] = 0.3, -0.5  # written as 300 and -500 counts
    servos.memory[2][0:2] = (1020).to_bytes(2, "little")  # XM430-W350: a current
    servos.memory[2][38:40] = (1193).to_bytes(2, "little")
    with ServoLine(servos) as line:
        found = DynamixelBus(line.port, 1_000_000).read([1, 2])
        assert found.load == pytest.approx([0.3, -500 / 1193]) and found.position == pytest.approx([0.0, 0.5], abs=1e-3)


def test_packets_with_stuffed_bytes_are_read():
    servos = SimulatedServos("x", {1: 0.0})
    servos.memory[1][128:132] = b"\xff\xff\xfd\x00"  # a speed whose bytes look like a header
    with ServoLine(servos) as line:
        found = DynamixelBus(line.port, 1_000_000).read([1])
        assert found.speed[0] == pytest.approx(0xFDFFFF * 0.229 * 2 * 3.14159265 / 60, rel=1e-6) and found.voltage == [
            12.0
        ]
