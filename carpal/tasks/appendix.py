"""What a task adds to its report: sections of text, a table, curves, stills of the scene, pictures, and maps over many cases."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from carpal._core.arrays import ArrayWithGaps
from carpal.spatial import Array


@dataclass(frozen=True, eq=False)
class Curves:
    """Curves of an appendix that share one axis: key, title, unit, names, time (rows) [s], values (rows, curves)."""

    key: str
    title: str
    unit: str
    names: tuple[str, ...]
    time: Array
    values: ArrayWithGaps


@dataclass(frozen=True, eq=False)
class Still:
    """A moment to be drawn.

    Args:
        title: its caption.
        q: (nq) of the recording's model.
        eye, look_at: of the camera (3) [m]; up is against gravity.
        field: height of the picture [rad].
        path: points (n, 3) [m] marked by dots of radius `dot` [m].
    """

    title: str
    q: Array
    eye: Array
    look_at: Array
    field: float = 0.6
    path: Array = dataclasses.field(default_factory=lambda: np.zeros((0, 3)))
    dot: float = 0.01


@dataclass(frozen=True, eq=False)
class Map:
    """One number over a grid of cases.

    Args:
        title, unit: of the number.
        across, up: names of the axes, with their units.
        x, y: (cases) where each case lies.
        values: (cases); NaN where a case has none.
        good: (cases) whether the case did what was asked.
    """

    title: str
    unit: str
    across: str
    up: str
    x: Array
    y: Array
    values: ArrayWithGaps
    good: np.ndarray


@dataclass(frozen=True, eq=False)
class Picture:
    """A picture that is there already: its caption, and pixels (height, width, 3) of uint8."""

    title: str
    pixels: np.ndarray


@dataclass(frozen=True, eq=False)
class Appendix:
    """A section of a task's report: a title, a paragraph, a table of texts, and what is drawn."""

    title: str
    text: str
    head: tuple[str, ...] = ()
    rows: Sequence[tuple[str, ...]] = ()
    curves: Sequence[Curves] = ()
    stills: Sequence[Still] = ()
    maps: Sequence[Map] = ()
    pictures: Sequence[Picture] = ()
