"""The journal of a campaign: SQLite with a write-ahead log, so that a kill at any moment leaves complete rows only.

A row is written once and never changed; memory holds one bit a case. One program at a time uses a folder.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import sqlite3
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

from carpal._core.folder_lock import folder_lock
from carpal._core.progress import Bar
from carpal.errors import RecordingError
from carpal.tasks.campaigns.study import longer_study

FORMAT = "carpal-campaign-2"
DONE, CRASHED, HUNG = "done", "crashed", "hung"
"""States of a case: it has a score; it ended its process or raised what a task should not; it took longer than it may."""
COMMIT_SECONDS, COMMIT_ROWS = 0.25, 2000
MAX_CASES = 1 << 62
SUM = "digest"
"""Under this name the digest of everything else that is kept about a campaign."""
_TABLES = """
create table if not exists about (name text primary key, value text not null);
create table if not exists rows (
    number integer primary key, state text not null, ok integer not null, status text not null, numbers text not null,
    seconds real not null, backend text not null, digest text not null
);
create table if not exists runs (id integer primary key, backend text not null, cases integer not null, seconds real not null);
"""


@dataclass
class _Run:
    """What is being run now: its number, the backend, when it began, and how many cases it has finished."""

    number: int
    backend: str
    begun: float
    cases: int = 0

    def row(self) -> tuple[int, str, int, float]:
        """As it is kept."""
        return self.number, self.backend, self.cases, time.monotonic() - self.begun


def _digest(*values: Any) -> str:
    """Of a row as it is kept: SQLite does not notice a flipped bit."""
    return hashlib.blake2b(json.dumps(values).encode(), digest_size=8).hexdigest()


class CaseStore:
    """Rows of finished cases in `FOLDER/journal.sqlite`.

    Args:
        folder: made where it is not there.
        about: what is being run: plain data; another study in the folder is refused.
        cases: how many there are; rows of other cases are not read. Without it every row is.
        reading: read only, also while another program writes.
    """

    def __init__(self, folder: Path, about: dict[str, Any] | None, cases: int = 0, *, reading: bool = False) -> None:
        self.path = folder / "journal.sqlite"
        self._lock = contextlib.ExitStack()
        self._base: Any = None
        self._waiting: list[tuple[Any, ...]] = []
        self._last = time.monotonic()
        self._run: _Run | None = None
        self._limit = cases or MAX_CASES
        try:
            if reading:
                if not self.path.exists():
                    raise RecordingError(f"'{folder}' holds no campaign: there is no journal.sqlite in it.")
                self._base = sqlite3.connect(f"{self.path.resolve().as_uri()}?mode=ro", uri=True)
            else:
                self._lock.enter_context(folder_lock(folder))
                self._base = sqlite3.connect(self.path, check_same_thread=False)
                self._base.execute("pragma journal_mode = wal")
                self._base.execute("pragma synchronous = normal")
                self._base.executescript(_TABLES)
                self._agree({"format": FORMAT, **(about or {})})
            self.about = self._read_about()
            self.finished = np.zeros(cases, bool)
            if cases and not reading:
                held = np.fromiter((row[0] for row in self._base.execute("select number from rows")), np.int64)
                self.finished[held[held < cases]] = True
        except (sqlite3.Error, UnicodeDecodeError, ValueError) as problem:
            self.close()
            if isinstance(problem, RecordingError):
                raise
            raise RecordingError(f"'{self.path}' cannot be used: {problem}.") from None
        except OSError as problem:
            self.close()
            raise RecordingError(f"'{folder}' cannot be used: {problem.strerror or problem}.") from None
        except BaseException:
            self.close()
            raise

    def _agree(self, about: dict[str, Any]) -> None:
        found = dict(self._base.execute("select name, value from about"))
        plain = {name: json.dumps(value, sort_keys=True) for name, value in about.items()}
        if not found:
            self._write_about(plain)
            return
        found.pop(SUM, None)
        for name in sorted(set(found) | set(plain)):
            if found.get(name) != plain.get(name):
                if (
                    name == "study"
                    and name in found
                    and self._grown(*(json.loads(one[name]) for one in (found, plain)))
                ):
                    continue
                was, now = (str(one.get(name))[:200] for one in (found, plain))
                raise RecordingError(
                    f"'{self.path.parent}' was begun with {name} {was}, and now it is {now}; choose another folder."
                )

    def _grown(self, old: dict[str, Any], new: dict[str, Any]) -> bool:
        """Whether the studies differ in the number of seeds only; the journal is then of the longer one."""
        longer = longer_study(old, new)
        if longer is not None and longer != old:
            found = dict(self._base.execute("select name, value from about where name != ?", (SUM,)))
            self._write_about({**found, "study": json.dumps(longer, sort_keys=True)})
        return longer is not None

    def _write_about(self, plain: dict[str, str]) -> None:
        rows = [*plain.items(), (SUM, _digest(sorted(plain.items())))]
        with self._base:
            self._base.executemany("insert or replace into about values (?, ?)", rows)

    def _read_about(self) -> dict[str, Any]:
        found = dict(self._base.execute("select name, value from about"))
        if found.get("format") != json.dumps(FORMAT):
            raise RecordingError(f"'{self.path}' is no journal of format '{FORMAT}'; choose another folder.")
        if found.pop(SUM, None) != _digest(sorted(found.items())):
            raise self._damaged("what was run")
        return {name: json.loads(value) for name, value in found.items()}

    def _damaged(self, what: str) -> RecordingError:
        return RecordingError(
            f"the journal '{self.path}' is damaged: {what} is not what was written; choose another folder."
        )

    @property
    def left(self) -> Iterator[int]:
        """Numbers of the cases that have no row yet, in order."""
        return (int(number) for number in np.flatnonzero(~self.finished))

    def add(self, row: dict[str, Any], backend: str, seconds: float) -> None:
        """Keep the row of a finished case; it is on the disk a quarter of a second later at most."""
        number = row["number"]
        if self.finished[number]:
            return
        self.finished[number] = True
        if self._run is not None:
            self._run.cases += 1
        numbers = json.dumps(row["numbers"], sort_keys=True)
        kept = (int(number), row["state"], int(row["ok"]), row["status"], numbers, float(seconds), backend)
        self._waiting.append((*kept, _digest(*kept)))
        if len(self._waiting) >= COMMIT_ROWS or time.monotonic() - self._last > COMMIT_SECONDS:
            self.commit()

    def keep(self, rows: Iterable[dict[str, Any] | None], backend: str, bar: Bar) -> bool:
        """Keep rows as a backend gives them, None while it gives nothing; returns whether Ctrl-C ended it.

        How many cases came in what time is kept beside them, also when it is killed.
        """
        ((last,),) = self._read("select max(id) from runs")
        self._run = _Run((last or 0) + 1, backend, time.monotonic())
        try:
            with bar:
                for row in rows:
                    if row is None:
                        self.commit()
                        bar.to(bar.done)
                    else:
                        self.add(row, backend, row["seconds"])
                        bar.to(bar.done + 1)
        except KeyboardInterrupt:
            return True
        finally:
            self.commit()
            self._run = None
        return False

    def commit(self) -> None:
        """Write the pending rows."""
        self._last = time.monotonic()
        if not self._waiting:
            return
        try:
            with self._base:
                self._base.executemany("insert or ignore into rows values (?, ?, ?, ?, ?, ?, ?, ?)", self._waiting)
                if self._run is not None:
                    self._base.execute("insert or replace into runs values (?, ?, ?, ?)", self._run.row())
        except sqlite3.Error as problem:
            lost = len(self._waiting)
            self._waiting.clear()
            raise RecordingError(
                f"the journal '{self.path}' cannot be written, {problem}; what it holds is kept, the last {lost} cases "
                "will be run again."
            ) from None
        self._waiting.clear()

    def rows(self) -> Iterator[dict[str, Any]]:
        """All rows by number."""
        self.commit()
        names = ("number", "state", "ok", "status", "numbers", "seconds", "backend")
        question = f"select {', '.join(names)}, digest from rows where number < ? order by number"
        for *row, digest in self._read(question, self._limit):
            if _digest(*row) != digest:
                raise self._damaged(f"the row of case {row[0]}")
            values = dict(zip(names, row, strict=True))
            yield {**values, "ok": bool(values["ok"]), "numbers": json.loads(values["numbers"])}

    def _read(self, question: str, *values: Any) -> Iterator[tuple[Any, ...]]:
        """Answers of the data base; a torn page is a damaged journal."""
        try:
            yield from self._base.execute(question, values)
        except (sqlite3.Error, UnicodeDecodeError) as problem:
            raise RecordingError(f"the journal '{self.path}' is damaged: {problem}; choose another folder.") from None

    def names(self) -> tuple[list[str], list[str]]:
        """Names of the single numbers and of those that come in lists, over all rows."""
        singles: set[str] = set()
        lists: set[str] = set()
        for row in self.rows():
            for name, value in row["numbers"].items():
                (lists if isinstance(value, list) else singles).add(name)
        return sorted(singles - lists), sorted(lists)

    def counts(self) -> tuple[int, int, int]:
        """How many rows there are, how many of them did what was asked, how many crashed or hung."""
        self.commit()
        question = "select count(*), sum(ok), sum(state != ?) from rows where number < ?"
        (counts,) = self._read(question, DONE, self._limit)
        return int(counts[0]), int(counts[1] or 0), int(counts[2] or 0)

    def failures(self) -> Iterator[tuple[int, str]]:
        """Number and status of the cases that have a score and did not do what was asked."""
        self.commit()
        question = "select number, status from rows where ok = 0 and state = ? and number < ? order by number"
        for row in self._read(question, DONE, self._limit):
            yield row[0], row[1]

    def times(self) -> tuple[np.ndarray, list[str]]:
        """Seconds and backend of every row, by number."""
        rows = list(self._read("select seconds, backend from rows where number < ? order by number", self._limit))
        return np.array([row[0] for row in rows], float), [row[1] for row in rows]

    def runs(self) -> list[tuple[str, int, float]]:
        """Backend, cases and seconds of every run."""
        self.commit()
        return [(row[0], row[1], row[2]) for row in self._read("select backend, cases, seconds from runs order by id")]

    def count(self) -> int:
        """How many rows there are."""
        return self.counts()[0]

    def close(self) -> None:
        """Write the pending rows and release the folder."""
        try:
            if self._base is not None and self._waiting:
                self.commit()
        finally:
            if self._base is not None:
                with contextlib.suppress(sqlite3.Error):
                    self._base.close()
                self._base = None
            self._lock.close()

    def __enter__(self) -> CaseStore:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
