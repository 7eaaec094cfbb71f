"""`load`: a robot by catalogue name or from a file."""

from __future__ import annotations

import os
import warnings
from pathlib import Path
from typing import Any

from carpal.errors import InputError, ModelError, unknown_name
from carpal.model.catalogue.registry import build, robots
from carpal.model.model import Model

SUFFIXES = (".urdf", ".xml", ".mjcf", ".xacro")


def load(
    robot: str | os.PathLike[str],
    *,
    tool: str | None = None,
    srdf: str | os.PathLike[str] | None = None,
    untrusted: bool = False,
    concave: str | None = None,
    **options: Any,
) -> Model:
    """A model from the catalogue, from another package's robots, or from a URDF or MJCF file.

    Args:
        robot: a name from `robots()` or `zoo_names()`, or a path that ends in .urdf, .xacro, .xml or .mjcf.
        tool: the frame that becomes the tool, pointing along its z; by default the robot's own, see `carpal.model.default_tool`.
        srdf: a file with groups, named configurations and disabled pairs of a URDF; by default one of the URDF's name beside it
            or in a folder `srdf` beside its folder, with a note.
        untrusted: parse the file in a child process with a time and memory cap, so that a hostile file can neither hang
            nor crash the caller. Slower (a fraction of a second) and meant for files from strangers.
        concave: what becomes of a file's collision meshes that are not convex: "hull" (their hull, as MuJoCo takes them; what
            None means), "split" (convex pieces, cut by CoACD, which takes seconds to minutes a mesh), "triangles" (a
            TriangleMesh) or "refuse" (left out, with a warning).
        options: options of the catalogue robot, for example `inertia="assumed"` or `mounting="sideways"`.

    Example:
        >>> carpal.load("sawyer").nq
        7
    """
    if not isinstance(robot, str | os.PathLike):
        raise InputError(f"load() takes a robot's name or a path; got {type(robot).__name__} {robot!r}.")
    model = _loaded(robot, untrusted, concave, options)
    if srdf is not None:
        from carpal.model.readers.srdf import with_srdf

        model = with_srdf(model, Path(srdf))
    model = model.assembled()
    return model if tool is None else model.with_tool(tool)


def _loaded(robot: str | os.PathLike[str], untrusted: bool, concave: str | None, options: dict[str, Any]) -> Model:
    text = os.fspath(robot)
    path = Path(text)
    if text in robots():
        if concave is not None:
            raise InputError(f"concave is for robot files; '{text}' is a robot of the catalogue.")
        return build(text, **options)
    if path.suffix.lower() not in SUFFIXES and not path.exists():
        return _from_zoo(text, concave, options)
    _refuse(options)
    if path.suffix.lower() not in SUFFIXES:
        raise ModelError(f"'{text}' is not a robot file: its name must end in .urdf, .xacro, .xml or .mjcf.")
    if not path.is_file():
        raise ModelError(f"no file '{text}'.")
    from carpal.model.readers.reading import read_file
    from carpal.model.readers.sandbox import read_untrusted

    model = read_untrusted(path, concave=concave) if untrusted else read_file(path, concave=concave)
    return _with_beside(model, path)


def _from_zoo(name: str, concave: str | None, options: dict[str, Any]) -> Model:
    """A robot of an installed package; its file is the package's, so it is read as a trusted one."""
    from carpal.model.readers.reading import read_file
    from carpal.model.zoo.sources import zoo_file, zoo_names

    found = zoo_file(name)
    if found is not None:
        _refuse(options)
        return _with_beside(read_file(found.path, concave=concave), found.path).replace(source=found.source)
    if os.sep in name:
        raise ModelError(
            f"no file '{name}'; load() takes a robot's name or a path that ends in .urdf, .xacro, .xml or .mjcf."
        )
    raise unknown_name("robot", name, (*robots(), *zoo_names()))


def _with_beside(model: Model, path: Path) -> Model:
    """The model of a URDF with the SRDF that lies beside it; one that cannot be read is named, and the robot stays."""
    from carpal.model.readers.srdf import srdf_beside, with_srdf

    beside = srdf_beside(path) if path.suffix.lower() == ".urdf" else None
    if beside is None:
        return model
    try:
        return with_srdf(model, beside)
    except ModelError as error:
        warnings.warn(f"'{path.name}': its SRDF is left out: {error}", UserWarning, stacklevel=4)
        return model


def _refuse(options: dict[str, Any]) -> None:
    if options:
        raise InputError(f"options are for catalogue robots, not files; got {', '.join(sorted(options))}.")
