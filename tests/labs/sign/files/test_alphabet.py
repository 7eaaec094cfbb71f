"""Alphabets: the file, its letters, spelling, and what is wrong with bad ones."""

import string

import numpy as np
import pytest

from carpal.errors import CarpalError, InputError
from carpal.labs.sign import read_alphabet
from carpal.labs.sign.files import tables

HEAD = 'format = "carpal-alphabet-1"\nname = "mine"\n[palms]\nforward = { fingers = [0, 0, 1], palm = [1, 0, 0] }\n'
OPEN = "thumb = [0, 0], index = [0, 0], middle = [0, 0], ring = [0, 0], little = [0, 0]"


def written(tmp_path, letters, head=HEAD):
    path = tmp_path / "mine.toml"
    path.write_text(head + "[letters]\n" + letters)
    return path


def test_the_italian_alphabet_has_every_letter():
    alphabet = read_alphabet()
    assert "".join(alphabet.letters) == string.ascii_uppercase
    assert {"G", "J", "Z"} == {name for name, letter in alphabet.letters.items() if letter.right.motion}
    for R in alphabet.palms.values():
        assert np.allclose(R @ R.T, np.eye(3)) and np.linalg.det(R) > 0
    for letter in alphabet.letters.values():
        assert letter.right.bend.shape == (5, 2)
        assert letter.left is None
    assert "approximate" in alphabet.about


def test_the_file_says_that_signers_must_review_it():
    assert "Signers must review" in (tables.DATA / "alphabets" / "italian.toml").read_text()


def test_spelling():
    alphabet = read_alphabet()
    assert alphabet.spell("ciao") == ("C", "I", "A", "O")
    assert alphabet.spell("  perché \t sì ") == ("P", "E", "R", "C", "H", "E", " ", "S", "I")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("CIA0", "'0' is not in the alphabet 'italian'; it has A, B, C"),
        ("", "at least one letter"),
        ("  ", "at least one letter"),
        (7, "at least one letter; got 7"),
        ("A" * 3000, "3000 characters is too long"),
        ("[CIAO]", "'CIAO' is not in the alphabet"),
    ],
)
def test_texts_that_cannot_be_spelt(text, sentence):
    with pytest.raises(InputError, match=sentence):
        read_alphabet().spell(text)


def test_an_alphabet_of_one_s_own_with_a_sign_of_two_hands(tmp_path):
    one = f'{OPEN}, palm = "forward"'
    letters = f"A = {{ {one} }}\nGRAZIE = {{ {one}, left = {{ {one} }} }}\n"
    alphabet = read_alphabet(written(tmp_path, letters))
    assert alphabet.spell("a[grazie]a") == ("A", "GRAZIE", "A")
    assert alphabet.letters["GRAZIE"].left is not None


@pytest.mark.parametrize(
    ("letters", "sentence"),
    [
        ('A = { index = [0, 0], palm = "forward" }', "letters of .*A needs 'thumb'"),
        (f'A = {{ {OPEN.replace("[0, 0]", "[0, 2]", 1)}, palm = "forward" }}', "must be from 0 to 1; got 2"),
        (f'A = {{ {OPEN}, palm = "forwrd" }}', "did you mean 'forward'"),
        (f'A = {{ {OPEN}, palm = "forward", motion = "wave" }}', "unknown motion"),
        (f'A = {{ {OPEN}, palm = "forward", oposition = 1 }}', "did you mean 'opposition'"),
        (f'a = {{ {OPEN}, palm = "forward" }}', "upper case"),
        (f'A = {{ {OPEN}, palm = "forward", spread = {{ thumb = 1 }} }}', "unknown key of .*spread 'thumb'"),
        ("", "must be a table that is not empty"),
    ],
)
def test_typos_are_answered(tmp_path, letters, sentence):
    with pytest.raises(CarpalError, match=sentence):
        read_alphabet(written(tmp_path, letters))


def test_directions_must_be_at_a_right_angle(tmp_path):
    with pytest.raises(InputError, match="at a right angle"):
        read_alphabet(written(tmp_path, "", HEAD.replace("palm = [1, 0, 0]", "palm = [1, 0, 1]")))
    with pytest.raises(CarpalError, match="unknown alphabet ''"):
        read_alphabet("")
