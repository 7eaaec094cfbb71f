"""From a name to a file: a folder of Menagerie robots, example-robot-data, mujoco-menagerie, robot_descriptions.

Sources are asked in this order, files that are there before those that have to be fetched: `CARPAL_ZOO` names one or more
folders laid out as MuJoCo Menagerie is; example-robot-data carries its files; mujoco-menagerie downloads a robot on
its first use, robot_descriptions clones a repository. A source may be named: "mujoco-menagerie:unitree_go2".
"""

from __future__ import annotations

import importlib
import importlib.metadata
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from carpal.errors import CarpalError, ModelError, unknown_name
from carpal.model.zoo.names import ZOO

FOLDERS = "CARPAL_ZOO"
SOURCES = (FOLDERS, "example-robot-data", "mujoco-menagerie", "robot_descriptions")
LICENCES = (
    ("Apache License", "Apache-2.0"),
    ("Neither the name", "BSD-3-Clause"),
    ("Redistribution and use in source and binary forms", "BSD-2-Clause"),
    ("Permission is hereby granted, free of charge", "MIT"),
)
"""Words of a licence's text, and its name."""
EXAMPLES = "BSD-3-Clause (of the package)"
EXTRA = 'pip install "carpal[zoo]"'


@dataclass(frozen=True)
class ZooFile:
    """A robot's file, and whose it is."""

    name: str
    path: Path
    origin: str
    licence: str

    @property
    def source(self) -> str:
        """One line for `Model.source`."""
        kind = "URDF" if self.path.suffix == ".urdf" else "MJCF"
        return f"{kind} '{self.path.name}' of {self.origin}, licence {self.licence}"


def zoo_names() -> tuple[str, ...]:
    """Names that `load` finds in other packages, where one that has the robot is installed."""
    return tuple(ZOO)


def zoo_table() -> list[dict[str, Any]]:
    """One row per name: name, source (the first that would serve it), licence, and whether it is installed."""
    rows = []
    for name, entry in ZOO.items():
        has = [source for source in SOURCES if _key(source, name) is not None]
        ready = [source for source in has if _installed(source, name)]
        rows.append(
            {
                "name": name,
                "source": (ready or has[1:] or has)[0],
                "sources": has,
                "licence": _file_licence(ready[0], name) if ready else entry.licence or EXAMPLES,
                "installed": bool(ready),
            }
        )
    return rows


def _file_licence(source: str, name: str) -> str:
    """The licence of a robot's file where it is there, else what the table says."""
    if source in (FOLDERS, "example-robot-data"):
        return _file(source, name, str(_key(source, name))).licence
    return ZOO[name].licence


def zoo_file(name: str) -> ZooFile | None:
    """The file of a robot; None where no package has a robot of that name.

    Raises:
        ModelError: a package has it, but none of those is installed, or the file could not be fetched.
    """
    source, colon, key = name.partition(":")
    if colon and source in SOURCES:
        if not _installed(source, key):
            raise ModelError(f"the source '{source}' of robot '{key}' is not installed; {_advice(source)}.")
        return _file(source, key, _key(source, key) or key)
    known = [source for source in SOURCES if _key(source, name) is not None]
    for source in known:
        if _installed(source, name):
            return _file(source, name, str(_key(source, name)))
    if name in ZOO:
        packages = " or ".join(source for source in known if source != FOLDERS)
        more = f", or set {FOLDERS} to a folder of MuJoCo Menagerie" if FOLDERS in known else ""
        raise ModelError(f"robot '{name}' comes with {packages}, which is not installed: {EXTRA}{more}.")
    return None


def _advice(source: str) -> str:
    return f"set {FOLDERS} to a folder of MuJoCo Menagerie that has it" if source == FOLDERS else EXTRA


def _key(source: str, name: str) -> str | None:
    """What a source calls a robot; None where it has it not. Names of a source's own are known where it is installed."""
    entry = ZOO.get(name)
    if entry is not None:
        return {
            FOLDERS: entry.menagerie,
            "example-robot-data": entry.example_robot_data,
            "mujoco-menagerie": entry.menagerie,
            "robot_descriptions": entry.robot_descriptions,
        }[source] or None
    if source == "mujoco-menagerie" and (package := _package("mujoco_menagerie")):
        return name if name in package.names() else None
    if source == "robot_descriptions" and (package := _package("robot_descriptions._descriptions")):
        return next(
            (key for key in (name, f"{name}_mj_description", f"{name}_description") if key in package.DESCRIPTIONS),
            None,
        )
    if source == "example-robot-data" and (root := _example_root()):
        found = sorted(root.glob(f"*/*/{name}.urdf")) if name.replace("_", "").replace("-", "").isalnum() else []
        return str(found[0].relative_to(root)) if found else None
    return None


