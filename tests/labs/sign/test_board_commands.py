"""`carpal sign calibrate` on simulated servos, and a letter shown with the file that it wrote."""

import json

import numpy as np
import pytest

from carpal.cli.command_line import main
from carpal.control import ServoLine, SimulatedServos
from carpal.errors import CarpalError
from carpal.labs.sign import HandPlayer, mount_hand, sign_hand
from carpal.labs.sign.board import calibrating
from carpal.labs.sign.board_commands import numbered
from carpal.labs.sign.files.calibration import read_calibration
from carpal.labs.sign.motor_table import motors_of


def test_ids():
    names = ("thumb", "index")
    assert numbered(names, "") == {"thumb": 1, "index": 2}
    assert numbered(names, "7, 3") == {"thumb": 7, "index": 3}
    assert numbered(names, "index=7,thumb=3") == {"thumb": 3, "index": 7}
    for given in ("7", "1,2,3", "index=7", "a,b"):
        with pytest.raises(CarpalError, match="--ids"):
            numbered(names, given)
    with pytest.raises(CarpalError, match="did you mean 'index'"):
        numbered(names, "indx=7,thumb=3")


def test_calibrated_by_its_stops_it_shows_a_letter(tmp_path, monkeypatch, capsys):
    motors = motors_of(mount_hand(sign_hand("allegro"), "none"))
    rng = np.random.default_rng(0)
    middle = 0.5 * (motors.low + motors.high)
    gear = 4.0
    zero = rng.uniform(-0.3, 0.3, len(middle)) - middle / gear
    servos = SimulatedServos("x", {k + 1: float(zero[k] + middle[k] / gear) for k in range(len(middle))})
    servos.stops = {
        k + 1: (zero[k] + motors.low[k] / gear, zero[k] + motors.high[k] / gear) for k in range(len(middle))
    }
    speed, file = 6.0, tmp_path / "allegro.toml"
    with ServoLine(servos) as line:
        monkeypatch.setattr(calibrating, "HOMING_SPEED", speed)  # the stops of a simulation bear it
        monkeypatch.setattr(calibrating, "STILL", 0.1)
        words = f"sign calibrate {file} --robot allegro --series x --port {line.port} --by load --json".split()
        assert main(words) == 0
        told = json.loads(capsys.readouterr().out)
        assert told["ok"] and len(told["motors"]) == 16
        calibration = read_calibration(file)
        assert np.allclose([servo.zero for servo in calibration.servos], zero, atol=0.02)
        assert np.allclose([servo.scale for servo in calibration.servos], gear, rtol=0.06)
        servos.stops = {}
        who = HandPlayer("allegro", alphabet="asl", port=calibration, real_time=True)
        assert "must be freed by hand" in who.play("L", 0)  # all motors at their upper stops: the thumb is in the palm
        who.board.close()  # its torque off, the hand is put where it begins
        for servo, at in zip(calibration.servos, who.signer.mover.rest, strict=True):
            servos.position[servo.id] = (servo.zero + at / servo.scale) / servos.table.unit + servos.table.counts // 2
        who = HandPlayer(who.signer, port=calibration, real_time=True)
        assert who.play("L", 0) == "" and who.letters[0].letter == "L"
        who.board.close()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--by", "eye"], "way to calibrate"),
        (["--series", "dynamixel"], "series of servos"),
        (["--robot", "nobody"], "unknown robot 'nobody'"),
        (["--port", "/dev/none"], "cannot be opened"),
        (["--baud", "1234"], "knows no 1234 baud"),
    ],
)
def test_mistakes_are_named(tmp_path, words, sentence, capsys):
    assert main(["sign", "calibrate", str(tmp_path / "a.toml"), "--port", "/dev/none", *words]) in (1, 2)
    assert sentence in capsys.readouterr().err
