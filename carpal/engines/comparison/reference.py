"""Reference: what a benchmark scene does by a closed form, or by an integration that uses nothing of Carpal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from carpal.engines.comparison.track import Track
from carpal.spatial import Array


@dataclass(frozen=True, eq=False)
class Value:
    """One number with a reference.

    Args:
        name: with its unit.
        expected: by the reference.
        measure: the same of a track.
    """

    name: str
    expected: float
    measure: Callable[[Track], float]


@dataclass(frozen=True, eq=False)
class Reference:
    """What is known of a scene.

    Args:
        paths: place (rows, 3) [m] in W of a point of each body at the moments asked for.
        points: that point (3) in B, by body; the origin where it is not named.
        values: single numbers.
        source: textbook or paper, and whether it is a closed form or an integration.
    """

    paths: Mapping[str, Array] = field(default_factory=dict)
    points: Mapping[str, Array] = field(default_factory=dict)
    values: tuple[Value, ...] = ()
    source: str = ""

    def apart(self, track: Track, body: str) -> Array:
        """Distance (rows) [m] of a body's point in a track from its path."""
        X = track.poses[:, track.bodies.index(body)]
        found = X[:, :3, 3] + X[:, :3, :3] @ np.asarray(self.points.get(body, np.zeros(3)), float)
        return np.asarray(np.linalg.norm(found - self.paths[body][: len(found)], axis=-1))


@dataclass(frozen=True)
class Agreement:
    """One engine beside the reference.

    Args:
        time: first moment [s] at which a path is farther than the tolerance from the reference; None: never.
        body: which, or that of the largest distance.
        distance: the largest [m]; NaN where the reference has no paths.
        values: name to (expected, found).
    """

    time: float | None
    body: str
    distance: float
    values: dict[str, tuple[float, float]]


def agreement(track: Track, reference: Reference, tolerance: float) -> Agreement:
    """A track beside the reference of its scene."""
    first, who, largest = None, "", float("nan")
    for body in reference.paths:
        apart = reference.apart(track, body)
        far = float(apart.max())
        beyond = np.flatnonzero(apart > tolerance)
        if not largest >= far:
            largest, who = far, body if first is None else who
        if len(beyond) and (first is None or track.time[beyond[0]] < first):
            first, who = float(track.time[beyond[0]]), body
    return Agreement(
        first, who, largest, {each.name: (each.expected, float(each.measure(track))) for each in reference.values}
    )


def plain(found: Agreement) -> dict[str, Any]:
    """As plain data."""
    return {"parts_at_s": found.time, "body": found.body, "largest_distance_m": found.distance,
            "values": {name: {"expected": e, "found": f} for name, (e, f) in found.values.items()}}  # fmt: skip
