"""Restarts: a long search with a payload starts again with other random numbers.

What an edge does to a payload's set depends on its past, so a tree that grew badly stays bad; the number of samples of a search
has a heavy tail, and a restarted one often ends after a tenth of them. Attempts grow as 600, 600, 1200, 1200, 2400, ... samples,
so that a hard query gets many (Luby, Sinclair, Zuckerman, "Optimal speedup of Las Vegas algorithms", 1993).
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from carpal.contact import ContactTables
from carpal.planning.payload.payload_scene import PayloadScene
from carpal.planning.planners.kernels import run
from carpal.planning.planners.search_run import run_search
from carpal.planning.planners.search_settings import SearchSettings
from carpal.spatial import Array

FIRST = 600  # samples of the first two attempts
NEXT_SEED = 1_000_003  # from one attempt's seed to the next


def attempt_sizes(most: int) -> list[int]:
    """Samples of each attempt, `most` in all."""
    sizes: list[int] = []
    remaining = most
    while remaining > 0:
        size = min(FIRST << (len(sizes) // 2), remaining)
        sizes.append(size)
        remaining -= size
    return sizes


def search_with_restarts(
    tables: ContactTables,
    settings: SearchSettings,
    margin: float,
    starts: Array,
    goals: Array,
    numbers: Array,
    carried: PayloadScene,
    **more: Any,
) -> tuple[Array, Array, Array]:
    """As `run_search` with a payload; samples, checks and blame are those of all attempts. `more`: threads, device."""
    pending = np.arange(len(starts))
    paths, reports, blame = np.zeros(0), np.zeros(0), np.zeros(0)
    for attempt, size in enumerate(attempt_sizes(settings.max_samples)):
        seeds = numbers[pending].copy()
        seeds[:, 0] = (seeds[:, 0] + attempt * NEXT_SEED) % 2**53
        short = dataclasses.replace(settings, max_samples=size)
        path, report, hits, _ = run_search(
            tables, short, margin, starts[pending], goals[pending], seeds, carried=carried, **more
        )
        if attempt == 0:
            paths, reports, blame = path, report, hits
        else:
            for column in (run.SAMPLE_COUNT, run.CHECK_COUNT):
                report[:, column] += reports[pending, column]
            paths[pending], reports[pending], blame[pending] = path, report, blame[pending] + hits
        exhausted = (report[:, run.OUTCOME] == run.EXHAUSTED) | (report[:, run.OUTCOME] == run.FULL)
        pending = pending[exhausted]
        if not len(pending):
            break
    return paths, reports, blame
