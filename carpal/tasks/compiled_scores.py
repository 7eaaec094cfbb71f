"""Scores of many seeds by a task's compiled run loop, as many at a time as memory holds the rows of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from carpal.spatial import Array
from carpal.tasks.task import Score

LAUNCH_BYTES = 1 << 30
"""Of rows in one call. The host holds them about three times over while their energies are reckoned."""


class Worlds(Protocol):
    """What a compiled run loop gives back: rows of every world, and how many steps of each were good."""

    @property
    def time(self) -> Array:
        """(rows) [s]."""

    @property
    def done(self) -> Array:
        """(worlds) good steps; fewer than rows - 1 where a world diverged."""


W = TypeVar("W", bound=Worlds)


def score_compiled(
    seeds: Sequence[int],
    row_bytes: int,
    run: Callable[[Sequence[int]], W],
    score: Callable[[W, int], Score],
    step_by_step: Callable[[int], Score],
) -> list[Score]:
    """The scores of some seeds, in their order; they do not depend on how many are run together.

    Args:
        seeds: one world each.
        row_bytes: what all rows of one world take.
        run: the compiled loop over some seeds.
        score: of one world of such a run.
        step_by_step: of a seed whose world diverged: the policy's loop says why.
    """
    scores: list[Score] = []
    together = max(1, LAUNCH_BYTES // row_bytes)
    for first in range(0, len(seeds), together):
        some = seeds[first : first + together]
        made = run(some)
        whole = made.done >= len(made.time) - 1
        scores += [score(made, i) if whole[i] else step_by_step(seed) for i, seed in enumerate(some)]
    return scores
