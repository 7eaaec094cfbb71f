"""Summary of a grasp: the least singular value in closed form, and everything in one sentence."""

from __future__ import annotations

import numpy as np

from carpal.contact import Grasp, analyse_grasp, distribute_load


def test_two_soft_fingers(figure):
    """G of two opposite soft fingers has singular values sqrt(2) times (1, 1, 1, 1 / L, a / L, a / L)."""
    a = 0.03
    grasp = Grasp([[-a, 0, 0], [a, 0, 0]], [[1, 0, 0], [-1, 0, 0]], mu=0.6, tip="soft", torsion=0.004)
    load = distribute_load(grasp, [0, 0, -0.98, 0, 0, 0], keep=0.5)
    report = analyse_grasp(grasp, load.forces)
    figure("least singular value of two soft fingers", abs(report.least_singular_value - np.sqrt(2)), 1e-12)
    assert report.ok
    assert report.internal == 2  # press together, and spin against each other
    assert report.margins.share.min() >= 0.5 - 1e-6
    assert np.abs(report.parts.wrench - [0, 0, 0.98, 0, 0, 0]).max() < 1e-9
    assert "force closed" in str(report)


def test_two_hard_fingers_have_none():
    report = analyse_grasp(Grasp([[-0.03, 0, 0], [0.03, 0, 0]], [[1, 0, 0], [-1, 0, 0]]))
    assert not report
    assert report.least_singular_value == 0.0
    assert report.ball.radius == 0.0
