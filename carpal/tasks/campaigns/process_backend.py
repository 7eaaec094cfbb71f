"""Cases on this machine's processes: workers of their own, fed in chunks that take a fraction of a second.

A worker that ends or takes too long is replaced. Its cases are run again one at a time, so that the failing one is found and
becomes a row with its cause; the others continue. A process may also be killed from outside: a case counts as crashed when
it ended two of them.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections import Counter, deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from carpal.errors import CarpalError
from carpal.tasks.campaigns.case_rows import CaseInput
from carpal.tasks.campaigns.store import CRASHED, HUNG
from carpal.tasks.campaigns.study import Study

CHUNK_SECONDS = 0.3
MOST_CASES = 500


def run_on_processes(study: Study, numbers: Iterator[int], processes: int) -> Iterator[dict[str, Any] | None]:
    """Rows as they come, in any order; None when a fifth of a second brought nothing."""
    pool = _Pool(study, numbers, processes)
    try:
        while (reply := pool.next()) is not pool.END:
            yield from reply if reply else [None]
    finally:
        pool.end()


class _Pool:
    END: Any = object()

    def __init__(self, study: Study, numbers: Iterator[int], processes: int) -> None:
        self.study, self._numbers = study, numbers
        self._again: deque[list[CaseInput]] = deque()
        self._ended: Counter[int] = Counter()
        self._done: queue.SimpleQueue[tuple[_Worker, list[CaseInput], dict[str, Any]]] = queue.SimpleQueue()
        self._seconds = CHUNK_SECONDS  # what a case takes, as far as is known: the first chunks are of one case
        self.workers: list[_Worker] = []
        for _ in range(processes):
            self._start()

    def _start(self) -> None:
        worker = _Worker(self.study.task, self._done)
        self.workers.append(worker)
        if not self._feed(worker):
            self._dismiss(worker)

    def _dismiss(self, worker: _Worker) -> None:
        self.workers.remove(worker)
        worker.end()

    def _chunk(self) -> list[CaseInput]:
        if self._again:
            return self._again.popleft()
        size = max(1, min(MOST_CASES, int(CHUNK_SECONDS / max(self._seconds, 1e-6))))
        chunk = []
        for number in self._numbers:
            case = self.study.case(number)
            chunk.append((number, case.options, case.seed))
            if len(chunk) == size:
                break
        return chunk

    def _feed(self, worker: _Worker) -> bool:
        chunk = self._chunk()
        if chunk:
            worker.ask(chunk, self.study.timeout * len(chunk))
        return bool(chunk)

    def next(self) -> Any:
        """Some rows, nothing, or END."""
        if not self.workers:
            return self.END
        for worker in list(self.workers):
            if time.monotonic() > worker.deadline:
                worker.late = True
                worker.process.kill()  # its thread reports the end
        try:
            worker, chunk, reply = self._done.get(timeout=0.2)
        except queue.Empty:
            return []
        if worker not in self.workers:
            return []
        if "rows" in reply:
            rows: list[dict[str, Any]] = reply["rows"]
            self._seconds = 0.5 * self._seconds + 0.5 * sum(row["seconds"] for row in rows) / len(rows)
            if not self._feed(worker):
                self._dismiss(worker)
            return rows
        if "error" in reply:
            raise CarpalError(f"the task '{self.study.task}' cannot be made in a worker process: {reply['error']}")
        self._dismiss(worker)
        rows = []
        if len(chunk) == 1:
            self._ended[chunk[0][0]] += 1
        if len(chunk) == 1 and (worker.late or self._ended[chunk[0][0]] > 1):
            why = (
                f"took longer than {self.study.timeout:g} s and was stopped."
                if worker.late else f"the process ended with status {reply['ended']}."
            )  # fmt: skip
            row = {"number": chunk[0][0], "state": HUNG if worker.late else CRASHED, "ok": False, "status": why}
            rows = [{**row, "numbers": {}, "seconds": time.monotonic() - worker.asked}]
        else:
            self._again.extend([case] for case in chunk)
        self._start()
        return rows

    def end(self) -> None:
        """Stop all processes."""
        for worker in list(self.workers):
            self._dismiss(worker)


class _Worker(threading.Thread):
    """Feeds one worker process and passes its answers on."""

    def __init__(self, task: str, done: Any) -> None:
        super().__init__(daemon=True, name="carpal-campaign-worker")
        self._done, self._todo = done, queue.SimpleQueue[Any]()
        self.late, self.asked, self.deadline = False, 0.0, float("inf")
        environment = {**os.environ, "CARPAL_THREADS": "1"}
        home = str(Path(__file__).parents[3])
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, [home, os.environ.get("PYTHONPATH")]))
        # a process group of its own: Ctrl-C reaches only the program that the user started
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "carpal.tasks.campaigns.case_worker"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment, process_group=0,
        )  # fmt: skip
        self._begin = {"task": task, "path": [path or os.getcwd() for path in sys.path]}
        self.start()

    def ask(self, chunk: list[CaseInput], allowed: float) -> None:
        """Cases to run, and for how long [s]; the clock starts when the process has started."""
        self._todo.put((chunk, allowed))

    def run(self) -> None:
        chunk: list[CaseInput] = []
        try:
            self._send(self._begin)
            ready = self._receive()
            while (asked := self._todo.get()) is not None:
                chunk, allowed = asked
                self.asked = time.monotonic()
                self.deadline = self.asked + allowed
                if "error" not in ready:
                    self._send({"cases": chunk})
                reply = ready if "error" in ready else self._receive()
                self.deadline = float("inf")
                self._done.put((self, chunk, reply))
        except (OSError, ValueError):
            self.deadline = float("inf")
            if not chunk:  # it ended before it was asked: what it would have been asked is still to do
                chunk = (self._todo.get() or ([], 0.0))[0]
            self._done.put((self, chunk, {"ended": self.process.wait()}))

    def _receive(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        reply = self.process.stdout.readline()
        if not reply:
            raise BrokenPipeError
        answer: dict[str, Any] = json.loads(reply)
        return answer

    def _send(self, data: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(data) + "\n")
        self.process.stdin.flush()

    def end(self) -> None:
        """Stop the process and wait for it."""
        self._todo.put(None)
        self.process.kill()
        self.process.wait()
