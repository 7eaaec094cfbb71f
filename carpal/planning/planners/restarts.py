"""Restarts: a long search starts again with other random numbers.

With a payload, what an edge does to its set depends on its past, so a tree that grew badly stays bad. The number of samples
of a search has a heavy tail, and a restarted one often ends after a tenth of them. Attempts grow as 600, 600, 1200, 1200, 2400,
... samples, so that a hard query gets many (Luby, Sinclair, Zuckerman, "Optimal speedup of Las Vegas algorithms", 1993).
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from carpal.contact import ContactTables
from carpal.planning.payload.payload_scene import PayloadScene
from carpal.planning.planners.kernels import run
from carpal.planning.planners.search_budget import SearchBudget
from carpal.planning.planners.search_run import run_search
from carpal.planning.planners.search_settings import SearchSettings
from carpal.spatial import Array

FIRST = 600  # samples of the first two attempts with a payload
NEXT_SEED = 1_000_003  # from one attempt's seed to the next


def attempt_sizes(first: int = FIRST) -> Iterator[int]:
    """Samples of each attempt, without end."""
    for attempt in itertools.count():
        yield first << (attempt // 2)


def seed_of(seed: Array | int, attempt: int) -> Any:
    """The seed of an attempt."""
    return (seed + attempt * NEXT_SEED) % 2**53


def search_with_restarts(
    tables: ContactTables,
    settings: SearchSettings,
    margin: float,
    starts: Array,
    goals: Array,
    numbers: Array,
    budget: SearchBudget,
    *,
    first: int = FIRST,
    carried: PayloadScene | None = None,
    **more: Any,
) -> tuple[Array, Array, Array]:
    """As `run_search`, until the budget ends; samples, checks and blame are those of all attempts. `more`: threads, device."""
    pending = np.arange(len(starts))
    paths, reports, blame = np.zeros(0), np.zeros(0), np.zeros(0)
    done = 0
    for attempt, usual in enumerate(attempt_sizes(first)):
        size = min(usual, budget.left(done))
        if size == 0 or (attempt > 0 and budget.out_of_time()):
            break
        seeds = numbers[pending].copy()
        seeds[:, 0] = seed_of(seeds[:, 0], attempt)
        short = dataclasses.replace(settings, max_samples=size)
        path, report, hits, _ = run_search(
            tables, short, margin, starts[pending], goals[pending], seeds, carried=carried, **more
        )
        done += size
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
