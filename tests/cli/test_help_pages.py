"""Help pages: on stdout, grouped, uncut, with an example for every command."""

from collections.abc import Iterator
from typing import Any

import pytest
import typer

from carpal.cli.command_line import app, main
from carpal.cli.help_pages import PANELS, first_line, panels_of


def commands(group: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, (*path, name))
        else:
            yield (*path, name), command


@pytest.mark.parametrize("words", [[], ["--help"], ["study"], ["sign"], ["finger"]])
def test_help_goes_to_stdout_and_nothing_is_wrong(words, capsys):
    assert main(words) == 0
    out, err = capsys.readouterr()
    assert "Usage:" in out and err == ""


def test_every_panel_is_there_and_no_line_is_cut(capsys):
    main([])
    out = capsys.readouterr().out
    places = [out.index(f"\n{title}:") for title in PANELS]
    assert places == sorted(places) and "..." not in out.replace("[ARGS]...", "")
    group = typer.main.get_command(app)
    words = " ".join(out.split())
    for name, command in group.commands.items():
        assert f"{name} {first_line(command.help)}" in words


def test_commands_that_no_panel_names_are_tasks():
    assert panels_of(["fk", "mine", "study"]) == {
        "Robots": ["fk"], "Tasks": ["mine"], "Studies and reports": ["study"],
    }  # fmt: skip


def test_every_command_has_an_example_and_every_option_its_help():
    for path, command in commands(typer.main.get_command(app)):
        assert "Example: carpal" in command.help, path
        for option in command.params:
            assert len(option.help or "") > 10, (path, option.name)


def test_the_first_paragraph_is_one_line():
    assert first_line("One\ntwo. Example: carpal x\n\nMore.") == "One two."
