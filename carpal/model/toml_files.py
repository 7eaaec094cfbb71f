"""TOML from a text or a file as plain data; anything wrong with the file itself is one sentence."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Any

from carpal.errors import InputError, ModelError


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
    try:
        if is_path and Path(source).stat().st_size > max_bytes:
            raise ModelError(f"{what} is larger than {max_bytes // 1_000_000} MB, the most that is read.")
        return tomllib.loads(Path(source).read_text("utf-8") if is_path else str(source)), what
    except OSError as error:
        raise ModelError(f"{what} cannot be read: {error.strerror or error}.") from None
    except UnicodeDecodeError as error:
        raise ModelError(f"{what} is not UTF-8 text: byte {error.start} cannot be read.") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ModelError(f"{what} is not TOML: {error}.") from None
