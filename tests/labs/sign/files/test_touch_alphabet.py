"""Alphabets of touch: letters, spelling, mistakes in files."""

import numpy as np
import pytest

from carpal.errors import CarpalError
from carpal.labs.sign.files import tables
from carpal.labs.sign.files.touch_alphabet import PLACES, read_touch_alphabet


def test_places_are_affine_combinations():
    for name, weights in PLACES.items():
        assert sum(weights.values()) == pytest.approx(1.0), name


def test_lorm_and_malossi():
    lorm, malossi = read_touch_alphabet("lorm"), read_touch_alphabet("malossi")
    latin = {chr(c) for c in range(ord("A"), ord("Z") + 1)}
    assert set(lorm.letters) == latin | {"Ä", "Ö", "Ü", "CH", "SCH", "ST"} and set(malossi.letters) == latin
    # of the published descriptions: vowels of Lorm are taps on fingertips, A to O of Malossi are pressed and P to Z pinched
    vowels = dict(zip("AEIOU", ("thumb", "index", "middle", "ring", "little"), strict=True))
    assert all(lorm.letters[v].how == "tap" and lorm.letters[v].places == (f"{f}_tip",) for v, f in vowels.items())
    assert all(one.how == ("tap" if name <= "O" else "pinch") for name, one in malossi.letters.items())
    assert lorm.spell(" Schöne  Straße ") == ("SCH", "Ö", "N", "E", " ", "ST", "R", "A", "S", "S", "E")
    assert np.allclose(lorm.letters["S"].weights.sum(1), 1)


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('how = "tap", places = ["thumb_tip"] }', 'how = "top", places = ["thumb_tip"] }', "did you mean 'tap'"),
        ('places = ["wrist"]', 'places = ["wirst"]', "did you mean 'wrist'"),
        ('places = ["index_tip", "index_base"]', 'places = ["index_tip"]', "'stroke' needs 2; got 1"),
        ('places = ["wrist"]', 'places = ["thumb_tip"]', "letters 'A' and 'C' .* are touched in the same way"),
        ("times = 2", "times = 9", "from 1 to 3; got 9"),
        ("C = {", "c = {", "are upper case"),
    ],
)
def test_mistakes_are_named(tmp_path, old, new, sentence):
    text = (tables.DATA / "touch_alphabets" / "lorm.toml").read_text()
    assert old in text
    (tmp_path / "mine.toml").write_text(text.replace(old, new, 1))
    with pytest.raises(CarpalError, match=sentence):
        read_touch_alphabet(tmp_path / "mine.toml")


def test_texts_are_checked():
    with pytest.raises(CarpalError, match="did you mean 'lorm'"):
        read_touch_alphabet("lrm")
    with pytest.raises(CarpalError, match="'4' is not in the alphabet 'malossi'"):
        read_touch_alphabet("malossi").spell("A4")
    with pytest.raises(CarpalError, match="at least one letter"):
        read_touch_alphabet().spell("  ")
