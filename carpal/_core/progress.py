"""The progress bar: on stderr, for anything over two seconds."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator
from types import TracebackType
from typing import Any

QUIET_SECONDS = 2.0
UPDATE_SECONDS = 0.05


class Bar:
    """`with Bar(200, "seeds", shown=True) as bar: bar.to(17)`; nothing is shown, or imported, in the first two seconds.

    Nothing is shown where stderr is no terminal.

    Args:
        total: when it is complete; 1 for a fraction, which is shown as a percentage.
        what: its title.
        shown: False switches it off.
        rate: show also how many per second were finished.
        done: what was finished before.
    """

    def __init__(self, total: float, what: str, *, shown: bool, rate: bool = False, done: float = 0.0) -> None:
        self._total, self._what, self._rate = total, what, rate
        self._shown = shown and sys.stderr.isatty()
        self.done, self._before = done, done
        self._started = self._updated = time.monotonic()
        self._rich: Any = None
        self._line: Any = None

    def to(self, done: float) -> None:
        """Set how much is done."""
        self.done = done
        if not self._shown:
            return
        now = time.monotonic()
        if self._rich is None:
            if now - self._started <= QUIET_SECONDS:
                return
            self._open()
        elif now - self._updated < UPDATE_SECONDS and done < self._total:
            return
        self._updated = now
        rate = (done - self._before) / max(now - self._started, 1e-9)
        self._rich.update(self._line, completed=done, rate=f"{rate:.3g}/s" if self._rate else "")

    def _open(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        count = TextColumn("{task.percentage:>3.0f} %") if self._total == 1 else MofNCompleteColumn()
        rate = TextColumn("{task.fields[rate]}")
        columns = (TextColumn("{task.description}"), BarColumn(), count, rate, TimeRemainingColumn())
        bar = Progress(*columns, console=Console(stderr=True), transient=True)
        self._line = bar.add_task(self._what, total=self._total, rate="")
        self._rich = bar  # before it starts: Ctrl-C during the start must find it, or stdout stays redirected to it
        bar.start()

    def __enter__(self) -> Bar:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._rich is not None:
            self._rich.stop()


@contextlib.contextmanager
def silent_console() -> Iterator[None]:
    """Keep what others print through rich to themselves; a notebook would display it."""
    import rich

    console = rich.get_console()
    before, console.quiet = console.quiet, True
    try:
        yield
    finally:
        console.quiet = before
