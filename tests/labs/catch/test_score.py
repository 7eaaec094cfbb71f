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


def watched(
    looked=HELD,
    opened=HELD,
    met=(0.004, 0.0, 0.0),
    far=0.001,
    limited=0.0,
    touched=0.745,
    at=(0.0, 0.0, 0.0),
    parts=None,
):
    watch = fresh_watch()
    watch[w.CHECKED : w.CHECKED + 3], watch[w.OPENED : w.OPENED + 3], watch[w.MET : w.MET + 3] = looked, opened, met
    watch[w.FAR_MET], watch[w.LIMITED], watch[w.TOUCHED] = far, limited, touched
    watch[w.AT_TOUCH : w.AT_TOUCH + 3] = at
    for part, first in (parts or {}).items():
        watch[w.FIRST_BY + part], watch[w.LAST_BY + part] = first, first + 0.03
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
        ("bounced out", watched(looked=GONE, parts={w.PALM_PART: 0.745, w.FINGER_PART + 1: 0.75})),
        ("bounced out", watched(looked=GONE, parts={w.PALM_PART: 0.745})),
        ("struck the digits", watched(looked=GONE, parts={w.PALM_PART: 0.76, w.FINGER_PART + 1: 0.74})),
        ("struck the digits", watched(looked=GONE, parts={w.THUMB_PART: 0.74})),
        ("off the palm", watched(looked=GONE, at=(0.07, 0.0, 0.03), parts={w.FINGER_PART: 0.74})),
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


def test_the_sentence_follows_the_sequence_of_contacts():
    def said(touched=0.745, **parts):
        watch = watched(looked=GONE, touched=touched, parts={getattr(w, name): when for name, when in parts.items()})
        return score_outcome(NUMBERS, PLAN, Outcome(watch, IN_BIN, np.zeros(3))).status

    assert "left without touching a digit" in said(PALM_PART=0.745)
    assert "first touched the index finger at 0.750 s and last the hand at 0.780 s" in said(
        PALM_PART=0.745, FINGER_PART=0.75
    )
    early = said(touched=PLAN.catch_time - 0.005, THUMB_PART=PLAN.catch_time - 0.005)
    assert (
        "struck the thumb 5 ms before the catch" in early and "commanded 75 % closed" in early
    )  # the ramp takes 20 ms


def test_an_invalid_run_is_not_a_catch():
    watch = watched()
    watch[w.DEPTH_SHARE], watch[w.DEEPEST], watch[w.DEEP_PART] = 1.2, 0.0144, w.PALM_PART
    for outcome in (Outcome(watch, IN_BIN, np.zeros(3)), Outcome(watched(), IN_BIN, np.zeros(3), energy_kept=False)):
        score = score_outcome(NUMBERS, PLAN, outcome)
        assert not score.ok and not score.numbers["caught"] and "the run is invalid: " in score.status


def test_what_was_not_computed_is_absent():
    watch = watched()
    assert "least_determinant" not in score_outcome(NUMBERS, PLAN, Outcome(watch, IN_BIN, np.zeros(3))).numbers
    watch[w.DET] = 0.02
    assert score_outcome(NUMBERS, PLAN, Outcome(watch, IN_BIN, np.zeros(3))).numbers["least_determinant"] == 0.02


def test_where_a_flying_ball_comes_down():
    there = landing(np.array([0.0, 1.0, 0.0]), np.array([1.0, 0.0, 2.0]), 0.0)
    t = np.sqrt(2 / 9.81)
    np.testing.assert_allclose(there, [t, 0, 2 * t], atol=1e-12)
    assert landing(np.zeros(3), np.array([0, 1.0, 0]), 5.0) is None
