"""TOML from a text or a file as plain data, and lines of TOML from plain data; what is wrong with a file is one sentence."""

from __future__ import annotations

import json
import os
import re
import tomllib
from pathlib import Path
from typing import Any

import numpy as np

from carpal.errors import CarpalError, InputError, ModelError
from carpal.model.readers.text_files import file_text

LONGEST_KEY = 1000
LONG_KEY = re.compile(r"^[ \t]*\[{0,2}[^=\n\"'#]{" + str(LONGEST_KEY) + r",}", re.MULTILINE)
"""A dotted key is a table for each dot: 40 kB of them took 1 GB."""


def toml_data(source: str | os.PathLike[str], max_bytes: int) -> tuple[dict[str, Any], str]:
    """The data, and what to call their source in sentences.

    Args:
        source: a TOML text, or a path that ends in .toml.
        max_bytes: the largest file that is read.
    """
    is_path = isinstance(source, os.PathLike) or (isinstance(source, str) and source.endswith(".toml"))
    if not is_path and not isinstance(source, str):
        raise InputError(f"from_toml() takes a text or a path; got {type(source).__name__}.")
    what = f"'{os.fspath(source)}'" if is_path else "the TOML text"
    text = file_text(Path(source), what, max_bytes, ModelError) if is_path else str(source)
    return parsed_toml(text, what, ModelError), what


def parsed_toml(text: str, what: str, kind: type[CarpalError] = InputError) -> dict[str, Any]:
    """The tables of a TOML text; what is none, or would need a hundred times its size in memory, is refused by name."""
    long = LONG_KEY.search(text)
    if long is not None:
        line = text.count("\n", 0, long.start()) + 1
        raise kind(f"line {line} of {what} has a key of more than {LONGEST_KEY} characters.")
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # what is no TOML, and whole numbers of thousands of digits
        raise kind(f"{what} is not TOML: {error}.") from None


def toml_line(key: str, value: object) -> str:
    """`key = value`, every digit kept."""
    return f"{key if key.isidentifier() and key.isascii() else _value(key)} = {_value(value)}"


def _value(value: object) -> str:
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007F")
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, np.ndarray | np.generic):  # np.float64 is a float, but its repr is no number
        return _value(value.tolist())
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(_value(item) for item in value)}]"
    if isinstance(value, dict):
        return "{" + ", ".join(toml_line(str(key), item) for key, item in value.items()) + "}"
    raise InputError(f"only plain data can be written as TOML; got {value!r:.60}.")
