"""The forks really are stopped: each is given work that spins, allocates, writes, crashes or floods."""

from __future__ import annotations

import json
import os
import signal
import time

import pytest

from carpal.model.readers import sandbox_server

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the server forks")


def outcome(
    monkeypatch, work, *, seconds: float = 0.3, wall: float = 2.0, size: int = 1000, memory: int = 1 << 40
) -> tuple[str, bytes, float]:
    monkeypatch.setattr(sandbox_server, "work", work)
    request = {"path": "", "seconds": seconds, "wall": wall, "memory": memory, "size": size}
    here, caller = os.pipe()
    started = time.monotonic()
    child, pipe = sandbox_server._fork(request)
    try:
        result, payload = sandbox_server._watch(child, pipe, request, here)
    finally:
        os.close(caller)
        os.close(here)
    with pytest.raises(ChildProcessError):  # nothing is left to wait for
        os.waitpid(child, os.WNOHANG)
    return result, payload, time.monotonic() - started


def spin(_):
    while True:
        pass


def sleep(_):
    time.sleep(1000)


def test_an_answer(monkeypatch):
    assert outcome(monkeypatch, lambda _: b"x" * 1000)[:2] == ("ok", b"x" * 1000)


@pytest.mark.parametrize("work", [spin, sleep])
def test_work_that_never_ends_is_killed(monkeypatch, work):
    result, _, took = outcome(monkeypatch, work)
    assert result == "time"
    assert took < 10.0


def test_time_is_the_processors_and_not_the_clocks(monkeypatch):
    def wait(_):
        time.sleep(0.6)
        return b"done"

    assert outcome(monkeypatch, wait, seconds=0.2, wall=20.0)[:2] == ("ok", b"done")  # three times its seconds, waiting
    result, _, took = outcome(monkeypatch, spin, seconds=0.2, wall=60.0)
    assert result == "time"
    assert took < 30.0  # ended by its processor time, not by the clock


def test_the_system_caps_processor_time_where_there_is_no_timer(monkeypatch):
    monkeypatch.setattr(sandbox_server.signal, "setitimer", lambda *_: None)
    assert outcome(monkeypatch, spin, seconds=0.2, wall=60.0)[0] in ("time", f"signal {signal.SIGKILL}")


def test_memory_is_capped(monkeypatch):
    def allocate(_):
        held = []
        while True:
            held.append(bytearray(50_000_000))

    with open("/proc/self/statm") as file:
        now = int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    assert outcome(monkeypatch, allocate, seconds=20, wall=40, memory=now + 400_000_000)[0] == "died"


@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGABRT, signal.SIGKILL])
def test_a_crash_is_reported(monkeypatch, number):
    def crash(_):
        signal.signal(number, signal.SIG_DFL) if number != signal.SIGKILL else None  # not into pytest's own handler
        os.kill(os.getpid(), number)

    assert outcome(monkeypatch, crash)[0] == f"signal {number:d}"


def test_an_error_in_the_work_is_no_answer(monkeypatch):
    assert outcome(monkeypatch, lambda _: 1 / 0)[0] == "died"


def test_a_flood_is_cut_off(monkeypatch):
    assert outcome(monkeypatch, lambda _: b"x" * 1_000_000, seconds=10, wall=20)[0] == "size"


def test_no_file_can_be_written(monkeypatch, tmp_path):
    def write(_):
        try:
            (tmp_path / "x").write_bytes(b"x")
        except OSError:
            return b"refused"
        return b"written"

    assert outcome(monkeypatch, write)[1] == b"refused"


def test_a_caller_who_is_gone_ends_the_work(monkeypatch):
    monkeypatch.setattr(sandbox_server, "work", sleep)
    request = {"path": "", "seconds": 60.0, "wall": 60.0, "memory": 1 << 40, "size": 1000}
    here, caller = os.pipe()
    os.close(caller)
    child, pipe = sandbox_server._fork(request)
    assert sandbox_server._watch(child, pipe, request, here)[0] == "gone"
    os.close(here)


def test_the_work_itself(tmp_path):
    (tmp_path / "a.urdf").write_text('<robot name="r"><link name="a"/></robot>')
    answer = json.loads(sandbox_server.work({"path": str(tmp_path / "a.urdf")}))
    assert answer["model"]["name"] == "r"
    assert answer["warnings"] == []
    assert "no file" in json.loads(sandbox_server.work({"path": str(tmp_path / "b.urdf")}))["refused"]
