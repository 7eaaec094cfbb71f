"""`carpal sign`: JSON keys, report with each letter's handshape, exit status, one clear line for bad input."""

import json

import pytest

from carpal.cli.command_line import main

KEYS = ("ok", "status", "text", "letters", "played", "duration_s", "min_distance_mm", "peak_joint_speed", "discarded")


def test_play_tells_json_and_writes_the_report(tmp_path, capsys):
    assert main(["sign", "play", "IC", "--robot", "parloma", "--json", "--out", str(tmp_path)]) == 0
    summary = json.loads(capsys.readouterr().out)
    assert all(key in summary for key in KEYS)
    assert summary["ok"] and summary["played"] == ["I", "C"] and summary["min_distance_mm"] > 0
    page = (tmp_path / "report.html").read_text()
    assert "Handshapes" in page and page.count("data:image/png") >= 2
    assert "Tendon tension" in page and "carpal sign play IC" in page


def test_letters_of_both_hands(tmp_path, capsys):
    assert main(["sign", "letters", "--json", "--out", str(tmp_path)]) == 0
    summary = json.loads(capsys.readouterr().out)
    assert len(summary["letters"]) == 26 and not summary["discarded"]
    assert (tmp_path / "letters_parloma.png").stat().st_size > 50_000
    assert main(["sign", "letters", "--robot", "cuhk"]) == 1
    assert "discarded, the hand cannot get into it" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["sign", "play", "C1AO"], "'1' is not in the alphabet 'italian'"),
        (["sign", "play", "CIAO", "--robot", "parlma"], "did you mean 'parloma'"),
        (["sign", "play", "CIAO", "--behaviour", "missing.toml"], "'missing.toml' cannot be read"),
        (["sign", "play"], "Missing argument"),
        (["sign", "dance"], "No such command"),
        (["sing"], "unknown command 'sing'; did you mean 'sign'"),
    ],
)
def test_bad_input_is_one_line(words, sentence, capsys):
    assert main(words) == 2
    out = capsys.readouterr()
    assert sentence in out.err and "Traceback" not in out.err
    assert len(out.err.strip().splitlines()) == 1
