"""The check finds what is broken, by how much, where; and nothing where nothing is."""

import numpy as np
import pytest

import carpal
from carpal.errors import InputError
from carpal.planning import Trajectory, joint_trajectory
from carpal.planning.trajectories.limit_check import dense_samples


def bump(height, duration=2.0):
    """Joint 0 of the K10 up and down a parabola, the others at rest."""
    c = np.zeros((1, 3, 5))
    c[0, 1, 0], c[0, 2, 0] = 4 * height / duration, -4 * height / duration**2
    return Trajectory(np.array([0.0, duration]), c, carpal.load("k10").joint_names)


def test_each_limit_is_seen_with_its_joint_and_time():
    arm = carpal.load("k10")
    check = bump(0.02).check(arm)
    assert check and check.excess["speed"] == pytest.approx(0.04 / 0.2 - 1) and "every limit is kept" in str(check)
    check = bump(0.4).check(arm)
    assert not check and "breaks its speed limit" in check.status and check.joint["speed"] == "waist"
    c = np.zeros((1, 2, 5))
    c[0, 1, 4] = -0.15  # backwards counts as well
    back = Trajectory(np.array([0.0, 1.0]), c, arm.joint_names).check(arm)
    assert back.excess["speed"] == pytest.approx(0.5) and back.joint["speed"] == "wrist"
    assert check.excess["acceleration"] == pytest.approx(8 * 0.4 / 4 / 0.2 - 1)
    check = bump(4.0, 2.0).check(arm, v_max=1e3, vdot_max=1e3)
    assert check.excess["position"] == pytest.approx(4.0 - 3.14) and "position" in check.status
    assert check.time["position"] == pytest.approx(1.0)
    assert check.joint["position"] == "waist"


def test_a_turning_point_between_all_checks_is_found():
    arm = carpal.load("k10")
    c = np.zeros((1, 3, 5))
    c[0, :, 0] = 3.14 - 0.0001, 0.1 * 0.02, -0.1  # turns round after 10 ms of 1 s, far from every check
    motion = Trajectory(np.array([0.0, 1.0]), c, arm.joint_names)
    check = motion.check(arm, v_max=10.0, vdot_max=10.0)
    assert check.excess["position"] == pytest.approx(-0.0001 + 0.1 * 0.01**2, abs=1e-12)
    assert check.time["position"] == pytest.approx(0.01)


def test_torques_where_masses_are_known():
    arm = carpal.load("sawyer")
    motion = joint_trajectory(arm, [arm.q_home, arm.q_home + 0.3], vdot_max=2.0)
    check = motion.check(arm, vdot_max=2.0, torques=True)
    times, q, v, a = dense_samples(motion)
    share = np.abs(carpal.inverse_dynamics(arm, q, v, a)) / arm.tau_max
    assert check.excess["torque"] == pytest.approx(share.max() - 1) and times[-1] == motion.duration


def test_another_model_is_refused():
    with pytest.raises(InputError, match="5 joints"):
        bump(0.1).check(carpal.load("sawyer"))
