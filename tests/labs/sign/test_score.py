"""Scores: a perfect run, one that strays, one that touches."""

import types

import numpy as np
from sign_robots import plan, signer

from carpal.labs.sign.score import letter_times, planned, score_run


def recorded(word, change=0.0, joint=0):
    time = np.arange(0.0, word.duration, 5e-3)
    q = planned(word, time)
    q[:, joint] += change
    return types.SimpleNamespace(time=time, q=q, v=np.gradient(q, 5e-3, axis=0))


def test_a_perfect_run_is_reported_so():
    word = plan("CIAO")
    score = score_run(word, signer(), recorded(word), 0.0)
    assert score, str(score)
    numbers = score.numbers
    assert numbers["tracking_error_rad"] == 0.0 and numbers["letter_error_rad"] == 0.0
    assert abs(numbers["min_distance_mm"] - 1e3 * word.distance) < 0.2
    assert numbers["letters_per_minute"] == 60 * 4 / word.duration


def test_letters_have_their_times():
    word = plan("CIAO")
    assert [letter for letter, _, _ in letter_times(word)] == ["C", "I", "A", "O"]
    assert letter_times(word)[0][2] == signer().behaviour.hold


def test_a_stray_joint_is_reported():
    word = plan("CIAO")
    score = score_run(word, signer(), recorded(word, 0.05, joint=1), 0.0)
    assert not score and "0.050 rad away from its plan" in str(score)


def test_a_finger_that_is_not_there_in_time_is_reported():
    word = plan("CIAO")
    middle = word.mounted.model.q_index("hand/little_distal")
    score = score_run(word, signer(), recorded(word, -0.1, joint=middle), 0.0)
    assert not score and "still 0.100 rad away from its shape" in str(score)


def test_a_collision_is_reported():
    word = plan("CIAO")
    index = word.mounted.model.q_index("hand/index_abduction")
    run = recorded(word, -0.3, joint=index)
    score = score_run(word, signer(), run, 0.0)
    assert not score and "met" in str(score)
