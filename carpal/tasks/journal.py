"""A journal: one JSON line per finished seed, so that a study that was killed goes on where it was.

The first line says what is being run. A line counts when it is complete: what a crash tore off is cut away on opening. The
file is locked while it is in use, so that two programs never write one journal.
"""

from __future__ import annotations

import fcntl
import json
import os
from pathlib import Path
from types import TracebackType
from typing import Any

from carpal.errors import RecordingError

FORMAT = "carpal-journal-1"


class Journal:
    """Rows of finished seeds in a file, or in memory only.

    Args:
        path: the file; None keeps nothing on disk.
        about: what is being run (task, options, versions): plain data. A journal about something else is refused.
    """

    def __init__(self, path: Path | None, about: dict[str, Any]) -> None:
        self.path = path
        self.rows: dict[int, dict[str, Any]] = {}
        self._file: Any = None
        if path is not None:
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                self._file = path.open("a+b", buffering=0)
                self._lock()
                self._read({"format": FORMAT, **about})
            except OSError as problem:
                self.close()
                raise RecordingError(f"'{path}' cannot be used: {problem.strerror or problem}.") from None
            except BaseException:
                self.close()
                raise

    def _lock(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise RecordingError(f"'{self.path}' is being written by another program; wait for it to end.") from None

    def _read(self, about: dict[str, Any]) -> None:
        self._file.seek(0)
        whole = self._file.read()
        end = whole.rfind(b"\n") + 1
        if not end:
            self._file.truncate(0)
            self._append(about)
            return
        lines = whole[:end].splitlines()
        found = self._line(lines[0], 1)
        if found.get("format") != FORMAT:
            raise RecordingError(f"'{self.path}' is no journal of format '{FORMAT}'; choose another folder.")
        for name in sorted(set(about) | set(found)):
            if about.get(name) != json.loads(json.dumps(found.get(name))):
                was, now = (json.dumps(one.get(name), sort_keys=True)[:200] for one in (found, about))
                raise RecordingError(
                    f"'{self.path}' was begun with {name} {was}, and now it is {now}; choose another folder."
                )
        for number, line in enumerate(lines[1:], start=2):
            row = self._line(line, number)
            if not isinstance(row.get("seed"), int):
                raise RecordingError(f"line {number} of '{self.path}' is damaged: it names no seed.")
            self.rows.setdefault(row["seed"], row)
        self._file.truncate(end)

    def _line(self, line: bytes, number: int) -> dict[str, Any]:
        try:
            data = json.loads(line)
        except (ValueError, RecursionError):
            data = None
        if not isinstance(data, dict):
            raise RecordingError(f"line {number} of '{self.path}' is damaged; remove it to run what it held again.")
        return data

    def add(self, row: dict[str, Any]) -> None:
        """Keep the row of a finished seed, on the disk before anything else happens."""
        self.rows[row["seed"]] = row
        if self._file is not None:
            try:
                self._append(row)
            except OSError as problem:
                raise RecordingError(
                    f"the journal '{self.path}' cannot be written, {problem.strerror or problem}; "
                    f"what it holds is kept: {len(self.rows) - 1} seeds."
                ) from None

    def _append(self, data: dict[str, Any]) -> None:
        start = self._file.seek(0, os.SEEK_END)
        content = json.dumps(data, sort_keys=True).encode() + b"\n"
        try:
            while content:
                content = content[self._file.write(content) :]
            os.fsync(self._file.fileno())
        except OSError:
            self._file.truncate(start)  # no torn line
            raise

    def close(self) -> None:
        """Let others use the file."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
