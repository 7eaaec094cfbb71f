"""A clock that stops during JIT compilation: results report wall time without it."""

from __future__ import annotations

import time
from typing import Any

from numba.core import event


class _Compiling(event.Listener):
    """Adds up the time [s] of compilations; one may hold others, and Numba makes one at a time."""

    depth, begun, spent = 0, 0.0, 0.0

    def on_start(self, event: Any) -> None:
        if self.depth == 0:
            self.begun = time.perf_counter()
        self.depth += 1

    def on_end(self, event: Any) -> None:
        self.depth -= 1
        if self.depth == 0:
            self.spent += time.perf_counter() - self.begun


_compiling = _Compiling()
event.register("numba:compile", _compiling)


def work_seconds() -> float:
    """Seconds since some moment, less those in which something was compiled."""
    return time.perf_counter() - _compiling.spent


def compile_seconds() -> float:
    """Seconds that this process has spent on compilation so far."""
    return _compiling.spent
