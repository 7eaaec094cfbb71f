"""The child process that reads files from strangers: it loads MuJoCo once and forks for every file.

Run by `carpal.model.readers.sandbox` as `python -m carpal.model.readers.sandbox_server`, spoken to through pipes. A
request is one line of JSON; an answer is one line of JSON with the number of bytes that follow it. Each fork has a
cap on processor time, wall time and memory and may write no files, so whatever a file does to the parser, it does it
there. With `--once` (or without `fork`) the process answers a single request itself, and its caller keeps the time.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import select
import signal
import sys
import time
import warnings
from typing import Any, BinaryIO

GRACE = 0.5  # [s] between a fork's answer and its end
OUT_OF_TIME = [getattr(signal, name, None) for name in ("SIGPROF", "SIGXCPU", "SIGALRM")]


def work(request: dict[str, Any]) -> bytes:
    """Read the file that a request names; the answer is JSON: a model, or the sentence that refuses it."""
    from carpal.errors import CarpalError
    from carpal.model.readers.reading import read_file
    from carpal.model.serialise import model_to_dict

    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        try:
            model = read_file(request["path"], confined=True, concave=request.get("concave"))
            answer: dict[str, Any] = {"model": model_to_dict(model)}
        except CarpalError as error:
            answer = {"refused": str(error)}
        except MemoryError:
            answer = {"memory": True}
    answer["warnings"] = [str(warning.message) for warning in heard if warning.category is UserWarning]
    return json.dumps(answer).encode()


def limit(request: dict[str, Any]) -> None:
    """Cap this process's memory, processor time and files, where the system can."""
    try:
        import resource
    except ImportError:  # Windows: only the caller's clock remains
        return
    seconds = math.ceil(time.process_time() + request["seconds"]) + 1
    caps = {
        "RLIMIT_AS": int(request["memory"]), "RLIMIT_CPU": seconds, "RLIMIT_FSIZE": 0, "RLIMIT_CORE": 0,
    }  # fmt: skip
    for name, most in caps.items():
        # not every system knows every limit; the wall clock is watched in any case
        with contextlib.suppress(AttributeError, ValueError, OSError):
            resource.setrlimit(getattr(resource, name), (most, most))
    if hasattr(signal, "setitimer"):  # to the millisecond, where RLIMIT_CPU counts whole seconds
        signal.setitimer(signal.ITIMER_PROF, request["seconds"])
        signal.alarm(math.ceil(request["wall"]) + 1)


def _fork(request: dict[str, Any]) -> tuple[int, int]:
    """Start a fork on a request: its process id, and the pipe on which it answers."""
    reading, writing = os.pipe()
    child = os.fork()
    if child:
        os.close(writing)
        return child, reading
    status = 1
    try:
        limit(request)
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(work(request))
        status = 0
    finally:
        os._exit(status)  # never back into the server's loop, whatever happened


def _watch(child: int, pipe: int, request: dict[str, Any], caller: int) -> tuple[str, bytes]:
    """Collect a fork's answer: ("ok", bytes), or ("time" | "size" | "signal 11" | "died", nothing)."""
    end = time.monotonic() + request["wall"]
    poll = select.poll()
    poll.register(pipe, select.POLLIN)
    poll.register(caller, 0)  # hang-ups are always reported: the caller is gone
    chunks: list[bytes] = []
    size = 0
    outcome = ""
    while not outcome:
        left = end - time.monotonic()
        events = dict(poll.poll(max(0.0, left) * 1000)) if left > 0 else {}
        if caller in events:
            outcome = "gone"
        elif pipe in events:
            chunk = os.read(pipe, 1 << 16)
            size += len(chunk)
            chunks.append(chunk)
            outcome = "size" if size > request["size"] else "" if chunk else "ended"
        elif left <= 0:
            outcome = "time"
    os.close(pipe)
    status = _reap(child, GRACE if outcome == "ended" else 0.0)
    if outcome != "ended":
        return outcome, b""
    if status is not None and os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0:
        return "ok", b"".join(chunks)
    if status is not None and os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        return ("time" if number in OUT_OF_TIME else f"signal {number}"), b""
    return "died", b""


def _reap(child: int, grace: float) -> int | None:
    """The child's wait status; killed, and None, where it does not end within the grace."""
    end = time.monotonic() + grace
    while True:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return status
        if time.monotonic() >= end:
            break
        time.sleep(0.0005)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None


def _answer(out: BinaryIO, outcome: str, payload: bytes) -> None:
    out.write(json.dumps({"outcome": outcome, "bytes": len(payload)}).encode() + b"\n" + payload)
    out.flush()


def serve(once: bool) -> None:
    """Answer requests from stdin until it ends."""
    caller = os.dup(0)
    requests = os.fdopen(caller, "rb", buffering=0)
    out = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):  # what MuJoCo may print must not end among the answers
        os.dup2(nowhere, stream)
    import gc

    from carpal.model.readers.reading import read_text

    # loads MuJoCo and every module that reading needs, once for all forks and before the time counts
    read_text('<mujoco><worldbody><body><geom size="1"/><joint/></body></worldbody></mujoco>')
    read_text('<robot name="r"><link name="l"/></robot>')
    gc.freeze()
    while line := requests.readline():
        request = json.loads(line)
        if once:
            limit(request)
            _answer(out, "ok", work(request))
            return
        child, pipe = _fork(request)
        outcome, payload = _watch(child, pipe, request, caller)
        if outcome == "gone":
            return
        _answer(out, outcome, payload)


if __name__ == "__main__":
    serve("--once" in sys.argv[1:] or not hasattr(os, "fork"))
