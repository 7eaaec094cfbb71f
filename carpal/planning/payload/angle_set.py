"""AngleSet: which angles a payload may have at one moment, as cells and as intervals."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import InputError
from carpal.model import real_array
from carpal.planning.payload.kernels.angle_set import CELLS, HALF
from carpal.spatial import Array

MIDDLES = (np.arange(CELLS) / CELLS - 0.5) * 2 * np.pi  # erratum E9
MIDDLES.setflags(write=False)


@dataclass(frozen=True, eq=False)
class AngleSet:
    """The angles that a payload may have; never empty.

    Args:
        states: (CELLS) of each cell of the circle: 0 it is not there, 1 it may rest there, 2 it may be passing.
    """

    states: np.ndarray

    @property
    def intervals(self) -> list[tuple[float, float]]:
        """Closed intervals (low, high) [rad] that hold every possible angle; low in [-pi, pi), high at most a turn above."""
        inside = self.states > 0
        if inside.all():
            return [(-np.pi, np.pi)]
        first = np.flatnonzero(inside & ~np.roll(inside, 1))
        last = np.flatnonzero(inside & ~np.roll(inside, -1))
        if len(first) and last[0] < first[0]:
            last = np.roll(last, -1)
        ends = [(float(MIDDLES[a] - HALF), float(MIDDLES[b] + HALF)) for a, b in zip(first, last, strict=True)]
        return [(low, high if high > low else high + 2 * np.pi) for low, high in ends]

    @property
    def width(self) -> float:
        """All its intervals together [rad]."""
        return float(2 * HALF * (self.states > 0).sum())

    @property
    def at_rest(self) -> bool:
        """Whether it cannot be moving."""
        return not (self.states == 2).any()

    def __contains__(self, angle: float) -> bool:
        return bool(self.holds(angle))

    def holds(self, angles: ArrayLike, *, tolerance: float = 1e-9) -> np.ndarray:
        """Whether each angle (*batch) [rad] lies in the set."""
        return _outside(self.states, real_array(angles, "angles")) <= tolerance

    def samples(self, step: float) -> Array:
        """Angles (n) [rad] that cover every interval, ends included, no further apart than a step."""
        if not step > 0:
            raise InputError(f"step must be above zero [rad]; got {step!r}.")
        parts = [np.linspace(low, high, int(np.ceil((high - low) / step)) + 1) for low, high in self.intervals]
        return np.concatenate(parts)

    def __str__(self) -> str:
        ends = ", ".join(f"{np.degrees(low):.0f} to {np.degrees(high):.0f}" for low, high in self.intervals)
        return f"the payload's angle is {ends} degrees" + ("." if self.at_rest else "; it may be moving.")


def _outside(states: np.ndarray, angles: Array) -> Array:
    """How far each angle (*batch) is from the nearest cell of the set [rad]."""
    places = MIDDLES[states > 0]
    if not len(places):
        return np.full(np.shape(angles), np.inf)
    apart = np.abs((angles[..., None] - places + np.pi) % (2 * np.pi) - np.pi)
    return np.maximum(apart.min(axis=-1) - HALF, 0.0)
