"""What all commands share: option types, loading a robot, numbers from words, answers, progress."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from carpal.errors import InputError

Robot = Annotated[str, typer.Argument(help="A catalogue name (see `carpal robots`) or a .urdf, .xml or .mjcf file.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
Out = Annotated[Path | None, typer.Option(help="Folder for the files that this command writes.")]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", help="An option of the robot, name=value; may be repeated. Example: mounting=sideways"),
]


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
    """Print the answer, as one JSON object or for people."""
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


@contextmanager
def progress_bar(what: str, *, quiet: bool = False, patience: float = 0.0) -> Iterator[Callable[[float], None] | None]:
    """A bar on stderr, fed with the share that is done; nothing when quiet or when nobody looks.

    It appears `patience` seconds after the start, so that short jobs leave the screen alone.
    """
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield None
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        TimeRemainingColumn(),
    )
    bar = Progress(*columns, console=console, transient=True)
    task, begun, shown = bar.add_task(what, total=1.0), time.monotonic(), False

    def tell_share(share: float) -> None:
        nonlocal shown
        if not shown and time.monotonic() - begun >= patience:
            bar.start()
            shown = True
        bar.update(task, completed=share)

    try:
        if not patience:
            tell_share(0.0)
        yield tell_share
    finally:
        if shown:
            bar.stop()
