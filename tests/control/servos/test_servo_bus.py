"""Buses over pseudo-terminals: readings equal what the motors held, on clean lines and on lines that spoil bytes."""

import time

import numpy as np
import pytest

from carpal.control import Disorder, DynamixelBus, FeetechBus, ServoLine, SimulatedServos
from carpal.errors import CarpalError, DeviceError, InputError

IDS = (1, 2, 5, 6)
START = dict(zip(IDS, (0.1, -0.2, 0.3, 0.0), strict=True))
SERIES = ("sts", "scs", "x")


def bus_of(series, port, baud=1_000_000):
    return DynamixelBus(port, baud) if series == "x" else FeetechBus(port, baud, series=series)


@pytest.mark.parametrize("series", SERIES)
def test_reads_what_the_motors_hold_and_moves_them_at_the_speed_given(series):
    servos = SimulatedServos(series, START)
    servos.load[2], servos.temperature[5], servos.voltage[6] = -0.4, 61.0, 7.4
    with ServoLine(servos) as line:
        bus = bus_of(series, line.port)
        unit = bus.table.unit
        assert list(bus.ping(IDS)) == list(IDS) and sorted(bus.scan(range(8))) == list(IDS)
        found = bus.read(IDS)
        assert np.abs(found.position - list(START.values())).max() <= 0.5 * unit
        assert np.allclose(found.load, [0, -0.4, 0, 0]) and found.errors == ("",) * 4
        assert np.allclose(found.temperature, [30, 30, 61, 30]) and np.allclose(found.voltage, [12, 12, 12, 7.4])
        bus.torque(IDS, True)
        begun = time.monotonic()
        bus.write([1], [0.6], 1.0)
        here, last = 0.1, 0.1
        while here < 0.59:
            now = time.monotonic()
            here = bus.read([1]).position[0]
            assert here >= last - unit and here <= 0.1 + 1.03 * (time.monotonic() - begun) + 2 * unit
            last = here
            assert now - begun < 5
        bus.torque(IDS, False)
        bus.write([1], [0.0], 1.0)
        stood = bus.read([1]).position
        time.sleep(0.05)
        assert bus.read([1]).position == stood  # without torque nothing moves
        bus.close()


def disordered(series, cycles, seed, share, there, back):
    """Retries, repaired set-points, and goals that were never sent, after checking every reading."""
    servos = SimulatedServos(series, START)
    rng = np.random.default_rng(seed)
    with ServoLine(servos, Disorder(seed, share, there), Disorder(seed + 1, share, back)) as line:
        bus = bus_of(series, line.port)
        bus.torque(IDS, True)
        goal = np.array(list(START.values()))
        sent = {one: {bus._goals[one][0]} for one in IDS}
        for cycle in range(cycles):
            goal = np.clip(goal + rng.uniform(-0.04, 0.04, len(IDS)), -1.5, 1.5)
            bus.write(IDS, goal, 4.0)
            for one in IDS:
                sent[one].add(bus._goals[one][0])
                servos.held[one].clear()
            found = bus.read(IDS)
            counts = np.round(found.position / bus.table.unit).astype(int) + bus.table.counts // 2
            for one, got in zip(IDS, counts, strict=True):
                assert got in servos.held[one], (cycle, one, got, servos.held[one])
        # what a servo took before its torque came on is where it stood
        wrong = {one: set(servos.goals[one][1:]) - sent[one] for one in IDS}
        return bus.retries, bus.repaired, wrong


@pytest.mark.parametrize("cycles", [100, pytest.param(10_000, marks=pytest.mark.full)])
@pytest.mark.parametrize("series", SERIES)
def test_no_wrong_position_is_taken_from_a_bad_line(series, cycles, figure):
    sums = ("lost", "changed", "late")  # a sum of bytes does not notice neighbours that have changed places
    there, back = (Disorder.KINDS if series == "x" else sums), (sums if series == "scs" else Disorder.KINDS)
    retries, repaired, wrong = disordered(series, cycles, 7, 0.05, there, back)
    assert retries > 0 and repaired > 0
    taken = sum(len(some) for some in wrong.values())
    figure(f"servo bus {series}, {cycles} cycles with 5 % of the pieces spoilt: goals that were never sent", taken, 0)


