"""Scores of many seeds by a task's compiled run loop, in batches whose rows fit in memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

import numpy as np

from carpal.spatial import Array
from carpal.tasks.task import Score, Task

LAUNCH_BYTES = 1 << 30
"""Of rows in one call. The host holds about three times as much while it computes their energies."""


class Worlds(Protocol):
    """Result of a compiled run loop: rows of every world, and how many steps of each were good."""

    @property
    def time(self) -> Array:
        """(rows) [s]."""

    @property
    def done(self) -> Array:
        """(worlds) good steps; fewer than rows - 1 where a world diverged."""

    @property
    def kept(self) -> Array:
        """(worlds) whether the energy residual keeps its bound."""


W = TypeVar("W", bound=Worlds)


def score_in_batches(
    task: Task,
    seeds: Sequence[int],
    row_bytes: int,
    run: Callable[[Sequence[int]], W],
    score: Callable[[W, int], Score],
) -> list[Score]:
    """Scores of some seeds, in their order; they do not depend on the size of a batch.

    Args:
        task: runs a seed step by step where its world diverged or broke its energy bound, which gives the reason.
        seeds: one world each.
        row_bytes: size of all rows of one world.
        run: the compiled loop over some seeds.
        score: of one world of such a run.
    """
    scores: list[Score] = []
    together = max(1, LAUNCH_BYTES // row_bytes)
    for first in range(0, len(seeds), together):
        some = seeds[first : first + together]
        made = run(some)
        complete = np.logical_and(made.done >= len(made.time) - 1, made.kept)
        scores += [score(made, i) if complete[i] else task.score_stepwise(seed) for i, seed in enumerate(some)]
    return scores
