"""Alkire's cases: a quarter turn of one joint ends at the point of the sheet."""

import numpy as np

import carpal
from carpal.labs.mount.cases import CASES, FIGURES


def test_targets_of_one_joint_and_of_all():
    arm = carpal.load("sawyer_dh")
    assert np.allclose(CASES[1].target(arm), (0.081, 0.1603, 1.25175), atol=1e-12)
    assert np.allclose(CASES[2].target(arm), (-0.1603, 1.01575, 0.317), atol=1e-12)
    assert CASES[1].joints(arm) == ("q2",) and CASES[2].joints(arm) == ("q1",) and CASES[3].joints(arm) is None
    assert np.array_equal(CASES[4].target(arm), (0.8, 0.0, 0.6))


def test_every_figure_of_chapter_6_is_named():
    named = sorted(int(word.partition(".")[2]) for figures, _, _ in FIGURES for word in figures.split(", "))
    assert named == list(range(1, 34))