def test_swapped_bytes_in_a_feetech_set_point_are_put_right_by_the_next_reading():
    servos = SimulatedServos("sts", START)
    line_there = Disorder(3, 0.0, ("swapped",))
    with ServoLine(servos, line_there) as line:
        bus = bus_of("sts", line.port)
        bus.torque(IDS, True)
        bus.write([1], [0.3], 1.0)
        bus.read([1])
        servos.memory[1][42:44] = servos.memory[1][43:44] + servos.memory[1][42:43]
        assert bus.read([1]).goal[0] == pytest.approx(0.3, abs=bus.table.unit) and bus.repaired == 1


def test_an_answer_that_comes_late_is_not_taken():
    """The piece of one motor's answer arrives with the next question's: its length is another."""
    servos = SimulatedServos("sts", {1: 0.0})
    with ServoLine(servos) as line:
        bus = bus_of("sts", line.port)
        bus.read([1])
        feed, late = servos.feed, []

        def delayed(data):
            pieces = late + feed(data)
            late[:] = pieces[-1:]
            return pieces[:-1]

        servos.feed = delayed
        servos.position[1] = 2148.0
        with pytest.raises(DeviceError, match="no reading of servo 1"):
            bus.read([1])


def test_torque_comes_on_where_the_motor_stands():
    servos = SimulatedServos("sts", {1: 0.4})
    servos.memory[1][42:44] = (100).to_bytes(2, "little")  # an old goal far away
    with ServoLine(servos) as line:
        bus = bus_of("sts", line.port)
        bus.torque([1], True)
        time.sleep(0.1)
        assert bus.read([1]).position[0] == pytest.approx(0.4, abs=bus.table.unit)


def test_sentences():
    with ServoLine(SimulatedServos("sts", START)) as line:
        bus = bus_of("sts", line.port)
        with pytest.raises(DeviceError, match=r"no answer on .* from servo 9, 11 at 1000000 baud"):
            bus.ping([1, 9, 11])
        with pytest.raises(DeviceError, match="no reading of servo 9"):
            bus.read([9])
        with pytest.raises(InputError, match=r"servo 2 cannot go to nan rad; its range is -3.142 to 3.14"):
            bus.write([1, 2], [0.0, np.nan], 1.0)
        with pytest.raises(InputError, match="speed of servo 1 must be finite and above zero; got 0"):
            bus.write([1], [0.0], 0.0)
        with pytest.raises(InputError, match="2 servos need 2 positions"):
            bus.write([1, 2], [0.0, 0.1, 0.2], 1.0)
        for ids in ([], [1, 1], [300], [True], [1.5]):
            with pytest.raises(InputError, match="different ids from 0 to 252"):
                bus.read(ids)
        line.servos.error[5] = 4 + 32
        assert bus.read([5]).errors == ("too high a temperature and an overload",)
        line.unplug()
        for action in (lambda: bus.read([1]), lambda: bus.write([1], [0.0], 1.0)):
            with pytest.raises(DeviceError, match="was lost"):
                action()
    with pytest.raises(DeviceError, match="cannot be opened"):
        FeetechBus("/dev/there-is-none")
    with pytest.raises(CarpalError, match="did you mean 'sts'"):
        FeetechBus("/dev/there-is-none", series="st")
    with pytest.raises(InputError, match="knows no 12345 baud"):
        FeetechBus("/dev/there-is-none", 12345)


def test_cycle_times_follow_from_the_baud_rate():
    with ServoLine(SimulatedServos("sts", START)) as line:
        slow = bus_of("sts", line.port, 115_200)
        # sync write 8 + 20 x 7; sync read 8 + 20, answers 20 x (6 + 29): bytes counted by hand
        assert slow.cycle_time(20) == pytest.approx(
            10 * ((8 + 2 + 20 * 7) + (8 + 2 + 20) + 20 * 35) / 115_200, rel=0.01
        )
        with pytest.raises(InputError, match=r"20 servos at 115200 baud need 7\d\.\d ms a cycle, and 20 ms are there"):
            slow.check_rate(20, 0.02)
        bus_of("sts", line.port).check_rate(20, 0.02)
