"""Shared by all commands: option types, loading a robot, numbers from words, printing a result."""

from __future__ import annotations

import itertools
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
    parts = text.replace(",", " ").split()
    wrong = next((part for part in parts if not _is_number(part)), None)
    if wrong is not None:
        raise InputError(f"{what} must be numbers separated by commas or spaces; '{wrong}' in '{text}' is none.")
    return [float(part) for part in parts]


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


def not_a_number(words: list[str]) -> str:
    """The sentence about a word that stands among an option's numbers and is none; empty where there is no such word."""
    for i, word in enumerate(words):
        if not word.startswith("--"):
            continue
        flag, _, first = word.partition("=")
        run = ([first] if first else []) + list(itertools.takewhile(lambda w: not w.startswith("--"), words[i + 1 :]))
        values = [part for text in run for part in text.split(",")]
        wrong = [part for part in values if not _is_number(part)]
        if wrong and len(wrong) < len(values):
            return f"{flag} must be numbers separated by commas or spaces; '{wrong[0]}' in '{' '.join(run)}' is none."
    return ""


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True
