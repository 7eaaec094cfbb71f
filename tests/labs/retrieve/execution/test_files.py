"""The folder of an execution: whole files, one process at a time, wishes in order, a process that is gone is noticed."""

import json
import subprocess
import sys
import threading

import numpy as np
import pytest

from carpal.errors import CarpalError, InputError
from carpal.labs.retrieve.execution.files import ENDED, LOST, MOVING, ExecutionFolder, ExecutionState


@pytest.fixture
def folder(tmp_path):
    return ExecutionFolder(tmp_path / "execution")


def moving(**changes):
    kept = {"stage": "carry", "stages": ("grasp", "carry"), "done": (("grasp", True, "Held."),), "q": (0.25, -1.5)}
    return ExecutionState("a", **kept | {"phase": MOVING, "time": 3.5, "numbers": {"x": [1.0, 2.0]}} | changes)


def test_a_state_comes_back_as_it_was_written(folder):
    assert folder.state() is None
    with folder.held():
        folder.write_state(moving())
        assert folder.state() == moving()
        assert folder.state().active


def test_a_process_that_is_gone_is_noticed(folder):
    with folder.held():
        folder.write_state(moving())
    lost = folder.state()
    assert lost.phase == LOST and lost.ok is False and not lost.active
    assert "died during 'carry'" in lost.status
    folder.write_state(moving(phase=ENDED, ok=True))  # a reported end stays one
    assert folder.state().phase == ENDED


def test_one_process_at_a_time_and_a_killed_one_lets_go(folder):
    hold = (
        "import sys; from carpal.labs.retrieve.execution.files import ExecutionFolder\n"
        "with ExecutionFolder(sys.argv[1]).held(): print('held', flush=True); sys.stdin.read()"
    )
    other = subprocess.Popen(
        [sys.executable, "-c", hold, str(folder.path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert other.stdout.readline() == "held\n"
    assert folder.running
    with pytest.raises(InputError, match="being executed already"), folder.held():
        pass
    other.kill()
    other.wait()
    assert not folder.running
    with folder.held():
        assert folder.running


def test_wishes_come_in_order_and_once(folder):
    folder.request("execute", run="a")
    folder.request("pace", pace=5.0)
    folder.request("stop")
    assert [request["request"] for request in folder.requests()] == ["execute", "pace", "stop"]
    assert folder.requests() == []
    with pytest.raises(InputError, match="understands execute, stop, pace; got 'jump'"):
        folder.request("jump")


def test_motions_come_back_bit_for_bit_and_what_is_not_there_is_one_sentence(folder):
    time, q = np.linspace(0, 1, 7), np.random.default_rng(0).normal(size=(7, 13))
    folder.write_motion("planned", time, q)
    again = folder.motion("planned")
    assert (again[0] == time).all() and (again[1] == q).all()
    folder.clear()
    with pytest.raises(InputError, match="no planned motion"):
        folder.motion("planned")


def test_a_reader_never_sees_half_a_state(folder):
    ended = threading.Event()

    def write():
        for i in range(150):
            folder.write_state(moving(time=float(i), status="x" * (50 * (i % 40))))
        ended.set()

    with folder.held():
        folder.write_state(moving())
        writer = threading.Thread(target=write)
        writer.start()
        seen = 0
        while not ended.is_set():
            assert folder.state().stage == "carry"
            seen += 1
        writer.join()
    assert seen > 10


def test_a_file_that_is_no_state_is_one_sentence(folder):
    folder.path.mkdir(parents=True)
    for content in ("{", "[]", json.dumps({"format": "other"})):
        (folder.path / "state.json").write_text(content)
        with pytest.raises(CarpalError, match=r"state\.json"):
            folder.state()
