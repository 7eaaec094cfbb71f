"""Plans as arrays: shorter ones wait at their last knot; moments that decide."""

import numpy as np
from catch_inputs import Q_START

from carpal.labs.catch import catcher
from carpal.labs.catch.arm_tables import BEFORE_OPENING, arm_links, follow_plans, packed_plans
from carpal.labs.catch.kernels.watch import CATCH, CHECK, OPEN
from carpal.labs.catch.task import Catch


def test_plans_of_different_lengths_fit_together():
    drop = Catch().plan_of(Catch().draw(0))
    seen = Catch(ball="estimated")
    plans = [drop, seen.plan_of(seen.draw(0))]
    knots, grip, times = packed_plans(plans, (2,))
    assert knots.shape[0] == grip.shape[0] == times.shape[0] == 2
    rows = knots[0].reshape(-1, 13)
    assert (np.diff(rows[:, 0]) > 0).all()
    np.testing.assert_array_equal(rows[-1, 1:7], drop.knots[-1, 1:7])
    assert times[0, CATCH] == drop.catch_time
    assert times[0, OPEN] == drop.open_time - BEFORE_OPENING
    assert times[0, CHECK] == 1.0
    alone = follow_plans([drop], 1.0, 0.01)[0]
    np.testing.assert_array_equal(follow_plans(plans, 1.0, 0.01)[0][:1], alone)
    np.testing.assert_allclose(alone[0, 0], Q_START, atol=1e-9)


def test_the_arm_and_the_hand_weigh_what_the_table_says():
    masses = arm_links(catcher())[:, 0]
    np.testing.assert_allclose(masses, [1.4, 1.3, 1.2, 0.3, 0.3, 0.4 + 4 * 0.075 + 0.068], atol=1e-9)
