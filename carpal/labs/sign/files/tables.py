"""TOML files of the sign lab: found by name or path, their tables checked key by key."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from carpal.errors import InputError, unknown_name
from carpal.model import file_text, parsed_toml
from carpal.spatial import Array

DATA = Path(__file__).parents[1] / "data"
MAX_BYTES = 1_000_000


def known_files(kind: str) -> tuple[str, ...]:
    """Names of the package's files of a kind: "alphabets", "robots" or "behaviours"."""
    return tuple(sorted(path.stem for path in (DATA / kind).glob("*.toml")))


def read_file(kind: str, source: str | os.PathLike[str], form: str) -> tuple[dict[str, Any], str]:
    """The data of a file, and its name in messages.

    Args:
        kind: the folder of the package's own files.
        source: one of their names, or a path that ends in .toml.
        form: the required value of its key `format`.
    """
    given = os.fspath(source)
    path = Path(given) if given.endswith(".toml") else DATA / kind / f"{given}.toml"
    if not given.endswith(".toml") and given not in known_files(kind):
        raise unknown_name(kind[:-1], given, (*known_files(kind), "a path that ends in .toml"))
    what = f"'{given}'"
    data = parsed_toml(file_text(path, what, MAX_BYTES), what)
    if data.pop("format", None) != form:
        raise InputError(f'{what} must begin with format = "{form}".')
    return data, what


def only(data: object, keys: Iterable[str], what: str, needed: Iterable[str] = ()) -> dict[str, Any]:
    """A table that holds no other keys, and all that are needed."""
    if not isinstance(data, dict):
        raise InputError(f"{what} must be a table; got {data!r:.60}.")
    known = tuple(keys)
    for key in data:
        if key not in known:
            raise unknown_name(f"key of {what}", key, known)
    for key in needed:
        if key not in data:
            raise InputError(f"{what} needs '{key}'.")
    return data


def number(value: object, what: str, low: float = -np.inf, high: float = np.inf) -> float:
    """A finite number between bounds."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not np.isfinite(value):
        raise InputError(f"{what} must be a finite number; got {value!r:.60}.")
    if not low <= value <= high:
        raise InputError(f"{what} must be from {low:g} to {high:g}; got {value:g}.")
    return float(value)


def several(value: object, count: int, what: str, low: float = -np.inf, high: float = np.inf) -> Array:
    """That many finite numbers between bounds."""
    if not isinstance(value, list) or len(value) != count:
        raise InputError(f"{what} must be {count} numbers in brackets; got {value!r:.60}.")
    return np.array([number(item, f"{what}[{i}]", low, high) for i, item in enumerate(value)])


def text(value: object, what: str, choices: Iterable[str] | None = None) -> str:
    """A text, one of the choices where there are some."""
    if not isinstance(value, str):
        raise InputError(f"{what} must be a text; got {value!r:.60}.")
    if choices is not None and value not in (known := tuple(choices)):
        raise unknown_name(what, value, known)
    return value


def texts(value: object, what: str, choices: Iterable[str] | None = None) -> tuple[str, ...]:
    """A list of texts."""
    if not isinstance(value, list):
        raise InputError(f"{what} must be a list of texts; got {value!r:.60}.")
    return tuple(text(item, f"{what}[{i}]", choices) for i, item in enumerate(value))


def truth(value: object, what: str) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise InputError(f"{what} must be true or false; got {value!r:.60}.")
    return value


def table_of(value: object, what: str, read: Callable[[Any, str], Any]) -> dict[str, Any]:
    """A table of like things by name, each read by `read(value, what)`."""
    if not isinstance(value, Mapping) or not value:
        raise InputError(f"{what} must be a table that is not empty; got {value!r:.60}.")
    return {str(key): read(item, f"{what}.{key}") for key, item in value.items()}
