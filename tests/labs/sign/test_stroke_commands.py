"""`carpal sign strokes`: written touches are read again, and mistakes are named."""

import json

import pytest

from carpal.cli.command_line import main


@pytest.mark.parametrize("alphabet", ["lorm", "malossi"])
def test_written_touches_are_read_again(alphabet, tmp_path, capsys):
    assert main(["sign", "strokes", "GUTEN TAG", "--alphabet", alphabet, "--out", str(tmp_path), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["ok"] and told["letters"] == list("GUTEN TAG") and told["duration_s"] > 3
    assert main(["sign", "strokes", "--read", told["file"], "--alphabet", alphabet, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["text"] == "GUTEN TAG"


def test_touches_of_another_alphabet_are_not_all_letters(tmp_path, capsys):
    assert main(["sign", "strokes", "KRSX", "--out", str(tmp_path), "--json"]) == 0
    capsys.readouterr()
    assert main(["sign", "strokes", "--read", str(tmp_path / "touches.csv"), "--alphabet", "malossi", "--json"]) == 1
    assert not json.loads(capsys.readouterr().out)["ok"]


def test_mistakes_are_named(tmp_path, capsys):
    broken = tmp_path / "a.csv"
    for text, sentence in (
        ("x,y\n1,2\n", "must begin with the line time,finger,x,y,z"),
        ("time,finger,x,y,z\n1,2\n3,4\n", "rows of five finite numbers"),
        ("time,finger,x,y,z\n1,2,a,b,c\n", "five numbers in every row"),
        ("time,finger,x,y,z\n1,7,0,0,0\n", "fingers from 0 to 3"),
    ):
        broken.write_text(text)
        assert main(["sign", "strokes", "--read", str(broken)]) == 2
        assert sentence in capsys.readouterr().err
    for words, sentence in (
        (["A", "--read", str(broken)], "and not both"),
        (["A", "--alphabet", "braille"], "unknown touch_alphabet"),
        (["4"], "is not in the alphabet 'lorm'"),
        (["A", "--hand", str(broken)], "21 rows x,y,z"),
    ):
        assert main(["sign", "strokes", *words]) == 2
        assert sentence in capsys.readouterr().err
