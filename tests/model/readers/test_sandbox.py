"""The caller survives whatever the child meets: time, memory, crashes, a dead server, many threads."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from carpal.errors import InputError, ModelError
from carpal.model.readers import sandbox
from carpal.model.readers.reading import read_file
from carpal.model.readers.sandbox import read_untrusted
from carpal.model.serialise import model_to_json

LINK = '<link name="l{i}"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>'
JOINT = '<joint name="j{i}" type="revolute"><parent link="l{p}"/><child link="l{i}"/><axis xyz="0 0 1"/></joint>'


def chain(count: int, parent=lambda i: i - 1) -> str:
    links = "".join(LINK.format(i=i) for i in range(count))
    return f'<robot name="r">{links}{"".join(JOINT.format(i=i, p=parent(i)) for i in range(1, count))}</robot>'


@pytest.fixture
def arm(tmp_path) -> Path:
    path = tmp_path / "arm.urdf"
    path.write_text(chain(5))
    return path


def children_of(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_the_same_model_as_without_a_child(arm):
    assert model_to_json(read_untrusted(arm)) == model_to_json(read_file(arm))


def test_refusals_and_warnings_come_through(tmp_path):
    (tmp_path / "x.urdf").write_text("<html/>")
    with pytest.raises(ModelError, match=r"'x.urdf' has the root element <html>"):
        read_untrusted(tmp_path / "x.urdf")
    (tmp_path / "y.urdf").write_text(
        '<robot name="r"><link name="a"><visual><geometry><mesh filename="no.stl"/></geometry></visual></link></robot>'
    )
    with pytest.warns(UserWarning, match=r"'y.urdf': 1 mesh file was not found: 'no.stl'"):
        read_untrusted(tmp_path / "y.urdf")
    with pytest.raises(ModelError, match=r"no file 'z.urdf'"):
        read_untrusted(tmp_path / "z.urdf")


def test_a_file_that_takes_too_long_is_stopped(tmp_path, arm):
    slow = tmp_path / "slow.urdf"
    slow.write_text(chain(2000, parent=lambda i: i // 2))
    read_untrusted(arm)  # the server is up
    started = time.monotonic()
    with pytest.raises(ModelError, match=r"'slow.urdf' could not be read safely: the reader ran out of its 0.05 s\."):
        read_untrusted(slow, seconds=0.05)
    assert time.monotonic() - started < 5.0  # not a speed: an order below what a hang would show
    assert children_of(sandbox._SERVER.process.pid) == []
    assert read_untrusted(arm).nv == 4


def test_a_file_that_takes_too_much_memory_is_stopped(arm):
    with pytest.raises(
        ModelError, match=r"'arm.urdf' could not be read safely: the reader (ran out of its 0.1 GB|crashed|ended)"
    ):
        read_untrusted(arm, memory=100_000_000)
    assert read_untrusted(arm).nv == 4


def test_a_dead_server_is_replaced(arm):
    read_untrusted(arm)
    before = sandbox._SERVER.process.pid
    os.kill(before, signal.SIGKILL)
    assert read_untrusted(arm).nv == 4
    assert sandbox._SERVER.process.pid != before


def test_a_server_that_stops_answering_is_replaced(arm, monkeypatch):
    read_untrusted(arm)
    before = sandbox._SERVER.process.pid
    os.kill(before, signal.SIGSTOP)
    real = sandbox._SERVER._exchange
    monkeypatch.setattr(sandbox._SERVER, "_exchange", lambda line, seconds: real(line, min(seconds, 0.3)))
    with pytest.raises(ModelError, match="ran out of its 10 s"):
        read_untrusted(arm)
    assert not alive(before)
    monkeypatch.undo()
    assert read_untrusted(arm).nv == 4


def test_many_threads_share_one_server(tmp_path):
    for n in range(2, 8):
        (tmp_path / f"{n}.urdf").write_text(chain(n))
    wrong = []

    def work(n: int) -> None:
        for _ in range(5):
            if read_untrusted(tmp_path / f"{n}.urdf").nv != n - 1:
                wrong.append(n)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(2, 8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


@pytest.mark.parametrize("end", ["sys.exit()", "os._exit(3)", "os.kill(os.getpid(), 9)"])
def test_no_server_outlives_its_caller(arm, end):
    code = f"""
import os, sys
from carpal.model.readers import sandbox
sandbox.read_untrusted({str(arm)!r})
print(sandbox._SERVER.process.pid, flush=True)
{end}"""
    done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, cwd=Path(__file__).parents[3])
    server = int(done.stdout)
    limit = time.monotonic() + 10
    while alive(server) and time.monotonic() < limit:
        time.sleep(0.02)
    assert not alive(server)


def test_without_fork_each_file_has_its_own_process(arm, tmp_path, monkeypatch):
    monkeypatch.delattr(os, "fork")
    monkeypatch.setattr(sandbox._SERVER, "ask", lambda *_: pytest.fail("the server was used"))
    assert read_untrusted(arm).nv == 4
    (tmp_path / "x.urdf").write_text("<html/>")
    with pytest.raises(ModelError, match="<html>"):
        read_untrusted(tmp_path / "x.urdf")
    with pytest.raises(ModelError, match="could not be read safely"):
        read_untrusted(arm, memory=100_000_000)
    monkeypatch.setattr(sandbox, "START_SECONDS", 0.0)
    with pytest.raises(ModelError, match=r"ran out of its 0.01 s"):
        read_untrusted(arm, seconds=0.01)


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (("ok", b"["), "answer is damaged"),
        (("ok", b"{}"), "ran out of its 2 GB of memory"),
        (("ok", b'{"model": {}, "warnings": []}'), "format"),
        (("ok", b'{"model": 3, "warnings": []}'), "dict"),
        (("ok", b"3"), "answer is damaged"),
        (("size", b""), "larger than 32 MB"),
        (("signal 11", b""), r"crashed \(signal 11\)"),
        (("died", b""), "ended without an answer"),
    ],
)
def test_answers_of_every_kind(arm, monkeypatch, answer, sentence):
    monkeypatch.setattr(sandbox._SERVER, "ask", lambda *_: answer)
    with pytest.raises(ModelError, match=sentence):
        read_untrusted(arm)


@pytest.mark.parametrize("limits", [{"seconds": 0}, {"seconds": float("nan")}, {"seconds": 1e9}, {"memory": 0}])
def test_limits_that_make_no_sense(arm, limits):
    with pytest.raises(InputError, match="must be above zero"):
        read_untrusted(arm, **limits)
