import json

import pytest

from carpal.cli.terminal import join_numbers, load_robot, not_a_number, numbers, print_result
from carpal.errors import InputError


@pytest.mark.parametrize(
    ("given", "joined"),
    [
        (["fk", "k10", "--q", "1", "-2", "3e-1"], ["fk", "k10", "--q=1,-2,3e-1"]),
        (["ik", "--point", "0", "0", "-1", "--json"], ["ik", "--point=0,0,-1", "--json"]),
        (["x", "--height", "-0.2", "--out", "dir"], ["x", "--height=-0.2", "--out", "dir"]),
        (["x", "--q=1,2", "7"], ["x", "--q=1,2", "7"]),
        (["x", "--q", "nan", "inf"], ["x", "--q=nan,inf"]),
        (["--json"], ["--json"]),
        ([], []),
    ],
)
def test_numbers_are_joined_to_their_option(given, joined):
    assert join_numbers(given) == joined


def test_numbers_by_commas_or_spaces():
    assert numbers("1, 2 3,4", "--q") == [1, 2, 3, 4]
    with pytest.raises(InputError, match="--q must be numbers"):
        numbers("1 two", "--q")


def test_robot_options():
    assert load_robot("k10", ["mounting=sideways", "inertia=assumed"]).has_inertia
    with pytest.raises(InputError, match="name=value; got 'sideways'"):
        load_robot("k10", ["sideways"])


def test_a_result_is_printed_as_json_or_text(capsys):
    print_result({"ok": True}, "text", True)
    print_result({"ok": True}, "text", False)
    first, second = capsys.readouterr().out.splitlines()
    assert json.loads(first) == {"ok": True}
    assert second == "text"


def test_the_word_that_is_no_number_is_named():
    assert not_a_number(["fk", "sawyer", "--q", "0", "a", "0"]) == (
        "--q must be numbers separated by commas or spaces; 'a' in '0 a 0' is none."
    )
    assert "'b' in '1,b 3' is none" in not_a_number(["x", "--q=1,b", "3", "--json"])
    assert not_a_number(["x", "--frame", "tool", "extra"]) == "" and not_a_number(["x", "--q", "1", "2"]) == ""
