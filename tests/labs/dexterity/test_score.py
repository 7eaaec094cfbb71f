"""Scores: creep by hand, numbers, and sentences."""

import math

import numpy as np
from dexterity_inputs import made_up, setting_of, touch

from carpal.labs.dexterity.example_file import Observe
from carpal.labs.dexterity.observations import Observation
from carpal.labs.dexterity.score import creep, numbers_of, score_outcome


def drawn(mode):
    setting = setting_of(3)
    q = np.tile(setting.start().q, (11, 1))
    q[:, 15] += np.linspace(0, 0.001, 11)
    return made_up(setting, q, contacts=[(touch("middle", mode),)] * 11)


def test_creep_counts_only_what_sticks():
    assert abs(creep(drawn("sticking")) - 0.001) < 1e-9
    assert abs(creep(drawn("")) - 0.001) < 1e-9  # no modes known: touching counts
    assert math.isnan(creep(drawn("sliding")))


def test_numbers_and_sentences():
    outcome = drawn("sliding")
    numbers = numbers_of(outcome)
    assert numbers["max_penetration_m"] == 0.0
    assert math.isnan(numbers["max_residual"])
    good, bad = (
        Observation(Observe("a", "turned", at_least=0), 1.0),
        Observation(Observe("b", "turned", at_least=2), 1.0),
    )
    assert score_outcome(outcome, [good]).ok
    assert "all 1 observations hold" in score_outcome(outcome, [good]).status
    missed = score_outcome(outcome, [good, bad])
    assert not missed.ok
    assert "1 of 2 observations do not hold (b)" in missed.status
    assert missed.numbers["observed_b"] == 1.0
    assert "ran for" in score_outcome(outcome, []).status
