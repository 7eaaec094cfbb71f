"""Linkages from TOML: degrees and radians, names, and one sentence for everything that is wrong."""

import numpy as np
import pytest
from linkage_inputs import FOLDER, NAMES, linkage

from carpal.errors import CarpalError
from carpal.model import Linkage

TEXT = (FOLDER / "crank_slider.toml").read_text()


@pytest.mark.parametrize("name", NAMES)
def test_files_and_texts_say_the_same(name):
    text = Linkage.from_toml((FOLDER / f"{name}.toml").read_text())
    assert text.name == name and text.bars[1].points == linkage(name).bars[1].points


def test_degrees_and_radians():
    made = Linkage.from_toml(TEXT.replace("start_deg = 25", "start = 0.5"))
    assert made.drive.start == 0.5 and made.drive.stop == pytest.approx(np.radians(160))
    assert made.bars[1].angle == pytest.approx(np.radians(25))


def test_names_default_to_the_places():
    made = Linkage.from_toml(TEXT.replace('name = "b"\n', ""))
    assert made.pins[1].name == "crank.B rod.B"


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("mass = 0.02", "mas = 0.02", "did you mean 'mass'"),
        ('turn = "a"', 'turn = "a"\npush = ["crank.A", "rod.B"]', "exactly one of turn, slide and push"),
        ('turn = "a"', "", "got none"),
        ('turn = "a"', 'slide = "s"', "a slide drive is a length [m]"),
        ('turn = "a"', "turn = 3", "turn must be a text"),
        ("start_deg = 25", "", "[drive] of the TOML text lacks start"),
        ("start_deg = 25", "start_deg = 25\nstart = 1", "give start or start_deg, not both"),
        ("start_deg = 25", 'start_deg = "x"', "must be real numbers"),
        ("start_deg = 25", "start_deg = nan", "must be a finite number"),
        ("[drive]", "[motor]", "unknown entry of the TOML text 'motor'"),
        ('at = ["ground.A", "crank.A"]', 'at = "ground.A"', "at must be 2 texts"),
        ('at = ["ground.A", "crank.A"]', 'at = ["ground.Z", "crank.A"]', "unknown point of bar 'ground' 'Z'"),
        ("points = {C = [0, 0]}", "points = [0, 0]", "[[bar]] 4 of the TOML text: points of bar 'block'"),
        ("points = {C = [0, 0]}", "", "[[bar]] 4 of the TOML text lacks points"),
        ("radius = 0.008", "phalanx = 1", "phalanx must be true or false"),
        ("travel = 0.08", "travel = inf", "travel must be a finite number"),
        ('name = "crank_slider"', "name = 3", "name in the TOML text must be a text"),
        ('name = "crank_slider"', "name = ", "is not TOML"),
        ('name = "crank_slider"', "pin = 3", "pin in the TOML text must be tables"),
    ],
)
def test_bad_text_is_one_sentence(old, new, sentence):
    assert old in TEXT
    text = TEXT.replace(old, new, 1)
    if new == "pin = 3":
        text = "pin = 3\n[drive]\nturn = 'a'\nstart = 0\nstop = 1\n"
    with pytest.raises(CarpalError) as caught:
        Linkage.from_toml(text)
    assert sentence in str(caught.value)


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(CarpalError, match="cannot be read"):
        Linkage.from_toml(tmp_path / "none.toml")
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(CarpalError, match="not UTF-8"):
        Linkage.from_toml(tmp_path / "bytes.toml")
    with pytest.raises(CarpalError, match="takes a text or a path"):
        Linkage.from_toml(3)


def test_a_spring_is_between_two_bars_or_two_points():
    text = TEXT + '[[spring]]\nbetween = ["rod", "crank.A"]\nstiffness = 1\n'
    with pytest.raises(CarpalError, match="between two bars or between two points"):
        Linkage.from_toml(text)
