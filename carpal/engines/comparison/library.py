"""The benchmark scenes: each a TOML file that `carpal simulate` opens too, an entry in `library.toml`, and often a reference."""

from __future__ import annotations

import dataclasses
import functools
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from carpal.engines.comparison.reference import Reference
from carpal.errors import CarpalError, InputError, unknown_name
from carpal.model import Scene
from carpal.spatial import Array

FOLDER = Path(__file__).parent / "scenes"


@dataclass(frozen=True)
class BenchmarkScene:
    """One scene of the library.

    Args:
        name: of the scene and its file.
        about: one line.
        source: of the reference: textbook or paper; or why there is none.
        duration: [s] that is worth comparing.
        engines: by default.
        forces: constant forces of joints [N m, N].
        quantitative: whether `reference` gives numbers.
        extra: the extra that it needs, or "".
    """

    name: str
    about: str
    source: str
    duration: float = 1.0
    engines: tuple[str, ...] = ("modal", "mujoco", "penalty")
    forces: Mapping[str, float] = field(default_factory=dict)
    quantitative: bool = True
    extra: str = ""

    @property
    def file(self) -> Path:
        """Of the scene, as TOML."""
        return FOLDER / f"{self.name}.toml"

    def scene(self) -> Scene:
        """The scene."""
        try:
            made = Scene.from_toml(self.file)
            known = made.build().joint_names
            for name in self.forces:
                if name not in known:
                    raise unknown_name("joint in forces", name, known)
            return made
        except CarpalError as error:
            if not self.extra:
                raise
            raise InputError(
                f"the scene '{self.name}' needs the extra '{self.extra}' (pip install carpal[{self.extra}]): {error}"
            ) from None

    def reference(self, times: Array) -> Reference | None:
        """What is known of it at these times (rows) [s]; None where there is no reference with numbers."""
        if not self.quantitative:
            return None
        from carpal.engines.comparison.references.by_name import REFERENCES

        return dataclasses.replace(REFERENCES[self.name](times), source=self.source)


@functools.cache
def _library() -> dict[str, BenchmarkScene]:
    data: dict[str, Any] = tomllib.loads((FOLDER / "library.toml").read_text())
    out = {}
    for name, entry in data.items():
        entry = dict(entry) | ({"engines": tuple(entry["engines"])} if "engines" in entry else {})
        out[name] = BenchmarkScene(name, **entry)
    return out


def benchmark_scenes() -> dict[str, BenchmarkScene]:
    """All benchmark scenes by name."""
    return dict(_library())


def benchmark_scene(name: str) -> BenchmarkScene:
    """One benchmark scene."""
    if name not in _library():
        raise unknown_name("benchmark scene", name, _library())
    return _library()[name]
