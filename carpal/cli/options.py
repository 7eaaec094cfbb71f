"""Commands generated from options: a frozen dataclass declares each option once, `add_command` makes the typer command.

Example:
    @dataclass(frozen=True, kw_only=True)
    class FkOptions(RobotOptions, JsonOption):
        q: tuple[float, ...] | None = option(None, "Configuration: nq numbers.")

    def fk_command(options: FkOptions) -> int: ...

    add_command(app, "fk", fk_command)

A type is str, int, float, bool, Path, list[str] (may be repeated) or a tuple of numbers (commas or spaces between), each of
them with `| None` where it may be left out.
"""

from __future__ import annotations

import dataclasses
import inspect
import types
import typing
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from carpal.cli.terminal import load_robot, numbers
from carpal.errors import InputError


def argument(help: str) -> Any:
    """A positional argument."""
    return dataclasses.field(metadata={"help": help, "argument": True})


def option(default: Any, help: str, *, flag: str = "", metavar: str | None = None, form: str = "") -> Any:
    """An option; its flag is its name in kebab-case.

    Args:
        default: `REQUIRED` where there is none.
        help: one line.
        flag: another flag than the name's; of a bool it has no negative form then.
        metavar: shown for its value.
        form: names of the numbers of a tuple, such as "x y z", for the error where their count is wrong.
    """
    known = {"help": help, "flag": flag, "metavar": metavar, "form": form}
    return (
        dataclasses.field(metadata=known) if default is REQUIRED else dataclasses.field(default=default, metadata=known)
    )


REQUIRED: Any = dataclasses.MISSING


@dataclass(frozen=True, kw_only=True)
class JsonOption:
    """Every command has it."""

    as_json: bool = option(False, "Print one JSON object and nothing else.", flag="--json")


@dataclass(frozen=True, kw_only=True)
class OutOption(JsonOption):
    """Of commands that write files."""

    out: Path | None = option(None, "Folder for the files that this command writes.")


@dataclass(frozen=True, kw_only=True)
class RobotOptions:
    """Of commands about one robot."""

    robot: str = argument("A catalogue name (see `carpal robots`) or a .urdf, .xacro, .xml or .mjcf file.")
    tool: str | None = option(None, "The frame that is the tool; by default the robot's own, see docs/model.md.")
    option: list[str] | None = option(
        None, "An option of the robot, name=value; may be repeated. Example: mounting=sideways"
    )

    def load(self) -> Any:
        """The robot's model."""
        return load_robot(self.robot, self.option, self.tool)


def add_command(app: typer.Typer, name: str, run: Callable[[Any], int | None]) -> None:
    """Add a command.

    Args:
        app: what it is added to.
        name: of the command.
        run: `run(options)`, its parameter annotated with the dataclass; its docstring is the help, what it returns the exit
            status.
    """
    kind = typing.get_type_hints(run)["options"]
    hints = typing.get_type_hints(kind)
    fields = _own_first(kind)

    def command(**given: Any) -> int | None:
        values = {f.name: _value(f, hints[f.name], given[f.name]) for f in fields}
        return run(kind(**values))

    set_parameters(command, [_parameter(f, hints[f.name]) for f in fields])
    app.command(name, help=inspect.getdoc(run))(command)


def set_parameters(command: Any, parameters: list[inspect.Parameter]) -> None:
    """Give a function of keywords the signature that typer reads."""
    command.__signature__ = inspect.Signature(parameters)
    command.__annotations__ = {p.name: p.annotation for p in parameters}


def _own_first(kind: type) -> list[dataclasses.Field[Any]]:
    """Positional arguments, then the options of the class itself, then those of its bases."""
    own = inspect.get_annotations(kind)
    return sorted(dataclasses.fields(kind), key=lambda f: (not f.metadata.get("argument"), f.name not in own))


def _without_none(hint: Any) -> Any:
    parts = [part for part in typing.get_args(hint) if part is not types.NoneType]
    return parts[0] if typing.get_origin(hint) in (typing.Union, types.UnionType) else hint


def _is_numbers(hint: Any) -> bool:
    return typing.get_origin(_without_none(hint)) is tuple


def _parameter(f: dataclasses.Field[Any], hint: Any) -> inspect.Parameter:
    kind: Any = hint
    if _is_numbers(hint):
        kind = str if f.default is REQUIRED else str | None
    if f.metadata.get("argument"):
        annotation: Any = Annotated[kind, typer.Argument(help=f.metadata["help"])]
    else:
        flags = [f.metadata["flag"]] if f.metadata["flag"] else []
        annotation = Annotated[kind, typer.Option(*flags, help=f.metadata["help"], metavar=_metavar(f, hint))]
    default = inspect.Parameter.empty if f.default is REQUIRED else f.default
    return inspect.Parameter(f.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _metavar(f: dataclasses.Field[Any], hint: Any) -> str | None:
    """What stands for an option's value in its help."""
    if f.metadata["metavar"] or not _is_numbers(hint):
        return f.metadata["metavar"]
    count = len(typing.get_args(_without_none(hint)))
    names = f.metadata["form"].upper() or ("X Y Z" if count == 3 else "")
    return names if Ellipsis not in typing.get_args(_without_none(hint)) and names else "NUMBERS"


def _value(f: dataclasses.Field[Any], hint: Any, given: Any) -> Any:
    if given is None or not _is_numbers(hint) or isinstance(given, tuple):
        return given
    flag, inner = f.metadata["flag"] or "--" + f.name.replace("_", "-"), typing.get_args(_without_none(hint))
    values = tuple(numbers(given, flag))
    if Ellipsis not in inner and len(values) != len(inner):
        names = f", {f.metadata['form']}" if f.metadata["form"] else ""
        raise InputError(f"{flag} needs {len(inner)} numbers{names}; got {len(values)}: '{given}'.")
    return values
