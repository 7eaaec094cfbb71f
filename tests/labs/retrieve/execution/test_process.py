"""The execution in a process of its own, with a stored plan: it outlives who started it, is watched, stopped, ends at home."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from carpal.errors import CarpalError, InputError
from carpal.labs.retrieve import HOME, Execution
from carpal.labs.retrieve.execution.files import LOST
from carpal.labs.retrieve.execution.process import checked_pace

PLAN = json.loads((Path(__file__).parents[3] / "data" / "retrieve_plan.json").read_text())
RELAY_AT = (0.36, 0.35, -1.24)  # where the stored plan expects the relay
PATIENCE = 240.0
OPEN = 0.035


def until(execution, fact):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        state = execution.state()
        if state is not None and fact(state):
            return state
        assert state is None or state.active, state
        time.sleep(0.02)
    pytest.fail(f"in vain; {execution.state()}")


@pytest.fixture
def execution(tmp_path):
    made = Execution(tmp_path / "execution")
    yield made
    if (state := made.state()) is not None and state.active:
        made.stop()
        made.set_pace(0.0)
        made.wait(60.0)
    assert not made._folder.running


def at_home(state):
    q = np.array(state.q)
    return np.abs(q[:5] - HOME).max() < np.radians(0.27) and abs(q[5] - OPEN) < 1e-6


def test_a_stored_plan_is_previewed_and_executed(execution):
    execution.start(RELAY_AT, plan=PLAN, pace=0.0)
    state = until(execution, lambda s: s.phase == "waiting")
    assert "Check the plan" in state.status and state.motions == ("planned",)
    with pytest.raises(InputError, match="being executed already"):
        execution.start(RELAY_AT, plan=PLAN)
    time_, q = execution.motion("planned")
    assert q.shape == (len(time_), 13) and np.abs(q[0, :5] - HOME).max() < 1e-9
    execution.execute()
    state = execution.wait(PATIENCE)
    assert state.ok, state.status
    assert at_home(state)
    assert {"approach", "grasp", "close", "lift", "carry", "lower", "open", "home"} <= {
        name for name, _, _ in state.done
    }
    assert state.numbers["delivered"] == 1.0 and state.numbers["collisions"] == 0.0
    time_, q = execution.motion("executed")
    assert (np.diff(time_) >= -1e-9).all() and q[:, 8].max() > 0.02  # the relay was lifted
    with pytest.raises(InputError, match="nothing is being executed"):
        execution.stop()


def test_it_goes_on_without_whoever_started_it_and_a_stop_ends_open_and_home(execution):
    begin = (
        "import json, sys; from carpal.labs.retrieve import Execution\n"
        "Execution(sys.argv[1]).start(json.loads(sys.argv[2]), plan=json.loads(sys.argv[3]), pace=5.0, ask=False)"
    )
    words = [sys.executable, "-c", begin, str(execution._folder.path), json.dumps(RELAY_AT), json.dumps(PLAN)]
    subprocess.run(words, check=True, timeout=PATIENCE)  # whoever started it has ended
    first = until(execution, lambda s: s.phase == "moving" and s.time > 0.5)
    later = until(execution, lambda s: s.time > first.time + 1.0)
    assert np.abs(np.subtract(later.q, first.q)).max() > 0
    execution.stop()
    execution.set_pace(0.0)
    state = execution.wait(PATIENCE)
    assert state.phase == "ended" and state.ok is False
    assert state.status.startswith("Stopped by a person during 'approach'") and state.status.endswith(
        "the arm is home."
    )
    assert at_home(state)


def test_a_terminated_process_comes_home_and_a_killed_one_is_noticed(execution):
    execution.start(RELAY_AT, plan=PLAN, pace=5.0, ask=False)
    until(execution, lambda s: s.phase == "moving" and s.time > 0.5)
    os.kill(execution._process.pid, signal.SIGTERM)
    execution.set_pace(0.0)
    state = execution.wait(PATIENCE)
    assert "the arm is home" in state.status and at_home(state)
    execution.start(RELAY_AT, plan=PLAN, pace=5.0, ask=False)
    until(execution, lambda s: s.phase == "moving" and s.time > 0.5)
    execution._process.kill()
    execution._process.wait()
    state = execution.state()
    assert state.phase == LOST and "died during 'approach'" in state.status


def test_bad_orders_are_one_sentence(execution):
    execution.start(RELAY_AT, plan={"format": "other"}, pace=0.0)
    state = execution.wait(PATIENCE)
    assert state.ok is False and "not a stored plan" in state.status
    execution.start(RELAY_AT, planner="sbll", pace=0.0)
    state = execution.wait(PATIENCE)
    assert state.ok is False and "unknown planner 'sbll'" in state.status
    for pace in (-1.0, float("nan"), "fast", True, 2000):
        with pytest.raises(InputError, match="pace must be a number from 0"):
            checked_pace(pace)
    for relay in ((0.4, float("nan"), 0.0), (0.4, 0.1), "abc"):
        with pytest.raises(InputError, match="relay must be 3 finite numbers"):
            execution.start(relay)
    for points in (([[1.0, 2.0]] * 4, [[1.0, 2.0]] * 3), ([[1.0, 2.0]] * 4,), [[[1.0, float("inf")]] * 4] * 2):
        with pytest.raises(InputError, match=r"points must be \(2, 4, 2\) finite numbers"):
            execution.start(RELAY_AT, points=points)
    execution._folder.path.joinpath("log.txt").unlink()
    execution._folder.path.joinpath("log.txt").mkdir()
    with pytest.raises(CarpalError, match="cannot be started: Is a directory"):
        execution.start(RELAY_AT)
