"""A cycle executed at a pace, against a made-up cycle: shown, begun when asked, stopped anywhere, always open and home."""

import threading
import time
from types import SimpleNamespace

import numpy as np
import pytest

from carpal.errors import InputError
from carpal.labs.retrieve.execution.files import ENDED, MOVING, STOPPING, WAITING, ExecutionFolder
from carpal.labs.retrieve.execution.run import CycleRun

LONG = 4.0


def stage_report(name, begin, start, end, seconds, status="Done."):
    """A stage in which one coordinate moves evenly."""
    share = np.linspace(0, 1, 21)
    time, q = begin + seconds * share, np.column_stack([start + share * (end - start), share])
    return SimpleNamespace(name=name, ok=True, status=status, time=time, q=q, preview=lambda: (time, q))


class MadeUp:
    """Two motions of LONG seconds of one coordinate, from 0 to 1 and to 2; abort goes back to 0 within a second."""

    STAGES = ("localise", "plan", "grasp", "carry")

    def __init__(self, fail=None, slow_plan=0.0):
        self.left, self.fail, self.slow_plan, self.aborted_at = list(self.STAGES), fail, slow_plan, None
        self.reports, self.chosen = [], None

    @property
    def stage(self):
        return self.left[0] if self.left else ""

    @property
    def done(self):
        return not self.left

    def step(self):
        name = self.left.pop(0)
        report = SimpleNamespace(name=name, ok=True, status="Done.", time=np.zeros(0), q=np.zeros((0, 2)))
        if name == self.fail == "localise":
            report.ok, report.status, self.left = False, "Not seen.", []
        elif name == self.fail == "plan":
            raise InputError("there is no path.")
        elif name == self.fail:
            raise RuntimeError("a mistake")
        elif name == "plan":
            time.sleep(self.slow_plan)
            self.chosen = stage_report("plan", 0.0, 0.0, 2.0, 2 * LONG)
        elif name == "grasp":  # a stage may bring two reports
            self.reports.append(stage_report(name, 0.0, 0.0, 0.5, LONG / 2))
            report = stage_report(name, LONG / 2, 0.5, 1.0, LONG / 2)
        elif name == "carry":
            report = stage_report(name, LONG, 1.0, 2.0, LONG)
        self.reports.append(report)
        return report

    def abort(self, at=None):
        self.aborted_at, self.left = at, []
        return [
            stage_report("open", at, at / LONG, at / LONG, 0.5, "Open."),
            stage_report("home", at + 0.5, at / LONG, 0.0, 0.5, "Home."),
        ]

    def result(self):
        if self.fail == "localise":
            return SimpleNamespace(ok=False, status="Not seen.", numbers={})
        return SimpleNamespace(ok=True, status="Delivered.", numbers={"duration_s": 2 * LONG})


@pytest.fixture
def begin(tmp_path):
    """`begin(cycle, ...)` runs it in a thread: (folder, thread)."""
    opened = []

    def start(cycle, **options):
        folder = ExecutionFolder(tmp_path / "execution")
        hold = folder.held()
        hold.__enter__()
        work = CycleRun(folder, cycle, "a", **options)
        thread = threading.Thread(target=work.run, daemon=True)
        opened.append((hold, thread, work))
        thread.start()
        return folder, thread

    yield start
    for hold, thread, work in opened:
        work.stop.set()
        thread.join(20)
        hold.__exit__(None, None, None)


def until(folder, fact):
    end = time.monotonic() + 30
    while time.monotonic() < end:
        state = folder.state()
        if state is not None and fact(state):
            return state
        time.sleep(0.01)
    pytest.fail(f"in vain; {folder.state()}")


