"""Hashes of compiled sources: of one file with everything that it imports from the package, and of whole folders.

Numba's own index of compiled code only watches the file of a function, not of the functions that it calls. The folder of
compiled code is keyed by `closure_hash`, so an edit recompiles what depends on it and nothing else, and two checkouts with the
same sources share their machine code.
"""

from __future__ import annotations

import functools
import hashlib
import re
from pathlib import Path

PACKAGE = Path(__file__).parent.parent
_ALWAYS = ("_core/compile.py", "_core/numba_private.py")
_IMPORT = re.compile(rb"^\s*(?:from|import)\s+carpal((?:\.\w+)*)", re.MULTILINE)


def kernels_hash(*folders: str) -> str:
    """Hash of every compiled source, or of those in some folders of the package; GPU evidence is keyed by it."""
    places = [PACKAGE / folder for folder in folders] or [PACKAGE]
    own = [PACKAGE / name for name in _ALWAYS if (PACKAGE / name).exists()]
    return _hash([*own, *sorted(path for place in places for path in place.glob("**/kernels/*.py"))])


def closure_hash(file: str | Path) -> str:
    """Hash of a file and of all files of the package that it imports, directly or through others."""
    start = Path(file).resolve()
    found = {start: _named(start)} | {PACKAGE / name: b"" for name in _ALWAYS}
    waiting = [start]
    while waiting:
        for path in _imported(waiting.pop()):
            if path not in found:
                found[path] = b""
                waiting.append(path)
    return _hash(sorted(found, key=_named))


def _named(path: Path) -> bytes:
    """What a file is called in a hash: inside the package its place there, elsewhere its name."""
    inside = path.is_relative_to(PACKAGE)
    return (path.relative_to(PACKAGE).as_posix() if inside else path.name).encode()


@functools.cache
def _imported(path: Path) -> tuple[Path, ...]:
    """Files of the package that a file imports; of a folder all its files."""
    out: list[Path] = []
    for match in _IMPORT.finditer(_bytes(path)):
        place = PACKAGE.joinpath(*match[1].decode().split(".")[1:])
        file = place.with_suffix(".py")
        out += [file] if file.exists() else sorted(place.glob("*.py")) if match[1] else []
    return tuple(dict.fromkeys(out))


@functools.cache
def _bytes(path: Path) -> bytes:
    return path.read_bytes().replace(b"\r\n", b"\n")


def _hash(paths: list[Path]) -> str:
    digest = hashlib.sha256()
    for path in paths:
        digest.update(_named(path))
        digest.update(_bytes(path))
    return digest.hexdigest()[:16]
