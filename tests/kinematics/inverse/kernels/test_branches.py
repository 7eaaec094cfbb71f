"""Angles near a start and inside limits, order, no duplicates."""

import math

import numpy as np
import pytest

from carpal.kinematics.inverse.kernels.branches import (
    BRANCH,
    DISTANCE,
    INSIDE,
    MARKS,
    SNAP,
    add_solution,
    arrange,
    settle,
    sine_of,
    turned,
    wrapped,
)


@pytest.mark.parametrize(
    ("angle", "near", "low", "high", "expected"),
    [
        (0.5, 0.0, -1.0, 1.0, 0.5),
        (0.5, 6.0, -9.0, 9.0, 0.5 + 2 * math.pi),  # next to the start
        (0.5, 6.0, -1.0, 1.0, 0.5),  # inside the limits comes first
        (-3.0, 3.0, -3.14, 3.14, -3.0),
        (3.0, 3.0, -math.inf, math.inf, 3.0),
        (2.0, 0.0, -1.0, 1.0, 2.0),  # outside either way: where it is least outside
        (4.0, 0.0, -1.0, 1.0, 4.0 - 2 * math.pi),
        (1.0 + 0.5 * SNAP, 0.0, -1.0, 1.0, 1.0),  # rounding does not close a limit
        (-1.0 - 0.5 * SNAP, 0.0, -1.0, 1.0, -1.0),
        (1.0 + 9 * math.pi, 0.0, -40.0, 40.0, 1.0 - math.pi),
    ],
)
def test_settle(angle, near, low, high, expected):
    assert settle(angle, near, low, high) == pytest.approx(expected, abs=1e-12)


def test_settle_never_leaves_the_angle():
    rng = np.random.default_rng(0)
    for angle, near, a, b in rng.uniform(-12, 12, (3000, 4)).tolist():
        low, high = min(a, b), max(a, b)
        x = settle(angle, near, low, high)
        assert abs(wrapped(x - angle)) < 1e-9
        turns = angle + 2 * math.pi * np.arange(-8, 9)
        inside = turns[(turns >= low) & (turns <= high)]
        if len(inside):
            assert low <= x <= high and (
                near < low or near > high or abs(x - near) <= np.abs(inside - near).min() + 1e-9
            )
        else:
            assert max(low - x, x - high) <= np.maximum(low - turns, turns - high).min() + 1e-9


def test_rows_are_sorted_and_never_twice():
    columns, limits = np.arange(5), np.full(5, 3.0)
    q0, q, marks = np.zeros((2, 6)), np.empty((2, 4, 6)), np.empty((2, 4, MARKS))
    q0[1, 5] = 7.0  # a joint that is not the arm's stays
    count = 0
    for k, first in enumerate((2.0, 0.5, 2.0 + 1e-9, 4.0 - 2 * np.pi)):
        count = add_solution(columns, -limits, limits, q0, (first, 0.1, 0.1, 0.1, 0.1), k, q, marks, count, 1)
    assert count == 3
    arrange(q, marks, count, 1)
    assert np.allclose(q[1, :3, 0], (0.5, 2.0, 4.0 - 2 * np.pi)) and (q[1, :3, 5] == 7.0).all()
    assert marks[1, :, BRANCH].tolist() == [1, 0, 3, -1] and np.isnan(q[1, 3]).all()
    assert (np.diff(marks[1, :3, DISTANCE]) > 0).all() and marks[1, :, INSIDE].tolist() == [1, 1, 1, 0]


def test_small_things():
    assert sine_of(1.0) == 0.0 and sine_of(1.0 + 1e-15) == 0.0 and sine_of(1.0 - 1e-16) == 0.0
    assert sine_of(0.6) == pytest.approx(0.8)
    assert np.allclose(turned((0.0, 0.0, 1.0), 1.0, 0.0, (1.0, 2.0, 3.0)), (-2, 1, 3))
