"""One program at a time writes to a folder."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Iterator
from pathlib import Path

from carpal.errors import RecordingError

try:
    import fcntl
except ImportError:  # Windows: two programs are not kept apart there
    fcntl = None  # type: ignore[assignment]

LOCK = ".lock"
_held: dict[tuple[int, str], int] = {}  # (thread, folder): a run inside a command that holds the folder already


@contextlib.contextmanager
def folder_lock(folder: str | os.PathLike[str], *, again: bool = False) -> Iterator[None]:
    """Hold a folder, which is made; refused while another program, or another thread, holds it.

    The lock ends with its process, however that ends; the file that carries it is removed.

    Args:
        folder: where files will be written.
        again: the same thread may hold it already.
    """
    place = Path(folder)
    key = threading.get_ident(), os.path.abspath(place)
    if again and key in _held:
        yield
        return
    try:
        place.mkdir(parents=True, exist_ok=True)
        held = _held[key] = _acquired(place / LOCK)
    except ValueError as problem:
        raise RecordingError(f"a folder cannot be named {str(place)[:60]!r}: {problem}.") from None
    except BlockingIOError:
        raise RecordingError(
            f"'{place}' is being used by another program; wait for it to end, or choose another."
        ) from None
    except OSError as problem:
        raise RecordingError(f"'{_short(place)}' cannot be used: {problem.strerror or problem}.") from None
    try:
        yield
    finally:
        del _held[key]
        with contextlib.suppress(OSError):
            (place / LOCK).unlink()
        os.close(held)


def _acquired(path: Path) -> int:
    """A descriptor that holds the lock of the file that is there now, not of one that was just removed."""
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            if fcntl is None:
                return descriptor
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if path.stat().st_ino == os.fstat(descriptor).st_ino:
                return descriptor
        except FileNotFoundError:
            pass
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)


def _short(path: Path) -> str:
    return text if len(text := str(path)) < 120 else f"{text[:60]}...{text[-40:]}"
