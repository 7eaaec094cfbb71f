"""`read_untrusted`: files from strangers are parsed in a child process, which they may hang or crash as they please.

A small server process is started when it is first needed and serves all later files; it forks for each one (see
`sandbox_server`). Nothing but JSON comes back, of limited size, and the model is built and checked again from it.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import select
import subprocess
import sys
import threading
import time
import warnings
from pathlib import Path
from typing import Any

from carpal.errors import InputError, ModelError
from carpal.model.model import Model
from carpal.model.readers.collision_meshes import checked_concave
from carpal.model.readers.safe_xml import one_line
from carpal.model.readers.sandbox_server import OUT_OF_TIME
from carpal.model.serialise import model_from_dict

SECONDS = 10.0  # of processor time: a busy machine refuses no file
WALL = 12.0  # wall time over processor time, for a reader that waits instead of working
MEMORY = 2_000_000_000
MAX_RESULT = 32_000_000
START_SECONDS = 60.0  # to start Python and load MuJoCo, on a machine that may be busy
MODULE = "carpal.model.readers.sandbox_server"


def read_untrusted(
    path: str | os.PathLike[str], *, seconds: float = SECONDS, memory: int = MEMORY, concave: str | None = None
) -> Model:
    """A model from a URDF or MJCF file that may be hostile.

    Args:
        path: the file. What it includes must lie in its own folder or package (see `mesh_files`); meshes elsewhere
            count as missing.
        seconds: the most processor time [s] that parsing may take; by the clock it may take twelve times as long.
        memory: the most memory [bytes] that the parser may address; loading MuJoCo alone needs about 0.5 GB.
        concave: what becomes of concave collision meshes, as in `load`.

    Raises:
        ModelError: one sentence; also where the parser crashed, hung or ran out of memory.
    """
    if not (0 < seconds < 86400 and memory > 0):
        raise InputError(f"seconds and memory must be above zero, seconds below a day; got {seconds} and {memory}.")
    file = Path(path)
    try:
        absolute = str(file.absolute())
        request = {
            "path": absolute,
            "seconds": float(seconds),
            "wall": WALL * seconds,
            "memory": int(memory),
            "size": MAX_RESULT,
        }
        request["concave"] = checked_concave(concave)
        line = json.dumps(request).encode() + b"\n"
    except (OSError, ValueError, OverflowError) as error:
        raise ModelError(f"'{one_line(path)}' cannot be read: {one_line(error)}.") from None
    wall = WALL * seconds
    outcome, payload = _SERVER.ask(line, wall) if hasattr(os, "fork") else _ask_once(line, wall)
    why = {
        "time": f"the reader ran out of its {seconds:g} s",
        "memory": f"the reader ran out of its {memory / 1e9:g} GB of memory",
        "size": f"the result is larger than {MAX_RESULT // 1_000_000} MB",
        "died": "the reader ended without an answer",
    }
    name = one_line(file.name)
    if outcome != "ok":
        raise ModelError(f"'{name}' could not be read safely: {why.get(outcome, f'the reader crashed ({outcome})')}.")
    try:
        answer: dict[str, Any] = json.loads(payload)
        if "refused" in answer:
            raise ModelError(str(answer["refused"]))
        if "model" not in answer:
            raise ModelError(f"'{name}' could not be read safely: {why['memory']}.")
        model = model_from_dict(answer["model"])
        heard = [str(sentence) for sentence in answer["warnings"]]
    except (KeyError, TypeError, RecursionError, json.JSONDecodeError) as error:
        damage = f"the reader's answer is damaged ({one_line(error)})"
        raise ModelError(f"'{name}' could not be read safely: {damage}.") from None
    for sentence in heard:
        warnings.warn(sentence, UserWarning, stacklevel=2)
    return model


def _command(*options: str) -> dict[str, Any]:
    """Arguments of Popen for the server: this Python, this Carpal, one thread for algebra, no imports from here."""
    root = str(Path(__file__).resolve().parents[3])
    threads = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    search = os.pathsep.join(filter(None, (root, os.environ.get("PYTHONPATH"))))
    return {
        "args": [sys.executable, "-P", "-m", MODULE, *options],
        "env": os.environ | threads | {"PYTHONPATH": search},
        "stderr": subprocess.DEVNULL,
    }


class _Server:
    """One server process, started when it is needed; one request at a time."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.process: subprocess.Popen[bytes] | None = None
        self.owner = 0

    def ask(self, line: bytes, seconds: float) -> tuple[str, bytes]:
        """Send a request; ("ok", answer), or what went wrong. Answers late by seconds count as a dead server."""
        with self.lock:
            for fresh in (False, True):
                started = self._start(fresh)
                try:
                    return self._exchange(line, seconds + 5.0 + (START_SECONDS if started else 0.0))
                except TimeoutError:
                    self.stop()
                    return "time", b""
                except (OSError, ValueError):  # the server died, before this request or because of it: once more
                    self.stop()
                except BaseException:  # a half-read answer must not be taken for the next one
                    self.stop()
                    raise
            return "died", b""

    def _start(self, fresh: bool) -> bool:
        mine = self.process is not None and self.owner == os.getpid()  # a fork of this process needs its own server
        if mine and not fresh and self.process is not None and self.process.poll() is None:
            return False
        try:
            self.process = subprocess.Popen(
                **_command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True, bufsize=0
            )
        except OSError as error:
            raise ModelError(f"the process that reads untrusted files cannot be started: {one_line(error)}.") from None
        self.owner = os.getpid()
        return True

    def _exchange(self, line: bytes, seconds: float) -> tuple[str, bytes]:
        assert self.process is not None
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(line)
        pipe = self.process.stdout.fileno()
        end = time.monotonic() + seconds
        data = bytearray()
        while b"\n" not in data:
            data += self._read(pipe, end)
        head, _, rest = bytes(data).partition(b"\n")
        header = json.loads(head)
        payload = bytearray(rest)
        while len(payload) < min(header["bytes"], MAX_RESULT + (1 << 16)):
            payload += self._read(pipe, end)
        return str(header["outcome"]), bytes(payload)

    @staticmethod
    def _read(pipe: int, end: float) -> bytes:
        poll = select.poll()
        poll.register(pipe, select.POLLIN)
        if not poll.poll(max(0.0, end - time.monotonic()) * 1000):
            raise TimeoutError
        chunk = os.read(pipe, 1 << 16)
        if not chunk:
            raise ConnectionError
        return chunk

    def stop(self) -> None:
        """End the server, and with it the fork at work: the server kills it when its stdin closes."""
        process, self.process = self.process, None
        if process is None or self.owner != os.getpid():
            return
        for pipe in (process.stdin, process.stdout):
            with contextlib.suppress(OSError):
                if pipe is not None:
                    pipe.close()
        try:
            process.wait(1.0)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _ask_once(line: bytes, seconds: float) -> tuple[str, bytes]:
    """The same without `fork`: a process of its own for one file."""
    try:
        done = subprocess.run(**_command("--once"), input=line, stdout=subprocess.PIPE, timeout=seconds + START_SECONDS)
    except subprocess.TimeoutExpired:
        return "time", b""
    head, _, payload = done.stdout.partition(b"\n")
    if done.returncode < 0:
        return "time" if -done.returncode in OUT_OF_TIME else f"signal {-done.returncode}", b""
    return ("ok", payload) if head and len(payload) <= MAX_RESULT else ("died", b"")


_SERVER = _Server()
atexit.register(_SERVER.stop)
