"""The folder through which an execution process and its clients communicate: state, requests, motions.

Files are written atomically. The executing process holds a lock on the folder as long as it lives: an active state without a
lock belongs to a process that died.
"""

from __future__ import annotations

import contextlib
import io
import json
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from carpal.engines import write_whole
from carpal.errors import InputError, RecordingError
from carpal.spatial import Array

try:
    import fcntl
except ImportError:  # Windows: no process can hold a folder there
    fcntl = None  # type: ignore[assignment]

FORMAT = "carpal-retrieve-execution-1"
STARTING, PREPARING, WAITING, MOVING, STOPPING, ENDED, LOST = (
    "starting", "preparing", "waiting", "moving", "stopping", "ended", "lost",
)  # fmt: skip
REQUESTS = ("execute", "stop", "pace")


@dataclass(frozen=True)
class ExecutionState:
    """State of an execution.

    Args:
        run: which execution it is.
        phase: starting, preparing (it plans), waiting (for EXECUTE), moving, stopping (opens and goes home), ended; lost: its
            process is gone.
        stage: of the cycle; empty at the end.
        stages: of the whole cycle, in order.
        done: (name, ok, sentence) of the stages so far.
        status: one true sentence.
        ok: whether it went well; None until the end.
        motions: which motions can be shown: "planned", then "executed" as well.
        time, duration: of the arm's motion so far, and of all that is planned [s].
        q: where everything is now, of the cycle's model; empty before the start.
        pace: seconds of the arm in a second; 0: as fast as possible.
        numbers: of the result.
    """

    run: str
    phase: str = STARTING
    stage: str = ""
    stages: tuple[str, ...] = ()
    done: tuple[tuple[str, bool, str], ...] = ()
    status: str = "Starting."
    ok: bool | None = None
    motions: tuple[str, ...] = ()
    time: float = 0.0
    duration: float = 0.0
    q: tuple[float, ...] = ()
    pace: float = 1.0
    numbers: dict[str, Any] = field(default_factory=dict)

    @property
    def active(self) -> bool:
        """Whether it has not ended."""
        return self.phase not in (ENDED, LOST)


class ExecutionFolder:
    """Files of one execution at a time.

    Args:
        path: made when something is written.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Hold the folder as its one executing process; refused while another one does."""
        if fcntl is None:
            raise InputError("an execution process needs file locks (fcntl), which Python has not on this system.")
        self.path.mkdir(parents=True, exist_ok=True)
        with (self.path / "lock").open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise InputError("a pick-up is being executed already; wait for its end, or stop it.") from None
            yield

    @property
    def running(self) -> bool:
        """Whether a process executes here."""
        if fcntl is None:
            return False
        try:
            with (self.path / "lock").open() as lock:
                fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        except OSError:
            pass
        return False

    def clear(self) -> None:
        """Remove the files of an earlier execution; only for the holder of the lock."""
        for path in (*self.path.glob("*.npz"), *self.path.glob("request_*.json")):
            path.unlink(missing_ok=True)

    def write_order(self, order: dict[str, Any]) -> None:
        """What is to be executed."""
        self._write("order.json", order)

    def order(self) -> dict[str, Any]:
        """What is to be executed."""
        return self._read("order.json")

    def write_state(self, state: ExecutionState) -> None:
        """Publish the state."""
        self._write("state.json", {"format": FORMAT, **asdict(state)})

    def state(self) -> ExecutionState | None:
        """Where the execution stands; None where there was none."""
        running = self.running  # asked first: a process that ends between the two has written its last state before
        if not (self.path / "state.json").is_file():
            return None
        data = self._read("state.json")
        if data.pop("format", None) != FORMAT:
            raise RecordingError(f"'{self.path / 'state.json'}' is no state of the format '{FORMAT}'.")
        data["done"] = tuple(map(tuple, data["done"]))
        state = ExecutionState(**data | {name: tuple(data[name]) for name in ("stages", "motions", "q")})
        if state.active and not running:
            said = f"The execution process died during '{state.stage}'; inspect the arm, then plan again."
            return replace(state, phase=LOST, ok=False, status=said)
        return state

    def write_motion(self, name: str, time: Array, q: Array) -> None:
        """A motion that may be shown: times (n) [s] and rows (n, nq) of the cycle's model."""
        sink = io.BytesIO()
        np.savez(sink, time=time, q=q)
        write_whole(self.path / f"{name}.npz", sink.getvalue())

    def motion(self, name: str) -> tuple[Array, Array]:
        """Times and rows of a motion."""
        try:
            with np.load(io.BytesIO((self.path / f"{name}.npz").read_bytes()), allow_pickle=False) as data:
                return data["time"], data["q"]
        except (OSError, ValueError, KeyError, EOFError):
            raise InputError(f"there is no {name} motion to show.") from None

    def request(self, what: str, **more: Any) -> None:
        """Send a request to the process."""
        if what not in REQUESTS:
            raise InputError(f"an execution understands {', '.join(REQUESTS)}; got {what!r}.")
        self._write(f"request_{time.time_ns():020d}.json", {"request": what, **more})

    def requests(self) -> list[dict[str, Any]]:
        """Requests since the last call, in order."""
        found = []
        for path in sorted(self.path.glob("request_*.json")):
            with contextlib.suppress(OSError, ValueError):
                found.append(json.loads(path.read_text()))
            path.unlink(missing_ok=True)
        return found

    def _write(self, name: str, data: dict[str, Any]) -> None:
        try:
            write_whole(self.path / name, (json.dumps(data, allow_nan=False) + "\n").encode())
        except OSError as problem:
            raise RecordingError(f"'{self.path / name}' was not written: {problem.strerror or problem}.") from None

    def _read(self, name: str) -> dict[str, Any]:
        try:
            data = json.loads((self.path / name).read_text())
        except (OSError, ValueError) as problem:
            raise RecordingError(f"'{self.path / name}' cannot be read: {str(problem)[:80]}.") from None
        if not isinstance(data, dict):
            raise RecordingError(f"'{self.path / name}' holds no table.")
        return data
