"""The line that says what is being compiled, and how long that took the last time: one a process, on stderr.

While something compiles, Python's collector of cycles runs rarely: a compiler makes millions of objects that stay.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import json
import multiprocessing
import os
import sys
import time
from pathlib import Path
from typing import Any

from numba.core import event

from carpal._core import compile as compiling

FILE = "compile_seconds.json"
"""Beside the folders of machine code: part to seconds of its own, and of all compilation of the run that began with it."""
UNKNOWN = "up to a minute"
RARE = 100_000
"""New objects between two collections while something compiles (Python's own 700); a cold `plan` takes 15 MB more memory."""


def part_name(dispatcher: Any) -> str:
    """What is compiled, in short: carpal.engines.penalty.kernels.run.run_batch is engines.penalty.run."""
    function = getattr(dispatcher, "py_func", dispatcher)
    words = str(getattr(function, "__module__", "?")).split(".")
    return ".".join(word for word in words if word not in ("carpal", "kernels"))


class CompileTimes(event.Listener):
    """Prints the line at the first compilation of a process, keeps the times of each part, and writes them at the end.

    Args:
        file: where the times are kept.
        shown: whether the line is printed: not in worker processes, whose parent has said it.
    """

    def __init__(self, file: Path, shown: bool) -> None:
        self._file, self._shown = file, shown
        self._depth, self._begun, self._first = 0, 0.0, ""
        self._collector = gc.get_threshold()
        self.spent: dict[str, float] = {}

    def on_start(self, event: Any) -> None:
        """A compilation begins; those inside another one are part of it."""
        self._depth += 1
        dispatcher = event.data["dispatcher"]
        if self._depth > 1 or isinstance(dispatcher, str):
            return
        self._begun = time.perf_counter()
        self._collector = gc.get_threshold()
        if gc.isenabled() and 0 < self._collector[0] < RARE:
            gc.set_threshold(RARE, *self._collector[1:])
        if not self._first:
            self._first = part_name(dispatcher)
            if self._shown:
                print(self.line(self._first), file=sys.stderr, flush=True)

    def on_end(self, event: Any) -> None:
        """A compilation has ended."""
        self._depth -= 1
        dispatcher = event.data["dispatcher"]
        if self._depth == 0 and not isinstance(dispatcher, str):
            name = part_name(dispatcher)
            self.spent[name] = self.spent.get(name, 0.0) + time.perf_counter() - self._begun
            gc.set_threshold(*self._collector)

    def line(self, part: str) -> str:
        """What is said."""
        last = self.kept().get(part, {}).get("run_seconds")
        how_long = UNKNOWN if last is None else f"{last:.0f} s the last time, with what followed"
        return f"carpal: compiling {part} for this machine (once, {how_long}) ..."

    def kept(self) -> dict[str, dict[str, float]]:
        """The times of earlier runs; none where the file is missing or not ours."""
        try:
            found = json.loads(self._file.read_text())
        except (OSError, ValueError):
            return {}
        parts = found.items() if isinstance(found, dict) else ()
        return {str(part): times for part, times in parts if isinstance(times, dict)}

    def write(self) -> None:
        """Keep the times of this run; a folder that cannot be written costs nothing but the times."""
        if not self.spent:
            return
        times = self.kept()
        for part, seconds in self.spent.items():
            times[part] = {**times.get(part, {}), "seconds": round(seconds, 3)}
        times.setdefault(self._first, {})["run_seconds"] = round(sum(self.spent.values()), 3)
        partial = self._file.with_name(f"{self._file.name}.{os.getpid()}")
        try:
            partial.parent.mkdir(parents=True, exist_ok=True)
            partial.write_text(json.dumps(times, indent=1, sort_keys=True) + "\n")
            os.replace(partial, self._file)
        except OSError:
            with contextlib.suppress(OSError):
                partial.unlink(missing_ok=True)


def _watch() -> CompileTimes:
    compiling._SayThatItCompiles.said = (
        True  # the line of an earlier listener, which knows neither the part nor its time
    )
    times = CompileTimes(compiling._cache_folder().parent / FILE, shown=multiprocessing.parent_process() is None)
    event.register("numba:compile", times)
    atexit.register(times.write)
    return times


TIMES = _watch()
"""Of this process."""
