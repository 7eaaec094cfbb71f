"""Joint motions as values: quintics, chains of parabolas, limits told in a sentence."""

import numpy as np
import pytest

import carpal
from carpal.errors import InputError
from carpal.kinematics import JointMotion, quintic_move, quintic_time

ARM = carpal.load("sawyer")


def test_the_quintic_is_at_rest_at_both_ends_and_arrives() -> None:
    goal = np.array([1.0, -2.0])
    motion = quintic_move(np.zeros(2), goal, 1.5, 1e-3)
    assert np.array_equal(motion.q[-1], goal) and not motion.v[[0, -1]].any()
    s = motion.time / 1.5
    exact = (10 * s**3 - 15 * s**4 + 6 * s**5)[:, None] * goal
    assert np.abs(motion.q - exact).max() < 1e-6 and motion.duration == pytest.approx(1.5)


def test_the_shortest_quintic_touches_one_limit() -> None:
    goal = np.array([0.5, -0.3, 0.2, 0.9, 0.0, 0.1, 0.0])
    T = quintic_time(np.zeros(7), goal, ARM.v_max, 10.0)
    assert quintic_move(np.zeros(7), goal, T, 1e-4).broken_limit(ARM, 10.0, tolerance=1e-3) is None
    assert quintic_move(np.zeros(7), goal, 0.97 * T, 1e-4).broken_limit(ARM, 10.0, tolerance=1e-3) is not None
    assert quintic_time(goal, goal, ARM.v_max, 10.0) == 0.0


def test_motions_follow_each_other_and_wait() -> None:
    there = quintic_move(np.zeros(1), np.ones(1), 0.5, 0.01)
    both = there.followed_by(quintic_move(np.ones(1), np.zeros(1), 0.5, 0.01)).lasting(1.5)
    assert both.duration == pytest.approx(1.5) and len(both.q) == 151
    assert both.q[50, 0] == 1.0 and both.q[-1, 0] == 0.0 and both.lasting(1.0) is both
    with pytest.raises(InputError, match="cannot follow"):
        there.followed_by(quintic_move(np.ones(1), np.zeros(1), 0.5, 0.02))


def test_velocities_make_parabolas() -> None:
    motion = JointMotion.from_velocities(0.1, [1.0], [[0.0], [1.0], [0.0]])
    assert np.allclose(motion.q[:, 0], [1.0, 1.05, 1.1]) and np.allclose(motion.vdot[:, 0], [10.0, -10.0, 0.0])


def test_a_broken_limit_is_a_sentence() -> None:
    motion = quintic_move(np.zeros(7), np.r_[1.0, np.zeros(6)], 0.5, 1e-3)
    told = motion.broken_limit(ARM)
    assert told is not None and "'j0'" in told and "faster" in told and "rad/s" in told
    assert "below" in str(quintic_move(np.zeros(7), np.r_[0, -5.0, np.zeros(5)], 9.0, 1e-3).broken_limit(ARM))
