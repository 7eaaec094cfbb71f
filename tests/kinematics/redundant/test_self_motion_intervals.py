import numpy as np
import pytest

import carpal
from carpal.errors import InputError
from carpal.kinematics import TracedIntervals, arm_angle, arm_angle_intervals, random_configurations
from carpal.kinematics.redundant.self_motion_arcs import joint_margins

SAWYER = carpal.load("sawyer")


def test_the_generating_angle_lies_in_an_interval_and_margins_are_true():
    for q in random_configurations(SAWYER, 6, seed=31):
        X = carpal.fk(SAWYER, q)
        found = arm_angle_intervals(SAWYER, X)
        assert isinstance(found, TracedIntervals) and found
        assert found.contains(float(arm_angle(SAWYER, q)))
        for interval in found:
            assert -np.pi <= interval.low < np.pi and interval.high > interval.low
            assert interval.middle in interval
            assert np.abs(carpal.fk(SAWYER, interval.q_middle) - X).max() < 1e-10
            assert interval.margin == pytest.approx(joint_margins(SAWYER, interval.q_middle).min(), abs=1e-9)
            assert interval.margin >= -1e-9
        assert found.resolution == 0.04
        assert "traced numerically, steps up to 0.04 rad" in found.status


def test_no_false_claim_by_the_solutions_at_many_angles():
    """At angles from all over the circle the number of solutions inside the limits equals the number of intervals there."""
    X = carpal.fk(SAWYER, random_configurations(SAWYER, 1, seed=32)[0])
    found = arm_angle_intervals(SAWYER, X)
    for psi in np.linspace(-3.1, 3.1, 60):
        solved = carpal.ik_all(SAWYER, X, arm_angle=psi)
        holds = sum(
            int(np.floor((i.high - psi) / (2 * np.pi)) - np.ceil((i.low - psi) / (2 * np.pi)) + 1) for i in found
        )
        assert int(solved.in_limits.sum()) == holds


def test_a_pose_out_of_reach():
    X = carpal.fk(SAWYER, np.zeros(7))
    X[1, 3] = 2.5
    none = arm_angle_intervals(SAWYER, X)
    assert not none and len(none) == 0
    assert "out of reach by" in none.status


def test_batches_and_other_targets_are_refused_in_a_sentence():
    with pytest.raises(InputError, match="traced for one pose"):
        arm_angle_intervals(SAWYER, np.tile(np.eye(4), (2, 1, 1)))
    with pytest.raises(InputError, match="traced for one pose"):
        arm_angle_intervals(SAWYER, np.zeros(3))
