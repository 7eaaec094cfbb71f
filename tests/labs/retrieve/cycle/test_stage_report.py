"""Rows of a stage: cut, thinned, with the relay's pose."""

import itertools

import numpy as np
from retrieve_inputs import done_cycle

from carpal.labs.retrieve import HOME, StageReport, relay_pose
from carpal.labs.retrieve.cycle.stage_report import MOST, gripped, thin


def test_reports_follow_each_other_in_time():
    reports = [r for r in done_cycle().reports if len(r)]
    for one, two in itertools.pairwise(reports):
        assert np.isclose(one.time[-1], two.time[0])
        assert np.abs(one.joints[-1] - two.joints[0]).max() < 1e-4, (one.name, two.name)
    assert all(len(r) <= MOST for r in reports)


def test_a_cut_keeps_what_was_before():
    report = next(r for r in done_cycle().reports if r.name == "carry")
    cut = report.until(10)
    assert len(cut) == 11 == len(cut.angles) and np.array_equal(cut.q, report.q[:11]) and cut.duration < report.duration
    assert not report.failed("no.", ("a", "b")) and report.failed("no.").status == "no."
    assert np.allclose(report.X_WO(3)[:3, 3], report.q[3, 6:9])


def test_the_gripper_alone_and_nothing_at_all():
    X = relay_pose(0.4, 0.1, 0.2)
    report = gripped("open", 5.0, HOME, np.full(5, 1e-3), (0.003, 0.035), X)
    assert report.time[0] == 5.0 and np.isclose(report.duration, 0.032 / 0.005)
    assert np.allclose(report.q[:, :5], HOME + 1e-3) and np.allclose(report.joints, HOME) and report.q[-1, 5] == 0.035
    assert len(StageReport("plan", True, "Planned.")) == 0 and StageReport("plan", True, "").duration == 0.0
    assert thin(5).tolist() == [0, 1, 2, 3, 4] and len(thin(10_000)) <= MOST and thin(10_000)[-1] == 9999
