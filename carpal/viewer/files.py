"""Files that the studio's page may name: plain names inside the run folder, nothing else."""

from __future__ import annotations

import contextlib
import json
import re
from pathlib import Path
from typing import Any

from carpal.errors import InputError

PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_. -]{0,99}")
MAX_SETTINGS = 100_000
RECORDING, SETTINGS, REPORT = ".parquet", ".json", ".html"
UPLOADS = (".urdf", ".xml", ".mjcf", RECORDING)
MAX_UPLOAD = 200_000_000


def inside(folder: Path, name: str, ending: str) -> Path:
    """The path of a file in the run folder, checked; the ending is added where it is missing."""
    name = name.strip()
    if not name:
        raise InputError("give a file name, such as run_1.")
    if not PLAIN.fullmatch(name) or ".." in name:
        raise InputError(f"the file name '{name[:60]}' is refused: a plain name inside the run folder, such as run_1.")
    path = folder / (name if name.endswith(ending) else name + ending)
    if path.is_symlink() or path.resolve().parent != folder.resolve():
        raise InputError(f"the file name '{name[:60]}' is refused: it leads out of the run folder.")
    return path


def listed(folder: Path, ending: str) -> list[str]:
    """Names in the run folder with that ending, sorted."""
    if not folder.is_dir():
        return []
    return sorted(path.name for path in folder.iterdir() if path.name.endswith(ending) and PLAIN.fullmatch(path.name))


def runs_below(folder: Path) -> list[str]:
    """Recordings one folder below, as `--out FOLDER/NAME` writes them: "name/recording.parquet", sorted."""
    if not folder.is_dir():
        return []
    return sorted(
        f"{inner.name}/{path.name}"
        for inner in folder.iterdir()
        if inner.is_dir() and not inner.is_symlink() and PLAIN.fullmatch(inner.name)
        for path in inner.iterdir()
        if path.name.endswith(RECORDING) and PLAIN.fullmatch(path.name) and not path.is_symlink()
    )


def recording_path(folder: Path, name: str) -> Path:
    """The recording of that name in the run folder: a file, a folder of parts, or a file one folder below; checked."""
    if name in runs_below(folder):
        return folder / name
    path, parts = inside(folder, name, RECORDING), inside(folder, name, "")
    if not path.exists() and not parts.is_dir():
        raise InputError(f"no recording '{path.name}' in the run folder.")
    return path if path.exists() else parts


def kept_upload(folder: Path, name: str, content: bytes) -> Path:
    """A file that a page sent, kept in the run folder under its own name: a robot or a recording."""
    ending = Path(name).suffix.lower()
    if ending not in UPLOADS:
        raise InputError(f"'{name[:60]}' is refused: a file ends in one of {', '.join(UPLOADS)}.")
    if len(content) > MAX_UPLOAD:
        raise InputError(f"'{name[:60]}' is refused: it is larger than {MAX_UPLOAD // 1_000_000} MB.")
    path = inside(folder, name, Path(name).suffix)
    try:
        path.write_bytes(content)
    except OSError as problem:
        raise InputError(f"'{path.name}' was not kept: {problem.strerror or problem}.") from None
    return path


def save_settings(path: Path, task: str, options: dict[str, Any], seed: int) -> None:
    """Write the choice of a task and its options as JSON."""
    data = {"format": "carpal-settings-1", "task": task, "seed": seed, "options": options}
    partial = path.with_name(path.name + ".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial.write_text(json.dumps(data, indent=2, allow_nan=False) + "\n")
        partial.replace(path)
    except OSError as problem:
        with contextlib.suppress(OSError):
            partial.unlink(missing_ok=True)
        raise InputError(f"'{path.name}' was not written: {problem.strerror or problem}.") from None


def load_settings(path: Path) -> tuple[str, dict[str, Any], int]:
    """Task, options and seed of a settings file, checked."""
    if not path.is_file():
        raise InputError(f"no file '{path.name}' in the run folder.")
    try:
        if path.stat().st_size > MAX_SETTINGS:
            raise InputError(f"'{path.name}' is not a settings file: it is larger than {MAX_SETTINGS} bytes.")
        data = json.loads(path.read_text())
    except (ValueError, OSError, RecursionError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"'{path.name}' is not a settings file: {str(error)[:80]}.") from None
    if not isinstance(data, dict) or data.get("format") != "carpal-settings-1":
        raise InputError(f"'{path.name}' is not a settings file of the studio.")
    task, options, seed = data.get("task"), data.get("options"), data.get("seed")
    if not isinstance(task, str) or not isinstance(options, dict) or type(seed) is not int:
        raise InputError(f"'{path.name}' is incomplete: it needs task, options and seed.")
    return task, options, seed
