"""Calibration finds gears, signs and zeros that were built into the servos."""

import numpy as np
import pytest

from carpal.control import FeetechBus, ServoLine, SimulatedServos
from carpal.errors import DeviceError, InputError
from carpal.labs.sign.board.calibrating import calibrated, ends_by_hand, ends_by_load

IDS = {"thumb": 4, "index": 9}
ENDS = {"thumb": (-0.2, 0.3), "index": (0.45, 0.05)}  # of the servos at low and high


def test_by_hand():
    servos = SimulatedServos("sts", {4: 0.0, 9: 0.0})
    asked = []

    def ask(what):
        name, end = what.split(" ")[0], "high" in what
        asked.append((name, end))
        servos.position[IDS[name]] = ENDS[name][end] / servos.table.unit + 2048

    with ServoLine(servos) as line:
        bus = FeetechBus(line.port)
        ends = ends_by_hand(bus, IDS, ask)
    assert asked == [("thumb", False), ("thumb", True), ("index", False), ("index", True)]
    thumb, index = calibrated(list(IDS), IDS, ends, [0.0, 0.0], [0.5, 0.03], [5.0, 0.2])
    assert thumb.scale == pytest.approx(1.0, abs=5e-3) and thumb.zero == pytest.approx(-0.2, abs=2e-3)
    assert index.scale == pytest.approx(-0.03 / 0.4, rel=5e-3) and index.zero == pytest.approx(0.45, abs=2e-3)


def test_by_load():
    servos = SimulatedServos("sts", {4: 0.1, 9: 0.2})
    servos.stops = {IDS[name]: (min(ends), max(ends)) for name, ends in ENDS.items()}
    with ServoLine(servos) as line:
        ends = ends_by_load(FeetechBus(line.port), IDS, reverse=["index"])
    for name, (low, high) in ends.items():
        assert np.allclose([low, high], ENDS[name], atol=0.01)
    assert not any(servos.memory[one][40] for one in IDS.values())  # torque is off again


def test_refusals():
    servos = SimulatedServos("sts", {4: 0.1, 9: 0.2})
    with ServoLine(servos) as line:
        bus = FeetechBus(line.port)
        with pytest.raises(InputError, match="--reverse names 'ring'; the motors are thumb, index"):
            ends_by_load(bus, IDS, reverse=["ring"])
        servos.error[4] = 32
        with pytest.raises(DeviceError, match=r"motor 'thumb' \(servo 4\) reports an overload"):
            ends_by_load(bus, IDS)
    with pytest.raises(InputError, match=r"motor 'thumb' moved by 0\.010 rad"):
        calibrated(["thumb"], IDS, {"thumb": (0.1, 0.11)}, [0.0], [1.0], [1.0])
    with pytest.raises(InputError, match="zero of motor 'thumb' would be at"):
        calibrated(["thumb"], IDS, {"thumb": (-1.0, -0.5)}, [3.0], [3.5], [1.0])
