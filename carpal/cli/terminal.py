"""Shared by all commands: option types, loading a robot, numbers from words, printing a result."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from carpal.errors import InputError

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
Out = Annotated[Path | None, typer.Option(help="Folder for the files that this command writes.")]


def load_robot(robot: str, options: list[str] | None) -> Any:
    """A model by name or from a file, which is read in a capped child process."""
    from carpal.model import load

    named = {}
    for option in options or []:
        name, equals, value = option.partition("=")
        if not equals:
            raise InputError(f"--option takes name=value; got '{option}'.")
        named[name] = value
    return load(robot, untrusted=True, **named)


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
