"""Shared by all commands: option types, loading a robot, numbers from words, printing a result."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from carpal.errors import InputError

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
Out = Annotated[Path | None, typer.Option(help="Folder for the files that this command writes.")]


def load_robot(robot: str, options: list[str] | None, tool: str | None = None) -> Any:
    """A model by name or from a file, which is read in a capped child process; `tool` is the frame that becomes its tool."""
    from carpal.model import load

    named = {}
    for option in options or []:
        name, equals, value = option.partition("=")
        if not equals:
            raise InputError(f"--option takes name=value; got '{option}'.")
        named[name] = value
    return load(robot, untrusted=True, tool=tool, **named)


def load_scene(source: Path, tool: str | None = None) -> Any:
    """The scene of a TOML file, or a robot alone: a catalogue name or a robot file."""
    from carpal.model import Scene

    if described(source, tool):
        return Scene.from_toml(source)
    model = load_robot(str(source), None, tool)
    return Scene(model.name).add_robot(model)


def described(source: Path, tool: str | None = None) -> bool:
    """Whether something is a TOML file (which names its own tools) and no robot; anything else is refused."""
    if source.suffix not in ("", ".toml", ".urdf", ".xml", ".mjcf", ".xacro"):
        raise InputError(f"a scene file ends in .toml, a robot file in .urdf, .xml, .mjcf or .xacro; got '{source}'.")
    if source.suffix == ".toml" and tool is not None:
        raise InputError(f"--tool is for robots; write tool = '{tool}' under [robot.options] in '{source}'.")
    return source.suffix == ".toml"


def numbers(text: str, what: str) -> list[float]:
    """Numbers separated by commas or spaces."""
    try:
        return [float(part) for part in text.replace(",", " ").split()]
    except ValueError:
        raise InputError(f"{what} must be numbers separated by commas or spaces; got '{text}'.") from None


def print_result(result: dict[str, Any], text: str, as_json: bool) -> None:
    """Print a result as one JSON object, or as text."""
    print(json.dumps(result) if as_json else text)


def join_numbers(words: list[str]) -> list[str]:
    """`--q 1 -2 3` as `--q=1,-2,3`: option parsers take one word per option and mistake -2 for an option."""
    out: list[str] = []
    i = 0
    while i < len(words):
        j = i + 1
        if words[i].startswith("--") and "=" not in words[i]:
            while j < len(words) and _is_number(words[j]):
                j += 1
        out.append(words[i] if j == i + 1 else f"{words[i]}={','.join(words[i + 1 : j])}")
        i = j
    return out


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True
