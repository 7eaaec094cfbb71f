"""The kernel that seeks a rest: torques vanish there or push against a stop; the potential is the one of the positions."""

import numpy as np
import pytest
from finger_inputs import potential as written
from finger_inputs import random_finger, random_load, slope

from carpal.labs.finger.kernels import terms
from carpal.labs.finger.kernels.statics import (
    SETTLED,
    TORQUE_LEFT,
    finger_rest_batch,
    joint_stiffness,
    joint_torques,
    nearest_minimum,
    potential,
)

FREE = (-np.inf,) * 3, (np.inf,) * 3


@pytest.mark.parametrize("seed", range(6))
def test_potential_and_its_slopes(seed):
    rng = np.random.default_rng(seed)
    finger, load, q = random_finger(rng), random_load(rng, across=False), rng.uniform(-1, 1, 3)
    theta = terms.absolute(tuple(q))
    s, c = terms.sines(theta)
    given = tuple(load.rows())
    assert potential(finger.row[None], 0, tuple(q), s, c, given) == pytest.approx(
        written(finger, q, load), rel=1e-11, abs=1e-15
    )
    push = joint_torques(terms.static_moments(finger.row[None], 0, theta, s, c, given))
    assert np.allclose(push, -slope(lambda x: written(finger, x, load), q), rtol=0, atol=1e-11)
    a, b, c2, d, e, f = joint_stiffness(terms.stiffness_entries(finger.row[None], 0, s, c, given))
    H = slope(lambda x: slope(lambda y: written(finger, y, load), x, 1e-4), q, 1e-4)
    assert np.allclose([[a, b, c2], [b, d, e], [c2, e, f]], H, rtol=0, atol=1e-7)


@pytest.mark.parametrize("seed", range(6))
def test_nothing_is_left_where_it_settles(seed):
    rng = np.random.default_rng(seed)
    finger, load = random_finger(rng), tuple(random_load(rng, across=False).rows())
    q, settled, _, left = nearest_minimum(finger.row[None], 0, (0.1, 0.2, 0.3), load, *FREE)
    assert settled == 1.0 and left < 1e-15
    low, high = tuple(np.array(q) - 0.1), (q[0] - 0.05, q[1] + 0.1, q[2] - 0.02)
    held, settled, _, left = nearest_minimum(finger.row[None], 0, q, load, low, high)
    theta = terms.absolute(held)
    push = joint_torques(terms.static_moments(finger.row[None], 0, theta, *terms.sines(theta), load))
    assert settled == 1.0 and left < 1e-15  # what a stop carries is not left over
    for i in range(3):
        at_stop = held[i] in (low[i], high[i])
        assert abs(push[i]) < 1e-15 or (at_stop and push[i] * (1 if held[i] == high[i] else -1) > 0)


def test_the_entry_refuses_what_is_not_finite():
    rng = np.random.default_rng(1)
    rows = np.repeat(random_finger(rng).row[None], 3, 0)
    q, loads = np.zeros((3, 3)), np.repeat(random_load(rng).rows()[None], 3, 0)
    low, high = np.full((3, 3), -np.inf), np.full((3, 3), np.inf)
    out, report = np.full((3, 3), 7.0), np.full((3, 3), 7.0)
    assert finger_rest_batch(rows, q, loads, low, high, out, report, 0, 2, 1, 0) == 0
    assert (report[:2, SETTLED] == 1).all() and (report[:2, TORQUE_LEFT] < 1e-13).all() and (out[2] == 7.0).all()
    loads[1, 3] = np.nan
    assert finger_rest_batch(rows, q, loads, low, high, out, report, 0, 3, 1, 0) == 2
