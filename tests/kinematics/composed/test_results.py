"""Sentences of results."""

from __future__ import annotations

import numpy as np
from composed_inputs import two_arms

from carpal.kinematics import IKProblem, PointTarget, fk, random_configurations


def test_sentences_say_what_is_short_and_which_limits_hold():
    model = two_arms()
    far = PointTarget((5.0, 0.0, 0.0))
    near = PointTarget(fk(model, model.q_home, "right_hand")[:3, 3], frame="right_hand", priority=1)
    problem = IKProblem(model, [far, near])
    result = problem.solve(attempts=1)
    assert not result and result.status.startswith("short: left_hand by ") and "from 1 start" in result.status
    first = PointTarget(near.goal, frame="right_hand")
    solved = IKProblem(model, [first, PointTarget((5.0, 0.0, 0.0), priority=1)]).solve()
    assert solved and "of lower priority, short: left_hand by" in solved.status
    step = problem.step(model.q_home, 0.01)
    assert step and step.status.startswith("a step at 2 [rad/s, m/s] at most; before it: left_hand by ")


def test_batches_are_counted_and_the_first_failure_explained():
    model = two_arms()
    goals = fk(model, random_configurations(model, 3, seed=1))[:, :3, 3]
    goals[1] = (9.0, 0.0, 0.0)
    result = IKProblem(model, PointTarget()).solve(goals={"left_hand": goals}, attempts=16)
    assert np.array_equal(result.ok, [True, False, True])
    assert result.status.startswith("2 of 3 problems solved; the first unsolved, (1,): short: left_hand by ")
