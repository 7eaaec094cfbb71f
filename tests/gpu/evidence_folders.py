"""Whose kernels each GPU evidence was measured on: it grows stale when one of these changes, and only then.

A kernel's own imports count, and theirs: the hash covers everything that the measured entries are compiled from.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import carpal

ROOT = Path(carpal.__file__).parent
_IMPORT = re.compile(r"^from carpal\.([\w.]*kernels\.\w+) import", re.MULTILINE)
_KINEMATICS = (
    *(f"kinematics/kernels/{name}.py" for name in ("forward", "jacobian", "motion", "integrate")),
    "kinematics/inverse/kernels/ik_search.py",
)
_DYNAMICS = tuple(
    f"dynamics/kernels/{name}.py"
    for name in ("__init__", "aba", "centroidal", "crba", "gravity", "mount", "reaction", "rnea")
)
SPINE = (*_DYNAMICS, *_KINEMATICS)
_CONTROL = ("control", "labs/mount/kernels/table.py")
ENGINES = (*_CONTROL, "engines/rigid", "tasks/reach")
CONTACT = ("contact",)
PENALTY = ("engines/penalty",)
MODAL = ("engines/modal", "_core/numba_private.py")
CATCH = ("labs/catch",)
TASKS = ("labs/mount", "tasks/reach")


def evidence_hash(places: tuple[str, ...], root: Path = ROOT) -> str:
    """Hash of the kernels in some folders or files, of all kernels that they import, and of the compile options."""
    waiting = [path for place in places for path in _kernels(root / place)]
    found: set[Path] = set()
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            modules = _IMPORT.findall(path.read_text(encoding="utf-8"))
            waiting += [root / (module.replace(".", "/") + ".py") for module in modules]
    digest = hashlib.sha256()
    for path in [root / "_core" / "compile.py", *sorted(found)]:
        digest.update(path.relative_to(root).as_posix().encode())
        digest.update(path.read_bytes().replace(b"\r\n", b"\n"))
    return digest.hexdigest()[:16]


def _kernels(place: Path) -> list[Path]:
    return [place] if place.suffix == ".py" else list(place.glob("**/kernels/*.py"))