def _installed(source: str, name: str) -> bool:
    if source == FOLDERS:
        return _in_folders(name) is not None
    if source == "example-robot-data":
        return _example_root() is not None
    return _package("mujoco_menagerie" if source == "mujoco-menagerie" else "robot_descriptions") is not None


def _in_folders(name: str) -> Path | None:
    entry = ZOO.get(name)
    for folder in filter(None, os.environ.get(FOLDERS, "").split(os.pathsep)):
        file = Path(folder) / (entry.menagerie if entry is not None else name)
        if (entry is None or entry.menagerie) and file.is_file():
            return file
    return None


def _example_root() -> Path | None:
    """The folder `robots` of example-robot-data; it is no Python package, so its list of files is asked."""
    try:
        files = importlib.metadata.distribution("example-robot-data").files or []
    except importlib.metadata.PackageNotFoundError:
        return None
    first = next((file for file in files if "robots" in file.parts), None)
    if first is None:
        return None
    path = Path(str(first.locate()))
    return next((parent for parent in path.parents if parent.name == "robots"), None)


def licence_of(folder: Path, otherwise: str) -> str:
    """The licence that the file LICENSE of a folder or of the two above it holds, by its wording; else `otherwise`."""
    for place in (folder, *list(folder.parents)[:2]):
        for file in sorted(place.glob("LICENSE*")):
            text = " ".join(file.read_text(errors="replace").split())
            for words, name in LICENCES:
                if words in text:
                    return name
            return f"see '{place.name}/{file.name}'"
    return otherwise


def _package(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def _file(source: str, name: str, key: str) -> ZooFile:
    entry = ZOO.get(name)
    licence = entry.licence if entry is not None else ""
    if source == FOLDERS:
        path = _in_folders(name)
        assert path is not None  # asked by _installed
        known = licence_of(path.parent, licence or "unknown")
        return _checked(name, path, f"the folder '{path.parent.name}' of {FOLDERS}", known)
    if source == "example-robot-data":
        root = _example_root()
        assert root is not None
        version = importlib.metadata.version("example-robot-data")
        return _checked(name, root / key, f"example-robot-data {version}", licence_of((root / key).parent, EXAMPLES))
    try:
        return _menagerie(name, key, licence) if source == "mujoco-menagerie" else _described(name, key, licence)
    except CarpalError:
        raise
    except Exception as error:  # no network, no git, a moved repository: whatever the package meets while it fetches
        why = " ".join(str(error).split())[:160] or type(error).__name__
        raise ModelError(f"robot '{name}' could not be fetched by {source}: {why}.") from error


def _menagerie(name: str, key: str, licence: str) -> ZooFile:
    package = _package("mujoco_menagerie")
    folder, _, file = key.partition("/")
    if folder not in package.names():
        raise unknown_name("robot of mujoco-menagerie", folder, package.names())
    robot = package.get(folder)
    path = Path(robot.path(None, None)) / (file or robot.entry(robot.default_model).file)
    return _checked(name, path, f"mujoco-menagerie {package.__version__}", licence or robot.license)


def _described(name: str, key: str, licence: str) -> ZooFile:
    about = _package("robot_descriptions._descriptions").DESCRIPTIONS
    if key not in about:
        raise unknown_name("robot of robot_descriptions", key, about)
    module = importlib.import_module(f"robot_descriptions.{key}")
    path = getattr(module, "MJCF_PATH", None) or getattr(module, "URDF_PATH", None)
    if path is None:
        raise ModelError(f"'{key}' of robot_descriptions is only there as xacro; load its .xacro file.")
    version = importlib.metadata.version("robot_descriptions")
    return _checked(
        name, Path(path), f"robot_descriptions {version}", about[key].license_spdx or licence or "see its repository"
    )


def _checked(name: str, path: Path, origin: str, licence: str) -> ZooFile:
    if not path.is_file():
        raise ModelError(f"robot '{name}' of {origin} lacks its file '{path.name}'.")
    return ZooFile(name, path, origin, licence)
