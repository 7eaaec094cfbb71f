import json

import pytest

from carpal.cli.command_line import main


def run(capsys, *words):
    status = main(list(words))
    out, err = capsys.readouterr()
    return status, out, err


def test_the_thesis_query(capsys):
    status, out, _ = run(capsys, "arms", "--dof", "7", "--payload", "3..10", "--max-mass", "35")
    assert status == 0
    lines = out.splitlines()
    assert lines[0] == "1 of 18 arms fit dof 7, payload 3 to 10 kg, mass up to 35 kg: Yaskawa SIA5F."
    assert len(lines) == 3 and "SIA5F" in lines[2]
    status, out, _ = run(capsys, "arms", "--dof", "7", "--payload", "3..10", "--max-mass", "35", "--json")
    answer = json.loads(out)
    assert [arm["name"] for arm in answer["arms"]] == ["SIA5F"]


def test_ranges_and_ranks(capsys):
    assert len(json.loads(run(capsys, "arms", "--json")[1])["arms"]) == 18
    assert len(json.loads(run(capsys, "arms", "--payload", "8..", "--json")[1])["arms"]) == 3
    assert len(json.loads(run(capsys, "arms", "--payload", "..3", "--json")[1])["arms"]) == 4
    first = json.loads(run(capsys, "arms", "--rank", "mass", "--json")[1])["arms"][0]
    assert first["name"] == "UR3"


def test_nothing_fits_is_status_1(capsys):
    status, out, err = run(capsys, "arms", "--dof", "7", "--max-mass", "20")
    assert (status, err) == (1, "")
    assert out.startswith("none of 18 arms fits")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--dof", "seven"], "--dof must be a number or a range such as 3..10; got 'seven'"),
        (["--payload", "10..3"], "least <= most"),
        (["--max-mass", "-1"], "max_mass must be a number, zero or above"),
        (["--maker", "Kuka"], "unknown maker 'Kuka'"),
        (["--rank", "price"], "unknown rank 'price'"),
    ],
)
def test_bad_input_is_one_clear_line_and_status_2(capsys, words, sentence):
    status, out, err = run(capsys, "arms", *words)
    assert (status, out) == (2, "")
    assert sentence in err and err.count("\n") == 1
