"""The contact law as a projection: free, inside the disc, on its edge, torsion by its own limit."""

import numpy as np
import pytest

from carpal.engines.modal.kernels.contact_table import (
    AFTER,
    CLOSED,
    CONTACT_COLUMNS,
    IMPULSE,
    INCLUDED,
    ISLAND_END,
    MU,
    SHIFT,
    TORSION,
    UNHELD,
)
from carpal.engines.modal.kernels.friction_law import law_residual, projected, steps_of, trial, velocities_under


def _contact(mu=0.5, torsion=0.0):
    con = np.zeros((1, 1, CONTACT_COLUMNS))
    con[0, 0, [MU, TORSION, CLOSED, INCLUDED, ISLAND_END]] = mu, torsion, 1.0, 1.0, 1
    return con


def test_the_three_branches_and_the_torsional_limit():
    con = _contact(torsion=0.1)
    assert projected(con, 0, 0, (1.0, 1.0, -1.0, 1.0)) == (0.0, 0.0, 0.0, 0.0)
    assert projected(con, 0, 0, (0.3, 0.0, 1.0, 0.05)) == (0.3, 0.0, 1.0, 0.05)
    slid = projected(con, 0, 0, (3.0, 4.0, 2.0, -5.0))
    assert slid == pytest.approx((0.6, 0.8, 2.0, -0.2))


def test_a_solution_has_no_residual_and_a_wrong_one_has():
    W = np.diag([2.0, 2.0, 4.0, 1.0])[None]
    con = _contact()
    con[0, 0, UNHELD : UNHELD + 3] = 4.0, 0.0, -4.0  # needs r_n = 1; stick would need r_1 = -2 > mu
    con[0, 0, IMPULSE : IMPULSE + 3] = -0.5, 0.0, 1.0
    velocities_under(W, con, 0, 1)
    assert con[0, 0, AFTER : AFTER + 3].tolist() == [3.0, 0.0, 0.0]
    assert law_residual(W, con, 0, 1)[0] < 1e-15
    assert trial(W, con, 0, 0)[2] == 1.0
    assert steps_of(W, 0, 0) == (0.25, 0.5, 1.0)
    con[0, 0, IMPULSE] = 0.5  # along the slip instead of against it
    velocities_under(W, con, 0, 1)
    assert law_residual(W, con, 0, 1)[0] > 0.5


def test_an_open_gap_asks_for_its_own_speed():
    W = np.diag([2.0, 2.0, 4.0, 1.0])[None]
    con = _contact()
    con[0, 0, CLOSED], con[0, 0, SHIFT], con[0, 0, UNHELD + 2] = 0.0, 3.0, -4.0
    con[0, 0, IMPULSE + 2] = 0.25
    velocities_under(W, con, 0, 1)
    assert con[0, 0, AFTER + 2] == -3.0
    assert law_residual(W, con, 0, 1)[0] == 0.0
