"""`export`: a recording or a trajectory as a file that other tools open."""

from __future__ import annotations

import importlib.util
import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from carpal._core.result import Result
from carpal.engines import Recording, whole_file
from carpal.errors import CarpalError, InputError
from carpal.model import Model
from carpal.planning import Trajectory
from carpal.report.exports.motion import Motion, motion_of

PLANES = "planes, which have no end"


class Format(NamedTuple):
    """A kind of file.

    Args:
        about: in a few words.
        writer: "module:function" below this folder.
        extra: of Carpal, that brings the packages.
        needs: packages.
        left_out: what it cannot carry.
    """

    about: str
    writer: str
    extra: str
    needs: tuple[str, ...]
    left_out: tuple[str, ...]


_USD = Format(
    "a USD stage", "usd_file:write_usd", "usd", ("pxr",),
    (PLANES, "contacts", "events", "energies and residuals", "controls", "the metadata"),
)  # fmt: skip
FORMATS = {
    ".csv": Format("a table", "csv_file:write_csv", "", ("pyarrow",), ("contacts", "events", "bodies", "the metadata")),
    ".mcap": Format(
        "MCAP with Foxglove and ROS 2 messages", "mcap_file:write_mcap", "mcap", ("mcap",), ("times below a nanosecond", PLANES),
    ),
    ".rrd": Format(
        "a rerun recording", "rerun_file:write_rerun", "rerun", ("rerun",),
        ("times below a nanosecond", "poses beyond 32 bits", "depths and normals of contacts", PLANES),
    ),
    ".usd": _USD, ".usda": _USD, ".usdc": _USD,
}  # fmt: skip
"""Ending to kind of file."""


@dataclass(frozen=True, eq=False)
class ExportResult(Result):
    """A file that was written.

    Args:
        path: of the file.
        rows: moments in it.
        size: [bytes].
        left_out: what the format cannot carry.
    """

    path: Path
    rows: int
    size: int
    left_out: tuple[str, ...]
    ok: bool = True

    @property
    def status(self) -> str:
        """One sentence."""
        without = f"; not in it: {', '.join(self.left_out)}" if self.left_out else ""
        return f"'{self.path}' holds {self.rows} rows in {self.size} bytes{without}."


def export(
    thing: Recording | Trajectory, file: str | os.PathLike[str], *, model: Model | None = None, dt: float = 0.01
) -> ExportResult:
    """Write a recording or a trajectory for another tool; the file's ending says for which.

    Args:
        thing: a recording or a trajectory.
        file: ending in .csv, .mcap (Foxglove, ROS 2), .rrd (rerun), .usd, .usda or .usdc.
        model: of a trajectory: whose joints it moves; without it only joints are written, no bodies.
        dt: [s] between two samples of a trajectory.

    Returns:
        The file with its size, and what the format cannot carry.
    """
    path = Path(file)
    if path.suffix not in FORMATS:
        raise InputError(f"no tool is known for '{path.suffix}' files; the endings are {', '.join(FORMATS)}.")
    form = FORMATS[path.suffix]
    missing = [name for name in form.needs if importlib.util.find_spec(name) is None]
    if missing:
        raise CarpalError(f'a {path.suffix} file needs the package {missing[0]}: pip install "carpal[{form.extra}]".')
    motion = motion_of(thing, model, dt)
    module, _, name = form.writer.partition(":")
    write: Callable[[Motion, Any], None] = getattr(importlib.import_module(f"{__package__}.{module}"), name)
    try:
        if path.suffix in (".csv", ".mcap"):
            with whole_file(path) as opened:
                write(motion, opened)
        else:  # these libraries open the file themselves, and look at its ending
            path.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(prefix=f".{path.name}.", dir=path.parent) as folder:
                write(motion, Path(folder) / path.name)
                os.replace(Path(folder) / path.name, path)
    except OSError as problem:
        raise InputError(f"'{path}' was not written: {problem.strerror or problem}.") from None
    left_out = tuple(name for name in form.left_out if name != PLANES or _has_plane(motion))
    return ExportResult(path, len(motion.time), path.stat().st_size, left_out)


def _has_plane(motion: Motion) -> bool:
    return motion.model is not None and any(placed.shape.kind == "plane" for placed in motion.model.shapes)
