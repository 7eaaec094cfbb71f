import time

import numpy as np
import pytest

from carpal.errors import InputError
from carpal.tasks import make_task
from carpal.viewer.session import ENDED, IDLE, PAUSED, RUNNING, Session

FAST = 0.0


def reach(**options):
    return make_task("reach", **({"duration": 2.0, "target": (0.9, 0.2, 0.4)} | options))


def until(fact, seconds=60.0):
    end = time.monotonic() + seconds
    while not fact():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.005)


def test_a_run_of_the_studio_equals_the_task_s_own(reached):
    session = Session()
    session.start(reach(), 3, speed=FAST)
    assert session.wait(60)
    assert session.phase == ENDED and session.ok
    assert session.status == reached.status
    for name in ("time", "q", "v", "u"):
        assert np.array_equal(getattr(session.recording, name), getattr(reached.recording, name))
    assert session.recording.metadata == reached.recording.metadata


def test_pause_step_resume_terminate():
    session = Session()
    session.start(reach(duration=1000.0), 0, speed=FAST, paused=True)
    assert session.phase == PAUSED and session.rows() is None
    session.step(25)
    until(lambda: session.rows() is not None and len(session.rows().time) == 25)
    assert len(session.rows(5).time) == 5
    session.step()
    until(lambda: len(session.rows().time) == 26)
    session.pause()
    assert session.phase == RUNNING
    until(lambda: len(session.rows().time) > 40)
    with pytest.raises(InputError, match="PAUSE first"):
        session.step()
    with pytest.raises(InputError, match="under way"):
        session.start(reach())
    session.pause()
    assert session.status.startswith("Paused at")
    session.terminate(wait=60)
    assert session.phase == ENDED and not session.ok and session.status.startswith("Terminated at")
    assert len(session.recording) >= 41
    for action in (session.pause, session.terminate):
        with pytest.raises(InputError, match="START first"):
            action()


def test_it_keeps_the_pace_and_changes_it():
    session = Session()
    begun = time.perf_counter()
    session.start(reach(duration=0.4), 0, speed=1.0)
    assert session.wait(60)
    assert time.perf_counter() - begun >= 0.38
    session.start(reach(duration=1000.0), 0, speed=1e-3)
    session.set_speed(FAST)
    until(lambda: session.rows() is not None and len(session.rows().time) > 100)
    session.terminate(wait=60)


def test_parts_are_kept_while_it_runs(tmp_path):
    from carpal.engines import Recording

    session = Session(tmp_path / "parts")
    session.start(reach(), 3, speed=FAST)
    assert session.wait(60)
    assert np.array_equal(Recording.load(tmp_path / "parts").q, session.recording.q)
    session.start(reach(), 4, speed=FAST)  # the earlier parts make room
    assert session.wait(60) and session.ok


def test_bad_input_is_refused_before_anything_starts():
    session = Session()
    for seed, speed, sentence in ((-1, 1.0, "seed"), (0, -1.0, "speed"), (0, float("nan"), "speed")):
        with pytest.raises(InputError, match=sentence):
            session.start(reach(), seed, speed=speed)
    assert not session.active


def test_a_task_that_fails_ends_with_a_sentence(monkeypatch):
    session, task = Session(), reach()
    task.policy = lambda: lambda time, state: np.full(7, np.nan) if time > 0.1 else np.zeros(7)
    session.start(task, 0, speed=FAST)
    assert session.wait(60)
    assert not session.ok and "controls must be finite" in session.status
    assert len(session.recording) > 100
    task.policy = lambda: lambda time, state: 1 / 0
    session.start(task, 0, speed=FAST)
    assert session.wait(60)
    assert "ZeroDivisionError" in session.status


@pytest.mark.parametrize("problem", [InputError("no score for that."), RuntimeError("no score for that.")])
def test_a_score_that_fails_leaves_the_recording(problem):
    def refuse(_):
        raise problem

    session, task = Session(), reach(duration=0.2)
    task.score = refuse
    session.start(task, 0, speed=FAST)
    assert session.wait(60)
    assert not session.ok and "no score for that." in session.status
    assert session.score is None and len(session.recording) > 100


def test_forgetting_is_being_as_before_the_first_run(reached):
    session = Session()
    session.adopt(reached.recording, reached.recording.model)
    session.forget()
    assert session.phase == IDLE and session.status == "Ready." and session.recording is None and session.rows() is None
    session.phase = RUNNING
    with pytest.raises(InputError, match="TERMINATE"):
        session.forget()
