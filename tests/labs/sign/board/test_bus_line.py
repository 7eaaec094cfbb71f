"""A hand on servos of a bus: it starts where they stand, shows letters, and stops with a sentence when one fails."""

import functools
import time

import numpy as np
import pytest

from carpal.control import Disorder, ServoLine, SimulatedServos
from carpal.errors import DeviceError, InputError
from carpal.labs.sign import HandPlayer, Signer
from carpal.labs.sign.board.bus_line import BusLine
from carpal.labs.sign.board.simulated_board import PERIOD
from carpal.labs.sign.files.calibration import CalibratedServo, Calibration
from carpal.labs.sign.motor_table import motors_of


@functools.cache
def signer():
    return Signer("parloma", arm="none")


def servos_of(motors, start):
    """Simulated servos with gears, signs and zeros of all kinds, and their calibration."""
    span = motors.high - motors.low
    scale = np.where(np.arange(len(span)) % 2, -1.0, 1.0) * np.where(span > 0.1, 1.0, 0.012)
    middle = 0.5 * (motors.low + motors.high)
    zero = -middle / scale + 0.1
    rows = tuple(
        CalibratedServo(
            name,
            k + 1,
            float(zero[k]),
            float(scale[k]),
            float(motors.low[k]),
            float(motors.high[k]),
            float(motors.speed[k]),
        )
        for k, name in enumerate(motors.names)
    )
    there = SimulatedServos("sts", {k + 1: float(zero[k] + start[k] / scale[k]) for k in range(len(rows))})
    return there, rows


def commands(there, rows):
    table = there.table
    at = np.array([there.position[row.id] - table.counts // 2 for row in rows]) * table.unit
    return (at - [row.zero for row in rows]) * [row.scale for row in rows]


@pytest.mark.parametrize("share", [0.0, 0.03])
def test_it_starts_where_the_servos_stand_and_shows_letters(share):
    motors = motors_of(signer().mounted)
    begin = signer().mover.rest + 0.06 * (motors.high - motors.low) * (np.arange(len(motors.names)) > 2)
    there, rows = servos_of(motors, np.clip(begin, motors.low, motors.high))
    with ServoLine(there, Disorder(1, share, ("lost", "changed", "late")), Disorder(2, share)) as line:
        before = commands(there, rows)
        who = HandPlayer(signer(), port=Calibration("sts", line.port, 1_000_000, rows), real_time=True)
        assert np.abs(commands(there, rows) - before).max() == 0.0  # nothing moves before it is asked to
        assert who.play("L", 0) == "" and who.fault == ""
        step = there.table.unit * np.abs([row.scale for row in rows])
        shown = who.letters[0].sensed[who.letters[0].shown]
        asked = signer().letters["L"].commands
        assert (np.abs(shown - asked) <= 2 * step + 0.004 * (motors.high - motors.low)).all()
        # goals that the servos took never left the speed limit of the behaviour's plan or the motors' ranges
        for k, row in enumerate(rows):
            goals = (np.array(there.goals[row.id]) - there.table.counts // 2) * there.table.unit
            x = (goals - row.zero) * row.scale
            assert (x >= row.low - 2 * step[k]).all() and (x <= row.high + 2 * step[k]).all()
            assert np.abs(np.diff(x)).max(initial=0) <= row.speed * PERIOD + 2 * step[k]
        who.board.close()


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        (lambda s: s.stuck.add(10), "motor 'index_tendon' is .* from its set-point"),
        (lambda s: s.load.update({10: 0.9}), "motor 'index_tendon' bears 0.9 of its largest load, 0.7 allowed"),
        (lambda s: s.temperature.update({10: 75.0}), "motor 'index_tendon' has 75 °C, 60 allowed"),
        (lambda s: s.error.update({10: 32}), r"servo of motor 'index_tendon' \(id 10\) reports an overload"),
        (lambda s: s.silent.add(10), "no reading of servo 10"),
    ],
)
def test_a_servo_that_fails_stops_the_hand_with_a_sentence(fault, sentence):
    motors = motors_of(signer().mounted)
    there, rows = servos_of(motors, signer().mover.rest)
    with ServoLine(there) as line:
        who = HandPlayer(signer(), port=Calibration("sts", line.port, 1_000_000, rows), real_time=True)
        assert who.begin()
        fault(there)
        with pytest.raises(DeviceError, match=sentence):
            raise DeviceError(who.play("A", 0))
        assert not who.letters
        stood = commands(there, rows)
        time.sleep(0.1)
        assert (np.abs(commands(there, rows) - stood) <= 2 * there.table.unit).all()


def test_lines_that_are_too_slow_and_servos_out_of_their_turn_are_refused():
    motors = motors_of(signer().mounted)
    there, rows = servos_of(motors, signer().mover.rest)
    with ServoLine(there) as line:
        with pytest.raises(InputError, match=r"13 servos at 115200 baud need \d\d\.\d ms a cycle, and 17 ms are there"):
            HandPlayer(signer(), port=Calibration("sts", line.port, 115_200, rows))
        far = CalibratedServo("a", 1, 3.0, 1.0, 0.0, 1.0, 1.0)
        with pytest.raises(InputError, match="motor 'a' would need its servo at 4 rad"):
            BusLine(Calibration("sts", line.port, 1_000_000, (far,)), ["a"])
        missing = rows[:-1]
        with pytest.raises(InputError, match="the calibration has no motor 'little_tendon'"):
            HandPlayer(signer(), port=Calibration("sts", line.port, 1_000_000, missing))
