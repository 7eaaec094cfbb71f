"""The recorder loop: rows, events, times of its own, and strides of several steps."""

import numpy as np
import pytest

import carpal
from carpal.engines import Advance, Event, RigidEngine, record_run, recorder_for, simulate
from carpal.model import State

MODEL = carpal.load("so101_old")
HOME = State.home(MODEL)


def engine():
    return RigidEngine(MODEL, dt=1e-3)


def test_it_is_the_loop_of_simulate():
    one = engine()
    ours = record_run(one, HOME, 20, recorder_for(one, seed=3, options={"a": 1}), every=4)
    theirs = simulate(one, HOME, None, 0.02, seed=3, options={"a": 1}, every=4)
    assert np.array_equal(ours.q, theirs.q) and np.array_equal(ours.time, theirs.time) and len(ours) == 6
    assert ours.metadata == theirs.metadata and ours.metadata["seed"] == 3


def test_a_stride_is_several_steps_in_one_call():
    one, seen = engine(), []

    def step(k, state, u):
        seen.append(k)
        return one.run(state, u, min(8, 20 - k))

    done = record_run(one, HOME, 20, recorder_for(one), step=step, stride=8, every=8, tick=seen.append)
    assert seen == [0, 8, 8, 16, 16, 20]
    assert done.time == pytest.approx([0.0, 0.008, 0.016, 0.02], abs=1e-15)
    assert done.q[-1] == pytest.approx(one.run(HOME, np.zeros(MODEL.nv), 20).state.q, abs=1e-13)


def test_rows_have_their_own_times_and_events():
    one, times = engine(), [0.0, 0.25, 0.4]
    still = Advance(HOME, np.zeros(()), np.zeros(()))
    done = record_run(
        one, HOME, 2, recorder_for(one, note="x"), step=lambda k, state, u: still, time_at=lambda k: times[k],
        events_at=lambda k: [Event(times[k], f"row {k}", "")],
    )  # fmt: skip
    assert done.time.tolist() == times and done.metadata["note"] == "x"
    assert [[event.name for event in row] for row in done.row_events] == [["row 0"], ["row 1"], ["row 2"]]
