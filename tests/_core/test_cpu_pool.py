"""CPU threads: chunks, refusals, Ctrl-C."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest

from carpal._core import cpu_pool


class Recorder:
    """An entry in plain Python that remembers its calls."""

    def __init__(self, refused: tuple[int, ...] = ()) -> None:
        self.calls: list[tuple[int, int, int, int]] = []
        self.threads: set[str] = set()
        self.refused = refused
        self.lock = threading.Lock()

    def __call__(self, seen: np.ndarray, start: int, stop: int, stride: int, slot: int) -> int:
        with self.lock:
            self.calls.append((start, stop, stride, slot))
            self.threads.add(threading.current_thread().name)
        seen[start:stop:stride] += 1
        bad = [world for world in self.refused if start <= world < stop]
        return min(bad) + 1 if bad else 0


@pytest.mark.parametrize("worlds", [1, 7, 1000, 1001])
@pytest.mark.parametrize("threads", [1, 2, 3, 8])
@pytest.mark.parametrize("world_seconds", [1e-9, 1e-3, 0.05, 10.0])
def test_every_world_is_run_once(worlds: int, threads: int, world_seconds: float) -> None:
    seen, entry = np.zeros(worlds, int), Recorder()
    assert cpu_pool.run_on_cpu(entry, (seen,), worlds, threads=threads, world_seconds=world_seconds) == 0
    assert (seen == 1).all()
    longest = max(stop - start for start, stop, _, _ in entry.calls)
    assert longest == 1 or longest * world_seconds <= cpu_pool.CHUNK_SECONDS
    assert {slot for *_, slot in entry.calls} <= set(range(threads))


def test_threads_start_only_when_there_is_work_for_them() -> None:
    small, large = Recorder(), Recorder()
    cpu_pool.run_on_cpu(small, (np.zeros(100),), 100, threads=2, world_seconds=1e-6)
    cpu_pool.run_on_cpu(large, (np.zeros(100_000),), 100_000, threads=2, world_seconds=1e-6)
    assert small.threads == {threading.current_thread().name}
    assert all(name.startswith("carpal") for name in large.threads)
    assert {slot for *_, slot in large.calls} == {0, 1}


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_the_lowest_refused_world_is_told(threads: int) -> None:
    entry = Recorder(refused=(9000, 4321, 70_000))
    worlds = 100_000
    assert cpu_pool.run_on_cpu(entry, (np.zeros(worlds),), worlds, threads=threads, world_seconds=1e-5) == 4322


def test_the_number_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARPAL_THREADS", "3")
    assert cpu_pool.cpu_threads() == 3
    monkeypatch.setenv("CARPAL_THREADS", "0")
    assert cpu_pool.cpu_threads() == 1
    monkeypatch.setenv("CARPAL_THREADS", "many")
    plain = cpu_pool.cpu_threads()
    monkeypatch.delenv("CARPAL_THREADS")
    assert plain == cpu_pool.cpu_threads() >= 1


def test_ctrl_c_ends_every_thread_with_the_chunk_it_is_on():
    finished = []

    def entry(start, stop, stride, slot):
        if slot == 0:
            raise KeyboardInterrupt
        time.sleep(0.02)
        finished.append(start)
        return 0

    with pytest.raises(KeyboardInterrupt):
        cpu_pool.run_on_cpu(entry, (), 1000, threads=2, world_seconds=0.2)  # one world a chunk
    done = len(finished)
    time.sleep(0.2)
    assert len(finished) <= done + 1
    assert done < 400


def test_functions_run_on_threads_in_order():
    for threads in (1, 2):
        assert cpu_pool.map_on_threads(lambda i: i * i, 5, threads) == [0, 1, 4, 9, 16]


def test_functions_on_threads_may_run_functions_on_threads_of_entries():
    def inner(i: int) -> int:
        seen = np.zeros(8)
        assert cpu_pool.run_on_cpu(Recorder(), (seen,), 8, threads=2, world_seconds=0.1) == 0
        return int(seen.sum())

    assert cpu_pool.map_on_threads(inner, 6, 2) == [8] * 6
