"""`carpal examples`: the scenes, linkages, studies and scripts that README and docs name, copied into a folder."""

from __future__ import annotations

import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

import typer

from carpal.cli.options import JsonOption, add_command, option
from carpal.cli.terminal import print_result
from carpal.errors import InputError

FOLDERS = ("examples", "studies")
KINDS = (".py", ".toml", ".xml")


@dataclass(frozen=True, kw_only=True)
class ExamplesOptions(JsonOption):
    """Of `carpal examples`."""

    out: Path = option(Path(), "Folder that gets the folders `examples` and `studies`; this one by default.")
    replace: bool = option(False, "Replace files that are there and differ.", flag="--replace")


def examples_command(options: ExamplesOptions) -> None:
    """Copy the example scenes, linkages, studies and scripts into a folder.

    Example: carpal examples --out demo   (then: cd demo, carpal collide examples/scenes/cell.toml)
    """
    source, copied = examples_place(), []
    files = [path for name in FOLDERS for path in sorted((source / name).rglob("*")) if path.suffix in KINDS]
    for path in files:
        target = options.out / path.relative_to(source)
        if target.exists() and target.read_bytes() == path.read_bytes():
            continue
        if target.exists() and not options.replace:
            raise InputError(f"'{target}' is there and differs; --replace overwrites it, --out names another folder.")
        copied.append((path, target))
    for path, target in copied:
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    status = f"{len(copied)} of {len(files)} files copied to '{options.out}'; the others were there."
    answer = {"ok": True, "status": status, "files": [str(options.out / path.relative_to(source)) for path in files]}
    print_result(answer, status, options.as_json)


def examples_place() -> Path:
    """Where the files are: the repository that this package lies in, or what was installed with it."""
    places = (Path(__file__).parents[2], Path(sys.prefix) / "share" / "carpal")
    for place in places:
        if all((place / name).is_dir() for name in FOLDERS):
            return place
    raise InputError(
        f"the example files were not installed with this package: {' and '.join(map(str, places))} have none."
    )


def add_examples_commands(app: typer.Typer) -> None:
    """Register this file's command."""
    add_command(app, "examples", examples_command)
