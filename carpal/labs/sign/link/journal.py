"""Journal of played letters on disk, so that a killed receiver resumes where it was.

One JSON line per letter, written after it was shown: the letter being shown at the kill is shown again.
"""

from __future__ import annotations

import contextlib
import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from carpal.errors import InputError
from carpal.labs.sign.link.seal import log
from carpal.labs.sign.link.token_file import state_folder

KEPT_CALLS = 50
"""Finished calls that are remembered by their marks when a journal is opened again."""


def default_journal_folder() -> Path:
    """Where receivers of this user keep their journals."""
    return state_folder() / "sign_played"


@dataclass
class PlayedCall:
    """What the journal knows of a call.

    Args:
        letters: by number, those that were shown.
        discarded: by number, the reason why a letter was not shown.
        lost: numbers that were given up.
        finished: whether the receiver was through with it.
    """

    letters: dict[int, str] = field(default_factory=dict)
    discarded: dict[int, str] = field(default_factory=dict)
    lost: set[int] = field(default_factory=set)
    finished: bool = False

    @property
    def done(self) -> set[int]:
        """Numbers that need not be shown again."""
        return set(self.letters) | set(self.discarded)


class PlayedJournal:
    """The journal of one receiver; no two programs may have it open.

    Args:
        path: the file; None keeps everything in memory.
    """

    def __init__(self, path: str | os.PathLike[str] | None = None) -> None:
        self.calls: dict[str, PlayedCall] = {}
        self.path = None if path is None else Path(path)
        self._file: Any = None
        self._guard: Any = None
        if self.path is None:
            return
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._guard = self.path.with_suffix(".lock").open("wb")
            self._lock()
            self._read(self.path.read_bytes() if self.path.exists() else b"")
            self._compact()
            self._file = self.path.open("ab")
        except OSError as problem:
            raise InputError(f"the journal '{self.path}' cannot be opened: {problem.strerror}.") from None

    def call(self, mark: str) -> PlayedCall:
        """What is known of a call; a new one knows nothing."""
        return self.calls.setdefault(mark, PlayedCall())

    def played(self, mark: str, index: int, letter: str, reason: str = "") -> None:
        """A letter was shown, or discarded for a reason."""
        self._put({"call": mark, "index": index, "letter": letter, **({"reason": reason} if reason else {})})

    def lost(self, mark: str, indices: set[int]) -> None:
        """Letters were given up."""
        if new := sorted(indices - self.call(mark).lost):
            self._put({"call": mark, "lost": new})

    def finished(self, mark: str) -> None:
        """The receiver is through with a call."""
        if not self.call(mark).finished:
            self._put({"call": mark, "finished": True})
            with contextlib.suppress(OSError):
                if self._file is not None:
                    os.fsync(self._file.fileno())

    def close(self) -> None:
        """Release the journal."""
        if self._file is not None:
            with contextlib.suppress(OSError):  # what is left in its buffer may not fit on the disk
                self._file.close()
            self._guard.close()
            self._file = None

    def _put(self, row: dict[str, Any]) -> None:
        self._take(row)
        if self._file is None:
            return
        try:
            self._file.write(json.dumps(row).encode() + b"\n")
            self._file.flush()  # a killed program loses nothing that the system has; only a power cut does
        except OSError as problem:
            # a full disk must not interrupt a word
            log.error(
                "the journal '%s' is not written any more (%s): a restart will show letters again", self.path, problem
            )
            self.close()

    def _take(self, row: dict[str, Any]) -> None:
        call = self.call(str(row["call"]))
        if "lost" in row:
            call.lost.update(int(i) for i in row["lost"])
        elif row.get("finished"):
            call.finished = True
        elif "reason" in row:
            call.discarded[int(row["index"])] = str(row["reason"])
        else:
            call.letters[int(row["index"])] = str(row["letter"])

    def _lock(self) -> None:
        try:
            import fcntl
        except ImportError:  # no such lock on Windows
            return
        try:
            fcntl.flock(self._guard, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._guard.close()
            raise InputError(
                f"another receiver uses the journal '{self.path}'; give this one another --name."
            ) from None

    def _read(self, data: bytes) -> None:
        for line in data.split(b"\n"):
            # skip a line that was cut off by a kill or is foreign
            with contextlib.suppress(ValueError, KeyError, TypeError):
                self._take(json.loads(line))

    def _compact(self) -> None:
        """Rewrite the file: only the last marks of finished calls, no truncated line."""
        from carpal.engines import write_whole

        assert self.path is not None  # only a journal on disk comes here
        finished = [mark for mark, call in self.calls.items() if call.finished]
        for mark in finished[:-KEPT_CALLS]:
            del self.calls[mark]
        rows: list[dict[str, Any]] = []
        for mark, call in self.calls.items():
            if call.finished:
                rows.append({"call": mark, "finished": True})
                continue
            rows += [{"call": mark, "index": i, "letter": x} for i, x in call.letters.items()]
            rows += [{"call": mark, "index": i, "letter": "", "reason": r} for i, r in call.discarded.items()]
            rows += [{"call": mark, "lost": sorted(call.lost)}] if call.lost else []
        write_whole(self.path, b"".join(json.dumps(row).encode() + b"\n" for row in rows))
        os.chmod(self.path, 0o600)  # messages are private
