"""Abort at any step ends open and home, the relay on the ground, nothing touched."""

import numpy as np
import pytest
from retrieve_inputs import done_cycle, new_cycle

from carpal.labs.retrieve import HOME, RetrieveCycle, RetrieveWorld
from carpal.labs.retrieve.scene import OPEN

STAGES = ("approach", "grasp", "close", "lift", "carry", "bring", "lower", "open", "retreat", "home")


def copied(cycle, until, share):
    """A cycle in the state of one that was run, and the time of a share of a stage; nothing is simulated again."""
    fresh = new_cycle()
    fresh.localisation, fresh.chosen, fresh.closing, fresh.travelled = (
        cycle.localisation,
        cycle.chosen,
        cycle.closing,
        list(cycle.travelled),
    )
    last = next(i for i, r in enumerate(cycle.reports) if r.name == until)
    fresh.reports = list(cycle.reports[: last + 1])
    report = cycle.reports[last]
    return fresh, float(report.time[0] + share * report.duration)


def check_end(cycle, result):
    assert cycle.done and np.allclose(cycle.q, HOME, atol=1e-9) and cycle.opening == OPEN and not cycle.held
    assert not result.ok and result.numbers["collisions"] == 0, result.status
    assert "the gripper is open and the arm home" in result.status
    assert abs(cycle.X_WO[2, 3]) < 1e-9 and cycle.X_WO[2, 2] > 0.999, "the relay stands"
    for one, two in zip(cycle.reports[:-1], cycle.reports[1:], strict=True):
        if len(one) and len(two):
            assert two.time[0] >= one.time[-1] - 1e-9 and np.abs(two.joints[0] - one.joints[-1]).max() < 2e-3


@pytest.mark.parametrize("stage", STAGES)
def test_a_stop_in_the_middle_of_every_stage(stage):
    cycle, at = copied(done_cycle(), stage, 0.5)
    out = cycle.abort(at)
    assert out and cycle.clock > at
    check_end(cycle, cycle.result())
    place = np.linalg.norm(cycle.X_WO[:2, 3] - done_cycle().world.X_WO[:2, 3])
    # without a planner there is no path back for a carried relay: it goes on to its place
    assert (place < 0.01) == (stage in ("approach", "grasp", "close", "lift"))


def test_a_stop_at_the_end_of_a_stage_and_before_anything():
    cycle, at = copied(done_cycle(), "close", 1.0)
    cycle.abort(at)
    check_end(cycle, cycle.result())
    fresh = new_cycle()
    assert fresh.abort() == [] and fresh.done and "the arm home" in fresh.status


@pytest.mark.full
@pytest.mark.parametrize("stage", ["carry", "bring"])
def test_a_carried_relay_is_brought_back_where_that_is_shorter(stage):
    cycle = RetrieveCycle(RetrieveWorld(done_cycle().world.relay_at))
    while not cycle.done and (not cycle.reports or cycle.reports[-1].name != stage):
        cycle.step()
    report = cycle.reports[-1]
    cycle.abort(float(report.time[0] + 0.3 * report.duration))
    check_end(cycle, cycle.result())
