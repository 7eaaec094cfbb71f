"""Calibration files: what is written is read back, and mistakes are named."""

import pytest

from carpal.errors import CarpalError
from carpal.labs.sign.files.calibration import CalibratedServo, Calibration, read_calibration

SERVOS = (
    CalibratedServo("thumb", 1, 0.25, -0.5, 0.0, 1.0, 2.0),
    CalibratedServo("index", 7, -1.0 / 3.0, 0.0071, 0.0, 0.031, 0.2, 0.5, 55.0),
)
GOOD = Calibration("sts", "/dev/ttyUSB0", 1_000_000, SERVOS, 0.04)


def test_what_is_written_is_read_back(tmp_path):
    assert read_calibration(GOOD.save(tmp_path / "sub" / "hand.toml")) == GOOD
    assert [servo.id for servo in GOOD.of(["index", "thumb"])] == [7, 1]


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('name = "thumb"', 'name = "index"', "two servos of the calibration have the name 'index'"),
        ("id = 7", "id = 1", "two servos of the calibration have the id '1'"),
        ("id = 7", "id = 7.5", "must be a whole number; got 7.5"),
        ("id = 7", "id = 300", "id of motor 2"),
        ("scale = -0.5", "scale = 0.0", "needs a scale that is not 0"),
        ("zero = 0.25", "zero = nan", "zero of motor 1"),
        ("zero = 0.25", "zeros = 0.25", "did you mean 'zero'"),
        ('series = "sts"', 'series = "stx"', "did you mean 'sts'"),
        ("carpal-servos-1", "carpal-servos-9", "must begin with format"),
        ("high = 1.0", "high = -1.0", "low below high"),
    ],
)
def test_mistakes_are_named(tmp_path, old, new, sentence):
    text = GOOD.save(tmp_path / "hand.toml").read_text()
    assert old in text
    (tmp_path / "hand.toml").write_text(text.replace(old, new, 1))
    with pytest.raises(CarpalError, match=sentence):
        read_calibration(tmp_path / "hand.toml")


def test_missing_motors_and_files(tmp_path):
    with pytest.raises(CarpalError, match="no motor 'ring'; it has thumb, index"):
        GOOD.of(["ring"])
    with pytest.raises(CarpalError, match=r"ends in \.toml"):
        read_calibration("hand.json")
    with pytest.raises(CarpalError, match=r"none\.toml"):
        read_calibration(tmp_path / "none.toml")
