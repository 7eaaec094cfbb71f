"""What became of the ball: in the hand, in the bin, and the cause of a miss."""

import numpy as np
import pytest

from carpal.labs.catch.catcher_numbers import CatcherNumbers
from carpal.labs.catch.compiled import fresh_watch
from carpal.labs.catch.kernels import watch as w
from carpal.labs.catch.score import CAUSES, Outcome, in_bin, in_hand, landing, score_outcome, why_not_held
from carpal.labs.catch.task import Catch

NUMBERS = CatcherNumbers()
PLAN = Catch().plan_of(Catch().draw(0))
HELD, GONE = (0.0, 0.005, 0.025), (0.3, 0.0, 0.2)
IN_BIN = np.array([0.27, -0.7, -0.34])


def watched(looked=HELD, opened=HELD, met=(0.004, 0.0, 0.0), far=0.001, limited=0.0, touched=0.745):
    watch = fresh_watch()
    watch[w.CHECKED : w.CHECKED + 3], watch[w.OPENED : w.OPENED + 3], watch[w.MET : w.MET + 3] = looked, opened, met
    watch[w.FAR_MET], watch[w.LIMITED], watch[w.TOUCHED] = far, limited, touched
    return watch


def test_a_ball_in_the_hand():
    assert in_hand(np.array(HELD), 0.025)
    for p in ((0.03, 0, 0.025), (0, 0.031, 0.025), (0, 0, 0.05), (0, 0, 0.01)):
        assert not in_hand(np.array(p), 0.025)
    assert in_hand(np.array([0, 0, 0.035]), 0.03)


def test_a_ball_in_the_bin_cannot_leave_it():
    assert in_bin(NUMBERS, IN_BIN, np.zeros(3))
    assert not in_bin(NUMBERS, IN_BIN + np.array([0.11, 0, 0]), np.zeros(3))
    assert not in_bin(NUMBERS, IN_BIN + np.array([0, 0.2, 0]), np.zeros(3))
    assert not in_bin(NUMBERS, IN_BIN, np.array([0, 1.5, 0]))  # it would fly out again


@pytest.mark.parametrize(
    ("cause", "watch"),
    [
        ("none", watched()),
        ("slipped", watched(opened=GONE)),
        ("bounced out", watched(looked=GONE)),
        ("off the palm", watched(looked=GONE, met=(0.07, 0.0, 0.0))),
        ("off the palm", watched(looked=GONE, touched=-1.0)),
        ("late", watched(looked=GONE, far=0.05)),
        ("torque-limited", watched(looked=GONE, far=0.05, limited=3.0)),
    ],
)
def test_causes(cause, watch):
    assert why_not_held(watch, 0.025) == cause
    score = score_outcome(NUMBERS, PLAN, Outcome(watch, IN_BIN, np.zeros(3)))
    assert score.ok == (cause == "none")
    assert CAUSES[int(score.numbers["cause_code"])] == cause
    assert score.ok or cause in score.status


def test_beside_the_bin_and_diverged():
    score = score_outcome(NUMBERS, PLAN, Outcome(watched(), IN_BIN + np.array([0.3, 0, 0]), np.zeros(3)))
    assert "missed the bin" in score.status
    watch = watched()
    watch[w.DIVERGED] = 0.5
    assert "diverged" in score_outcome(NUMBERS, PLAN, Outcome(watch, IN_BIN, np.zeros(3))).status


def test_where_a_flying_ball_comes_down():
    there = landing(np.array([0.0, 1.0, 0.0]), np.array([1.0, 0.0, 2.0]), 0.0)
    t = np.sqrt(2 / 9.81)
    np.testing.assert_allclose(there, [t, 0, 2 * t], atol=1e-12)
    assert landing(np.zeros(3), np.array([0, 1.0, 0]), 5.0) is None