def test_it_waits_for_the_request_and_then_does_everything(begin):
    cycle = MadeUp()
    folder, thread = begin(cycle, pace=0.0)
    state = until(folder, lambda s: s.phase == WAITING)
    assert state.motions == ("planned",) and state.duration == 2 * LONG
    assert folder.motion("planned")[1].shape == (21, 2)
    folder.request("execute", run="another")  # meant for another run: not for this one
    time.sleep(0.3)
    assert cycle.stage == "grasp" and folder.state().phase == WAITING
    folder.request("execute", run="a")
    thread.join(20)
    state = folder.state()
    assert state.phase == ENDED and state.ok and state.status == "Delivered."
    assert state.numbers == {"duration_s": 2 * LONG}
    assert [name for name, _, _ in state.done] == ["localise", "plan", "grasp", "grasp", "carry"]
    t, q = folder.motion("executed")
    assert t[-1] == 2 * LONG and q[-1, 0] == 2.0 and (np.diff(t) >= 0).all()


@pytest.mark.parametrize("stage", ["grasp", "carry"])
def test_a_stop_on_the_way_ends_at_home(begin, stage):
    cycle = MadeUp()
    folder, thread = begin(cycle, pace=4.0, ask=False)
    before = 0.0 if stage == "grasp" else LONG
    until(folder, lambda s: s.phase == MOVING and s.stage == stage and s.time > before + 0.3)
    folder.request("stop")
    until(folder, lambda s: s.phase in (STOPPING, ENDED))
    thread.join(20)
    state = folder.state()
    assert state.phase == ENDED and state.ok is False
    assert state.status == f"Stopped by a person during '{stage}'; the gripper is open and the arm is home."
    assert state.q[0] == 0.0
    assert before + 0.3 < cycle.aborted_at < before + LONG
    assert state.done[-2:] == (("open", True, "Open."), ("home", True, "Home."))
    t, q = folder.motion("executed")  # what was cut is not in it
    assert (np.diff(t) >= 0).all() and abs(t[-1] - state.time) < 1e-9
    assert (stage, False, "Stopped by a person.") in state.done
    assert np.abs(np.diff(q[:, 0])).max() < 0.11 and abs(t[-1] - cycle.aborted_at - 1.0) < 1e-9


def test_a_stop_while_planning_is_not_waited_for(begin):
    cycle = MadeUp(slow_plan=20.0)
    folder, thread = begin(cycle, pace=0.0)
    until(folder, lambda s: s.stage == "plan")
    begun = time.monotonic()
    folder.request("stop")
    thread.join(20)
    assert time.monotonic() - begun < 10.0
    assert folder.state().status == "Stopped by a person during 'plan'; nothing has moved."
    assert cycle.aborted_at is None


def test_a_stop_while_waiting(begin):
    folder, thread = begin(MadeUp(), pace=0.0)
    until(folder, lambda s: s.phase == WAITING)
    folder.request("stop")
    thread.join(20)
    assert folder.state().status == "Stopped by a person during 'plan'; nothing has moved."


def test_another_pace_while_it_moves(begin):
    folder, thread = begin(MadeUp(), pace=0.1, ask=False)
    until(folder, lambda s: s.phase == MOVING and s.time > 0)
    folder.request("pace", pace=0.0)
    thread.join(20)
    assert folder.state().ok and folder.state().pace == 0.0


@pytest.mark.parametrize(
    ("fail", "said"),
    [
        ("localise", "Not seen."),
        ("plan", "there is no path during 'plan'; nothing has moved."),
        ("carry", "The cycle failed: RuntimeError: a mistake during 'carry'; the gripper is open and the arm is home."),
    ],
)
def test_a_failure_is_reported_and_ends_at_home(begin, fail, said):
    cycle = MadeUp(fail)
    folder, thread = begin(cycle, pace=0.0, ask=False)
    thread.join(20)
    state = folder.state()
    assert state.phase == ENDED and state.ok is False and state.status == said
    assert (cycle.aborted_at is not None) == (fail == "carry")


def test_a_way_home_that_fails_is_said(begin):
    cycle = MadeUp("carry")
    cycle.abort = lambda at=None: 1 / 0
    folder, thread = begin(cycle, pace=0.0, ask=False)
    thread.join(20)
    assert "it did not come home: division by zero" in folder.state().status
