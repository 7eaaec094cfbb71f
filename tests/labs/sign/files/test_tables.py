"""Finding and checking the TOML files of sign."""

import pytest

from carpal.errors import CarpalError, InputError
from carpal.labs.sign.files import tables


def test_the_package_has_files_of_each_kind():
    assert tables.known_files("alphabets") == ("asl", "italian")
    assert set(tables.known_files("robots")) >= {"parloma", "cuhk"}
    assert tables.known_files("behaviours") == ("careful",)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (None, "cannot be read"),
        ("format = ", "is not TOML"),
        ('format = "other"', "must begin with format"),
    ],
)
def test_a_bad_file_is_one_sentence(tmp_path, text, sentence):
    path = tmp_path / "a.toml"
    if text is not None:
        path.write_text(text)
    with pytest.raises(InputError, match=sentence):
        tables.read_file("alphabets", path, "carpal-alphabet-1")


def test_a_file_that_is_too_large_or_no_text(tmp_path):
    big = tmp_path / "big.toml"
    big.write_bytes(b"# " + b"x" * 1_100_000)
    with pytest.raises(InputError, match="larger than 1 MB"):
        tables.read_file("alphabets", big, "x")
    (tmp_path / "odd.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="not UTF-8"):
        tables.read_file("alphabets", tmp_path / "odd.toml", "x")
    with pytest.raises(CarpalError, match="unknown alphabet 'italien'; did you mean 'italian'"):
        tables.read_file("alphabets", "italien", "x")


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: tables.only([], ("a",), "t"), "t must be a table"),
        (lambda: tables.only({"ab": 1}, ("abc",), "t"), "unknown key of t 'ab'; did you mean 'abc'"),
        (lambda: tables.only({}, ("a",), "t", ("a",)), "t needs 'a'"),
        (lambda: tables.number(True, "n"), "n must be a finite number; got True"),
        (lambda: tables.number(2, "n", 0, 1), "n must be from 0 to 1; got 2"),
        (lambda: tables.several([1], 2, "n"), "n must be 2 numbers"),
        (lambda: tables.text(3, "t"), "t must be a text"),
        (lambda: tables.text("x", "t", ("y",)), "unknown t 'x'"),
        (lambda: tables.texts("x", "t"), "t must be a list of texts"),
        (lambda: tables.truth(1, "t"), "t must be true or false"),
        (lambda: tables.table_of({}, "t", lambda value, what: value), "t must be a table that is not empty"),
    ],
)
def test_values_are_checked(call, sentence):
    with pytest.raises(CarpalError, match=sentence):
        call()
