"""What collision and distance queries answer: who, how near, how deep, in numbers and in one sentence."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from carpal.contact.tables import ContactTables
from carpal.spatial import Array


def length_text(metres: float) -> str:
    """A length for people."""
    size = abs(metres)
    if size >= 1.0:
        return f"{metres:.3g} m"
    return f"{1000 * metres:.3g} mm" if size >= 1e-4 else f"{1e6 * metres:.2g} um"


@dataclass(frozen=True, eq=False)
class DistanceResult:
    """The nearest, or deepest, pair of shapes at each configuration; arrays have the batch's shape.

    Args:
        tables: the scene that was asked.
        distance: (*batch) [m]; negative: that deep; infinite where nothing is within the limit.
        pair: (*batch) row in `tables.pairs`; -1 where nothing is within the limit.
        p_WA, p_WB: (*batch, 3) nearest points on the first and the second shape [m].
        n_AB_W: (*batch, 3) unit normal from the first shape into the second; p_WB - p_WA = distance n_AB_W.
        limit: distances from this [m] on were not searched.
    """

    tables: ContactTables
    distance: Array
    pair: np.ndarray
    p_WA: Array
    p_WB: Array
    n_AB_W: Array
    limit: float

    @property
    def depth(self) -> Array:
        """(*batch) [m]: how deep the deepest pair is; zero where nothing overlaps."""
        return np.maximum(0.0, -self.distance)

    def names(self, index: tuple[int, ...] = ()) -> tuple[str, str] | None:
        """The two shapes at a batch index."""
        pair = int(self.pair[index])
        return None if pair < 0 else self.tables.pair_names(pair)

    def explain(self, index: tuple[int, ...] = ()) -> str:
        """One sentence about a batch index."""
        names, d = self.names(index), float(self.distance[index])
        if names is None:
            return f"nothing is nearer than {length_text(self.limit)}."
        if d < 0:
            return f"'{names[0]}' and '{names[1]}' overlap by {length_text(-d)}."
        return f"'{names[0]}' and '{names[1]}' are nearest, {length_text(d)} apart."

    @property
    def status(self) -> str:
        """One sentence; of a batch, about its least distance."""
        if self.distance.ndim == 0:
            return self.explain()
        if not self.distance.size:
            return "no configuration was asked."
        least = tuple(int(i) for i in np.unravel_index(int(np.argmin(self.distance)), self.distance.shape))
        return f"of {self.distance.size} configurations the worst is {least}: {self.explain(least)}"

    def __str__(self) -> str:
        return self.status


@dataclass(frozen=True, eq=False)
class CollisionResult:
    """Whether shapes touch at each configuration; `bool(result)` is True where any does.

    Args:
        tables: the scene that was asked.
        hit: (*batch) bool.
        pair: (*batch) row in `tables.pairs` of a pair that touches, the first one found; -1: none.
        margin: pairs at most this near [m] count.
        q: (*batch, nq) what was asked.
    """

    tables: ContactTables
    hit: np.ndarray
    pair: np.ndarray
    margin: float
    q: Array

    def __bool__(self) -> bool:
        return bool(self.hit.any())

    @cached_property
    def deepest(self) -> DistanceResult:
        """The deepest pair of each configuration that hits (asked when it is first wanted); the others' are infinite."""
        from carpal.contact.scene_queries import distance

        found = distance(self.tables, self.q[self.hit])

        def spread(values: np.ndarray, empty: float) -> np.ndarray:
            out = np.full((*self.hit.shape, *values.shape[1:]), empty, values.dtype)
            out[self.hit] = values
            return out

        return DistanceResult(
            self.tables, spread(found.distance, np.inf), spread(found.pair, -1), spread(found.p_WA, np.nan),
            spread(found.p_WB, np.nan), spread(found.n_AB_W, np.nan), self.margin,
        )  # fmt: skip

    @property
    def depth(self) -> Array:
        """(*batch) [m]: how deep the deepest pair is; zero where nothing overlaps."""
        return self.deepest.depth

    def names(self, index: tuple[int, ...] = ()) -> tuple[str, str] | None:
        """The two shapes of the deepest pair at a batch index; None where nothing touches."""
        return self.deepest.names(index)

    @property
    def status(self) -> str:
        """One sentence; of a batch, how many touch and where it is deepest."""
        count = len(self.tables.pairs)
        near = "touches" if self.margin == 0 else f"comes within {length_text(self.margin)}"
        if not self:
            what = "" if self.hit.ndim == 0 else f" at any of {self.hit.size} configurations"
            return f"nothing {near}{what} ({count} pairs of shapes)."
        if self.hit.ndim == 0:
            return self.deepest.explain()
        return f"{int(self.hit.sum())} of {self.hit.size} configurations touch; {self.deepest.status}"

    def __str__(self) -> str:
        return self.status
