"""Commands generated from an options dataclass: flags, types, numbers, order, exit status."""

from dataclasses import dataclass
from pathlib import Path

import pytest
import typer

from carpal.cli.options import REQUIRED, JsonOption, OutOption, RobotOptions, add_command, argument, option
from carpal.errors import InputError


@dataclass(frozen=True, kw_only=True)
class Options(OutOption):
    """All kinds of options."""

    file: Path = argument("A file.")
    point: tuple[float, float, float] = option(REQUIRED, "A point [m].", form="x y z")
    q: tuple[float, ...] | None = option(None, "Any numbers.")
    scale_by: float = option(2.0, "A factor.")
    every: bool = option(False, "All.", flag="--all")
    replay: bool = option(True, "Embed it.")
    name: list[str] | None = option(None, "May be repeated.")


def run(*words):
    seen = []

    def command(options: Options) -> int:
        """Keep the options.

        Example: carpal keep x.toml --point 1 2 3
        """
        seen.append(options)
        return 7

    app = typer.Typer()
    add_command(app, "keep", command)
    add_command(app, "other", command)
    status = app(["keep", *words], standalone_mode=False)
    return status, seen[0] if seen else None


def test_every_type_arrives_as_declared():
    status, found = run("x.toml", "--point=1,-2 3e-1", "--q=4 5", "--scale-by", "3", "--all", "--no-replay", "--name", "a",
                        "--name", "b", "--json", "--out", "dir")  # fmt: skip
    assert status == 7
    assert found == Options(
        file=Path("x.toml"), point=(1.0, -2.0, 0.3), q=(4.0, 5.0), scale_by=3.0, every=True, replay=False, name=["a", "b"],
        as_json=True, out=Path("dir"),
    )  # fmt: skip


def test_defaults_are_those_of_the_dataclass():
    assert run("x.toml", "--point", "0,0,0")[1] == Options(file=Path("x.toml"), point=(0.0, 0.0, 0.0))


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--point", "1,2"), r"--point needs 3 numbers, x y z; got 2: '1,2'"),
        (("--point", "1,2,three"), "--point must be numbers"),
    ],
)
def test_numbers_are_checked(words, sentence):
    with pytest.raises(InputError, match=sentence):
        run("x.toml", *words)


def test_own_options_come_before_shared_ones(capsys):
    run("--help")
    text = capsys.readouterr().out
    places = [text.index(flag) for flag in ("--point", "--scale-by", "--replay", "--json", "--out")]
    assert places == sorted(places) and "Keep the options." in text and "Example: carpal keep" in text


def test_a_robot_is_loaded_with_its_options():
    @dataclass(frozen=True, kw_only=True)
    class One(RobotOptions, JsonOption):
        """Of one robot."""

    assert One(robot="k10", option=["mounting=sideways"]).load().name == "k10"
