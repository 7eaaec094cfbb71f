"""The link's secret token: from the environment, from a file, or, on this machine only, from a file created on demand."""

from __future__ import annotations

import os
import secrets
import stat
import tempfile
from pathlib import Path

from carpal.errors import InputError

VARIABLE = "CARPAL_LINK_TOKEN"
SHORTEST, LONGEST = 16, 1024


def state_folder() -> Path:
    """Where what lasts from one run to the next is kept for this user on this machine."""
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "carpal"


def default_token_file() -> Path:
    """Where the token of this user on this machine is."""
    return state_folder() / "sign_link_token"


def link_token(path: str | os.PathLike[str] | None = None, *, loopback: bool = True) -> str:
    """The token of a line.

    Args:
        path: a file that only its owner may read; by default the environment's CARPAL_LINK_TOKEN, then this user's own file.
        loopback: whether the line stays on this machine; then the user's own file is made where there is none. A line to other
            machines needs a token that both have been given.
    """
    given = os.environ.get(VARIABLE)
    if path is None and given is not None:
        return _long_enough(given, VARIABLE)
    if path is None and not loopback:
        raise InputError(f"a line to other machines needs a token that both ends have: --token-file, or {VARIABLE}.")
    file = default_token_file() if path is None else Path(path)
    if path is None and not file.exists():
        _make(file)
    return _read(file)


def _long_enough(token: str, where: str) -> str:
    token = token.strip()
    if not SHORTEST <= len(token) <= LONGEST:
        raise InputError(f"the token in {where} must have {SHORTEST} to {LONGEST} characters; got {len(token)}.")
    return token


def _make(file: Path) -> None:
    """A new token, whole and readable by its owner alone from the first moment; whoever comes second takes the first one's."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle, draft = tempfile.mkstemp(dir=file.parent, prefix=".token_")  # mode 0600
        try:
            with os.fdopen(handle, "w") as out:
                out.write(secrets.token_urlsafe(32) + "\n")
            os.link(draft, file)
        except FileExistsError:
            pass
        finally:
            os.unlink(draft)
    except OSError as problem:
        raise InputError(f"the token file '{file}' cannot be made: {problem.strerror}.") from None


def _read(file: Path) -> str:
    try:
        with file.open() as opened:
            facts = os.fstat(opened.fileno())
            if os.name == "posix" and stat.S_IMODE(facts.st_mode) & 0o077:
                mode = stat.S_IMODE(facts.st_mode)
                raise InputError(
                    f"the token file '{file}' may be read by others (mode {mode:04o}); make it 0600: chmod 600 '{file}'."
                )
            if os.name == "posix" and facts.st_uid not in (os.getuid(), 0):
                raise InputError(f"the token file '{file}' belongs to another user.")
            token = opened.read(LONGEST + 2)
    except OSError as problem:
        raise InputError(f"the token file '{file}' cannot be read: {problem.strerror}.") from None
    except UnicodeDecodeError:
        raise InputError(f"the token file '{file}' is not text.") from None
    return _long_enough(token, f"'{file}'")
