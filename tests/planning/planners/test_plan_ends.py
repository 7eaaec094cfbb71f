"""Every form in which starts and goals are given, and what is refused."""

import numpy as np
import pytest

import carpal
from carpal.errors import InputError
from carpal.planning import PoseGoal
from carpal.planning.planners.plan_ends import configuration, each_goal, goal_set, singles

ARM = carpal.load("k10")
Q = np.array([0.1, 0.2, -0.3, 0.4, 0.5])


def test_forms_of_a_goal():
    pose = PoseGoal([0.3, 0, 0.2])
    assert np.array_equal(goal_set(ARM, "goal", Q.tolist()).single, Q)
    assert len(goal_set(ARM, "goal", [Q, Q + 0.1]).entries) == 2
    assert goal_set(ARM, "goal", pose).entries == (pose,)
    mixed = goal_set(ARM, "goal", [pose, Q, [Q, pose]])
    assert len(mixed.entries) == 4 and not mixed.fixed
    assert [len(part.entries) for part in each_goal(ARM, [pose, [Q, Q + 0.1], Q])] == [1, 2, 1]
    assert [len(part.entries) for part in each_goal(ARM, np.stack([Q, Q]))] == [1, 1]
    assert len(each_goal(ARM, pose)) == 1 and len(each_goal(ARM, Q)) == 1
    starts = np.stack([Q, Q + 0.1])
    assert np.array_equal(singles([goal_set(ARM, "g", pose), goal_set(ARM, "g", Q)], starts), [Q, Q])


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ([1.0, 2.0], "the goal needs 5 numbers"),
        (np.full(5, np.nan), "not finite"),
        ([Q, np.full(5, 99.0)], "row 1 is out of limits"),
        (np.zeros((0, 5)), "got shape \\(0, 5\\)"),
        ("there", "goal"),
        ([PoseGoal([0.3, 0, 0]), np.zeros(3)], "entry 1 needs 5 numbers"),
    ],
)
def test_bad_goals(given, words):
    with pytest.raises(InputError, match=words):
        goal_set(ARM, "goal", given)


def test_a_configuration_is_clamped():
    q = np.array(ARM.q_max)
    assert np.array_equal(configuration(ARM, "start", q + 5e-7), q)
