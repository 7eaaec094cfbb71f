"""Tables of couplings and loops, and limits that couplings narrow."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from constrained_models import four_bar, mimic_arm
from extended_models import extended_model

from carpal.model import Body, Coupling, Joint, Model
from carpal.model.constraint_tables import _preimage, build_constraint_tables
from carpal.model.kernels.constraint_tables import COEFFICIENTS, Q_FOLLOWER, Q_LEADER


def test_tables_hold_what_the_model_has():
    model = extended_model()
    tables = build_constraint_tables(model)
    assert tables.couplings[0, [Q_FOLLOWER, Q_LEADER]].tolist() == [2, 0]
    assert tables.couplings[0, COEFFICIENTS : COEFFICIENTS + 5].tolist() == [0.1, -2.0, 0.5, 0.0, 0.0]
    assert tables.sides.tolist() == [[0, 1, 1, 1]] and tables.placed.tolist() == [1, 2, 3]
    assert four_bar().constraint_tables.sides.tolist() == [[0, 1, 1, 2]]


def test_leaders_stay_where_their_followers_are_inside():
    model = mimic_arm()
    slow = dataclasses.replace(model.couplings[0], coefficients=(-0.01, 2.0))
    low, high = model.replace(couplings=(slow,)).coupled_limits
    assert (low[6], high[6]) == pytest.approx((0.005, 0.025))
    assert np.array_equal(low[:6], model.q_min[:6])


def test_limits_pass_down_a_chain_of_couplings():
    bodies = [
        Body(n, None, Joint(n, "revolute", q_min=lo, q_max=hi))
        for n, lo, hi in (("a", -9, 9), ("b", -9, 9), ("c", -1, 2))
    ]
    model = Model(
        "chain", tuple(bodies), couplings=(Coupling("x", "c", "b", (0.0, 2.0)), Coupling("y", "b", "a", (0.0, -1.0)))
    )
    low, high = model.coupled_limits
    assert (low[0], high[0]) == pytest.approx((-1.0, 0.5))


def test_the_hull_of_a_polynomials_inside_equals_a_dense_search():
    rng = np.random.default_rng(3)
    x = np.linspace(-2.0, 2.0, 40_001)
    for _ in range(200):
        c = rng.normal(size=rng.integers(1, 6))
        low, high = np.sort(rng.normal(size=2))
        y = np.polynomial.polynomial.polyval(x, c)
        inside = x[(low <= y) & (y <= high)]
        hull = _preimage(c, low, high, -2.0, 2.0)
        if len(inside):
            assert hull == pytest.approx((inside[0], inside[-1]), abs=2e-4)
    assert _preimage(np.array([0.0, 1.0]), -1.0, np.inf, -np.inf, np.inf) == (-1.0, np.inf)
    assert _preimage(np.array([0.0, 0.0, 1.0]), -1.0, 4.0, -np.inf, np.inf) == pytest.approx((-2.0, 2.0))
    assert _preimage(np.array([5.0, 1.0]), 0.0, 1.0, 0.0, 1.0) is None
