"""Goals of a call in place of those that targets were made with, and batches of them."""

from __future__ import annotations

import numpy as np
import pytest
from composed_inputs import two_arms

from carpal.errors import InputError
from carpal.kinematics import IKProblem, PointTarget, PostureTarget


def test_goals_of_a_call_replace_those_of_the_targets_for_that_call_alone():
    model = two_arms()
    made = IKProblem(model, [PointTarget((0.3, 0.2, 0.6)), PostureTarget()])
    moved = made.step(model.q_home, 0.01, {"left_hand": (0.3, 0.2, 0.5), "posture": np.full(10, 0.1)})
    fresh = IKProblem(model, [PointTarget((0.3, 0.2, 0.5)), PostureTarget(np.full(10, 0.1))]).step(model.q_home, 0.01)
    assert np.array_equal(moved.v, fresh.v)
    assert not np.array_equal(made.step(model.q_home, 0.01).v, fresh.v)
    assert made.names == ("left_hand", "posture")


def test_goals_of_several_targets_are_broadcast():
    model = two_arms()
    problem = IKProblem(model, [PointTarget(), PointTarget((0.3, -0.3, 0.4), frame="right_hand")])
    goals = np.random.default_rng(0).uniform(0.2, 0.5, (4, 1, 3))
    result = problem.step(np.zeros((5, 10)), 0.01, {"left_hand": goals})
    assert result.v.shape == (4, 5, 10) and result.position_error.shape == (4, 5, 2)


def test_what_cannot_be_used_is_refused():
    problem = IKProblem(two_arms(), [PointTarget(), PointTarget(frame="right_hand"), PostureTarget()])
    q = np.zeros(10)
    with pytest.raises(InputError, match="goals maps names of targets"):
        problem.step(q, 0.01, [1.0])
    with pytest.raises(InputError, match="do not fit together: left_hand \\(2,\\), right_hand \\(3,\\)"):
        problem.step(q, 0.01, {"left_hand": np.zeros((2, 3)), "right_hand": np.zeros((3, 3))})
    with pytest.raises(InputError, match="the posture needs 10 finite numbers"):
        problem.step(q, 0.01, {"left_hand": np.zeros(3), "right_hand": np.zeros(3), "posture": [1.0]})
