"""Recorded hands: a .npz file of image landmarks, one frame a row, with or without their letters.

Image landmarks are those of MediaPipe: x to the right and y down as shares of the picture, z away from the camera in the
unit of x, relative to the wrist. The package holds `asl_webcam`: 6,294 frames, ASL A to Z, from borisgraudt/asl-ai (MIT,
2024), in steps of 1/4000 of the picture.
"""

from __future__ import annotations

import os
import zipfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from carpal.errors import InputError, unknown_name
from carpal.labs.sign.files import tables
from carpal.perception import POINTS
from carpal.spatial import Array

MAX_BYTES, MOST_FRAMES = 100_000_000, 200_000
STEPS = 4000.0
"""Steps of a packaged recording for one picture width."""


@dataclass(frozen=True, eq=False)
class Recordings:
    """Frames of hands.

    Args:
        points: (n, 21, 3) image landmarks; a frame that is not a number everywhere holds no hand.
        letters: (n) their letters; None where they are not known.
    """

    points: Array
    letters: np.ndarray | None

    @property
    def names(self) -> tuple[str, ...]:
        """The letters that occur."""
        return () if self.letters is None else tuple(np.unique(self.letters).tolist())

    def labels(self) -> np.ndarray:
        """(n) index of each frame's letter in `names`."""
        if self.letters is None:
            raise InputError("these recordings have no letters to learn from: the file needs an array 'letters'.")
        return np.searchsorted(np.array(self.names), self.letters)

    def part(self, rows: np.ndarray) -> Recordings:
        """Some of the frames."""
        return Recordings(self.points[rows], None if self.letters is None else self.letters[rows])


def blocks(labels: np.ndarray, count: int) -> np.ndarray:
    """(n) number of the contiguous block, 0 to count - 1, of each frame within its letter: neighbours are nearly equal."""
    out = np.zeros(len(labels), int)
    for label in np.unique(labels):
        rows = np.flatnonzero(labels == label)
        out[rows] = np.arange(len(rows)) * count // len(rows)
    return out


def read_recordings(path: str | os.PathLike[str]) -> Recordings:
    """Recordings of a .npz file with `landmarks` (n, 21, 3) and, if known, `letters` (n); or of the package, by name."""
    given = os.fspath(path)
    place = Path(given) if given.endswith(".npz") else tables.DATA / "recordings" / f"{given}.npz"
    known = known_recordings()
    if not given.endswith(".npz") and given not in known:
        raise unknown_name("recording", given, (*known, "a file that ends in .npz"))
    what = f"the recording '{given}'"
    try:
        if place.stat().st_size > MAX_BYTES:
            raise InputError(f"{what} is larger than {MAX_BYTES // 1_000_000} MB, the most that is read.")
        with zipfile.ZipFile(place) as archive:
            if sum(item.file_size for item in archive.infolist()) > 2 * MAX_BYTES:
                raise InputError(f"{what} unpacks to more than is read.")
        with np.load(place, allow_pickle=False) as archive:
            arrays = {name: np.asarray(archive[name]) for name in archive.files}
    except OSError as problem:
        raise InputError(f"{what} cannot be read: {problem.strerror or problem}.") from None
    except (zipfile.BadZipFile, ValueError, KeyError, EOFError, NotImplementedError) as problem:
        if isinstance(problem, InputError):
            raise
        raise InputError(f"{what} is not a .npz file of plain arrays.") from None
    if "moves" in arrays and "landmarks" not in arrays:
        arrays["landmarks"] = np.cumsum(arrays.pop("moves").astype(np.int64), 0) / STEPS
    return _checked(arrays, what)


def write_compact(path: Path, found: Recordings) -> Path:
    """Write recordings as the package holds them: moves between frames in steps."""
    whole = np.round(found.points * STEPS).astype(np.int16)
    moves = np.diff(whole, axis=0, prepend=np.zeros_like(whole[:1]))
    assert found.letters is not None
    np.savez_compressed(path, moves=moves, letters=found.letters)
    return path


def known_recordings() -> tuple[str, ...]:
    """Names of the package's recordings."""
    return tuple(sorted(path.stem for path in (tables.DATA / "recordings").glob("*.npz")))


def _checked(arrays: dict[str, np.ndarray], what: str) -> Recordings:
    if "landmarks" not in arrays:
        raise InputError(f"{what} has no array 'landmarks'; it holds {', '.join(arrays) or 'nothing'}.")
    points = arrays["landmarks"]
    if points.ndim != 3 or points.shape[1:] != (POINTS, 3) or points.dtype.kind not in "fiu":
        raise InputError(
            f"landmarks of {what} must be numbers of shape (frames, 21, 3); got {points.dtype}, {points.shape}."
        )
    if not 1 <= len(points) <= MOST_FRAMES:
        raise InputError(f"{what} must hold 1 to {MOST_FRAMES} frames; got {len(points)}.")
    points = points.astype(float)
    none = np.isnan(points).all((1, 2))
    bad = np.argwhere(~np.isfinite(points[~none]))
    if len(bad):
        frame = np.flatnonzero(~none)[bad[0, 0]]
        raise InputError(f"landmarks of {what} must be finite; frame {frame} holds a part of a hand only.")
    letters = arrays.get("letters")
    if letters is not None:
        if letters.shape != (len(points),) or letters.dtype.kind != "U":
            raise InputError(f"letters of {what} must be {len(points)} texts; got {letters.dtype}, {letters.shape}.")
        if not all(letters):
            raise InputError(f"letters of {what} must not be empty.")
    return Recordings(points, letters)
