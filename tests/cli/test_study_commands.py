import json

import pytest

from carpal.cli.command_line import main

STUDY = """task = "tasks.campaigns.small_tasks:Coin"
seeds = 5
[factors]
x = {grid = [0.0, 1.0, 3]}
"""


@pytest.fixture
def study(tmp_path):
    path = tmp_path / "coin.toml"
    path.write_text(STUDY)
    return path


def test_run_show_compare_report(study, tmp_path, capsys):
    out = str(tmp_path / "out")
    assert main(["study", "run", str(study), "--out", out, "--processes", "1", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (
        answer["cases"] == answer["finished"] == 15
        and answer["ok"]
        and 0 < answer["rate_low"] < answer["rate"] < answer["rate_high"]
    )
    assert main(["study", "show", out, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["numbers"] == answer["numbers"] and shown["costs"] == answer["costs"]
    assert answer["costs"]["processes"]["cases"] == 15 and answer["costs"]["processes"]["cases_per_second"] > 0
    other = tmp_path / "other.toml"
    other.write_text(STUDY.replace("seeds", 'options = {engine = "two"}\nseeds'))
    assert main(["study", "run", str(other), "--out", out + "2", "--quiet"]) == 0
    assert "succeeded in" in capsys.readouterr().out
    assert main(["study", "compare", out, out + "2", "--json"]) == 0
    compared = json.loads(capsys.readouterr().out)
    assert compared["pairs"] == 15 and compared["gained"] == [] and compared["lost"]
    (tmp_path / "out" / "report.html").unlink()
    assert main(["study", "report", out]) == 0
    assert (tmp_path / "out" / "report.html").exists()


@pytest.mark.parametrize(
    ("change", "word"),
    [
        (("x =", "z ="), "line 4"), (("seeds = 5", "metrics = ['nix']"), "nix"),
        (("[0.0, 1.0, 3]", "[2.0, 1.0, 3]"), "low below high"),
    ],
)  # fmt: skip
def test_a_mistake_is_one_sentence_and_status_2(study, tmp_path, capsys, change, word):
    study.write_text(STUDY.replace(*change))
    assert main(["study", "run", str(study), "--out", str(tmp_path / "o")]) == 2
    answer = capsys.readouterr().err
    assert word in answer and answer.count("\n") == 1


def test_folders_that_are_no_campaign(tmp_path, capsys):
    for words in (["show", "none"], ["report", "none"], ["compare", "none", "none"]):
        assert main(["study", *words]) == 2
        assert "holds no campaign" in capsys.readouterr().err
