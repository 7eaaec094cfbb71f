"""A pool of worker processes that score seeds.

Workers are programs of their own (`carpal.tasks.worker`), each served by a thread here; only this process writes.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from carpal.errors import CarpalError
from carpal.tasks.journal import Journal
from carpal.tasks.progress import Bar


def run_pool(
    task: str, options: dict[str, Any], seeds: list[int], chunk: int, processes: int, journal: Journal, bar: Bar
) -> None:
    """Score seeds in worker processes; every finished one goes into the journal at once.

    Args:
        task, options: as of `run_seeds`, checked.
        seeds: those still to do.
        chunk: how many a worker takes at a time.
        processes: how many workers at most.
        journal: where the rows go.
        bar: shows how many rows there are.
    """
    todo: queue.SimpleQueue[list[int]] = queue.SimpleQueue()
    done: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
    chunks = [seeds[i : i + chunk] for i in range(0, len(seeds), chunk)]
    for part in chunks:
        todo.put(part)
    begin = {"task": task, "options": options, "path": [path or os.getcwd() for path in sys.path]}
    workers = [_Worker(begin, todo, done) for _ in range(min(processes, len(chunks)))]
    try:
        with bar:
            for _ in chunks:
                told = _next(done, bar, len(journal.rows))
                if "ended" in told:
                    raise CarpalError(
                        f"a worker process ended with status {told['ended']} while it ran seeds {told['seeds']}; "
                        f"{len(journal.rows)} finished seeds are kept."
                    )
                if "error" in told:  # a defect of the task: its author needs the whole story
                    raise RuntimeError(f"seeds {told['seeds']} failed in a worker process:\n{told['error']}")
                for row in told["rows"]:
                    journal.add(row)
    finally:
        for worker in workers:
            worker.end()


def _next(done: queue.SimpleQueue[dict[str, Any]], bar: Bar, finished: int) -> dict[str, Any]:
    while True:
        bar.to(finished)
        try:
            return done.get(timeout=0.2)
        except queue.Empty:
            continue


class _Worker(threading.Thread):
    """Feeds one worker process and passes its answers on."""

    def __init__(self, begin: dict[str, Any], todo: Any, done: Any) -> None:
        super().__init__(daemon=True, name="carpal-worker")
        self._todo, self._done = todo, done
        environment = {**os.environ, "CARPAL_THREADS": "1"}
        home = str(Path(__file__).parents[2])
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, [home, os.environ.get("PYTHONPATH")]))
        # a process group of its own: Ctrl-C reaches only the program that the user started
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "carpal.tasks.worker"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment, process_group=0,
        )  # fmt: skip
        self._begin = begin
        self.start()

    def run(self) -> None:
        seeds: list[int] = []
        try:
            self._say(self._begin)
            while True:
                try:
                    seeds = self._todo.get_nowait()
                except queue.Empty:
                    return
                self._say({"seeds": seeds})
                assert self.process.stdout is not None
                told = self.process.stdout.readline()
                if not told:
                    raise BrokenPipeError
                self._done.put({"seeds": seeds, **json.loads(told)})
        except (OSError, ValueError):
            self._done.put({"seeds": seeds, "ended": self.process.wait()})

    def _say(self, data: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(data) + "\n")
        self.process.stdin.flush()

    def end(self) -> None:
        """Stop the process and wait for it."""
        self.process.kill()
        self.process.wait()
