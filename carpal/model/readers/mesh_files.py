"""Where a robot file's meshes are, and which of them are not there.

A file from a stranger may read from its own folder and from the package around it: the folder above it where the file lies
in one of the usual subfolders, the nearest folder above it with a `package.xml`, and folders of the package that a
`package://` reference names. Home folders and those above them never count as a package.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

SHOWN = 8
LEVELS = 5
"""How many folders above a file may be its package."""
SUBFOLDERS = {"urdf", "urdfs", "xacro", "robot", "robots", "model", "models", "mjcf", "xml", "sdf", "description"}
"""Folders in which packages keep their robot files, beside the meshes."""
MESH_SUFFIXES = {".stl", ".obj", ".dae", ".ply", ".off", ".glb", ".gltf", ".3mf", ".msh", ".mesh", ".stla", ".stlb"}


def inside(path: Path, folder: Path) -> bool:
    """Whether a path, links followed, lies in the folder's tree."""
    return path.resolve().is_relative_to(folder.resolve())


def own_folder(folder: Path) -> Path:
    """The folder that a stranger's file in `folder` may read from: its package, or where there is none `folder` itself."""
    here = folder.resolve()
    for above in [here, *here.parents][:LEVELS]:
        if (above / "package.xml").is_file() and _may_be_package(above):
            return above
    return here.parent if here.name.lower() in SUBFOLDERS and _may_be_package(here.parent) else here


def _may_be_package(folder: Path) -> bool:
    """Whether a folder may be a package: no system folder, nobody's home, nor anything above one."""
    try:
        home = Path.home().resolve()
    except (RuntimeError, OSError):
        home = Path("/")
    return len(folder.parts) > 2 and not home.is_relative_to(folder) and folder.parent.name not in ("home", "Users")


def _named_packages(package: str, folder: Path) -> Iterator[Path]:
    """Folders that may be the package of that name: one above the file, one beside it, or where ROS says packages are."""
    here = folder.resolve()
    for above in [here, *here.parents][: LEVELS + 1]:
        if above.name == package:
            yield above
        yield above / package
    for place in os.environ.get("ROS_PACKAGE_PATH", "").split(os.pathsep):
        if place:
            yield Path(place) / package
    for place in os.environ.get("AMENT_PREFIX_PATH", "").split(os.pathsep):
        if place:
            yield Path(place) / "share" / package


def _candidates(reference: str, folder: Path, subfolder: str, confined: bool) -> Iterator[Path]:
    """Paths that a reference may mean, for a stranger's file only those that it may read."""
    own = own_folder(folder) if confined else folder

    def allowed(path: Path, within: Path) -> bool:
        return not confined or (path.suffix.lower() in MESH_SUFFIXES and inside(path, within))

    if reference.startswith(("package://", "model://")):
        package, _, rest = reference.partition("://")[2].lstrip("/").partition("/")
        if not rest or package in ("", ".", ".."):
            return
        for found in _named_packages(package, folder):
            if (not confined or _may_be_package(found.resolve())) and allowed(found / rest, found):
                yield found / rest
        if allowed(folder / rest, own):
            yield folder / rest
        return
    plain = reference.removeprefix("file://")
    for path in [folder / subfolder / plain, folder / plain] if subfolder else [folder / plain]:
        if allowed(path, own):
            yield path


def find_mesh(
    reference: str,
    folder: Path | None,
    *,
    subfolder: str = "",
    confined: bool = False,
    beside: Path | None = None,
) -> Path | None:
    """The file that a mesh reference means, or None.

    Args:
        reference: as written: relative, absolute, `file://` or `package://`.
        folder: the folder of the robot file; None where the description is not a file.
        subfolder: the file's own setting of where meshes are.
        confined: read only what a stranger's file may (see above).
        beside: the folder of the included file that holds the reference, searched last.
    """
    try:
        places = [folder or Path()] + ([beside] if beside is not None and beside != folder else [])
        for place in places:
            for candidate in _candidates(reference, place, subfolder, confined):
                if (folder is not None or (candidate.is_absolute() and not confined)) and candidate.is_file():
                    return candidate
    except (OSError, ValueError, RuntimeError):  # names too long, NUL, link loops
        return None
    return None


def may_be_read(mesh: str, folder: Path | None, *, confined: bool) -> bool:
    """Whether a file may name this mesh file: anybody's own file any, a stranger's those of its folder and package."""
    return not confined or find_mesh(mesh, folder, confined=True) is not None


def missing_sentence(missing: Iterable[str]) -> str:
    """One sentence that names missing mesh files."""
    names = sorted(set(missing))
    listed = ", ".join(f"'{name[:80]}'" for name in names[:SHOWN]) + (" ..." if len(names) > SHOWN else "")
    return f"{len(names)} mesh file{'s were' if len(names) > 1 else ' was'} not found: {listed}."
