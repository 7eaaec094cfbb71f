"""Compiled entries on CPU threads: chunks short enough for Ctrl-C and progress."""

from __future__ import annotations

import functools
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from carpal._core import compile_times  # noqa: F401 - it says what is compiled, before the first batch runs

T = TypeVar("T")
CHUNK_SECONDS = 0.2  # Ctrl-C and progress are served between chunks


@functools.cache
def _pool(threads: int, outer: bool = False) -> ThreadPoolExecutor:
    """The threads of entries, or those of functions that run entries: one pool that waited for itself would wait for ever."""
    del outer
    return ThreadPoolExecutor(max_workers=threads, thread_name_prefix="carpal")


def available_cores() -> int:
    """Cores that this process may use: in a container fewer than the machine has; only Linux says so."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def cpu_threads() -> int:
    """Threads of a batch: the available cores; `CARPAL_THREADS` overrides."""
    wanted = os.environ.get("CARPAL_THREADS")
    if wanted and wanted.isdigit():
        return max(1, int(wanted))
    return available_cores()


def map_on_threads(function: Callable[[int], T], count: int, threads: int) -> list[T]:
    """function(0), ..., function(count - 1), on so many threads; for calls that spend their time in compiled entries."""
    if threads < 2:
        return [function(i) for i in range(count)]
    return list(_pool(threads, outer=True).map(function, range(count)))


def run_on_cpu(entry_point: Any, arguments: tuple[Any, ...], worlds: int, *, threads: int, world_seconds: float) -> int:
    """Run an entry over all worlds in chunks; returns 0 or 1 + the lowest refused world.

    Args:
        entry_point: a function made by `entry`.
        arguments: everything before `start, stop, stride, slot`; scratch arrays need `threads` slots.
        worlds: number of worlds.
        threads: how many chunks run at a time.
        world_seconds: rough cost of one world [s]; sets the chunk length, never the result.
    """
    chunk = max(1, min(worlds, int(CHUNK_SECONDS / world_seconds)))
    if threads == 1 or worlds * world_seconds < 1e-3:
        for start in range(0, worlds, chunk):
            bad = entry_point(*arguments, start, min(start + chunk, worlds), 1, 0)
            if bad:
                return int(bad)
        return 0
    chunk = max(1, min(chunk, -(-worlds // threads)))
    starts = range(0, worlds, chunk)
    stop = threading.Event()

    def work(slot: int) -> int:
        for start in starts[slot::threads]:
            if stop.is_set():
                break
            bad = entry_point(*arguments, start, min(start + chunk, worlds), 1, slot)
            if bad:
                return int(bad)
        return 0

    try:
        refused = [bad for bad in _pool(threads).map(work, range(threads)) if bad]
    except BaseException:  # Ctrl-C: the other threads end with the chunk they are on
        stop.set()
        raise
    return min(refused) if refused else 0
