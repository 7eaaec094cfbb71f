"""Driver files: what they hold, and what is wrong with bad ones."""

import numpy as np
import pytest

from carpal.errors import CarpalError
from carpal.labs.sign import read_driver
from carpal.labs.sign.files import tables
from carpal.labs.sign.files.driver import Drive


def changed(tmp_path, *pairs):
    text = (tables.DATA / "robots" / "parloma.toml").read_text()
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    path = tmp_path / "robot.toml"
    path.write_text(text)
    return path


def test_the_drivers_of_the_package():
    parloma, cuhk = read_driver("parloma"), read_driver("cuhk")
    assert (parloma.hand, parloma.arm, cuhk.hand) == ("parloma_hand", "sia5", "cuhk_hand")
    assert len(parloma.wrist) == 3 and not cuhk.wrist
    assert set(parloma.tendons) == set(parloma.bend)
    assert not cuhk.tendons


def test_a_drive_goes_from_its_zero_to_its_one():
    drive = Drive("j", (0.1, 1.1), (0.1, 0.6))
    assert drive.angle(0.0) == pytest.approx(0.1)
    assert drive.angle(1.0) == pytest.approx(1.1)
    assert drive.angle(-1.0) == pytest.approx(-0.4)
    assert Drive("j", (0.0, 1.0)).angle(-0.5) == pytest.approx(-0.5)


def test_a_driver_from_a_path(tmp_path):
    driver = read_driver(changed(tmp_path, ("mass = 5.0", "mass = 3.0")))
    assert driver.payload_mass == 3.0
    assert np.allclose(driver.X_TM, read_driver("parloma").X_TM)


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("station = ", "statoin = ", "did you mean 'station'"),
        ('thumb = { tendon = ["thumb_proximal", "thumb_middle", "thumb_distal"] }', "", "'thumb' is missing"),
        ('"index_proximal", "index_middle", "index_distal"', '"index_proximal", "index_middle"', "must name three joints"),
        ("hands = 1", "hands = 3", "must be from 1 to 2"),
        ("mass = 5.0", 'mass = "five"', "must be a finite number"),
        ("[spread]\nindex", "[spread]\npinky", "unknown finger in spread"),
        ('"wrist_deviation", "wrist_turn"', '"wrist_turn"', "must be three"),
        ("index = { starts = [4, 6, 8]", "inde = { starts = [4, 6, 8]", "unknown finger in tendons"),
    ],
)  # fmt: skip
def test_typos_are_answered(tmp_path, old, new, sentence):
    with pytest.raises(CarpalError, match=sentence):
        read_driver(changed(tmp_path, (old, new)))


def test_unknown_robots():
    with pytest.raises(CarpalError, match="unknown robot 'parlma'; did you mean 'parloma'"):
        read_driver("parlma")
