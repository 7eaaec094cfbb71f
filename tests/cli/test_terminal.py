import json

import pytest

from carpal.cli.terminal import join_numbers, load_robot, numbers, print_result, progress_bar
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


def test_tell(capsys):
    print_result({"ok": True}, "text", True)
    print_result({"ok": True}, "text", False)
    first, second = capsys.readouterr().out.splitlines()
    assert json.loads(first) == {"ok": True}
    assert second == "text"


def test_no_bar_where_nobody_looks():
    with progress_bar("work", quiet=True) as progress:
        assert progress is None
    with progress_bar("work") as progress:  # a test's stderr is no terminal
        assert progress is None


def test_a_bar_appears_after_its_patience(monkeypatch, capfd):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    with progress_bar("short work", patience=60.0) as progress:
        progress(0.5)
    assert "short work" not in capfd.readouterr().err
    with progress_bar("long work", patience=0.0) as progress:
        progress(0.5)
    assert "long work" in capfd.readouterr().err
