"""Torque that holds the robot: rows against finite differences, and an arm that cannot lift its load."""

from __future__ import annotations

import numpy as np
import pytest
from composed_inputs import two_arms

from carpal.dynamics import TorqueLimit, gravity_forces
from carpal.errors import InputError
from carpal.kinematics import IKProblem, JointLimit, PointTarget, SpeedLimit, fk, random_configurations


def test_rows_are_the_derivative_of_the_torque():
    model = two_arms()
    limit = TorqueLimit(model, tau_max=np.linspace(10.0, 30.0, 10))
    for q in random_configurations(model, 3, seed=1):
        G, _ = limit.rows(q)
        for i in range(10):
            dq = 1e-6 * np.eye(10)[i]
            slope = (gravity_forces(model, q + dq) - gravity_forces(model, q - dq)) / 2e-6
            np.testing.assert_allclose(G[:10, i], slope, atol=1e-7)
            np.testing.assert_allclose(G[10:, i], -slope, atol=1e-7)
        tau = gravity_forces(model, q)
        assert limit.slack(q) == pytest.approx((np.linspace(10.0, 30.0, 10) - np.abs(tau)).min(), abs=1e-12)


def test_a_loop_stays_where_the_joints_can_hold_the_load():
    arm, frame = two_arms(), "left_hand"
    weak = np.where(np.arange(arm.nv) == 3, 6.0, 1000.0)  # the left shoulder
    limit = TorqueLimit(arm, tau_max=weak)
    q = np.zeros(arm.nq)
    q[3], q[4] = 1.4, -0.2
    assert limit.slack(q) > 0.0
    goal = fk(arm, q, frame)[:3, 3] + np.array([0.3, 0.0, 0.5])
    free = IKProblem(arm, PointTarget(goal, frame=frame), limits=[JointLimit(), SpeedLimit()])
    kept = IKProblem(arm, PointTarget(goal, frame=frame), limits=[JointLimit(), SpeedLimit(), limit])
    least, q_free, q_kept = np.inf, q, q
    broken = np.inf
    for _ in range(150):
        q_free, q_kept = free.step(q_free, 0.02).q, kept.step(q_kept, 0.02).q
        least, broken = min(least, float(limit.slack(q_kept))), min(broken, float(limit.slack(q_free)))
    assert broken < -0.1 and -1e-9 <= least < 0.5


def test_what_cannot_be_used_is_refused():
    model = two_arms()
    with pytest.raises(InputError, match="no joint of model 'two_arms' has a finite tau_max"):
        TorqueLimit(model)
    with pytest.raises(InputError, match="needs 10 numbers above zero"):
        TorqueLimit(model, tau_max=np.ones(3))
    with pytest.raises(InputError, match="share of TorqueLimit must be a number above zero"):
        TorqueLimit(model, tau_max=np.ones(10), share=0.0)
