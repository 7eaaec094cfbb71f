"""What a task marks in its scene: targets, paths, forces and words, which viewers draw with their names."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from carpal.errors import InputError
from carpal.model import real_array
from carpal.spatial import Array

TARGET, PATH = "target", "path"
KINDS = (TARGET, PATH)


@dataclass(frozen=True, eq=False)
class Mark:
    """A place or a path in the scene.

    Args:
        name: what the label beside it says.
        points: (n, 3) [m] in W; one point for a target.
        kind: "target" or "path".
    """

    name: str
    points: Array
    kind: str = TARGET

    def __post_init__(self) -> None:
        points = np.atleast_2d(real_array(self.points, f"points of mark '{self.name}'"))
        if points.shape[1:] != (3,) or not np.isfinite(points).all() or not len(points):
            raise InputError(f"points of mark '{self.name}' must be (n, 3) finite numbers; got shape {points.shape}.")
        if self.kind not in KINDS:
            raise InputError(f"a mark is one of {', '.join(KINDS)}; got '{self.kind}'.")
        object.__setattr__(self, "points", points)


@dataclass(frozen=True, eq=False)
class MovingMark:
    """An arrow, or a word, that a recorded run carries through the scene.

    Args:
        name: what the legend says.
        time: (n) [s] of the recording.
        points: (n, 3) [m] in W: where the arrow begins, or the word stands.
        vectors: (n, 3) of an arrow, such as a force [N]; all arrows of a picture have one scale.
        words: (n) words; an empty one is not shown.
        colour: red, green, blue, 0 to 255.
    """

    name: str
    time: Array
    points: Array
    vectors: Array | None = None
    words: tuple[str, ...] = ()
    colour: tuple[int, int, int] = (26, 32, 44)

    def __post_init__(self) -> None:
        rows = len(np.atleast_1d(self.time))
        for what, values in (("points", self.points), ("vectors", self.vectors)):
            if values is not None and (np.shape(values) != (rows, 3) or not np.isfinite(values).all()):
                raise InputError(
                    f"{what} of mark '{self.name}' must be ({rows}, 3) finite numbers, a row for each time; "
                    f"got shape {np.shape(values)}."
                )
        if (self.vectors is None) == (not self.words) or len(self.words) not in (0, rows):
            raise InputError(
                f"mark '{self.name}' needs vectors or {rows} words, one of both; got {len(self.words)} words."
            )

    def row(self, time: float) -> int:
        """The row of a time [s]: the last one that is not later."""
        return int(np.clip(np.searchsorted(self.time, time + 1e-12) - 1, 0, len(self.time) - 1))
