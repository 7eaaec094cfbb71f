"""Averaged motions: the integral itself, the closed form of the S-curve, limits that are kept."""

import numpy as np
import pytest

import carpal
from carpal.errors import InputError
from carpal.planning import Trajectory, joint_trajectory, limit_jerk
from carpal.planning.trajectories.jerk_limits import averaged, joined

ARM = carpal.load("k10")
RNG = np.random.default_rng(4)
WAYPOINTS = RNG.uniform(-0.7, 0.7, (6, 5)) - [0, 0.4, 0, 0, 0]


def test_an_average_is_the_integral_over_the_window():
    motion = joint_trajectory(ARM, WAYPOINTS, v_max=1.0, vdot_max=3.0)
    made = averaged(motion, 0.37)
    assert made.duration == pytest.approx(motion.duration + 0.37)
    u = (np.arange(4000) + 0.5) / 4000
    for t in np.linspace(0, made.duration, 60):
        mean = motion.at(np.clip(t - 0.37 * u, 0.0, None))[0].mean(axis=0)
        assert np.allclose(made.at(t)[0], mean, atol=1e-6)
    assert np.allclose(made.q_start, WAYPOINTS[0], atol=1e-14) and np.allclose(made.q_end, WAYPOINTS[-1], atol=1e-13)
    step = 1e-6
    for t in RNG.uniform(0.01, made.duration - 0.01, 30):
        (q0, v0, _), (_, v, a), (q1, v1, _) = made.at(t - step), made.at(t), made.at(t + step)
        assert np.allclose(v, (q1 - q0) / (2 * step), atol=1e-8) and np.allclose(a, (v1 - v0) / (2 * step), atol=1e-4)


@pytest.mark.parametrize("jerk", [4.0, 40.0, 1e6])
def test_limits_are_kept_and_jerk_is_used(jerk):
    motion = limit_jerk(joint_trajectory(ARM, WAYPOINTS, v_max=1.0, vdot_max=3.0), jerk)
    check = motion.check(ARM, v_max=1.0, vdot_max=3.0, jerk_max=jerk)
    assert check.ok, check
    assert check.excess["jerk"] > -0.5  # the window is not twice too long
    assert not motion.check(ARM, jerk_max=0.4 * jerk)


def test_the_s_curve_of_one_joint_lasts_as_its_closed_form():
    arm = carpal.Model.from_dh([[0, 0, 0.3, 0]])
    goal, v, a, jerk = 3.0, 1.5, 4.0, 30.0  # all limits are reached: d/v + v/a + a/j
    motion = limit_jerk(joint_trajectory(arm, [[0.0], [goal]], v_max=v, vdot_max=a), jerk)
    assert motion.duration == pytest.approx(goal / v + v / a + a / jerk, rel=1e-9)
    assert np.abs(motion.at(np.linspace(0, motion.duration, 500))[1]).max() == pytest.approx(v)


def test_jumps_of_the_acceleration_are_infinite_jerk():
    motion = joint_trajectory(ARM, WAYPOINTS, vdot_max=3.0)
    assert motion.check(ARM, vdot_max=3.0) and not motion.check(ARM, vdot_max=3.0, jerk_max=1e9)


def test_joined_motions_follow_each_other():
    legs = [joint_trajectory(ARM, WAYPOINTS[i : i + 2], vdot_max=3.0) for i in range(3)]
    whole = joined([legs[0], limit_jerk(legs[1], 10.0), legs[2]], "three")
    assert whole.duration == pytest.approx(whole.passing[-1]) and len(whole.passing) == 4
    for t, q in zip(whole.passing, WAYPOINTS, strict=False):
        assert np.allclose(whole.at(t)[0], q, atol=1e-12) and np.allclose(whole.at(t)[1], 0, atol=1e-9)


def test_bad_jerks_and_motions_are_refused():
    motion = joint_trajectory(ARM, WAYPOINTS, vdot_max=3.0)
    for bad in (0.0, -1.0, np.nan, np.inf, [1.0, 2.0]):
        with pytest.raises(InputError, match="jerk_max must be one finite number above zero or 5"):
            limit_jerk(motion, bad)
    with pytest.raises(InputError, match="constant on every piece"):
        limit_jerk(limit_jerk(motion, 5.0), 5.0)
    still = Trajectory(np.array([0.0, 1.0]), np.zeros((1, 1, 5)), ARM.joint_names)
    assert limit_jerk(still, 1.0) is still
