"""Where a robot file's meshes are, and which of them are not there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

SHOWN = 8


def inside(path: Path, folder: Path) -> bool:
    """Whether a path, links followed, lies in the folder's tree."""
    return path.resolve().is_relative_to(folder.resolve())


def _candidates(reference: str, folder: Path, subfolder: str) -> Iterator[Path]:
    if reference.startswith("package://"):
        package, _, rest = reference.removeprefix("package://").partition("/")
        yield folder / package / rest
        yield folder / rest
        for parent in folder.resolve().parents:
            if parent.name == package:
                yield parent / rest
        return
    plain = reference.removeprefix("file://")
    if subfolder:
        yield folder / subfolder / plain
    yield folder / plain


def find_mesh(reference: str, folder: Path | None, *, subfolder: str = "", confined: bool = False) -> Path | None:
    """The file that a mesh reference means, or None.

    Args:
        reference: as written: relative, absolute, `file://` or `package://`.
        folder: the folder of the robot file; None where the description is not a file.
        subfolder: the file's own setting of where meshes are.
        confined: search only inside the folder, for files from strangers.
    """
    for candidate in _candidates(reference, folder or Path(), subfolder):
        if folder is None and not candidate.is_absolute():
            continue
        try:
            if (not confined or (folder is not None and inside(candidate, folder))) and candidate.is_file():
                return candidate
        except (OSError, ValueError, RuntimeError):  # names too long, NUL, link loops
            continue
    return None


def missing_sentence(missing: Iterable[str]) -> str:
    """One sentence that names missing mesh files."""
    names = sorted(set(missing))
    listed = ", ".join(f"'{name[:80]}'" for name in names[:SHOWN]) + (" ..." if len(names) > SHOWN else "")
    return f"{len(names)} mesh file{'s were' if len(names) > 1 else ' was'} not found: {listed}."
