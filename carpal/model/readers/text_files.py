"""The text of a small file; one that is too large, unreadable or no text gives one clear error."""

from __future__ import annotations

from pathlib import Path

from carpal.errors import CarpalError, InputError


def file_text(path: Path, what: str, max_bytes: int, kind: type[CarpalError] = InputError) -> str:
    """The whole text, without a byte order mark.

    Args:
        path: the file.
        what: it is called in sentences, such as "the glove file 'a.csv'".
        max_bytes: the largest that is read.
        kind: of the error.
    """
    try:
        if path.stat().st_size > max_bytes:
            raise kind(f"{what} is larger than {max_bytes // 1_000_000} MB, the most that is read.")
        return path.read_text("utf-8-sig")
    except OSError as problem:
        raise kind(f"{what} cannot be read: {problem.strerror or problem}.") from None
    except UnicodeDecodeError as problem:
        raise kind(f"{what} is not UTF-8 text: byte {problem.start} cannot be read.") from None
