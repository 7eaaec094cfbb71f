"""A progress bar on stderr, for anything over two seconds."""

from __future__ import annotations

import time
from types import TracebackType
from typing import Any

QUIET_SECONDS = 2.0


class Bar:
    """`with Bar(200, "seeds", shown=True) as bar: bar.to(17)`; nothing is shown, or imported, in the first two seconds.

    `done` is what was there before, `rate` also shows how many a second have come since.
    """

    def __init__(self, total: float, what: str, *, shown: bool, rate: bool = False, done: float = 0.0) -> None:
        self._total, self._what, self._shown, self._rate = total, what, shown, rate
        self.done, self._before = done, done
        self._started = time.monotonic()
        self._rich: Any = None
        self._line: Any = None

    def to(self, done: float) -> None:
        """How much is done."""
        self.done = done
        if not self._shown:
            return
        if self._rich is None and time.monotonic() - self._started > QUIET_SECONDS:
            self._open()
        if self._rich is not None:
            rate = (done - self._before) / max(time.monotonic() - self._started, 1e-9)
            self._rich.update(self._line, completed=done, rate=f"{rate:.3g}/s" if self._rate else "")

    def _open(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        rate = TextColumn("{task.fields[rate]}")
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), rate, TimeRemainingColumn())
        self._rich = Progress(*columns, console=Console(stderr=True), transient=True)
        self._line = self._rich.add_task(self._what, total=self._total, rate="")
        self._rich.start()

    def __enter__(self) -> Bar:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._rich is not None:
            self._rich.stop()
